/**
 * The image of the snapshot: a start from it ends with the very network that the tables have, and an image that is
 * damaged, of another program or of another history is not taken.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SCREENS_SEEN_MAX } from '#domain/screens/venue.ts';
import { createLog } from '#runtime/log.ts';
import { currentPosition, tellChanges, witnessOf } from '#books/change-log.ts';
import { type ChangeFeed, startChangeFeed } from '../../../delivery/snapshot/change-feed.ts';
import { type Filled, fillStore } from '../../../delivery/snapshot/image/fill-store.ts';
import { type ImageHead, writeImage } from '../../../delivery/snapshot/image/image-file.ts';
import { sectionsOf, startImageKeeper } from '../../../delivery/snapshot/image/image-keeper.ts';
import { createLoader, type Loader } from '../../../delivery/snapshot/loader.ts';
import { Store } from '../../../delivery/snapshot/store.ts';
import type { StorePiece } from '../../../delivery/snapshot/store-pieces.ts';
import {
  addCampaign,
  addScreen,
  change,
  createWorld,
  metricOf,
  PUBLIC_URL,
  type World,
} from '../delivery-under-test.ts';
import { RandomHistory } from './random-history.ts';

const FATAL = createLog('delivery', 'fatal');
const SEEDS = (process.env['IMAGE_SEEDS'] ?? '1,2,3,4,5,6').split(',').map(Number);
const EDITS = 12;
const MAKER = 'this test';

let world: World;
let loader: Loader;
let folder: string;
let path: string;
const feeds: ChangeFeed[] = [];

beforeAll(async () => {
  world = await createWorld();
  loader = createLoader({ sql: world.sql, publicUrl: PUBLIC_URL, log: FATAL });
});
afterAll(() => world.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-image-'));
  path = join(folder, 'snapshot.image');
});
afterEach(async () => {
  await Promise.all(feeds.splice(0).map(feed => feed.close()));
  await rm(folder, { recursive: true, force: true });
});

type Started = { store: Store; feed: ChangeFeed; filled: Filled };

/** What a process does when it starts. */
async function start(given: Partial<{ path: string; maker: string; of: World }> = {}): Promise<Started> {
  const { of: { sql } = world, ...image } = given;
  const store = new Store(Date.now());
  const filled = await fillStore({ sql, store, loader, path, maker: MAKER, log: FATAL, ...image });
  const { position } = filled;
  const feed = await startChangeFeed({ sql, store, loader, log: FATAL, position, onEffects: () => undefined });
  feeds.push(feed);
  return { store, feed, filled };
}

const fromTables = () => start({ path: join(folder, 'absent') });

/** As a process ends. */
async function writeOf({ store, feed }: Started): Promise<void> {
  const options = { sql: world.sql, store, feed, path, maker: MAKER, imageAtMs: undefined, log: FATAL };
  await startImageKeeper(options).close();
}

/** Until the feed has read all that is committed. */
async function follow({ feed }: Started): Promise<void> {
  const { number } = await currentPosition(world.sql);
  await tellChanges(world.sql);
  await vi.waitUntil(() => feed.followed()!.position.number >= number, { timeout: 10_000 });
}

/**
 * All that a store holds, in the order of handles. Fewer screens at an address than a visitor sees are as good as any
 * other such number, and a playlist that is not there is as good as none.
 */
function contents(store: Store) {
  const pieces = [...store.pieces()];
  type RecordOf<K> = Extract<StorePiece, { kind: K }>['records'][number];
  const recordsOf = <K extends StorePiece['kind']>(kind: K) =>
    pieces
      .flatMap(piece => (piece.kind === kind ? (piece.records as RecordOf<K>[]) : []))
      .toSorted((one, other) => one.handle - other.handle);
  const playlists = recordsOf('playlists');
  const known = (playlist: number) => (playlists.some(({ handle }) => handle === playlist) ? playlist : 0);
  return {
    playlists,
    venues: recordsOf('venues').map(venue => ({
      ...venue,
      screensNear: Math.max(SCREENS_SEEN_MAX, venue.screensNear),
      defaultPlaylist: known(venue.defaultPlaylist),
    })),
    screens: recordsOf('screens').map(screen => ({ ...screen, playlist: known(screen.playlist) })),
    campaigns: recordsOf('campaigns').map(({ creatives, ...campaign }) => ({
      ...campaign,
      creatives: creatives.map(({ files, ...creative }) => ({
        ...creative,
        files: files.map(({ parts, asset }) => ({ json: Buffer.from(parts.json).toString(), asset })),
      })),
    })),
  };
}

