/**
 * Every rollup agrees with a recount of its raw table, month by month inside ClickHouse. Compared are, for each
 * campaign, book and day, the sums of each figure, and one sum in which every event is weighted by a hash of all
 * dimensions of its row, which differs when an event is in the wrong row. Inserts go on meanwhile, and a view gets its
 * rows a moment after the raw table. So a sum of the rollup must lie between that of the groups that were complete
 * before it was read and that of all rows. Months whose raw rows were dropped (`raw-retention.ts`) are left out.
 */
import type { Clickhouse } from '#sql/clickhouse.ts';
import { rawKeptFrom } from '../raw-retention.ts';
import { day, SOURCES, type Source } from '../rollups.ts';
import {
  clickhouseNow,
  findLasting,
  groupsUnderWay,
  ofCompleteGroups,
  rowsOf,
  type Findings,
  type VerifyDependencies,
} from './findings.ts';

/** A prime below 2^16: sums of a year of plays stay far below 2^63. */
const WEIGHTS = 65_521;
/** Differences listed per month and check; enough to see how far a fault goes. */
const NAMED_MAX = 100;

type Difference = {
  campaign_id: string;
  sandbox: boolean;
  day: string;
  table: string;
  line: string;
  least: number;
  found: number;
  most: number;
};

export async function checkRollups(dependencies: VerifyDependencies, findings: Findings): Promise<void> {
  for (const source of SOURCES) {
    for (const month of await monthsOf(dependencies, source)) {
      const differences = await findLasting(
        async () => {
          const found = await compareMonth(dependencies, source, month);
          // Read after the comparison, because the month may have been dropped during it.
          return month < (await rawKeptFrom(dependencies.sql)) ? [] : found;
        },
        ({ campaign_id, sandbox, day, table, line }) => `${campaign_id} ${sandbox} ${day} ${table} ${line}`,
      );
      for (const difference of differences) findings.add({ invariant: 'rollups', detail: detailOf(difference) });
    }
  }
}

function detailOf({ campaign_id, sandbox, day, table, line, least, found, most }: Difference): string {
  const expected = least === most ? String(least) : `${least} to ${most}`;
  return `${table} has ${line} ${found} of ${campaign_id} on ${day}${sandbox ? ' in the sandbox' : ''}, a recount ${expected}`;
}

/**
 * The differences in a month (yyyymm) in which nothing is on its way any more. Empty when every rollup agrees with the
 * recount.
 */
export async function recountMonth(clickhouse: Clickhouse, month: number): Promise<string[]> {
  const now = await clickhouseNow(clickhouse);
  const differences = await Promise.all(
    SOURCES.map(source => differencesOf(clickhouse, source, { month, now, underWay: [] })),
  );
  return differences.flat().map(detailOf);
}

async function monthsOf({ clickhouse, sql }: VerifyDependencies, { raw, time, rollups }: Source): Promise<number[]> {
  // From the rows, not from the list of parts: on a cluster a server's list has only its own.
  const months = [{ table: raw, time }, ...rollups].map(
    ({ table, time: at }) => `select distinct toYYYYMM(${at}) as month from ${table}`,
  );
  const rows = await rowsOf<{ month: number }>(
    clickhouse,
    `select distinct month from (${months.join(' union all ')}) order by month`,
  );
  const keptFrom = await rawKeptFrom(sql);
  return rows.map(row => row.month).filter(month => month >= keptFrom);
}

/** The campaigns and days of a month in which a rollup differs from the recount. */
async function compareMonth(dependencies: VerifyDependencies, source: Source, month: number): Promise<Difference[]> {
  const now = await clickhouseNow(dependencies.clickhouse);
  // Read after the time: rows that were inserted before it and are in none of these groups are complete.
  const underWay = await groupsUnderWay(dependencies);
  return differencesOf(dependencies.clickhouse, source, { month, now, underWay });
}

type MonthState = { month: number; now: string; underWay: readonly string[] };

