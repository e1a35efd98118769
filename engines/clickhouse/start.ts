/**
 * Starts the embedded ClickHouse: one process for the services, which owns the data, and one for the analysts, which
 * only reads it. `engines/run.ts` calls it at the start and after a process has ended.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ProgramName, programOf } from '#runtime/programs/program.ts';
import type { EngineName } from '../processes/ending.ts';
import { findFreePort } from '../processes/free-port.ts';
import { endOwnedProcess, own } from '../processes/owned.ts';
import { keepSecret } from '../secret.ts';
import { unlessAborted } from '../processes/unless-aborted.ts';
import type { AnalystStart } from './reading/analyst-main.ts';
import { ANALYST_UV_THREADS, SERVICE_UV_THREADS } from './capacity.ts';
import type { ReadyMessage } from './child.ts';
import type { ServiceStart } from './main.ts';

const HOST = '127.0.0.1';
/** Run before the embedded engine starts, as before a ClickHouse server of a deployment: the folders are the same. */
const FORGET_LOST_TOKENS = join(import.meta.dirname, '../../deploy/clickhouse/forget-lost-tokens.sh');
// Loading the parts of a table takes about 1 ms each; merges keep them in the hundreds.
const START_MS_MAX = 60_000;
const LOG_TAIL_CHARS = 2_000;

/** The inputs of a start; ports are kept over restarts. */
export type ClickHousePlan = {
  folder: string;
  port: number;
  password: string;
  analysts: { folder: string; port: number; password: string };
};

/**
 * Prepares the embedded ClickHouse on `<dataDir>/clickhouse`, and the analysts' own beside it, which reads the same
 * data.
 * @param options.port the wished one of the analysts; another is taken when it is not free, any when it is 0
 */
export async function planClickHouse(options: {
  dataDir: string;
  port: number;
  analystPassword: string;
}): Promise<ClickHousePlan> {
  const { dataDir } = options;
  const folder = join(dataDir, 'clickhouse');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const analysts = {
    folder: join(dataDir, 'clickhouse_analysts'),
    port: await findFreePort(options.port),
    password: options.analystPassword,
  };
  return {
    folder,
    port: await findFreePort(),
    password: await keepSecret(join(dataDir, 'clickhouse.password')),
    analysts,
  };
}

/**
 * Starts the process that owns the engine and its data, and resolves when it answers /ping. Throws when the signal is
 * aborted; then it is ended.
 */
export async function launchClickHouse(plan: ClickHousePlan, signal?: AbortSignal): Promise<ChildProcess> {
  signal?.throwIfAborted();
  const data = join(plan.folder, 'data');
  const prepare = async (): Promise<string> => (await promisify(execFile)('sh', [FORGET_LOST_TOKENS, data])).stderr;
  const start: ServiceStart = { folder: data, port: plan.port, password: plan.password };
  return launchServer(
    {
      kind: 'clickhouse',
      program: 'engines/clickhouse/main.ts',
      folder: plan.folder,
      prepare,
      uvThreads: SERVICE_UV_THREADS,
      start,
    },
    signal,
  );
}

/** Starts the process that serves the analysts, likewise. Its engine opens with the first statement. */
export async function launchAnalysts(plan: ClickHousePlan, signal?: AbortSignal): Promise<ChildProcess> {
  signal?.throwIfAborted();
  const { folder, port, password } = plan.analysts;
  const start: AnalystStart = {
    folder,
    port,
    password,
    owner: { folder: join(plan.folder, 'data'), url: clickHouseUrl(plan, 'default') },
  };
  return launchServer(
    {
      kind: 'clickhouse_analysts',
      program: 'engines/clickhouse/reading/analyst-main.ts',
      folder,
      uvThreads: ANALYST_UV_THREADS,
      start,
    },
    signal,
  );
}

/** The URL of a user, with the database `marquee`. */
export function clickHouseUrl({ analysts, ...services }: ClickHousePlan, user: 'default' | 'analyst'): string {
  const { password, port } = user === 'default' ? services : analysts;
  return `http://${user}:${password}@${HOST}:${port}/marquee`;
}

type Launch = {
  kind: EngineName;
  program: ProgramName;
  folder: string;
  /** The preparations before the folder is opened; returns their output for the log. */
  prepare?: () => Promise<string>;
  uvThreads: number;
  start: ServiceStart | AnalystStart;
};

/**
 * Starts one of the two. Its command line has `folder`, which identifies it; its log is beside the folder. The process
 * loads its modules, which takes longer than anything else of a start, while the folder is prepared; it opens the
 * folder when it is sent its options.
 */
async function launchServer(
  { kind, program, folder, prepare, uvThreads, start }: Launch,
  signal: AbortSignal | undefined,
): Promise<ChildProcess> {
  const logFile = `${folder}.log`;
  const log = openSync(logFile, 'a', 0o600);
  const { file, execArgv } = programOf(program);
  const child = spawn(process.execPath, [...execArgv, file, folder], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '', TZ: 'UTC', UV_THREADPOOL_SIZE: String(uvThreads) },
  });
  closeSync(log);
  try {
    const prepared = prepare?.().then(said => appendFile(logFile, said));
    const [ready] = await Promise.all([
      unlessAborted(readyMessage(child, { start, prepared }), signal),
      own(child, kind),
    ]);
    if ('error' in ready) throw new Error(ready.error);
    if (!(await fetch(`http://${HOST}:${ready.port}/ping`)).ok) throw new Error('it does not answer /ping');
    return child;
  } catch (error) {
    await endOwnedProcess(child.pid!);
    signal?.throwIfAborted();
    const tail = (await readFile(logFile, 'utf8')).slice(-LOG_TAIL_CHARS);
    throw new Error(
      `the embedded ClickHouse did not start on ${folder}: ${(error as Error).message}\n${logFile} ends with:\n${tail}`,
      { cause: error },
    );
  }
}

/** Sends the options when all is prepared, and resolves with the answer. */
function readyMessage(
  child: ChildProcess,
  { start, prepared = Promise.resolve() }: { start: ServiceStart | AnalystStart; prepared: Promise<void> | undefined },
): Promise<ReadyMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready after ${START_MS_MAX} ms`)), START_MS_MAX);
    child.once('message', message => {
      clearTimeout(timer);
      resolve(message as ReadyMessage);
    });
    child.once('error', error => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`it ended with ${code ?? signal}`));
    });
    prepared
      .then(() => child.send(start))
      .catch((error: unknown) => {
        clearTimeout(timer);
        reject(error);
      });
  });
}
