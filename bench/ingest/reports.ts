/**
 * The report of a campaign by day from the rollups, against the same question asked of the raw table, over a hundred
 * million plays. The plays are made inside ClickHouse, through the views that ingest uses, and kept in
 * `.data/bench-reports`: they are built once, which takes some ten minutes; a run that is broken off goes on with the
 * insert that it was in.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startEngines } from '#engines/run.ts';
import { formatId } from '#domain/id.ts';
import { formatDate } from '#domain/time/calendar.ts';
import { openClickhouse, type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { migrateClickhouse } from '#sql/migrate.ts';
import { readFigures, type ReportFigures } from '#sql/figures/read-figures.ts';
import { MS_PER_DAY, type ReportRange } from '#domain/reporting/report-range.ts';
import { handle } from '../../test/support/handle.ts';
import { boundFigure, median, round, type Bench, type BenchOptions, type Figure } from '../protocol.ts';

export type ReportsSize = { plays: number; campaigns: number; screens: number; days: number; folder: string };

const SIZE: ReportsSize = {
  plays: 100_000_000,
  campaigns: 20,
  screens: 2_000,
  days: 30,
  folder: '.data/bench-reports',
};
/** One block of one insert, so that its token stands for all of it: a few hundred megabytes. */
const PLAYS_PER_INSERT = 1_000_000;
const QUERY_MS_MAX = 600_000;
const GOAL_RATIO = 20;
const GOAL_P99_MS = 100;
/** The first day of the plays: 1 January 2026. */
const FIRST_DAY = 20_454;

export const reports: Bench = {
  about: 'report of a campaign by day over 100 M plays, against the same SQL on the raw table',
  run: options => runReports(options, SIZE),
};

/** The benchmark with another size; tests run it small. */
export async function runReports({ forSeconds, pairs, say }: BenchOptions, size: ReportsSize): Promise<Figure[]> {
  const dataDir = resolve(size.folder);
  mkdirSync(dataDir, { recursive: true, mode: 0o755 }); // the database runs under another uid when we are root
  const engines = await startEngines({
    dataDir: join(dataDir, 'engines'),
    analystPassword: 'bench',
    clickhousePort: 0,
    external: { databaseUrl: 'postgres://unused', redisUrl: 'redis://unused' },
  });
  const clickhouse = openClickhouse(engines.urls.clickhouseUrl, {
    application: 'marquee-bench',
    connectionsMax: 1,
    requestTimeoutMs: QUERY_MS_MAX,
  });
  try {
    await migrateClickhouse(engines.urls.clickhouseUrl);
    await buildPlays(clickhouse, size, say);
    return await measure(clickhouse, { forSeconds, pairs, size, say });
  } finally {
    await clickhouse.close();
    await engines.stop();
  }
}

async function rowsIn(clickhouse: Clickhouse, table: string): Promise<number> {
  const [row] = await queryRows<{ rows: number }>(clickhouse, { query: `select count() as rows from ${table}` });
  return row!.rows;
}

const campaignOf = (index: number) => formatId('campaign', handle('campaign', index + 1));

/** Makes the plays that are not there yet. */
async function buildPlays(
  clickhouse: Clickhouse,
  { plays, campaigns, screens, days }: ReportsSize,
  say: BenchOptions['say'],
): Promise<void> {
  const ids = Array.from({ length: campaigns }, (_, index) => `'${campaignOf(index)}'`).join(',');
  // The last insert is repeated under its token, which completes the views.
  const done = await rowsIn(clickhouse, 'plays_raw');
  for (let from = Math.max(0, done - PLAYS_PER_INSERT); from < plays; from += PLAYS_PER_INSERT) {
    const count = Math.min(PLAYS_PER_INSERT, plays - from);
    say(`reports: ${from} of ${plays} plays are there`);
    // Plays come in the order of their slots, as they do from screens; their campaigns and screens follow from a hash.
    await clickhouse.command({
      query: `insert into plays_raw (played_at, slot_at, received_at, campaign_id, creative_id, screen_id, venue_id, campaign_handle, epoch, issue_number, sandbox, late, played_ms, audience,
          impressions_thousandths, rate_micros, cost_micros, group_id, job_id)
        select slot, toDateTime64(${FIRST_DAY * 86_400} + intDiv(number * ${days * 86_400}, ${plays}), 3, 'UTC') as slot, slot, [${ids}][1 + c], concat('cre_', toString(number % 3)),
          concat('scr_', toString(s)), concat('ven_', toString(intDiv(s, 4))), 1 + (cityHash64(number, 2) % ${campaigns} as c), 1, number, false, number % 10000 = 0, 10000, null,
          8200, 6000, if(number % 10000 = 0, 0, 49200), 'bench', 'bench'
        from (select number, cityHash64(number, 3) % ${screens} as s from numbers({from:UInt64}, {count:UInt64}))
        settings insert_deduplication_token = 'bench ${from}', deduplicate_blocks_in_dependent_materialized_views = 1, max_insert_threads = 1, max_threads = 1, max_block_size = ${PLAYS_PER_INSERT}, min_insert_block_size_rows = ${PLAYS_PER_INSERT}, min_insert_block_size_bytes = 0`,
      query_params: { from, count },
    });
  }
}

/**
 * The report's question of the raw tables, with the sorting key's column, which the raw table needs to skip other
 * campaigns.
 */