async function differencesOf(clickhouse: Clickhouse, source: Source, state: MonthState): Promise<Difference[]> {
  const rows = await rowsOf<
    { campaign_id: string; sandbox: boolean; day: string } & Record<string, number | string | boolean>
  >(clickhouse, monthSql(source, state));
  return rows.flatMap(({ campaign_id, sandbox, day, ...sums }) =>
    source.rollups.flatMap(({ table }, index) =>
      linesOf(source, index).flatMap(line => {
        const [least, found, most] = [
          Number(sums[`least_${line.name}`]),
          Number(sums[`found${index}_${line.name}`]),
          Number(sums[`most_${line.name}`]),
        ];
        return found < least || found > most
          ? [{ campaign_id, sandbox, day, table, line: line.label, least, found, most }]
          : [];
      }),
    ),
  );
}

type Line = { name: string; label: string; raw: string; rollup: string };

/** The sums that are compared for a rollup: its figures, and its events weighted by a hash of their dimensions. */
function linesOf({ time, lines, events, rollups }: Source, index: number): Line[] {
  const { time: bucket, bucketOf, dimensions } = rollups[index]!;
  const weight = (at: string) => `(cityHash64(${[at, ...dimensions].join(', ')}) % ${WEIGHTS})`;
  return [
    ...Object.entries(lines).map(([name, { raw, rollup }]) => ({ name, label: name, raw, rollup })),
    {
      name: `rows${index}`,
      label: 'weighed rows',
      raw: `${events.raw} * ${weight(bucketOf(time))}`,
      rollup: `(${events.rollup}) * ${weight(bucket)}`,
    },
  ];
}

/** Compares one scan of the month's raw rows with the rollups of the month. Only rows that differ come back. */
function monthSql(source: Source, { month, now, underWay }: MonthState): string {
  const { raw, time, rollups } = source;
  const isComplete = ofCompleteGroups({ now, underWay });
  const ofRaw = [
    ...new Map(rollups.flatMap((_, index) => linesOf(source, index)).map(line => [line.name, line])).values(),
  ];
  const ofRollups = rollups.map((_, index) => linesOf(source, index));
  const columns = [
    ...ofRaw.flatMap(({ name }) => [`least_${name}`, `most_${name}`]),
    ...ofRollups.flatMap((lines, index) => lines.map(({ name }) => `found${index}_${name}`)),
  ];
  const branch = (sums: Readonly<Record<string, string>>, from: string) =>
    `select campaign_id, sandbox, ${from}`.replace(
      'COLUMNS',
      columns.map(column => `${sums[column] ?? 'toUInt64(0)'} as ${column}`).join(', '),
    );
  const branches = [
    branch(
      Object.fromEntries(
        ofRaw.flatMap(line => [
          [`least_${line.name}`, `sumIf(${line.raw}, ${isComplete})`],
          [`most_${line.name}`, `sum(${line.raw})`],
        ]),
      ),
      `${day(time)} as day, COLUMNS from ${raw} as r where toYYYYMM(${time}) = ${month} group by campaign_id, sandbox, day`,
    ),
    ...rollups.map(({ table, time: bucket }, index) =>
      branch(
        Object.fromEntries(ofRollups[index]!.map(line => [`found${index}_${line.name}`, `sum(${line.rollup})`])),
        `${bucket === 'day' ? 'r.day' : day(bucket)} as day, COLUMNS from ${table} as r where toYYYYMM(${bucket === 'day' ? 'r.day' : bucket}) = ${month} group by campaign_id, sandbox, day`,
      ),
    ),
  ];
  const differs = ofRollups
    .flatMap((lines, index) =>
      lines.flatMap(({ name }) => [
        `sum(found${index}_${name}) < sum(least_${name})`,
        `sum(found${index}_${name}) > sum(most_${name})`,
      ]),
    )
    .join(' or ');
  const sums = columns.map(column => `toInt64(sum(u.${column})) as ${column}`).join(', ');
  return `select campaign_id, sandbox, toString(u.day) as day, ${sums} from (${branches.join(' union all ')}) as u
    group by campaign_id, sandbox, u.day having ${differs.replaceAll('sum(', 'sum(u.')} limit ${NAMED_MAX}`;
}
