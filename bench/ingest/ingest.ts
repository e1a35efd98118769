/**
 * G7: plays from the socket to queryable, per CPU-second of all processes of the instance together, engines included.
 * Screens first gather real fills, then report them as fast as they are acknowledged; the clock stops when ClickHouse's
 * raw table holds them all, which is when its views do. The reference is a client that inserts the rows of such a run
 * directly into the same tables in a second database of the same ClickHouse, in batches of the same size.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { openClickhouse, type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { migrateClickhouse } from '#sql/migrate.ts';
import { Remote } from '../child.ts';
import { cpuSecondsOf } from '../cpu-time.ts';
import type { InsertCalls } from './direct-insert.ts';
import { startLoad } from '../sockets/load.ts';
import {
  figureOf,
  measurePairs,
  perSecond,
  round,
  type Bench,
  type BenchOptions,
  type Figure,
  type Sample,
} from '../protocol.ts';
import { openStage, type Stage } from '../stage.ts';

const CAMPAIGNS = 1_000;
const SCREENS = 100;
/** The shortest creative there is: nine slots of it end before now when the first began 55 s ago. */
const CREATIVE_MS = 6_000;
const SLOTS_PER_MESSAGE = 9;
const SLOTS_BACK_MS = 55_000;
/** The maximum that a screen may send, as after an outage. */
const PLAYS_PER_MESSAGE = 200;
const GOAL = 0.5;
/** Plays of the first run, which does not count: it warms up, and shows how many plays a second there will be. */
const PLAYS_FIRST = 50_000;
/** A bound, so that plays, their messages and the rows of the reference fit into memory. */
const PLAYS_MAX = 500_000;
const POLL_MS = 50;
/** A run in which no row arrives for this long has failed. */
const STALLED_MS_MAX = 60_000;
/** Below this share of a core the instance is quiet. Otherwise merges of one run would count in the next one. */
const QUIET_SHARE = 0.1;
const QUIET_CHECKS_MAX = 20;
const QUIET_LOOK_MS = 500;
const DIRECT_DATABASE = 'bench_direct';

type Size = { campaigns: number; screens: number; playsFirst: number };
type Run = { fromMs: number; rows: number; groups: number; sample: Sample };

export const ingest: Bench = {
  about: 'plays per CPU-second from socket to queryable, against direct inserts of the same rows',
  published: { pairs: 3, forSeconds: 6 },
  run: options => runIngest(options, { campaigns: CAMPAIGNS, screens: SCREENS, playsFirst: PLAYS_FIRST }),
};

/** The benchmark with another size; tests run it small. */
export async function runIngest(options: BenchOptions, size: Size): Promise<Figure[]> {
  options.say(`ingest: starting an instance with ${size.campaigns} campaigns and ${size.screens} screens`);
  const stage = await openStage({ ...size, creativeMs: CREATIVE_MS });
  const clickhouse = openClickhouse(stage.instance.urls.clickhouseUrl, {
    application: 'marquee-bench',
    connectionsMax: 1,
  });
  try {
    return await measure(stage, clickhouse, { ...options, size });
  } finally {
    await clickhouse.close();
    await stage.close();
  }
}

async function measure(
  stage: Stage,
  clickhouse: Clickhouse,
  { forSeconds, pairs, say, size }: BenchOptions & { size: Size },
): Promise<Figure[]> {
  const columns = await columnsOf(clickhouse);
  let last = await runOurs(stage, clickhouse, size.playsFirst);
  const plays = Math.min(PLAYS_MAX, Math.max(size.playsFirst, Math.round(perSecond(last.sample) * forSeconds)));
  if (plays > last.rows) last = await runOurs(stage, clickhouse, plays);
  let direct = 0;
  const runs: Run[] = [];
  const measured = await measurePairs(pairs, async arm => {
    say(`ingest: ${arm === 'ours' ? 'ours' : 'the reference'}, about ${plays} plays`);
    if (arm === 'reference')
      return runDirect(stage, clickhouse, { columns, run: last, database: `${DIRECT_DATABASE}_${(direct += 1)}` });
    last = await runOurs(stage, clickhouse, plays);
    runs.push(last);
    return last.sample;
  });
  const details = {
    campaigns: size.campaigns,
    screens: size.screens,
    plays_per_message: PLAYS_PER_MESSAGE,
    plays: runs.map(run => run.rows),
    rows_per_insert: Math.round(last.rows / last.groups),
    cpu_us_per_play: measured.at(-1)!.ours.details,
    reference_cpu_us_per_play: measured.at(-1)!.reference.details,
  };
  return [figureOf({ bench: 'ingest', figure: 'G7', unit: 'plays/CPU-s', goal: GOAL, details }, measured)];
}

/** The columns that an insert gives; the others have defaults. */
async function columnsOf(clickhouse: Clickhouse): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(clickhouse, {
    query:
      "select name from system.columns where database = currentDatabase() and table = 'plays_raw' and default_kind = '' order by position",
  });
  return rows.map(({ name }) => name);
}

const cpuByProcess = (stage: Stage): Record<string, number> =>
  Object.fromEntries(Object.entries(stage.pids()).map(([name, pids]) => [name, cpuSecondsOf(pids)]));
