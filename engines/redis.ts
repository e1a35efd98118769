/** Redis, or Valkey, from the system's packages: its configuration, its start, and its URL. */
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from './processes/free-port.ts';
import { launch } from './processes/launch.ts';
import { findOrInstall } from './package-manager.ts';
import { keepSecret } from './secret.ts';

const HOST = '127.0.0.1';
// Loading the append-only file: about 100 MB/s, so this allows a few GB.
const START_MS_MAX = 60_000;

/** The inputs of a start; `port` is kept over restarts. */
export type RedisPlan = {
  program: string;
  folder: string;
  configFile: string;
  port: number;
  password: string;
  url: string;
};

/**
 * Prepares Redis on `<dataDir>/redis`: finds or installs the server, picks a free port, writes the configuration. Every
 * write is fsynced before it is answered (`appendfsync always`) and nothing is ever evicted: the queue holds plays that
 * screens have already forgotten.
 */
export async function planRedis(dataDir: string, signal?: AbortSignal): Promise<RedisPlan> {
  const program = await findOrInstall({
    programs: ['redis-server', 'valkey-server'],
    debian: 'redis-server',
    brew: 'redis',
    signal,
  });
  const folder = join(dataDir, 'redis');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const password = await keepSecret(join(dataDir, 'redis.password'));
  const port = await findFreePort();
  const configFile = join(folder, 'redis.conf');
  await writeFile(
    configFile,
    [
      `bind ${HOST}`,
      `port ${port}`,
      `requirepass ${password}`,
      `dir ${quote(folder)}`,
      'databases 256', // tests take one each; an unused database costs a few bytes
      'appendonly yes',
      'appendfsync always',
      'aof-load-truncated yes',
      'save ""',
      'maxmemory-policy noeviction',
      // The process keeps its arguments, by which a later start recognizes an orphan.
      'set-proc-title no',
      'daemonize no',
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  return { program, folder, configFile, port, password, url: `redis://:${password}@${HOST}:${port}` };
}

/** Starts it and resolves when it answers PING and has loaded its data. */
export function launchRedis(plan: RedisPlan, signal?: AbortSignal): Promise<ChildProcess> {
  return launch({
    engine: 'redis',
    program: plan.program,
    args: [plan.configFile],
    cwd: plan.folder,
    logFile: join(plan.folder, 'redis.log'),
    startMsMax: START_MS_MAX,
    isReady: () => answersPing(plan),
    signal,
  });
}

async function answersPing(plan: RedisPlan): Promise<boolean> {
  const client = new Redis({
    host: HOST,
    port: plan.port,
    password: plan.password,
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
  });
  client.on('error', () => client.disconnect()); // the rejection of connect or ping below says the same
  try {
    await client.connect();
    return (await client.ping()) === 'PONG'; // while loading it answers with the error LOADING
  } finally {
    client.disconnect();
  }
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
