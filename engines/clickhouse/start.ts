import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../free-port.ts';
import { endOwnedProcess, own } from '../owned.ts';
import { keepSecret } from '../secret.ts';
import { TSX } from '../tsx.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { UV_THREADS } from './capacity.ts';
import type { ReadyMessage, StartMessage } from './main.ts';

const HOST = '127.0.0.1';
const MAIN = join(import.meta.dirname, 'main.ts');
/** What a server of its own runs before it starts, too: the folders are the same. */
const FORGET_LOST_TOKENS = join(import.meta.dirname, '../../deploy/clickhouse/forget-lost-tokens.sh');
// Loading the parts of a table takes about 1 ms each; merges keep them in the hundreds.
const START_MS_MAX = 60_000;
const LOG_TAIL_CHARS = 2_000;

/** What a start needs; `port` is kept over restarts. */
export type ClickHousePlan = { folder: string; port: number; passwords: { default: string; analyst: string } };

/**
 * Prepares the embedded ClickHouse on `<dataDir>/clickhouse`.
 * @param options.port the wished one; another is taken when it is not free, any when it is 0
 */
export async function planClickHouse(options: { dataDir: string; port: number; analystPassword: string }): Promise<ClickHousePlan> {
  const folder = join(options.dataDir, 'clickhouse');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const port = await findFreePort(options.port);
  return { folder, port, passwords: { default: await keepSecret(join(options.dataDir, 'clickhouse.password')), analyst: options.analystPassword } };
}

/** Starts the process that owns the engine and resolves when it answers /ping. Throws when the signal is aborted; then it is ended. */
export async function launchClickHouse(plan: ClickHousePlan, signal?: AbortSignal): Promise<ChildProcess> {
  signal?.throwIfAborted();
  const logFile = join(plan.folder, '..', 'clickhouse.log');
  const { stderr: said } = await promisify(execFile)('sh', [FORGET_LOST_TOKENS, join(plan.folder, 'data')]);
  const log = openSync(logFile, 'a', 0o600);
  writeSync(log, said);
  const child = spawn(process.execPath, ['--import', TSX, MAIN, plan.folder], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '', TZ: 'UTC', UV_THREADPOOL_SIZE: String(UV_THREADS) },
  });
  closeSync(log);
  try {
    const said = readyMessage(child, { folder: join(plan.folder, 'data'), port: plan.port, passwords: plan.passwords });
    const [ready] = await Promise.all([unlessAborted(said, signal), own(child, 'clickhouse')]);
    if ('error' in ready) throw new Error(ready.error);
    if (!(await fetch(`http://${HOST}:${ready.port}/ping`)).ok) throw new Error('it does not answer /ping');
    return child;
  } catch (error) {
    await endOwnedProcess(child.pid!);
    signal?.throwIfAborted();
    const tail = (await readFile(logFile, 'utf8')).slice(-LOG_TAIL_CHARS);
    throw new Error(`the embedded ClickHouse did not start on ${plan.folder}: ${(error as Error).message}\n${logFile} ends with:\n${tail}`, { cause: error });
  }
}

/** The URL of a user, with the database `marquee`. */
export function clickHouseUrl(plan: ClickHousePlan, user: 'default' | 'analyst'): string {
  return `http://${user}:${plan.passwords[user]}@${HOST}:${plan.port}/marquee`;
}

function readyMessage(child: ChildProcess, start: StartMessage): Promise<ReadyMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready after ${START_MS_MAX} ms`)), START_MS_MAX);
    child.once('message', message => { clearTimeout(timer); resolve(message as ReadyMessage); });
    child.once('error', error => { clearTimeout(timer); reject(error); });
    child.once('exit', (code, signal) => { clearTimeout(timer); reject(new Error(`it ended with ${code ?? signal}`)); });
    child.send(start);
  });
}
