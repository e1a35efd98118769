/**
 * G18. Ours is the way of an event from the outbox to its receiver: it is dispatched to its subscription and queued,
 * its address is checked, and it is signed in both schemes with the current time, sent in the order of its record, and
 * logged in Postgres. Work is divided by the CPU time of the delivering process, Postgres and Redis together. The
 * reference posts the same bytes to the same receivers over as many connections and does nothing else.
 *
 * G18l is how long an event waits for its first attempt, at a hundred events a second, each committed by itself: from
 * before the commit to the receiver.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { removeOwnedPath } from '#engines/processes/owned.ts';
import { startEngines, type Engines } from '#engines/run.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { migratePostgres } from '#sql/migrate.ts';
import { jsonb, openPostgres, type Postgres } from '#sql/postgres.ts';
import { createSealer, parseEncryptionKey, webhookSecretPurpose } from '#runtime/cryptography/sealed.ts';
import { handle } from '../../test/support/handle.ts';
import { signedHeaders, signingSecret } from '../../workers/webhooks/attempts/signature.ts';
import { Remote } from '../child.ts';
import { busySecondsOf, cpuSecondsOf } from '../cpu-time.ts';
import type { DeliverCalls } from './deliver.ts';
import type { LoopCalls } from './post-loop.ts';
import type { ReceiverCalls } from './receiver.ts';
import { canPin, CLIENT_CORE, pinTo, SERVER_CORE } from '../pinning.ts';
import {
  boundFigure,
  figureOf,
  measurePairs,
  type Arm,
  type Bench,
  type BenchOptions,
  type Figure,
  type Sample,
} from '../protocol.ts';

const GOAL = 0.2;
const ENDPOINTS = 8;
/** Deliveries to one endpoint at a time, as the workers have them. */
const CONCURRENCY = 8;
/**
 * Events that wait for delivery: enough that there is always work, and few enough that no more is dispatched than is
 * delivered.
 */
const AHEAD = 4_000;
const FEED_EVERY_MS = 100;
const WARM_UP_SHARE = 0.2;
/** After this many the measured code is compiled, even on a busy machine. */
const WARM_UP_COUNT_MIN = 5_000;
const RECORDS = 10_000;
const EVENT_EVERY_MS = 10;
const WAITS_MS = { p50: 200, p99: 1_000 };
const ARRIVAL_MS_MAX = 30_000;

export const webhooks: Bench = {
  about: 'deliveries of webhooks from the outbox to their receivers, against a bare undici POST loop',
  run: options => runWebhooks(options),
};

type Stage = {
  sql: Postgres;
  engines: Engines;
  receiver: Remote<ReceiverCalls>;
  deliver: Remote<DeliverCalls>;
  loop: Remote<LoopCalls>;
  workspace: Handle<'workspace'>;
  urls: string[];
  close(): Promise<void>;
};

export async function runWebhooks(options: BenchOptions): Promise<Figure[]> {
  options.say(`webhooks: starting engines, ${ENDPOINTS} receivers and both arms`);
  const stage = await openWebhookStage();
  try {
    const warmUpSeconds = Math.max(1, Math.ceil(options.forSeconds * WARM_UP_SHARE));
    const measured = await measurePairs(options.pairs, arm =>
      sampleOf(stage, arm, { seconds: options.forSeconds, warmUpSeconds }),
    );
    const details = {
      endpoints: ENDPOINTS,
      connections: ENDPOINTS * CONCURRENCY,
      body_bytes: sampleBody(stage.workspace).length,
      ours_us: measured.at(-1)!.ours.details,
      pinned: canPin(),
    };
    options.say('webhooks: G18l');
    return [
      figureOf({ bench: 'webhooks', figure: 'G18', unit: 'deliveries/CPU-s', goal: GOAL, details }, measured),
      ...(await measureWaits(stage, options.forSeconds)),
    ];
  } finally {
    await stage.close();
  }
}

