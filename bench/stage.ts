/**
 * The stage of a benchmark: a whole instance on embedded engines in a fresh folder, with a network that is in the
 * database before the services start, so that they load it as they would after a restart.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { removeOwnedPath } from '#engines/processes/owned.ts';
import { startEngines } from '#engines/run.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { migratePostgres } from '#sql/migrate.ts';
import { openPostgres } from '#sql/postgres.ts';
import { startInstance, type Instance } from '../cli/instance/instance.ts';
import { secretsOf } from '../cli/instance/secrets.ts';
import { startLoad } from './sockets/load.ts';
import type { Target } from './sockets/load-client.ts';
import { readMetrics, sumOf } from './metrics.ts';
import { createBenchNetwork, type NetworkSize } from './delivery/network.ts';

export type Stage = {
  instance: Instance;
  /** The folder of all that the instance keeps. */
  dataDir: string;
  /** The addresses to which the screens connect, with their tokens. */
  screens: Target & Required<Pick<Target, 'tokens'>>;
  candidatesMean: number;
  /** All processes of the instance by name; engines too. */
  pids(): Record<string, number[]>;
  close(): Promise<void>;
};

export type StageOptions = {
  /** Added to the environment of every service. */
  env?: Record<string, string>;
  deliveryProcesses?: number;
  /** Whether to wait until every campaign has its first lease; otherwise no screen has connected yet. */
  leased?: boolean;
  onRestart?: (service: string, pid: number) => void;
};

const warn = (service: string, pid: number): void =>
  void process.stderr.write(`${service} was restarted as ${pid}: the figures of this run are worth nothing\n`);

/** First leases exist once no grant was requested between two checks; two minutes for all of them. */
const LEASE_LOOK_MS = 500;
const LEASE_CHECKS_MAX = 240;
const READY_LOOK_MS = 10;
const READY_MS_MAX = 60_000;
/** Screens of a benchmark ask as fast as they are answered, and report thousands of plays in the time of one. */
const ENV = { SCREEN_MESSAGES_PER_SECOND_MAX: '1000000', SCREEN_PLAYS_OVERLAP: '1' };

export async function openStage(
  size: NetworkSize,
  { env = {}, deliveryProcesses = 1, leased = true, onRestart = warn }: StageOptions = {},
): Promise<Stage> {
  const dataDir = makeTemporaryFolder('marquee-bench-');
  const remove = () => removeOwnedPath(dataDir);
  try {
    const network = await seed(dataDir, size);
    const instance = await startInstance({
      dataDir,
      port: 0,
      deliveryPort: 0,
      deliveryProcesses,
      ingestProcesses: 1,
      logLevel: 'error',
      env: { ...ENV, ...env },
      onRestart,
    });
    const url = new URL(instance.deliveryUrl);
    const screens = { port: Number(url.port), path: url.pathname, tokens: network.tokens, connections: size.screens };
    if (leased)
      await leaseAll(() => instance.ops()['delivery']!, screens).catch(async (error: unknown) => {
        await instance.stop();
        throw error;
      });
    return {
      instance,
      dataDir,
      screens,
      candidatesMean: network.candidatesMean,
      pids: () => Object.fromEntries(Object.entries(instance.pids()).map(([name, pid]) => [name, [pid].flat()])),
      close: async () => {
        await instance.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Connects all screens once, so that delivery asks for budget for every campaign that could play on one of them, and
 * waits until delivery has it. A benchmark measures the steady state, not the first minute of a new network.
 */
export async function leaseAll(opsUrls: () => readonly string[], screens: Target): Promise<void> {
  const client = await startLoad(screens);
  let asked = -1;
  for (let check = 0; check < LEASE_CHECKS_MAX; check += 1) {
    const grants = sumOf(await readMetrics(opsUrls()), 'delivery_grants');
    if (grants === asked) break;
    asked = grants;
    await wait(LEASE_LOOK_MS);
  }
  await client.close();
}

export const deliveryOf = (stage: Stage): number => stage.pids()['delivery']![0]!;

/** Kills the delivery process (SIGKILL) and waits until the next one is ready; returns its pid. */
export async function killDelivery(stage: Stage): Promise<number> {
  const dead = deliveryOf(stage);
  process.kill(dead, 'SIGKILL');
  for (const until = performance.now() + READY_MS_MAX; performance.now() < until; await wait(READY_LOOK_MS)) {
    // The supervisor reports the ops port with the readiness, so this answer is the new process's.
    if (deliveryOf(stage) !== dead && (await isReady(stage))) return deliveryOf(stage);
  }
  throw new Error('delivery did not come back');
}

async function isReady(stage: Stage): Promise<boolean> {
  try {
    return (await fetch(`${stage.instance.ops()['delivery']![0]!}/readyz`)).ok;
  } catch {
    return false; // its ops port is not open yet
  }
}

/** Starts the engines alone, fills Postgres and stops them again. */
async function seed(dataDir: string, size: NetworkSize) {
  const engines = await startEngines({
    dataDir: join(dataDir, 'engines'),
    analystPassword: secretsOf(dataDir).analystPassword,
  });
  try {
    await migratePostgres(engines.urls.databaseUrl);
    const sql = openPostgres(engines.urls.databaseUrl, { connectionsMax: 1, applicationName: 'marquee-bench' });
    const network = await createBenchNetwork(sql, size, new Date());
    await sql.end({ timeout: 5 });
    return network;
  } finally {
    await engines.stop();
  }
}