/** Writes an image of the store as it is, with another head than it would have. */
async function writeWith({ store, feed }: Started, altered: (head: ImageHead) => ImageHead): Promise<void> {
  const { position } = feed.followed()!;
  const head = altered({ maker: MAKER, position, witness: await witnessOf(world.sql, position) });
  await writeImage(path, { head, sections: sectionsOf(store), turn: async () => undefined });
}

describe('a start from an image', () => {
  test.each(SEEDS)('ends with what the tables have, whatever was edited meanwhile: seed %i', async seed => {
    const history = await RandomHistory.begin(world, seed);
    const first = await fromTables();
    for (let edit = 0; edit < EDITS; edit++) await history.edit();
    await follow(first);
    const { position } = first.feed.followed()!;
    const witness = await witnessOf(world.sql, position);
    await writeImage(path, {
      head: { maker: MAKER, position, witness },
      sections: sectionsOf(first.store),
      turn: async () => {
        await history.edit();
        await follow(first);
      },
    });
    for (let edit = 0; edit < EDITS; edit++) await history.edit();
    await history.commitOpen();
    const started = await start();
    const tables = await fromTables();
    expect([started.filled.refused, tables.filled.refused]).toEqual([undefined, 'absent']);
    expect(contents(started.store)).toEqual(contents(tables.store));
    const { screens } = contents(tables.store);
    expect(screens.length).toBeGreaterThan(5);
    for (const { tokenHash, handle } of screens)
      expect(started.store.screens.handleAt(started.store.screenWithToken(tokenHash!)!)).toBe(handle);
  });

  test('reads what a transaction wrote that began before the image and is committed after it', async () => {
    const campaign = await addCampaign(world);
    const first = await fromTables();
    const connection = await world.sql.reserve();
    await connection`begin`;
    await connection`insert into change_log (entity, handle, at) values ('campaign', ${campaign.handle}, now())`;
    await connection`update campaigns set status = 'paused' where handle = ${campaign.handle}`;
    await addScreen(world); // a later line is seen before
    await follow(first);
    await writeOf(first);
    await connection`commit`;
    connection.release();
    const { store, filled } = await start();
    const index = store.index.campaigns.campaignIndex(campaign.handle)!;
    expect([filled.refused, store.index.facts[index]!.status]).toEqual([undefined, 'paused']);
  });

  test('takes what was charged from the table: settlement writes no line', async () => {
    const campaign = await addCampaign(world);
    await writeOf(await fromTables());
    await world.sql`update campaigns set charged_micros = 777 where handle = ${campaign.handle}`;
    const { store, filled } = await start();
    const facts = store.index.facts[store.index.campaigns.campaignIndex(campaign.handle)!]!;
    expect([filled.refused, facts.chargedMicros]).toEqual([undefined, 777]);
  });

  test('makes equal hours of many venues one object, as a start from the tables does', async () => {
    const hours = { mon: [{ start: '08:00', end: '12:00' }] };
    for (const name of ['one', 'other'])
      await world.sql`
        insert into venues (workspace_handle, name, type, city, lat, lng, timezone, opening_hours, daily_visitors,
          dwell_minutes, created_at)
        values (${world.workspace}, ${name}, 'retail.malls', 'Bonn', 1, 1, 'Europe/Berlin', ${world.sql.json(hours)}, 1,
          1, now())`;
    await writeOf(await fromTables());
    const { store } = await start();
    const [one, other] = store.screens.venues.filter(({ facts }) => facts.cityFolded === 'bonn');
    expect(one!.facts.hours).toBeDefined();
    expect(one!.facts.hours).toBe(other!.facts.hours);
  });
});

