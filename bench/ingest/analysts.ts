/**
 * How long reports and inserts wait while somebody with the analyst's password floods ClickHouse, compared with how
 * long they wait without a flood. Reports and inserts are sent at fixed moments, whether the last one was answered or
 * not.
 */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startEngines, type Engines } from '#engines/run.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { migrateClickhouse } from '#sql/migrate.ts';
import { readFigures } from '../../api/figures/figures.ts';
import { MS_PER_DAY, type ReportRange } from '../../api/figures/range.ts';
import { handle } from '../../test/support/handle.ts';
import { endChild, messageOf, startChild } from '../child.ts';
import { median, round, type Bench, type BenchOptions, type Figure } from '../protocol.ts';
import { buildPlays, FIRST_DAY, type ReportsSize } from './reports.ts';

export type FloodCommand = { flood: string; url: string; username: string; password: string };
type Flood = { connections: number; statement: string; readsSlowly?: boolean };

const ones = (bytes: number) => `SELECT ${'1,'.repeat((bytes - 8) / 2)}1`;

/** The floods by name, each one class of statements that an analyst can send. */
export const FLOODS: Record<string, Flood> = {
  'statements of 20 MB': { connections: 8, statement: ones(20_000_000) },
  'statements of 256 KiB': { connections: 64, statement: ones(262_000) },
  'thousands of small queries': { connections: 64, statement: 'SELECT 1' },
  'queries that compute': {
    connections: 64,
    statement: 'SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(cityHash64(number))',
  },
  'cross joins': {
    connections: 64,
    statement: 'SELECT count() FROM numbers(10000000) AS a, numbers(10000000) AS b WHERE a.number + b.number = 5',
  },
  'queries that take all memory': {
    connections: 64,
    statement: 'SELECT length(groupArray(number)) FROM numbers(1000000000)',
  },
  'scans of every play': {
    connections: 64,
    statement: 'SELECT screen_id, uniqExact(tuple(*)) FROM plays_raw GROUP BY screen_id',
  },
  'answers without end': { connections: 64, statement: 'SELECT * FROM plays_raw, numbers(1000)' },
  'answers that nobody takes': {
    connections: 64,
    statement: "SELECT repeat('x', 1000) FROM numbers(1000000)",
    readsSlowly: true,
  },
  'distances worked out before the query': {
    connections: 8,
    statement: `SELECT ${Array.from({ length: 200 }, (_, index) => `editDistance(repeat('a', 60000), repeat('b', ${60_000 + index}))`).join(',')}`,
  },
};

const SIZE: ReportsSize = { plays: 2_000_000, campaigns: 20, screens: 500, days: 30, folder: '.data/bench-analysts' };
const REPORTS_PER_SECOND = 20;
const INSERTS_PER_SECOND = 1;
const ROWS_PER_INSERT = 1_000;
/** The time after which a flood has reached its full effect. */
const FLOODED_MS = 3_000;
const GOAL_RATIO = 2;

export const analysts: Bench = {
  about: 'what reports and inserts wait beside floods of an analyst, against what they wait alone',
  run: options => runAnalysts(options, { size: SIZE, floods: Object.keys(FLOODS) }),
};

/** The benchmark with another size; tests run it small. */
export async function runAnalysts(
  { forSeconds, pairs, say }: BenchOptions,
  { size, floods }: { size: ReportsSize; floods: readonly string[] },
): Promise<Figure[]> {
  const dataDir = resolve(size.folder);
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const engines = await startEngines({
    dataDir: join(dataDir, 'engines'),
    analystPassword: 'bench',
    clickhousePort: 0,
    external: { databaseUrl: 'postgres://unused', redisUrl: 'redis://unused' },
  });
  const clickhouse = openClickhouse(engines.urls.clickhouseUrl, { application: 'marquee-bench', connectionsMax: 20 });
  try {
    await migrateClickhouse(engines.urls.clickhouseUrl);
    await buildPlays(clickhouse, size, say);
    const measured: Measured[] = [];
    await sampleClickhouse(clickhouse, { size, seconds: 3 }); // warms what answers
    for (let pair = 0; pair < pairs; pair += 1) {
      for (const flood of floods) measured.push(await measure(flood, { engines, clickhouse, size, forSeconds, say }));
    }
    return [figureOf('reports', measured), figureOf('inserts', measured)];
  } finally {
    await clickhouse.close();
    await engines.stop();
  }
}

type Waits = { reports: number[]; inserts: number[] };
type Measured = { flood: string; quiet: Waits; flooded: Waits };

type MeasureOptions = {
  engines: Engines;
  clickhouse: Clickhouse;
  size: ReportsSize;
  forSeconds: number;
  say: BenchOptions['say'];
};

