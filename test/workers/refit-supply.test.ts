/**
 * Each hour is written down once for the supply model, which is then fitted to it. The job runs in this process, one
 * round at a time, on a real Postgres and ClickHouse.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, type Handle } from '../../domain/id.ts';
import type { SupplyBody } from '../../domain/forecast/supply-body.ts';
import { audienceOf, scanRateOf, shareOf } from '#domain/forecast/supply/supply-model.ts';
import { decodeModel } from '../../domain/forecast/supply-body.ts';
import { readHistory, readSoldShares } from '../../workers/campaigns/supply-history.ts';
import { refitSupply } from '../../workers/campaigns/refit-supply.ts';
import type { JobContext } from '../../workers/schedule.ts';
import { freshClickhouse, freshPostgres } from '../support/engines/databases.ts';
import { handle } from '../support/handle.ts';
import { standIn } from '../support/stand-in.ts';

let databases: {
  postgres: Awaited<ReturnType<typeof freshPostgres>>;
  clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;
};
// Near the present: rows of four months ago are dropped as they are written.
const HOUR_MS = 3_600_000;
const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const clock = { now: new Date(HOUR + 600_000) };
let context: JobContext;
let venue: Handle<'venue'>;

beforeAll(async () => {
  databases = { postgres: await freshPostgres(), clickhouse: await freshClickhouse() };
  const { sql } = databases.postgres;
  context = standIn<JobContext>({ sql, clickhouse: databases.clickhouse.client, now: () => clock.now });
  const [owner] = await sql<
    { handle: number }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('venue', 'V', 'EUR', now()) returning handle`;
  const [row] = await sql<{ handle: Handle<'venue'> }[]>`
    insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
    values (${owner!.handle}, 'Bar', 'entertainment.bars', 'Köln', 50.9, 6.9, 'UTC', 1440, 10, now()) returning handle`;
  venue = row!.handle;
  for (const online of [true, true, true, false]) {
    const [screen] = await sql<
      { handle: number }[]
    >`insert into screens (workspace_handle, venue_handle, ad_ratio, sandbox, created_at) values (${owner!.handle}, ${venue}, 0.5, false, now()) returning handle`;
    await sql`insert into screen_presence (screen_handle, online, last_seen_at) values (${screen!.handle}, ${online}, now())`;
  }
});
afterAll(async () => {
  await Promise.all([databases.postgres.drop(), databases.clickhouse.drop()]);
});

const hours = async () =>
  (await (
    await databases.clickhouse.client.query({
      query: 'select * from private_supply_hours order by hour',
      format: 'JSONEachRow',
    })
  ).json()) as Record<string, unknown>[];
const newest = async () => {
  const [row] = await databases.postgres.sql<
    { version: number; body: SupplyBody }[]
  >`select version, body from supply_models order by version desc limit 1`;
  return row!;
};

test('an hour is recorded once and fitted once', async () => {
  expect(await refitSupply(context)).toBe(1);
  expect(await refitSupply(context)).toBe(0);
  await databases.postgres.sql`delete from supply_models`; // as after a crash between the two databases
  expect(await refitSupply(context)).toBe(1);
  expect(await hours()).toHaveLength(1);
  expect((await hours())[0]).toMatchObject({
    venue_handle: venue,
    city_folded: 'koln',
    venue_type: 'entertainment.bars',
    local_day: Math.floor((HOUR - HOUR_MS) / (24 * HOUR_MS)),
    local_hour: Math.floor((HOUR - HOUR_MS) / HOUR_MS) % 24,
    screens: 4,
    slots_promised: 480,
    slots_seen: 360,
    plays: 0,
  });
  expect((await newest()).body.usual_share).toBeUndefined();
  expect((await newest()).body.lately_share).toBeUndefined();
});

test('the model follows the hours on record', async () => {
  // Forty days, and half of what was there went down a day ago.
  const rows = Array.from({ length: 40 * 24 }, (_, index) => {
    const atMs = HOUR - (index + 2) * HOUR_MS;
    return {
      hour: atMs / 1_000,
      venue_handle: venue,
      sandbox: false,
      orientation: 'landscape',
      sensor: true,
      city_folded: 'koln',
      venue_type: 'entertainment.bars',
      local_day: Math.floor(atMs / (24 * HOUR_MS)),
      local_hour: Math.floor(atMs / HOUR_MS) % 24,
      screens: 4,
      slots_promised: 480,
      slots_seen: index < 24 ? 120 : 240,
      plays: 100,
      impressions_thousandths: 1_500_000,
      estimated_thousandths: 1_000_000,
    };
  });
  await databases.clickhouse.client.insert({ table: 'private_supply_hours', values: rows, format: 'JSONEachRow' });
  await databases.clickhouse.client.insert({
    table: 'plays_quarter_hour',
    format: 'JSONEachRow',
    values: [
      {
        bucket: (HOUR - 48 * HOUR_MS) / 1_000,
        campaign_id: formatId('campaign', handle('campaign', 1)),
        creative_id: 'cre_1',
        screen_id: 'scr_1',
        venue_id: formatId('venue', venue),
        sandbox: false,
        plays: 1000,
        late_plays: 0,
        impressions_thousandths: 80_000_000,
        cost_micros: 0,
      },
    ],
  });
  clock.now = new Date(HOUR + HOUR_MS + 30_000);
  expect(await refitSupply(context)).toBe(1);
  const { body } = await newest();
  const model = decodeModel(body.supply);
  expect(
    shareOf(model, { cityFolded: 'koln', venueType: 'entertainment.bars', orientation: 'landscape' })[30],
  ).toBeCloseTo(0.5, 1);
  expect(audienceOf(model, { venue, venueType: 'entertainment.bars', sensor: true })[15]).toBeGreaterThan(1.2);
  expect(scanRateOf(model.scanRates, 'entertainment.bars')).toBe(0.0005); // the campaign of those plays is not known
  expect(body.bands).toHaveLength(6);
  expect(body.bands.every(band => band.count > 0)).toBe(true);
  expect(body.seen!['koln|entertainment.bars|landscape']).toBeGreaterThan(0.5);
  expect(body.seen!['koln|entertainment.bars|landscape']).toBeLessThan(0.85);
  // An hour three days ago counts half. The two newest were written down by the job, with 360 slots and no play.
  const kept = 2 ** (-1 / 72);
  const weightBetween = (from: number, to: number) => (kept ** from - kept ** to) / (1 - kept);
  const [lastDay, before] = [weightBetween(3, 27), weightBetween(27, 28 * 24)];
  expect(body.lately_share).toBeCloseTo(
    (100 * (lastDay + before)) / (360 * weightBetween(1, 3) + 120 * lastDay + 240 * before),
    3,
  );
  expect(body.usual_share).toBeCloseTo(100 / 240, 1); // two fifths of the slots seen in four weeks were filled
});

test('the promise of an hour uses the effective ad ratio of each screen, from its playlist or its venue', async () => {
  const { sql } = databases.postgres;
  const playlist = async (ratio: number): Promise<number> => {
    const [row] = await sql<{ handle: number }[]>`
      insert into playlists (workspace_handle, sandbox, name, ad_ratio, created_at, updated_at)
      select workspace_handle, false, 'P', ${ratio}, now(), now() from venues where handle = ${venue} returning handle`;
    return row!.handle;
  };
  await sql`update screens set playlist_handle = ${await playlist(0.25)}
    where handle = (select min(handle) from screens)`;
  await sql`update venues set default_playlist_handle = ${await playlist(1)} where handle = ${venue}`;
  clock.now = new Date(HOUR + 2 * HOUR_MS + 30_000);
  expect(await refitSupply(context)).toBe(1);
  expect((await hours()).at(-1)).toMatchObject({ slots_promised: 240 * 3.25, slots_seen: 240 * 2.25 });
});

test('a class counts its screens once, even in an hour repeated by a clock change', async () => {
  const { client } = databases.clickhouse;
  const at = (row: Record<string, unknown>, hour: number) => ({ ...row, hour: hour / 1_000 });
  const [row] = (await hours()).slice(-1);
  const again = { ...row, city_folded: 'bonn', screens: 5, local_day: 20_000, local_hour: 2 };
  await client.insert({
    table: 'private_supply_hours',
    format: 'JSONEachRow',
    values: [
      at(again, HOUR - 3 * HOUR_MS),
      at(again, HOUR - 2 * HOUR_MS),
      at({ ...again, local_hour: 3 }, HOUR - HOUR_MS),
    ],
  });
  const { slots, screens } = await readHistory(client, HOUR);
  expect(screens[slots.classes.findIndex(({ cityFolded }) => cityFolded === 'bonn')]).toBe(5);
});

test('a slot counts as filled for any number of measured people, and a short ad counts for its share without a module', async () => {
  const { client } = databases.clickhouse;
  const [row] = (await hours()).slice(-1);
  const share = async (sensor: boolean) => {
    await client.command({ query: 'truncate table private_supply_hours' });
    const values = Array.from({ length: 200 }, (_, ago) => ({
      ...row,
      hour: HOUR / 1_000 - (ago + 1) * 3_600,
      sensor,
      slots_seen: 240,
      plays: 240,
      impressions_thousandths: 480_000,
      estimated_thousandths: 1_200_000,
    }));
    await client.insert({ table: 'private_supply_hours', format: 'JSONEachRow', values });
    return readSoldShares(client, HOUR);
  };
  expect(await share(true)).toEqual({ usual: 1, lately: 1 });
  expect(await share(false)).toEqual({
    usual: expect.closeTo(0.4, 6) as number,
    lately: expect.closeTo(0.4, 6) as number,
  });
});