describe('an image that is not taken makes a slow start and no wrong one', () => {
  let first: Started;

  beforeEach(async () => {
    await addCampaign(world);
    await addScreen(world);
    first = await fromTables();
    await writeOf(first);
  });

  /** Why the tables were read, when the store has what they have. */
  async function refusal(given: Parameters<typeof start>[0] = {}): Promise<string | undefined> {
    const { store, filled } = await start(given);
    expect(contents(store)).toEqual(contents((await fromTables()).store));
    return filled.refused;
  }

  test('a byte is another, wherever it lies', async () => {
    const whole = readFileSync(path);
    const found = new Set<string | undefined>();
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0x10;
      writeFileSync(path, damaged);
      found.add((await start()).filled.refused);
    }
    expect([...found]).toEqual(['damaged']);
    expect(await refusal()).toBe('damaged');
  });

  test('it is cut off, wherever that is', async () => {
    const whole = readFileSync(path);
    const lengths = [0, 1, 23, 24, 100, Math.floor(whole.length / 2), whole.length - 24, whole.length - 1];
    for (const length of lengths) {
      writeFileSync(path, whole.subarray(0, length));
      expect((await start()).filled.refused).toBe('damaged');
    }
    expect(await refusal()).toBe('damaged');
  });

  test('a section is missing, or there twice', async () => {
    const sections = [...sectionsOf(first.store)];
    const whole = readFileSync(path);
    const at = whole.indexOf(sections.at(-1)!);
    const last = sections.at(-1)!;
    expect(at).toBeGreaterThan(0);
    writeFileSync(path, Buffer.concat([whole.subarray(0, at), whole.subarray(at + last.length)]));
    expect(await refusal()).toBe('damaged');
    writeFileSync(path, Buffer.concat([whole.subarray(0, at), last, whole.subarray(at)]));
    expect(await refusal()).toBe('damaged');
  });

  test('another version or configuration made it', async () => {
    expect(await refusal({ maker: 'another' })).toBe('other_maker');
  });

  test('there is none', async () => {
    expect(await refusal({ path: join(folder, 'other') })).toBe('absent');
  });

  test('what has its name cannot be read', async () => {
    expect(await refusal({ path: folder })).toBe('unreadable');
  });

  test('it is of another database', async () => {
    const other = await createWorld();
    try {
      const store = new Store(Date.now());
      const otherLoader = createLoader({ sql: other.sql, publicUrl: PUBLIC_URL, log: FATAL });
      const options = { sql: other.sql, store, loader: otherLoader, path, maker: MAKER, log: FATAL };
      expect((await fillStore(options)).refused).toBe('other_database');
      expect(contents(store).campaigns).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('a backup was restored into the database, or its schema was migrated', async () => {
    await world.sql`update migrations set applied_at = clock_timestamp() where number = 1`;
    expect(await refusal()).toBe('other_database');
  });

  test('a standby that was promoted goes on from an earlier moment', async () => {
    await writeWith(first, head => ({ ...head, position: { ...head.position, timeline: '000000FF' } }));
    expect(await refusal()).toBe('other_history');
  });

  test('the files of Postgres were copied back, and it has not come so far again', async () => {
    await writeWith(first, head => ({ ...head, position: { ...head.position, snapshot: '900000000:900000000:' } }));
    expect(await refusal()).toBe('other_history');
  });

  test('the last line is another one, as after the files were copied back', async () => {
    await world.sql`
      update change_log set transaction_id = pg_current_xact_id() where number = (select max(number) from change_log)`;
    expect(await refusal()).toBe('other_history');
  });

  test('a line is of a transaction that had been seen without it', async () => {
    const [line] = await world.sql<{ id: string }[]>`
      select transaction_id::text as id from change_log order by number desc limit 1`;
    await world.sql`
      insert into change_log (entity, handle, at, transaction_id) values ('venue', ${world.venue}, now(), ${line!.id}::xid8)`;
    expect(await refusal()).toBe('other_history');
  });

  test('lines that were not read may have been deleted', async () => {
    await writeWith(first, head => ({
      ...head,
      witness: { ...head.witness, atMs: head.witness.atMs - 13 * 3_600_000 },
    }));
    expect(await refusal()).toBe('too_old');
  });

  test('the last line that it had seen was deleted', async () => {
    await addScreen(world);
    await follow(first);
    await writeOf(first);
    await world.sql`delete from change_log`;
    expect(await refusal()).toBe('too_old');
  });

  test('more has changed than is read again faster than all', async () => {
    await world.sql`
      insert into change_log (entity, handle, at) select 'venue', ${world.venue}, now() from generate_series(1, 20001)`;
    expect(await refusal()).toBe('too_many_changes');
    await world.sql`delete from change_log`;
  });
});

describe('the keeper of the image', () => {
  test('writes for its owner alone, and no token', async () => {
    const { token } = await addScreen(world);
    const first = await fromTables();
    await writeOf(first);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path).includes(token)).toBe(false);
    expect((await readdir(folder)).toSorted()).toEqual(['snapshot.image']);
  });

  test('removes what a process that is gone has not finished, and nothing else', async () => {
    const unfinished = ['snapshot.image.999999999.new', `snapshot.image.${process.ppid}.new`, '12.log'];
    for (const name of unfinished) await writeFile(join(folder, name), 'x');
    await writeOf(await fromTables());
    expect((await readdir(folder)).toSorted()).toEqual(['snapshot.image', ...unfinished.slice(1)].toSorted());
  });

  test('goes on without an image where none can be written', async () => {
    const { store, feed } = await fromTables();
    await writeFile(join(folder, 'file'), '');
    const options = { sql: world.sql, store, feed, path: join(folder, 'file', 'image'), maker: MAKER };
    const keeper = startImageKeeper({ ...options, imageAtMs: undefined, log: FATAL });
    await keeper.close();
    expect([keeper.counts.failures, keeper.counts.written, keeper.ageMs()]).toEqual([1, 0, undefined]);
  });

  test('does not write where nothing has changed since the image that was taken', async () => {
    await writeOf(await fromTables());
    const { store, feed, filled } = await start();
    const options = { sql: world.sql, store, feed, path, maker: MAKER, log: FATAL };
    const keeper = startImageKeeper({ ...options, imageAtMs: filled.imageAtMs });
    await keeper.close();
    expect([keeper.counts.failures, keeper.counts.written]).toEqual([0, 0]);
    expect(keeper.ageMs()).toBeLessThan(60_000);
  });

  test('writes at once where the image that was taken is of hours before this process', async () => {
    const first = await fromTables();
    await writeWith(first, head => ({
      ...head,
      witness: { ...head.witness, atMs: head.witness.atMs - 4 * 3_600_000 },
    }));
    const { store, feed, filled } = await start();
    expect(filled.refused).toBeUndefined();
    const options = { sql: world.sql, store, feed, path, maker: MAKER, log: FATAL };
    const keeper = startImageKeeper({ ...options, imageAtMs: filled.imageAtMs });
    expect(keeper.ageMs()).toBeGreaterThanOrEqual(4 * 3_600_000);
    await vi.waitUntil(() => keeper.counts.written === 1, { timeout: 10_000 });
    expect(keeper.ageMs()).toBeLessThan(60_000);
    await keeper.close();
  });

  test('writes at once after everything was loaded again, and at the end', async () => {
    await writeOf(await fromTables());
    const { store, feed, filled } = await start();
    let loads = 0;
    const loaded = { ...feed, followed: () => ({ ...feed.followed()!, loads }) };
    const options = { sql: world.sql, store, feed: loaded, path, maker: MAKER, log: FATAL };
    const keeper = startImageKeeper({ ...options, imageAtMs: filled.imageAtMs });
    loads = 1;
    await vi.waitUntil(() => keeper.counts.written === 1, { timeout: 10_000 });
    loads = 2;
    await keeper.close();
    expect([keeper.counts.failures, keeper.counts.written]).toEqual([0, 2]);
  });
});

