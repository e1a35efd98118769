/**
 * One instance: engines, schemas and the four services on one data folder. `start`, the demo, benchmarks and whole-flow
 * tests all start it here.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findFfmpeg } from '#engines/ffmpeg.ts';
import { ownPath, removeOwnedPath } from '#engines/processes/owned.ts';
import { startTimeOf } from '#engines/processes/process-identity.ts';
import { startEngines, type Engines, type EngineUrls } from '#engines/run.ts';
import { unlessAborted } from '#engines/processes/unless-aborted.ts';
import { variable } from '#runtime/config.ts';
import { replaceDurably } from '#runtime/durable-file.ts';
import { Fault } from '#runtime/fault-error.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { migrateClickhouse, migratePostgres } from '#sql/migrate.ts';
import { assertRestorable } from '#audit/backup.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { checkAuthority } from '../authority.ts';
import { restoreInstance } from '../backup.ts';
import { assertFree, freePort } from './free-port.ts';
import { secretsOf, type Secrets } from './secrets.ts';
import { Supervisor } from './supervisor.ts';
import { buildConsole } from '../../web/console-build.ts';
import { buildPlayer } from '../../web/player-build.ts';

export type InstanceOptions = {
  dataDir: string;
  /** 0 means any free port. */
  port: number;
  deliveryPort: number;
  deliveryProcesses: number;
  ingestProcesses: number;
  logLevel: string;
  onRestart: (service: string, pid: number) => void;
  /** Folder of a backup that is brought in before any service starts. The instance must have no data. */
  restore?: string | undefined;
  /** Called as each part of the start begins. */
  onPart?: (part: StartPart) => void;
  /** Gets the log of all services, line by line; without it they write to standard error. */
  onLine?: (line: string) => void;
  /** Added to the environment of every service (bounds that a benchmark raises, fault points). */
  env?: Record<string, string>;
  /** Aborted while it starts: started parts are stopped, and `startInstance` rejects with the signal's reason. */
  signal?: AbortSignal;
};

export type StartPart = 'engines' | 'schemas' | 'backup' | 'services';

export type Instance = {
  apiUrl: string;
  deliveryUrl: string;
  urls: EngineUrls;
  secrets: Secrets;
  clickhouse: Engines['clickhouse'];
  ops(): Record<string, string[]>;
  pids(): Record<string, number | number[]>;
  stop(): Promise<void>;
};

/** The file by which `admin` finds the running instance of a data folder. */
export type InstanceFile = { pid: number; startedAt: string | undefined; apiUrl: string; urls: EngineUrls };