function rawSql({ first, last }: { first: number; last: number }): string {
  const within = (time: string) =>
    `campaign_id = {campaign:String} and not sandbox and ${time} >= toDateTime64('${formatDate(first)} 00:00:00', 3, 'UTC') and ${time} < toDateTime64('${formatDate(last + 1)} 00:00:00', 3, 'UTC')`;
  return `select label, sum(p) as plays, sum(l) as late_plays, sum(i) as impressions_thousandths, sum(c) as cost_micros, sum(s) as scans, sum(n) as screens from (
    select toString(toDate(slot_at, 'UTC')) as label, countIf(not late) as p, countIf(late) as l, sumIf(impressions_thousandths, not late) as i, sum(cost_micros) as c, 0 as s, 0 as n
      from plays_raw where campaign_handle = {handle:UInt64} and ${within('slot_at')} group by label
    union all select toString(toDate(scanned_at, 'UTC')) as label, 0, 0, 0, 0, count(), 0 from scans_raw where ${within('scanned_at')} group by label
    union all select '' as label, 0, 0, 0, 0, 0, uniqExactIf(screen_id, not late) from plays_raw where campaign_handle = {handle:UInt64} and ${within('slot_at')}) group by label order by label`;
}

type Timed = { ms: number; figures: ReportFigures };
type MeasureOptions = Pick<BenchOptions, 'forSeconds' | 'pairs' | 'say'> & { size: ReportsSize };
/** The times of all reports, and for each pair the ratio of the medians. */
type Measured = { ours: number[]; reference: number[]; ratios: number[] };

async function measure(clickhouse: Clickhouse, options: MeasureOptions): Promise<Figure[]> {
  const { size, say } = options;
  const days = { first: FIRST_DAY, last: FIRST_DAY + size.days - 1 };
  const range: ReportRange = {
    tz: 'UTC',
    group: 'day',
    counted: days,
    shown: days,
    endsAt: (days.last + 1) * MS_PER_DAY,
  };
  const ours = (index: number) =>
    timed(() => readFigures(clickhouse, { campaigns: [handle('campaign', index + 1)], sandbox: false, range }));
  const reference = (index: number) => timed(() => readRaw(clickhouse, index, days));
  const rows = {
    raw: await rowsIn(clickhouse, 'plays_raw'),
    campaign: await rowsIn(clickhouse, 'plays_campaign_quarter_hour'),
    screen_day: await rowsIn(clickhouse, 'plays_screen_day'),
  };
  say(`reports: ${rows.raw} plays, ${rows.campaign} rows by campaign; measuring`);
  const [a, b] = [await ours(0), await reference(0)]; // warms up both sides, whose figures must be the same
  if (JSON.stringify(a.figures) !== JSON.stringify(b.figures))
    throw new Error('the rollups and the raw table tell different figures');
  return figuresOf(await runPairs({ ours, reference }, options), rows, options);
}

type Arm = (index: number) => Promise<Timed>;

/** Both sides in turn, each for its time; the side that begins changes with each pair. */
async function runPairs(
  arms: { ours: Arm; reference: Arm },
  { forSeconds, pairs, size }: MeasureOptions,
): Promise<Measured> {
  const measured: Measured = { ours: [], reference: [], ratios: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    const both = { ours: [] as number[], reference: [] as number[] };
    for (const arm of pair % 2 === 0 ? (['reference', 'ours'] as const) : (['ours', 'reference'] as const)) {
      const until = performance.now() + forSeconds * 1_000;
      for (let index = 0; performance.now() < until || both[arm].length === 0; index += 1)
        both[arm].push((await arms[arm](index % size.campaigns)).ms);
      measured[arm].push(...both[arm]);
    }
    measured.ratios.push(median(both.reference) / median(both.ours));
  }
  return measured;
}

function figuresOf(
  { ours, reference, ratios }: Measured,
  rows: Record<string, number>,
  { forSeconds, pairs, size }: MeasureOptions,
): Figure[] {
  const details = {
    rows,
    campaigns: size.campaigns,
    screens: size.screens,
    days: size.days,
    pairs,
    reports: ours.length,
    ours_ms_p50: round(median(ours)),
    reference_ms_p50: round(median(reference)),
    first_look: pairs < 5 || forSeconds < 30,
  };
  return [
    {
      bench: 'reports',
      figure: 'G10',
      unit: 'reports/s',
      ours: round(1_000 / median(ours)),
      reference: round(1_000 / median(reference)),
      ratio: round(median(ratios)),
      min: round(Math.min(...ratios)),
      max: round(Math.max(...ratios)),
      goal: GOAL_RATIO,
      better: 'more',
      met: median(ratios) >= GOAL_RATIO,
      details,
    },
    boundFigure({
      bench: 'reports',
      figure: 'G10 p99',
      unit: 'ms',
      ours: percentile(ours, 0.99),
      goal: GOAL_P99_MS,
      better: 'less',
      details: { reports: ours.length },
    }),
  ];
}

async function readRaw(
  clickhouse: Clickhouse,
  index: number,
  days: { first: number; last: number },
): Promise<ReportFigures> {
  const rows = await queryRows<ReportFigures['buckets'][number] & { screens: number }>(clickhouse, {
    query: rawSql(days),
    query_params: { campaign: campaignOf(index), handle: index + 1 },
  });
  const buckets = rows.filter(row => row.label !== '').map(({ screens: _screens, ...figures }) => figures);
  return { buckets, screens: rows.find(row => row.label === '')?.screens ?? 0, groups: new Map() };
}

async function timed(read: () => Promise<ReportFigures>): Promise<Timed> {
  const from = performance.now();
  const figures = await read();
  return { ms: performance.now() - from, figures };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}
