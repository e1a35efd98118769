/**
 * A venue's zone is read by Intl in delivery, and by PostgreSQL and ClickHouse in reports: what one takes, the others
 * must take, and understand alike. Every zone is asked of the real engines.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIME_ZONES } from '../../domain/data/time-zones.ts';
import { zoneOffsetMinutes } from '../../domain/screens/schedule.ts';
import { freshClickhouse, freshPostgres } from '../support/engines/databases.ts';

let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;

beforeAll(async () => {
  [postgres, clickhouse] = await Promise.all([freshPostgres(), freshClickhouse()]);
});
afterAll(() => Promise.all([postgres?.drop(), clickhouse?.drop()]));

/** To PostgreSQL these are abbreviations without summer time. */
const ABBREVIATIONS = new Set(['CET', 'EET', 'MET', 'WET']);

function isKnownToIntl(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

// A day of winter and one of summer.
const MOMENTS = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)];

test.each(MOMENTS)('Intl, PostgreSQL and ClickHouse agree on the time of every venue zone at %i', async atMs => {
  const ofPostgres = await postgres.sql<{ minutes: number }[]>`
    select (extract(epoch from (at at time zone name) - (at at time zone 'UTC')) / 60)::int as minutes
    from unnest(${[...TIME_ZONES]}::text[]) with ordinality as zones (name, place), to_timestamp(${atMs / 1_000}) as at order by place`;
  // timeZoneOffset of 26.7 is wrong for zones that moved
  const texts = TIME_ZONES.map(zone => `toString(toDateTime(${atMs / 1_000}, '${zone}'))`);
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
});

test('the zones are exactly the names that PostgreSQL, ClickHouse and Intl share, to the letter', async () => {
  const known = await postgres.sql<{ name: string }[]>`select name from pg_timezone_names`;
  const answer = await clickhouse.client.query({
    query: 'select time_zone as name from system.time_zones',
    format: 'JSONEachRow',
  });
  const ofPostgres = new Set(known.map(row => row.name));
  const ofClickhouse = (await answer.json<{ name: string }>()).map(row => row.name);
  const shared = ofClickhouse.filter(name => ofPostgres.has(name) && isKnownToIntl(name) && !ABBREVIATIONS.has(name));
  expect([...TIME_ZONES].sort()).toEqual(shared.sort());
  expect(new Set(TIME_ZONES.map(zone => zone.toLowerCase())).size).toBe(TIME_ZONES.length);
});