/** The waits without the flood, then beside it. */
async function measure(
  flood: string,
  { engines, clickhouse, size, forSeconds, say }: MeasureOptions,
): Promise<Measured> {
  const quiet = await sampleClickhouse(clickhouse, { size, seconds: forSeconds });
  const child = startChild('ingest/analyst-flood.ts', { detached: true });
  await once(child, 'spawn');
  child.send({ flood, ...engines.clickhouse } satisfies FloodCommand);
  await messageOf(child);
  await wait(FLOODED_MS);
  const flooded = await sampleClickhouse(clickhouse, { size, seconds: forSeconds });
  await endChild(child);
  const told = (waits: number[]) => `p50 ${percentile(waits, 0.5)}, p99 ${percentile(waits, 0.99)} ms`;
  say(
    `analysts: ${flood}: reports ${told(quiet.reports)} alone, ${told(flooded.reports)} beside; inserts ${told(quiet.inserts)} alone, ${told(flooded.inserts)} beside`,
  );
  return { flood, quiet, flooded };
}

/** What reports and inserts wait for so long. */
export async function sampleClickhouse(
  clickhouse: Clickhouse,
  { size, seconds }: { size: Omit<ReportsSize, 'folder'>; seconds: number },
): Promise<Waits> {
  const days = { first: FIRST_DAY, last: FIRST_DAY + size.days - 1 };
  const range: ReportRange = {
    tz: 'UTC',
    group: 'day',
    counted: days,
    shown: days,
    endsAt: (days.last + 1) * MS_PER_DAY,
  };
  const report = (index: number) =>
    readFigures(clickhouse, { campaigns: [handle('campaign', 1 + (index % size.campaigns))], sandbox: false, range });
  const insert = async (index: number) => {
    await clickhouse.insert({ table: 'plays_raw', format: 'JSONEachRow', values: playsOf(index) });
  };
  const [reports, inserts] = await Promise.all([
    atFixedMoments(REPORTS_PER_SECOND, seconds, report),
    atFixedMoments(INSERTS_PER_SECOND, seconds, insert),
  ]);
  return { reports, inserts };
}

/** Milliseconds from the moment at which each call was due to its answer. */
async function atFixedMoments(
  perSecond: number,
  seconds: number,
  call: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const startedMs = performance.now();
  return Promise.all(
    Array.from({ length: Math.round(perSecond * seconds) }, async (_, index) => {
      const dueMs = startedMs + (index * 1_000) / perSecond;
      await wait(dueMs - performance.now());
      await call(index);
      return performance.now() - dueMs;
    }),
  );
}

function playsOf(index: number): object[] {
  const at = '2026-01-15 12:00:00.000';
  return Array.from({ length: ROWS_PER_INSERT }, (_, row) => ({
    played_at: at,
    slot_at: at,
    received_at: at,
    campaign_id: 'cmp_flooded',
    creative_id: 'cre_a',
    screen_id: `scr_${row % 100}`,
    venue_id: `ven_${row % 25}`,
    campaign_handle: 999,
    epoch: 2,
    issue_number: index * ROWS_PER_INSERT + row,
    sandbox: false,
    late: false,
    played_ms: 10_000,
    audience: null,
    impressions_thousandths: 8_200,
    rate_micros: 6_000,
    cost_micros: 49_200,
    group_id: 'flood',
    job_id: 'flood',
  }));
}

/** Of each flood the median of its pairs; the worst of the floods counts. */
function figureOf(what: keyof Waits, measured: readonly Measured[]): Figure {
  const floods = [...new Set(measured.map(({ flood }) => flood))].map(flood => {
    const pairs = measured
      .filter(one => one.flood === flood)
      .map(({ quiet, flooded }) => ({
        alone: percentile(quiet[what], 0.99),
        beside: percentile(flooded[what], 0.99),
        besideHalf: percentile(flooded[what], 0.5),
      }));
    const ratios = pairs.map(({ alone, beside }) => beside / alone);
    return {
      flood,
      alone_ms_p99: round(median(pairs.map(({ alone }) => alone))),
      beside_ms_p99: round(median(pairs.map(({ beside }) => beside))),
      beside_ms_p50: round(median(pairs.map(({ besideHalf }) => besideHalf))),
      ratio: round(median(ratios)),
      ratio_min: round(Math.min(...ratios)),
      ratio_max: round(Math.max(...ratios)),
      pairs: pairs.length,
    };
  });
  const ratios = floods.map(({ ratio }) => ratio);
  const worst = floods.find(({ ratio }) => ratio === Math.max(...ratios))!;
  return {
    bench: 'analysts',
    figure: `p99 of ${what}`,
    unit: 'ms p99',
    ours: worst.beside_ms_p99,
    reference: worst.alone_ms_p99,
    ratio: worst.ratio,
    min: worst.ratio_min,
    max: worst.ratio_max,
    goal: GOAL_RATIO,
    better: 'less',
    met: worst.ratio <= GOAL_RATIO,
    details: { worst: worst.flood, ratio_median: round(median(ratios)), floods },
  };
}

export function percentile(values: readonly number[], share: number): number {
  return round(
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN,
  );
}