describe('a process', () => {
  test('that is killed while it writes an image leaves the one before it, from which the next starts', async () => {
    const one = await world.start({ DELIVERY_NODE: 'image' });
    await expect.poll(() => metricOf(one.opsUrl, 'delivery_images_written'), { timeout: 60_000 }).toBe(1);
    expect(await metricOf(one.opsUrl, 'delivery_start_source{source="absent"}')).toBe(1);
    await one.kill();
    const two = await world.start({ DELIVERY_NODE: 'image', FAULT: 'delivery_image_section@3' });
    expect(await metricOf(two.opsUrl, 'delivery_start_source{source="image"}')).toBe(1);
    const revision = () => metricOf(two.opsUrl, 'delivery_snapshot_revision');
    const before = await revision();
    await change(world, 'venue', world.venue);
    await expect.poll(revision).toBeGreaterThan(before);
    await two.stop(); // it has something to write, which kills it
    const names = () => readdir(join(world.dataDir, 'delivery', 'image'));
    const { pid } = two.child;
    expect(await names()).toEqual(expect.arrayContaining(['snapshot.image', `snapshot.image.${pid}.new`]));
    const three = await world.start({ DELIVERY_NODE: 'image' });
    expect(await metricOf(three.opsUrl, 'delivery_start_source{source="image"}')).toBe(1);
    expect(await names()).not.toContain(`snapshot.image.${pid}.new`);
  }, 180_000); // it starts three processes
});
