import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIME_ZONES } from '../../domain/data/time-zones.ts';
import { parseZone, zoneOffsetMinutes } from '../../domain/screens/schedule.ts';
import { freshClickhouse, freshPostgres } from '../support/engines/databases.ts';

/** A venue's zone is read by Intl in delivery and by ClickHouse in reports: what one takes, the others must take, and understand alike. */
let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;

beforeAll(async () => {
  [postgres, clickhouse] = await Promise.all([freshPostgres(), freshClickhouse()]);
});
afterAll(() => Promise.all([postgres?.drop(), clickhouse?.drop()]));

// A day of winter and one of summer.
const MOMENTS = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)];

test.each(MOMENTS)(
  'every zone that a venue may have is the same time to Intl, PostgreSQL and ClickHouse at %i',
  async atMs => {
    const ofPostgres = await postgres.sql<{ minutes: number }[]>`
    select (extract(epoch from (at at time zone name) - (at at time zone 'UTC')) / 60)::int as minutes
    from unnest(${[...TIME_ZONES]}::text[]) with ordinality as zones (name, place), to_timestamp(${atMs / 1_000}) as at order by place`;
    const texts = TIME_ZONES.map(zone => `toString(toDateTime(${atMs / 1_000}, '${zone}'))`); // timeZoneOffset of 26.7 is wrong for zones that moved
    const answer = await clickhouse.client.query({
      query: `select [${texts.join(',')}] as local`,
      format: 'JSONEachRow',
    });
    const [ofClickhouse] = await answer.json<{ local: string[] }>();
    const offsets = TIME_ZONES.map((zone, index) => [
      zone,
      zoneOffsetMinutes(zone, atMs),
      ofPostgres[index]!.minutes,
      (Date.parse(`${ofClickhouse!.local[index]!}Z`) - atMs) / 60_000,
    ]);
    expect(offsets.filter(([, node, ...others]) => others.some(other => other !== node))).toEqual([]);
    expect(offsets.length).toBeGreaterThan(500);
  },
);

test('the name of every zone is that of ClickHouse and PostgreSQL, to the letter', async () => {
  const known = await postgres.sql<{ name: string }[]>`select name from pg_timezone_names`;
  const answer = await clickhouse.client.query({
    query: 'select time_zone as name from system.time_zones',
    format: 'JSONEachRow',
  });
  const names = [known, await answer.json<{ name: string }>()].map(rows => new Set(rows.map(row => row.name)));
  expect(TIME_ZONES.filter(zone => names.some(set => !set.has(zone)))).toEqual([]);
  expect(new Set(TIME_ZONES.map(zone => zone.toLowerCase())).size).toBe(TIME_ZONES.length);
});

test('the migration gives venues of other spellings the name that every engine knows', async () => {
  const { sql } = postgres;
  // What Intl took and ClickHouse did not: names in another case, and all of ICU's own.
  const own = [
    'ACT',
    'AET',
    'AGT',
    'ART',
    'AST',
    'BET',
    'BST',
    'CAT',
    'CNT',
    'CST',
    'CTT',
    'EAT',
    'ECT',
    'IET',
    'IST',
    'JST',
    'MIT',
    'NET',
    'NST',
    'PLT',
    'PNT',
    'PRT',
    'PST',
    'SST',
    'VST',
    ...[
      'AST4',
      'AST4ADT',
      'CST6',
      'CST6CDT',
      'EST5',
      'EST5EDT',
      'HST10',
      'MST7',
      'MST7MDT',
      'PST8',
      'PST8PDT',
      'YST9',
      'YST9YDT',
    ].map(name => `SystemV/${name}`),
    'US/Pacific-New',
    'Canada/East-Saskatchewan',
    'America/Coyhaique',
  ];
  const stored = [
    'europe/berlin',
    'EUROPE/LONDON',
    'Europe/Paris',
    'utc',
    'CET',
    'eet',
    'MET',
    'WET',
    ...own,
    ...TIME_ZONES.map(zone => zone.toUpperCase()),
  ];
  const [workspace] = await sql<
    { handle: number }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'House', 'EUR', now()) returning handle`;
  await sql`
    insert into venues (workspace_handle, sandbox, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, blocked_categories, created_at)
    select ${workspace!.handle}, false, name, 'entertainment.bars', 'Berlin', 0, 0, name, 1, 1, '{}', now() from unnest(${stored}::text[]) as name`;
  await sql.unsafe(readFileSync(new URL('../../sql/postgres/0135_time_zone_names.sql', import.meta.url), 'utf8'));
  const rows = await sql<{ name: string; timezone: string }[]>`select name, timezone from venues`;
  expect(rows.filter(row => !TIME_ZONES.includes(row.timezone))).toEqual([]);
  expect(
    rows.filter(row =>
      MOMENTS.some(atMs => zoneOffsetMinutes(row.name, atMs) !== zoneOffsetMinutes(row.timezone, atMs)),
    ),
  ).toEqual([]);
  expect(rows.filter(row => row.timezone !== (parseZone(row.name) ?? row.timezone))).toEqual([]);
});