const total = (byProcess: Record<string, number>): number =>
  Object.values(byProcess).reduce((sum, seconds) => sum + seconds, 0);

/** Gathers about `plays` fills, reports them and waits until they can be queried. */
async function runOurs(stage: Stage, clickhouse: Clickhouse, plays: number): Promise<Run> {
  const client = await startLoad(stage.screens);
  const messages = Math.ceil(plays / (stage.screens.connections * SLOTS_PER_MESSAGE));
  const { fills, noFills } = await client.call('gather', { messages, count: SLOTS_PER_MESSAGE, backMs: SLOTS_BACK_MS });
  if (fills === 0) throw new Error(`no slot was filled: ${JSON.stringify(noFills)}`);
  const prepared = await client.call('prepareReports', { playsPerMessage: PLAYS_PER_MESSAGE });
  await untilQuiet(() => total(cpuByProcess(stage)));
  const before = cpuByProcess(stage);
  const rowsBefore = await countRows(clickhouse);
  const fromMs = Date.now();
  const from = performance.now();
  const { acknowledged, refused } = await client.call('report', {});
  if (acknowledged < prepared) throw new Error(`plays were refused: ${JSON.stringify(refused)}`);
  await untilRows(clickhouse, rowsBefore + acknowledged);
  const seconds = (performance.now() - from) / 1000;
  const after = cpuByProcess(stage);
  await client.close();
  return {
    fromMs,
    rows: acknowledged,
    groups: await countGroups(clickhouse, fromMs),
    sample: sampleOf({ before, after, amount: acknowledged, seconds }),
  };
}

type SampleOfOptions = {
  before: Record<string, number>;
  after: Record<string, number>;
  amount: number;
  seconds: number;
};

/** A sample whose details say which process spent how many microseconds per play. */
function sampleOf({ before, after, amount, seconds }: SampleOfOptions): Sample {
  const perPlay = Object.entries(after).map(([name, cpu]) => [name, round((1e6 * (cpu - before[name]!)) / amount)]);
  return { amount, seconds, cpuSeconds: total(after) - total(before), details: Object.fromEntries(perPlay) };
}

type RunDirectOptions = { columns: string[]; run: Run; database: string };

/** Inserts the rows of a run of ours into a fresh database. */
async function runDirect(
  stage: Stage,
  clickhouse: Clickhouse,
  { columns, run, database }: RunDirectOptions,
): Promise<Sample> {
  const url = new URL(stage.instance.urls.clickhouseUrl);
  const fromTable = `${url.pathname.slice(1)}.plays_raw`;
  url.pathname = `/${database}`;
  await migrateClickhouse(url.href);
  const inserter = await Remote.start<InsertCalls>('ingest/direct-insert.ts');
  const amount = await inserter.call('load', {
    url: url.href,
    fromTable,
    columns,
    fromMs: run.fromMs,
    rowsMax: run.rows,
    batchRows: Math.round(run.rows / run.groups),
  });
  const cpu = () => ({ client: cpuSecondsOf([inserter.pid]), clickhouse: cpuSecondsOf(stage.pids()['clickhouse']!) });
  await untilQuiet(() => total(cpu()));
  const before = cpu();
  const from = performance.now();
  await inserter.call('insert');
  const sample = sampleOf({ before, after: cpu(), amount, seconds: (performance.now() - from) / 1000 });
  await inserter.close();
  const inserted = await countRows(clickhouse, `${database}.plays_raw`);
  if (inserted !== run.rows) throw new Error(`the reference inserted ${inserted} rows instead of ${run.rows}`);
  await clickhouse.command({ query: `drop database ${database}` });
  return sample;
}

/** Waits until the processes have little left to do, for ten seconds at most. */
async function untilQuiet(cpu: () => number): Promise<void> {
  for (let check = 0; check < QUIET_CHECKS_MAX; check += 1) {
    const before = cpu();
    await wait(QUIET_LOOK_MS);
    if (cpu() - before < (QUIET_SHARE * QUIET_LOOK_MS) / 1000) return;
  }
}

async function countRows(clickhouse: Clickhouse, table = 'plays_raw'): Promise<number> {
  const [row] = await queryRows<{ rows: number }>(clickhouse, { query: `select count() as rows from ${table}` });
  return Number(row!.rows);
}

async function countGroups(clickhouse: Clickhouse, fromMs: number): Promise<number> {
  const rows = await queryRows<{ groups: number }>(clickhouse, {
    query:
      'select uniqExact(group_id) as groups from plays_raw where received_at >= fromUnixTimestamp64Milli({from:Int64})',
    query_params: { from: fromMs },
  });
  return Number(rows[0]!.groups);
}

/** Waits until all rows exist. @throws if their number stays below the acknowledged plays, or exceeds them */
async function untilRows(clickhouse: Clickhouse, wanted: number): Promise<void> {
  let rows = 0;
  for (let progressAt = performance.now(); performance.now() - progressAt < STALLED_MS_MAX;) {
    const seen = await countRows(clickhouse);
    if (seen > wanted) throw new Error(`${seen - wanted} plays were counted twice`);
    if (seen === wanted) return;
    if (seen > rows) progressAt = performance.now();
    rows = seen;
    await wait(POLL_MS);
  }
  throw new Error(`${wanted - rows} acknowledged plays did not arrive`);
}