export function readInstanceFile(dataDir: string): InstanceFile | undefined {
  try {
    return JSON.parse(readFileSync(instancePath(dataDir), 'utf8')) as InstanceFile;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

export const instancePath = (dataDir: string) => join(dataDir, 'instance.json');
/** The data of embedded engines. It exists from the first start on. */
export const enginesPath = (dataDir: string) => join(dataDir, 'engines');

async function refuseSecondInstance(dataDir: string): Promise<void> {
  const other = readInstanceFile(dataDir);
  // After a restart of the machine, another program may have the process id.
  if (
    other?.startedAt !== undefined &&
    other.pid !== process.pid &&
    (await startTimeOf(other.pid)) === other.startedAt
  ) {
    throw new Error(
      `Another instance (process ${other.pid}) runs on ${dataDir}. Stop it, or give --data-dir another folder.`,
    );
  }
}

/** Starts an instance and resolves when every service answers. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const dataDir = resolve(options.dataDir);
  const { signal } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  await refuseSecondInstance(dataDir);
  const secrets = secretsOf(dataDir);
  const log = createLog(
    'start',
    options.logLevel,
    options.onLine && { write: line => options.onLine!(line.trimEnd()) },
  );
  options.onPart?.('engines');
  const engines = await startEngines({
    dataDir: enginesPath(dataDir),
    analystPassword: process.env['CLICKHOUSE_ANALYST_PASSWORD'] ?? secrets.analystPassword,
    external: externalEngines(),
    supervise: true,
    onRestart: options.onRestart,
    ...(signal && { signal }),
  });
  const supervisor = new Supervisor({ onRestart: options.onRestart, onLine: options.onLine });
  const stop = async () => {
    await supervisor.stop();
    await engines.stop();
    await removeOwnedPath(instancePath(dataDir));
  };
  try {
    await unlessAborted(prepare(options, { urls: engines.urls, log }), signal);
    options.onPart?.('services');
    const addresses = await unlessAborted(startServices(supervisor, { options, dataDir, secrets, engines }), signal);
    const file: InstanceFile = {
      pid: process.pid,
      startedAt: await startTimeOf(process.pid),
      apiUrl: addresses.apiUrl,
      urls: engines.urls,
    };
    ownPath(instancePath(dataDir));
    replaceDurably({ path: instancePath(dataDir), text: JSON.stringify(file), mode: 0o600 });
    return {
      ...addresses,
      urls: engines.urls,
      secrets,
      clickhouse: engines.clickhouse,
      ops: () => opsUrls(supervisor),
      pids: () => pidsOf(supervisor, engines),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Prepares the requirements of every service before its start. */
async function prepare(
  { port, deliveryPort, env, restore, onPart }: InstanceOptions,
  { urls, log }: { urls: EngineUrls; log: Log },
): Promise<void> {
  if (port !== 0) await assertFree(port, { host: process.env['HOST'] ?? '127.0.0.1', flag: '--port' });
  if (deliveryPort !== 0)
    await assertFree(deliveryPort, { host: process.env['DELIVERY_HOST'] ?? '0.0.0.0', flag: '--delivery-port' });
  if (restore !== undefined) await withPostgres(urls, sql => assertRestorable(sql, resolve(restore)));
  onPart?.('schemas');
  await Promise.all([
    migratePostgres(urls.databaseUrl),
    migrateClickhouse(urls.clickhouseUrl),
    buildConsole(),
    buildPlayer(),
    lookForFfmpeg(log),
  ]);
  if (restore !== undefined) {
    onPart?.('backup');
    const { clickhouseUrl } = urls;
    const restored = await withPostgres(urls, sql => restoreInstance(sql, { clickhouseUrl, from: restore }));
    log.info(restored, 'the backup is restored');
  }
  await checkAuthority(
    { ...urls, cluster: variable('CLICKHOUSE_CLUSTER', process.env) },
    { log, environment: { ...process.env, ...env } },
  );
}

async function withPostgres<T>({ databaseUrl }: EngineUrls, act: (sql: Postgres) => Promise<T>): Promise<T> {
  const sql = openPostgres(databaseUrl, { connectionsMax: 1, applicationName: 'marquee-start' });
  try {
    return await act(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Looks for ffmpeg, which checks and transcodes uploads. Without it everything else runs, and uploads wait. */
async function lookForFfmpeg(log: Log): Promise<void> {
  await findFfmpeg().catch((error: Error) =>
    log.warn(
      { err: new Fault('ffmpeg_missing', error.message, { retryable: true }) },
      'uploads wait until ffmpeg is there',
    ),
  );
}

function externalEngines(): Partial<EngineUrls> {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL, REDIS_URL, CLICKHOUSE_URL } = process.env;
  return {
    ...(DATABASE_DIRECT_URL && { databaseUrl: DATABASE_DIRECT_URL }),
    ...(REDIS_URL && { redisUrl: REDIS_URL }),
    ...(CLICKHOUSE_URL && { clickhouseUrl: CLICKHOUSE_URL }),
  };
}

type InstanceContext = { options: InstanceOptions; dataDir: string; secrets: Secrets; engines: Engines };

async function startServices(
  supervisor: Supervisor,
  { options, dataDir, secrets, engines }: InstanceContext,
): Promise<{ apiUrl: string; deliveryUrl: string }> {
  const port = options.port || (await freePort());
  const deliveryPort = options.deliveryPort || (await freePort());
  const apiUrl = process.env['PUBLIC_URL'] ?? `http://127.0.0.1:${port}`;
  const scheme = (options.env?.['TLS_CERT'] ?? process.env['TLS_CERT']) ? 'wss' : 'ws';
  const deliveryUrl = process.env['DELIVERY_URL'] ?? `${scheme}://127.0.0.1:${deliveryPort}/v1/screens/socket`;
  const base = {
    NODE_ENV: 'production',
    PORT: String(port),
    DELIVERY_PORT: String(deliveryPort),
    OPS_PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: process.env['DATABASE_URL'] || engines.urls.databaseUrl,
    REDIS_URL: engines.urls.redisUrl,
    CLICKHOUSE_URL: engines.urls.clickhouseUrl,
    PUBLIC_URL: apiUrl,
    HUB_URL: process.env['HUB_URL'] ?? apiUrl,
    DELIVERY_URL: deliveryUrl,
    SIGNING_KEYS: process.env['SIGNING_KEYS'] ?? secrets.signingKeys,
    ENCRYPTION_KEY: process.env['ENCRYPTION_KEY'] ?? secrets.encryptionKey,
    STORAGE_URL: process.env['STORAGE_URL'] ?? `file:${join(dataDir, 'storage')}`,
    LOG_LEVEL: options.logLevel,
    ...options.env,
  };
  const deliveries = Array.from({ length: options.deliveryProcesses }, (_, index) => ({
    name: 'delivery' as const,
    env: {
      ...base,
      DELIVERY_NODE: `node-${index + 1}`,
      DELIVERY_SHARED_PORT: options.deliveryProcesses > 1 ? '1' : '0',
    },
  }));
  const ingests = Array.from({ length: options.ingestProcesses }, () => ({ name: 'ingest' as const, env: base }));
  await Promise.all(
    [{ name: 'api' as const, env: base }, { name: 'workers' as const, env: base }, ...deliveries, ...ingests].map(
      spec => supervisor.start(spec),
    ),
  );
  return { apiUrl, deliveryUrl };
}

const SERVICES = ['api', 'delivery', 'ingest', 'workers'] as const;

function opsUrls(supervisor: Supervisor): Record<string, string[]> {
  return Object.fromEntries(
    SERVICES.map(name => [name, supervisor.services(name).map(service => `http://127.0.0.1:${service.opsPort}`)]),
  );
}

function pidsOf(supervisor: Supervisor, engines: Engines): Record<string, number | number[]> {
  const services = Object.fromEntries(
    SERVICES.map(name => [name, supervisor.services(name).map(service => service.pid)]),
  );
  return { ...services, ...engines.pids };
}
