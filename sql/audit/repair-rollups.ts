/**
 * Adds rows that a rollup lacks, compared with the complete groups of the raw table, for one month. Nothing is removed,
 * so a rollup that has too much stays as it is. Ingest may run meanwhile: what an incomplete group has already added to
 * a rollup can hide a lack of the same size in the same row until the next call, but it cannot cause one. Rows are
 * inserted under a token that is computed from them, so that repeating a call whose answer was lost adds nothing twice.
 */
import { createHash } from 'node:crypto';
import { Fault } from '#runtime/fault-error.ts';
import { ADVISORY_LOCKS } from '#sql/advisory-locks.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { rawKeptFrom, withRawMonths } from './raw-retention.ts';
import { SOURCES, type Rollup, type Source } from './rollups.ts';
import { clickhouseNow, groupsUnderWay, ofCompleteGroups, rowsOf, type VerifyDependencies } from './checks/findings.ts';

export type RepairedRollup = { table: string; rows: number } & Readonly<Record<string, number | string>>;
type RepairDependencies = Pick<VerifyDependencies, 'sql' | 'clickhouse' | 'redis' | 'streams'>;
type Row = Readonly<Record<string, number | string | boolean>>;

/** About 10 MB of text at once; a month that lacks more rows is repaired in as many passes as it takes. */
const ROWS_AT_ONCE = 50_000;
const PASSES_MAX = 10_000;

/**
 * @param month yyyymm (UTC)
 * @returns per rollup that lacked something how many rows were added, and their sums
 * @throws Fault `raw_rows_gone` for a month that rollups can no longer be compared with, `already_mending`
 */
export async function repairRollups({ sql, ...engines }: RepairDependencies, month: number): Promise<RepairedRollup[]> {
  return withRawMonths(sql, async session => {
    const [lock] = await session<
      { locked: boolean }[]
    >`select pg_try_advisory_lock(${ADVISORY_LOCKS.repairs}) as locked`;
    if (lock?.locked !== true)
      throw new Fault('already_mending', 'rollups are being mended already', { retryable: true });
    try {
      const keptFrom = await rawKeptFrom(session);
      if (month < keptFrom)
        throw new Fault('raw_rows_gone', `raw rows are kept from ${keptFrom} on: ${month} has none to compare with`, {
          retryable: false,
        });
      return await repairMonth(engines, { month, session });
    } finally {
      await session`select pg_advisory_unlock(${ADVISORY_LOCKS.repairs})`;
    }
  });
}

async function repairMonth(
  engines: Omit<RepairDependencies, 'sql'>,
  { month, session }: { month: number; session: Postgres },
): Promise<RepairedRollup[]> {
  const repaired: RepairedRollup[] = [];
  for (const source of SOURCES) {
    for (const rollup of source.rollups) {
      const lacking = async () => {
        const rows = await readLacks(engines, { source, rollup, month });
        await session`select 1`; // fails when the session and its locks were lost, so that nothing is added
        return rows;
      };
      const added = await addAll(engines.clickhouse, rollup.table, lacking);
      if (added.length > 0) repaired.push({ table: rollup.table, rows: added.length, ...sumsOf(source, added) });
    }
  }
  return repaired;
}

async function addAll(clickhouse: Clickhouse, table: string, lacking: () => Promise<Row[]>): Promise<Row[]> {
  const added: Row[] = [];
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const rows = await lacking();
    if (rows.length === 0) break;
    const token = `mend ${table} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex')}`;
    await clickhouse.insert({
      table,
      values: rows,
      columns: Object.keys(rows[0]!) as [string, ...string[]],
      format: 'JSONEachRow',
      clickhouse_settings: { insert_deduplicate: 1, insert_deduplication_token: token },
    });
    added.push(...rows);
    if (rows.length < ROWS_AT_ONCE) break;
  }
  return added;
}

/** The rows that a rollup lacks, in the order of its key. */
async function readLacks(
  { clickhouse, redis, streams }: Omit<RepairDependencies, 'sql'>,
  query: Pick<LackQuery, 'source' | 'rollup' | 'month'>,
): Promise<Row[]> {
  const now = await clickhouseNow(clickhouse);
  // Read after the time: rows that were inserted before it and are in none of these groups are complete.
  const underWay = await groupsUnderWay({ redis, streams });
  return rowsOf<Row>(clickhouse, lacksSql({ ...query, now, underWay }));
}

type LackQuery = { source: Source; rollup: Rollup; month: number; now: string; underWay: readonly string[] };

function lacksSql({
  source: { raw, time, lines },
  rollup: { table, time: bucket, bucketOf, dimensions },
  month,
  now,
  underWay,
}: LackQuery): string {
  const keys = ['campaign_id', 'sandbox', ...dimensions];
  const figures = Object.values(lines);
  const own = `select ${keys.join(', ')}, ${bucketOf(time)} as at,
      ${figures.map(({ raw: value, rollup: name }) => `toInt64(sum(${value})) as lack_${name}`).join(', ')}
    from ${raw} as r where toYYYYMM(${time}) = ${month} and ${ofCompleteGroups({ now, underWay })}
    group by ${keys.join(', ')}, at`;
  const had = `select ${keys.join(', ')}, t.${bucket} as at,
      ${figures.map(({ rollup: name }) => `-toInt64(sum(t.${name})) as lack_${name}`).join(', ')}
    from ${table} as t where toYYYYMM(t.${bucket}) = ${month} group by ${keys.join(', ')}, at`;
  return `select ${keys.join(', ')}, toString(at) as ${bucket},
      ${figures.map(({ rollup: name }) => `toUInt64(greatest(0, sum(lack_${name}))) as ${name}`).join(', ')}
    from (${own} union all ${had}) group by ${keys.join(', ')}, at
    having ${figures.map(({ rollup: name }) => `sum(lack_${name}) > 0`).join(' or ')}
    order by ${keys.join(', ')}, at limit ${ROWS_AT_ONCE}`;
}

function sumsOf({ lines }: Source, rows: readonly Row[]): Record<string, number> {
  return Object.fromEntries(
    Object.values(lines).map(({ rollup }) => [rollup, rows.reduce((sum, row) => sum + Number(row[rollup]), 0)]),
  );
}
