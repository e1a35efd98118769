/**
 * A store that follows the change log ends with the very network that the tables have, whatever was edited meanwhile.
 * On a real Postgres, with edits as the services make them.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { GONE } from '../../../delivery/decision/candidate-index.ts';
import { createLog } from '#runtime/log.ts';
import { currentPosition, tellChanges } from '#books/change-log.ts';
import { SCREENS_SEEN_MAX } from '#domain/screens/venue.ts';
import { type ChangeFeed, startChangeFeed } from '../../../delivery/snapshot/change-feed.ts';
import { createLoader, type Loader } from '../../../delivery/snapshot/loader.ts';
import { Store } from '../../../delivery/snapshot/store.ts';
import { addCampaign, addScreen, createWorld, PUBLIC_URL, type World } from '../delivery-under-test.ts';
import { RandomHistory } from './random-history.ts';

const FATAL = createLog('delivery', 'fatal');
const EDITS = 24;

let world: World;
let loader: Loader;
const feeds: ChangeFeed[] = [];

beforeAll(async () => {
  world = await createWorld();
  loader = createLoader({ sql: world.sql, publicUrl: PUBLIC_URL, log: FATAL });
});
afterEach(async () => {
  await Promise.all(feeds.splice(0).map(feed => feed.close()));
});
afterAll(() => world.close());

/** What a process does when it starts. */
async function start(): Promise<Store> {
  const store = new Store(Date.now());
  const whole = await loader.loadAll();
  await store.replaceAll(whole);
  const { position } = whole;
  const { sql } = world;
  feeds.push(await startChangeFeed({ sql, store, loader, log: FATAL, position, onEffects: () => undefined }));
  return store;
}

/** Until the store has all that is committed. */
async function follow(store: Store): Promise<void> {
  const { number } = await currentPosition(world.sql);
  await tellChanges(world.sql);
  await vi.waitUntil(() => store.revision >= number, { timeout: 10_000 });
}

/**
 * All that decisions and screens see of a store, by handle. The number of screens at an address matters only above what
 * a visitor sees. Charges are in no line of the change log: the authority keeps them.
 */
function contents(store: Store) {
  const { index, screens } = store;
  const byHandle = <Entry extends { handle: number }>(entries: Entry[]) =>
    entries.toSorted((one, other) => one.handle - other.handle);
  return {
    campaigns: byHandle(
      Array.from({ length: index.campaigns.size }, (_, campaign) => campaign)
        .filter(campaign => index.state(campaign) !== GONE)
        .map(campaign => {
          const { creatives, chargedMicros: _charged, ...facts } = index.facts[campaign]!;
          const files = creatives.map(({ files: played, credit: _credit, ...creative }) => ({
            ...creative,
            files: played.map(({ parts, asset }) => ({ json: Buffer.from(parts.json).toString(), asset })),
          }));
          return { ...facts, creatives: files };
        }),
    ),
    venues: byHandle(
      screens.venues.map(({ facts }) => ({
        ...facts,
        screensNear: Math.max(SCREENS_SEEN_MAX, facts.screensNear),
        defaultPlaylist: undefined, // seen in the settings of screens
      })),
    ),
    screens: byHandle(
      Array.from({ length: screens.size }, (_, screen) => screen)
        .filter(screen => store.isPaired(screen))
        .map(screen => ({
          handle: screens.handleAt(screen),
          venue: screens.venueAt(screen).facts.handle,
          blocked: screens.blocked[screen],
          audience: screens.audiences[screen],
          sandbox: screens.isSandbox(screen),
          sensor: store.sensorKeyOf(screen),
          settings: store.settingsOf(screen, 0),
        })),
    ),
  };
}

test.each([1, 2, 3, 4, 5, 6])(
  'a store that followed random edits equals one read from the tables: seed %i',
  async seed => {
    const history = await RandomHistory.begin(world, seed);
    const followed = await start();
    for (let edit = 0; edit < EDITS; edit++) await history.edit();
    await history.commitOpen();
    await follow(followed);
    const tables = await start();
    expect(contents(followed)).toEqual(contents(tables));
    const { screens } = contents(tables);
    expect(screens.length).toBeGreaterThan(5);
    const rows = await world.sql<{ handle: number; token: Buffer }[]>`
    select handle, token_hash as token from screens where unpaired_at is null and token_hash is not null`;
    for (const { handle, token } of rows) {
      const screen = followed.screenWithToken(token.toString('base64'))!;
      expect(followed.screens.handleAt(screen)).toBe(handle);
    }
  },
);

test('a line whose transaction began before later lines and committed after them is read', async () => {
  const campaign = await addCampaign(world);
  const store = await start();
  const connection = await world.sql.reserve();
  await connection`begin`;
  await connection`insert into change_log (entity, handle, at) values ('campaign', ${campaign.handle}, now())`;
  await connection`update campaigns set status = 'paused' where handle = ${campaign.handle}`;
  await addScreen(world); // a later line is seen before
  await follow(store);
  await connection`commit`;
  connection.release();
  await tellChanges(world.sql);
  const index = store.index.campaigns.campaignIndex(campaign.handle)!;
  await expect.poll(() => store.index.facts[index]!.status).toBe('paused');
});

test('equal hours of many venues are one object', async () => {
  const hours = { mon: [{ start: '08:00', end: '12:00' }] };
  for (const name of ['one', 'other'])
    await world.sql`
      insert into venues (workspace_handle, name, type, city, lat, lng, timezone, opening_hours, daily_visitors,
        dwell_minutes, created_at)
      values (${world.workspace}, ${name}, 'retail.malls', 'Bonn', 1, 1, 'Europe/Berlin', ${world.sql.json(hours)}, 1,
        1, now())`;
  const store = await start();
  const [one, other] = store.screens.venues.filter(({ facts }) => facts.cityFolded === 'bonn');
  expect(one!.facts.hours).toBeDefined();
  expect(one!.facts.hours).toBe(other!.facts.hours);
});
