/**
 * `npm run replay -- --from --to [--json]`: lets delivery's engine decide recorded slots of the last day again, process
 * by process and run by run, and says where it decides differently. On the running instance of a data folder, on
 * CLICKHOUSE_URL, or on the ClickHouse of a folder whose instance does not run.
 */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatId } from '#domain/id.ts';
import { stepsOf } from '#domain/plays/decision-journal.ts';
import type { DecisionRecord } from '#domain/plays/decision-record.ts';
import { reasonOf } from '#domain/plays/decision.ts';
import { startEngines } from '#engines/run.ts';
import { variable } from '#runtime/config.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { listRuns, readRun } from '../../api/decisions/journal.ts';
import { commandLine, runCommand, UsageError } from '../arguments.ts';
import { readInstanceFile } from '../instance/instance.ts';
import { endOnInterrupt } from '../instance/interrupt.ts';
import { secretsOf } from '../instance/secrets.ts';
import { replayRun, type Difference } from './replay-engine.ts';
import type { Milliseconds } from '#domain/unit.ts';

const DAY_MS = 86_400_000;
const SHOWN_MAX = 20;
/** A larger run does not fit into the memory of a small machine together with the engine. */
const RUN_BYTES_MAX = 512 * 1024 * 1024;
const QUERY_MS_MAX = 120_000;

export type Replay = {
  from: string;
  to: string;
  runs: number;
  runs_without_beginning: number;
  slots: number;
  differences: number;
  first: string[];
};

/** Replays the decisions between two moments (ms). */
export async function replay(
  clickhouse: Clickhouse,
  { fromMs, toMs }: { fromMs: Milliseconds; toMs: Milliseconds },
): Promise<Replay> {
  const whole: Replay = {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    runs: 0,
    runs_without_beginning: 0,
    slots: 0,
    differences: 0,
    first: [],
  };
  for (const range of await listRuns(clickhouse, { fromMs, toMs })) {
    whole.runs++;
    const parts = await readRun(clickhouse, range, RUN_BYTES_MAX);
    const replayed =
      parts && replayRun(stepsOf(parts), record => record.decidedAtMs >= fromMs && record.decidedAtMs < toMs);
    if (replayed === undefined) {
      whole.runs_without_beginning++;
      continue;
    }
    whole.slots += replayed.slots;
    whole.differences += replayed.differences.length;
    for (const difference of replayed.differences.slice(0, SHOWN_MAX - whole.first.length))
      whole.first.push(spell(difference, range.epoch));
  }
  return whole;
}

function spell({ number, recorded, decided }: Difference, epoch: number): string {
  return `decision ${number} of epoch ${epoch}, ${formatId('screen', recorded.screen)} at ${new Date(recorded.startsAtMs).toISOString()}: was ${outcome(recorded)}, is ${outcome(decided)}`;
}

function outcome({ answer, campaign, creative }: Pick<DecisionRecord, 'answer' | 'campaign' | 'creative'>): string {
  return answer < 0 ? `${formatId('campaign', campaign)} with ${formatId('creative', creative)}` : reasonOf(answer);
}

function moment(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It takes a moment such as 2026-01-01T10:00:00Z.');
  return ms;
}

function readOptions() {
  return commandLine('npm run replay --')
    .description('Decides recorded slots again and reports different answers.')
    .option('--from <moment>', 'begin, such as 2026-01-01T10:00:00Z (default: 24 hours ago)', moment)
    .option('--to <moment>', 'end (default: now)', moment)
    .addOption(new Option('--data-dir <folder>', 'data folder of the instance').env('DATA_DIR').default('.data'))
    .option('--json', 'print one line of JSON', false)
    .parse()
    .opts();
}

/** The URL of ClickHouse, and a function that leaves it as it was found. */
async function findClickhouse(dataDir: string): Promise<{ url: string; leave: () => Promise<void> }> {
  const given = variable('CLICKHOUSE_URL', process.env) ?? readInstanceFile(dataDir)?.urls.clickhouseUrl;
  if (given !== undefined) return { url: given, leave: async () => undefined };
  const folder = join(dataDir, 'engines');
  if (!existsSync(folder))
    throw new UsageError(`There is no instance on ${dataDir}. Give --data-dir, or set CLICKHOUSE_URL.`);
  endOnInterrupt({ byForce: false });
  // Only ClickHouse is started: the journal is all that is read.
  const engines = await startEngines({
    dataDir: folder,
    analystPassword: secretsOf(dataDir).analystPassword,
    clickhousePort: 0,
    external: { databaseUrl: 'none', redisUrl: 'none' },
  });
  return { url: engines.urls.clickhouseUrl, leave: () => engines.stop() };
}

async function main(): Promise<number> {
  const { to: toMs = Date.now(), from: fromMs = toMs - DAY_MS, dataDir, json } = readOptions();
  if (fromMs >= toMs) throw new UsageError('--to must be after --from.');
  const { url, leave } = await findClickhouse(resolve(dataDir));
  const clickhouse = openClickhouse(url, {
    application: 'marquee-replay',
    connectionsMax: 1,
    requestTimeoutMs: QUERY_MS_MAX,
  });
  try {
    const result = await replay(clickhouse, { fromMs, toMs });
    if (json) process.stdout.write(`${JSON.stringify({ event: 'replay', ...result })}\n`);
    else {
      process.stdout.write(
        `${result.slots} slots of ${result.runs} runs were decided again; ${result.differences} differently.\n`,
      );
      if (result.runs_without_beginning > 0)
        process.stdout.write(
          `${result.runs_without_beginning} runs could not: their beginning is not in the journal.\n`,
        );
      for (const line of result.first) process.stdout.write(`  ${line}\n`);
    }
    return result.differences === 0 ? 0 : 1;
  } finally {
    await clickhouse.close();
    await leave();
  }
}

if (import.meta.filename === process.argv[1]) runCommand(main);