async function openWebhookStage(): Promise<Stage> {
  const dataDir = makeTemporaryFolder('marquee-bench-webhooks-');
  const engines = await startEngines({
    dataDir: join(dataDir, 'engines'),
    analystPassword: randomBytes(12).toString('hex'),
    clickhousePort: 0,
  });
  const sql = openPostgres(engines.urls.databaseUrl, { connectionsMax: 1, applicationName: 'marquee-bench' });
  let children: readonly { close(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(children.map(child => child.close()));
    await sql.end({ timeout: 5 });
    await engines.stop();
    await removeOwnedPath(dataDir);
  };
  try {
    await migratePostgres(engines.urls.databaseUrl);
    const encryptionKey = randomBytes(32).toString('base64');
    const env = {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: engines.urls.databaseUrl,
      REDIS_URL: engines.urls.redisUrl,
      ENCRYPTION_KEY: encryptionKey,
    };
    const started = await Promise.all([
      Remote.start<ReceiverCalls>('webhooks/receiver.ts'),
      Remote.start<DeliverCalls>('webhooks/deliver.ts', { env }),
      Remote.start<LoopCalls>('webhooks/post-loop.ts'),
    ]);
    children = started;
    const [receiver, deliver, loop] = started;
    const ports = await receiver.call('listen', ENDPOINTS);
    const urls = ports.map(port => `http://127.0.0.1:${port}/hook`);
    const workspace = await subscribe(sql, urls, encryptionKey);
    if (canPin()) {
      pinTo(SERVER_CORE, [deliver.pid, loop.pid]);
      pinTo(CLIENT_CORE, [receiver.pid, ...Object.values(engines.pids)]);
    }
    return { sql, engines, receiver, deliver, loop, workspace, urls, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A workspace for each receiver, so that an event goes to one; returns the first. */
async function subscribe(sql: Postgres, urls: readonly string[], encryptionKey: string): Promise<Handle<'workspace'>> {
  const sealer = createSealer(parseEncryptionKey(encryptionKey));
  const workspaces = await sql<
    { handle: Handle<'workspace'> }[]
  >`insert into workspaces (kind, name, currency, created_at) select 'brand', 'Bench', 'EUR', now() from generate_series(1, ${urls.length}::int) returning handle`;
  for (const [index, { handle }] of workspaces.entries()) {
    const secret = sealer.seal(`whsec_${randomBytes(32).toString('base64')}`, webhookSecretPurpose(handle));
    await sql`insert into webhooks (workspace_handle, sandbox, surface, url, events, secret, created_at) values (${handle}, false, 'ads_manager', ${urls[index]!}, '{campaign.paused}', ${secret}, now())`;
  }
  return workspaces[0]!.handle;
}

const sampleObject = { id: formatId('campaign', handle('campaign', 1)), name: 'Autumn in the city', status: 'paused' };

/** The content of one of our deliveries; the reference sends the same. */
function sampleBody(workspace: Handle<'workspace'>): string {
  return `{"id":"${formatId('event', handle('event', 1))}","type":"campaign.paused","created_at":"${new Date(0).toISOString()}","workspace_id":"${formatId('workspace', workspace)}","data":{"object": ${JSON.stringify(sampleObject)}, "previous": {"status": "live"}}}`;
}

/**
 * Adds events to the outbox as they are delivered, until the returned function is called. The cost of the inserts
 * counts as ours.
 */
async function feed({ sql, workspace, receiver }: Stage): Promise<() => Promise<void>> {
  await sql`truncate outbox, webhook_deliveries`;
  const begun = await receiver.call('count');
  const state = { isStopped: false, made: 0 };
  const insert = async (count: number) => {
    state.made += count;
    await sql`
      insert into outbox (workspace_handle, type, entity_type, entity_handle, payload, created_at)
      select ${workspace} + n % ${ENDPOINTS}, 'campaign.paused', 'campaign', 1 + n % ${RECORDS}, ${jsonb(sql, { object: sampleObject, previous: { status: 'live' } })}, now() from generate_series(1, ${count}::int) n`;
  };
  const feeding = (async () => {
    for (; !state.isStopped; await wait(FEED_EVERY_MS)) {
      const missing = AHEAD - (state.made - ((await receiver.call('count')) - begun));
      if (missing > 0) await insert(missing);
    }
  })();
  return async () => {
    state.isStopped = true;
    await feeding;
  };
}

type Length = { seconds: number; warmUpSeconds: number };

async function sampleOf(stage: Stage, arm: Arm, { seconds, warmUpSeconds }: Length): Promise<Sample> {
  const { deliver, loop, receiver } = stage;
  const pid = arm === 'ours' ? deliver.pid : loop.pid;
  const stopFeed = arm === 'ours' ? await feed(stage) : async () => undefined;
  const secret = signingSecret(`whsec_${randomBytes(32).toString('base64')}`);
  const body = sampleBody(stage.workspace);
  const at = Math.floor(Date.now() / 1_000);
  const headers = signedHeaders({ id: formatId('event', handle('event', 1)), body, secrets: [secret], at });
  if (arm === 'ours') await deliver.call('start');
  else await loop.call('start', { urls: stage.urls, concurrency: CONCURRENCY, body, headers });
  await wait(warmUpSeconds * 1_000);
  const warm = (await receiver.call('count')) + WARM_UP_COUNT_MIN;
  while ((await receiver.call('count')) < warm) await wait(FEED_EVERY_MS);
  const engineSeconds = (name: 'postgres' | 'redis') =>
    arm === 'ours' ? cpuSecondsOf([stage.engines.pids[name]!]) : 0;
  const read = async () => ({
    cpu: { child: cpuSecondsOf([pid]), postgres: engineSeconds('postgres'), redis: engineSeconds('redis') },
    busy: busySecondsOf(pid),
    count: await receiver.call('count'),
    at: performance.now(),
  });
  const before = await read();
  await wait(seconds * 1_000);
  const after = await read();
  await stopFeed();
  await (arm === 'ours' ? deliver.call('stop') : loop.call('stop'));
  const amount = after.count - before.count;
  if (amount === 0) throw new Error(`nothing was delivered by ${arm}`);
  const used = {
    child: after.cpu.child - before.cpu.child,
    postgres: after.cpu.postgres - before.cpu.postgres,
    redis: after.cpu.redis - before.cpu.redis,
  };
  const micros = (cpuSeconds: number) => Math.round((1e6 * cpuSeconds) / amount);
  return {
    amount,
    seconds: (after.at - before.at) / 1_000,
    cpuSeconds: used.child + used.postgres + used.redis,
    busySeconds: after.busy - before.busy,
    details: { worker: micros(used.child), postgres: micros(used.postgres), redis: micros(used.redis) },
  };
}

async function measureWaits({ sql, workspace, deliver, receiver }: Stage, seconds: number): Promise<Figure[]> {
  await sql`truncate outbox, webhook_deliveries`;
  await deliver.call('start');
  await receiver.call('time');
  const begun = await receiver.call('count');
  const events = Math.round((seconds * 1_000) / EVENT_EVERY_MS);
  const from = performance.now();
  for (let event = 0; event < events; event += 1) {
    await wait(Math.max(0, from + event * EVENT_EVERY_MS - performance.now()));
    await sql`
      insert into outbox (workspace_handle, type, entity_type, entity_handle, payload, created_at)
      values (${workspace + (event % ENDPOINTS)}, 'campaign.paused', 'campaign', ${1 + (event % RECORDS)}, ${jsonb(sql, { object: sampleObject })}, ${new Date()})`;
  }
  const elapsedSeconds = (performance.now() - from) / 1_000;
  for (
    const deadline = performance.now() + ARRIVAL_MS_MAX;
    (await receiver.call('count')) < begun + events && performance.now() < deadline;
  )
    await wait(FEED_EVERY_MS);
  const waits = (await receiver.call('waits')).toSorted((a, b) => a - b);
  await deliver.call('stop');
  if (waits.length < events) throw new Error(`${events - waits.length} of ${events} events did not arrive`);
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(share * waits.length))]!;
  const details = { events, events_per_second: Math.round(events / elapsedSeconds), max: waits.at(-1)! };
  const waitFigure = (name: keyof typeof WAITS_MS, share: number): Figure =>
    boundFigure({
      bench: 'webhooks',
      figure: `G18l ${name}`,
      unit: 'ms',
      ours: at(share),
      goal: WAITS_MS[name],
      better: 'less',
      details,
    });
  return [waitFigure('p50', 0.5), waitFigure('p99', 0.99)];
}
