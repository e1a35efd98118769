/**
 * G5: slot decisions per CPU-second over TLS. The reference is the same service of the same instance over clear text:
 * two delivery processes share its database and its budgets, one of them with a certificate that is made here. The
 * handshakes are over when the samples begin.
 */
import { execFileSync } from 'node:child_process';
import { removeOwnedPath } from '#engines/processes/owned.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { join } from 'node:path';
import type { ReadyMessage } from '#runtime/lifecycle.ts';
import { DELIVERY_ENV, DELIVERY_NODE_OPTIONS } from '#runtime/programs/delivery-memory.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { endChild, messageOf, startChild } from '../child.ts';
import { probeFills, sampleDecisions } from '../delivery/decisions.ts';
import type { Server } from './echo.ts';
import { canPin, pinTo, SERVER_CORE } from '../pinning.ts';
import { figureOf, measurePairs, partOf, type Bench, type BenchOptions, type Figure } from '../protocol.ts';
import { leaseAll, openStage, type Stage } from '../stage.ts';

const CAMPAIGNS = 1_000;
const SCREENS = 200;
const CREATIVE_MS = 10_000;
const GOAL = 0.6;

type Size = { campaigns: number; screens: number };

export const tls: Bench = {
  about: 'slot decisions per CPU-second over TLS, against our own clear text',
  published: { pairs: 3, forSeconds: 6 },
  run: options => runTls(options, { campaigns: CAMPAIGNS, screens: SCREENS }),
};

/** The benchmark with another size; tests run it small. */
export async function runTls(options: BenchOptions, size: Size): Promise<Figure[]> {
  options.say(`tls: starting an instance with ${size.campaigns} campaigns and ${size.screens} screens`);
  const stage = await openStage({ ...size, creativeMs: CREATIVE_MS });
  const folder = makeTemporaryFolder('marquee-bench-tls-');
  try {
    const secure = await startSecure(stage, folder);
    try {
      return [
        await measure(
          { reference: { pid: stage.pids()['delivery']![0]!, target: stage.screens }, ours: secure.server },
          { ...options, size },
        ),
      ];
    } finally {
      await secure.end();
    }
  } finally {
    await stage.close();
    await removeOwnedPath(folder);
  }
}

async function measure(
  servers: { ours: Server; reference: Server },
  { forSeconds, pairs, say, size }: BenchOptions & { size: Size },
): Promise<Figure> {
  const pinned = canPin();
  if (pinned) pinTo(SERVER_CORE, [servers.ours.pid, servers.reference.pid]);
  const measured = await measurePairs(pairs, arm => {
    say(`tls: ${arm === 'ours' ? 'over TLS' : 'clear text'}, ${forSeconds} s`);
    return sampleDecisions(servers[arm], { forSeconds, pinned });
  });
  const { filled } = await probeFills(servers.ours.target);
  const figure = figureOf(
    { bench: 'tls', figure: 'G5', unit: 'decisions/CPU-s', goal: GOAL, details: { ...size, pinned, filled } },
    measured,
  );
  return partOf(figure, 'of the rate over clear text');
}

/** A delivery process of the stage's instance with a certificate, when it has its first leases. */
async function startSecure(
  { instance, screens }: Stage,
  folder: string,
): Promise<{ server: Server; end(): Promise<void> }> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  const child = startChild('../delivery/main.ts', {
    // As its supervisor starts the other arm.
    nodeOptions: DELIVERY_NODE_OPTIONS,
    env: {
      ...process.env,
      ...DELIVERY_ENV,
      NODE_ENV: 'production',
      DELIVERY_HOST: '127.0.0.1',
      DELIVERY_PORT: String(await freePort()),
      DELIVERY_NODE: 'secure',
      OPS_PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: instance.urls.databaseUrl,
      REDIS_URL: instance.urls.redisUrl,
      PUBLIC_URL: instance.apiUrl,
      SIGNING_KEYS: instance.secrets.signingKeys,
      SCREEN_MESSAGES_PER_SECOND_MAX: '1000000',
      SCREEN_PLAYS_OVERLAP: '1',
      LOG_LEVEL: 'error',
      TLS_CERT: certificate,
      TLS_KEY: key,
    },
  });
  const { ready } = await messageOf<ReadyMessage>(child);
  const target = { ...screens, port: ready.port!, isSecure: true };
  await leaseAll(() => [`http://127.0.0.1:${ready.opsPort}`], target);
  return { server: { pid: child.pid!, target }, end: () => endChild(child) };
}
