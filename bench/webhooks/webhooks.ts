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
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { removeOwnedPath } from '#engines/processes/owned.ts';
import { startEngines, type Engines } from '#engines/run.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { migratePostgres } from '#sql/migrate.ts';
import { jsonb, openPostgres, type Postgres } from '#sql/postgres.ts';
import { createSealer, parseEncryptionKey, webhookSecretPurpose } from '#runtime/cryptography/sealed.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { handle } from '../../test/support/handle.ts';
import { signedHeaders, signingSecret } from '../../workers/webhooks/attempts/signature.ts';
import { endChild, messageOf, startChild } from '../child.ts';
import { busySecondsOf, cpuSecondsOf } from '../cpu-time.ts';
import type { ReceiverAnswer } from './receiver.ts';
import { inspectorEnv, profileProcess, profileTable } from '../profile.ts';
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
const PROFILE_LINES = 60;

export const webhooks: Bench = {
  about: 'deliveries of webhooks from the outbox to their receivers, against a bare undici POST loop',
  run: options => runWebhooks(options),
};

type Stage = {
  sql: Postgres;
  engines: Engines;
  receiver: ChildProcess;
  deliver: ChildProcess;
  loop: ChildProcess;
  workspace: Handle<'workspace'>;
  urls: string[];
  close(): Promise<void>;
};

export async function runWebhooks(options: BenchOptions): Promise<Figure[]> {
  options.say(`webhooks: starting engines, ${ENDPOINTS} receivers and both arms`);
  const inspectorPort = await freePort();
  const stage = await openWebhookStage(options.profile ? inspectorEnv(inspectorPort) : {});
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
    if (options.profile) await profileDeliver(stage, { ...options, inspectorPort, warmUpSeconds });
    options.say('webhooks: G18l');
    return [
      figureOf({ bench: 'webhooks', figure: 'G18', unit: 'deliveries/CPU-s', goal: GOAL, details }, measured),
      ...(await measureWaits(stage, options.forSeconds)),
    ];
  } finally {
    await stage.close();
  }
}

async function openWebhookStage(deliverEnv: NodeJS.ProcessEnv): Promise<Stage> {
  const dataDir = makeTemporaryFolder('marquee-bench-webhooks-');
  const engines = await startEngines({
    dataDir: join(dataDir, 'engines'),
    analystPassword: randomBytes(12).toString('hex'),
    clickhousePort: 0,
  });
  const sql = openPostgres(engines.urls.databaseUrl, { connectionsMax: 1, applicationName: 'marquee-bench' });
  const children: ChildProcess[] = [];
  const close = async () => {
    await Promise.all(children.map(endChild));
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
    children.push(
      startChild('webhooks/receiver.ts'),
      startChild('webhooks/deliver.ts', { env: { ...env, ...deliverEnv } }),
      startChild('webhooks/post-loop.ts'),
    );
    const [receiver, deliver, loop] = children as [ChildProcess, ChildProcess, ChildProcess];
    await Promise.all(children.map(child => messageOf(child)));
    const ports = await askReceiver<number[]>(receiver, { ask: 'listen', ports: ENDPOINTS });
    const urls = ports.map(port => `http://127.0.0.1:${port}/hook`);
    const workspace = await subscribe(sql, urls, encryptionKey);
    if (canPin()) {
      pinTo(SERVER_CORE, [deliver.pid!, loop.pid!]);
      pinTo(CLIENT_CORE, [receiver.pid!, ...Object.values(engines.pids)]);
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
  const begun = await countOf(receiver);
  const state = { isStopped: false, made: 0 };
  const insert = async (count: number) => {
    state.made += count;
    await sql`
      insert into outbox (workspace_handle, type, entity_type, entity_handle, payload, created_at)
      select ${workspace} + n % ${ENDPOINTS}, 'campaign.paused', 'campaign', 1 + n % ${RECORDS}, ${jsonb(sql, { object: sampleObject, previous: { status: 'live' } })}, now() from generate_series(1, ${count}::int) n`;
  };
  const feeding = (async () => {
    for (; !state.isStopped; await wait(FEED_EVERY_MS)) {
      const missing = AHEAD - (state.made - ((await countOf(receiver)) - begun));
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
  const child = arm === 'ours' ? stage.deliver : stage.loop;
  const stopFeed = arm === 'ours' ? await feed(stage) : async () => undefined;
  const secret = signingSecret(`whsec_${randomBytes(32).toString('base64')}`);
  const body = sampleBody(stage.workspace);
  child.send(
    arm === 'ours'
      ? 'start'
      : {
          urls: stage.urls,
          concurrency: CONCURRENCY,
          body,
          headers: signedHeaders({
            id: formatId('event', handle('event', 1)),
            body,
            secrets: [secret],
            at: Math.floor(Date.now() / 1_000),
          }),
        },
  );
  await messageOf(child);
  await wait(warmUpSeconds * 1_000);
  const warm = (await countOf(stage.receiver)) + WARM_UP_COUNT_MIN;
  while ((await countOf(stage.receiver)) < warm) await wait(FEED_EVERY_MS);
  const parts = { child: [child.pid!], postgres: [stage.engines.pids.postgres!], redis: [stage.engines.pids.redis!] };
  const cpu = () => ({
    child: cpuSecondsOf(parts.child),
    postgres: arm === 'ours' ? cpuSecondsOf(parts.postgres) : 0,
    redis: arm === 'ours' ? cpuSecondsOf(parts.redis) : 0,
  });
  const before = {
    cpu: cpu(),
    busy: busySecondsOf(child.pid!),
    count: await countOf(stage.receiver),
    at: performance.now(),
  };
  await wait(seconds * 1_000);
  const after = {
    cpu: cpu(),
    busy: busySecondsOf(child.pid!),
    count: await countOf(stage.receiver),
    at: performance.now(),
  };
  await stopFeed();
  child.send('stop');
  await messageOf(child);
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

type ProfileDeliverOptions = BenchOptions & { inspectorPort: number; warmUpSeconds: number };

/** Prints where our delivering process spends its time under the same load. */
async function profileDeliver(
  stage: Stage,
  { forSeconds, warmUpSeconds, inspectorPort, say }: ProfileDeliverOptions,
): Promise<void> {
  const stopFeed = await feed(stage);
  stage.deliver.send('start');
  await messageOf(stage.deliver);
  await wait(warmUpSeconds * 1_000);
  const lines = await profileProcess({ pid: stage.deliver.pid!, port: inspectorPort, seconds: forSeconds });
  say(`webhooks: self time of the delivering process over ${forSeconds} s, while it was not idle`);
  say(profileTable(lines, PROFILE_LINES));
  await stopFeed();
  stage.deliver.send('stop');
  await messageOf(stage.deliver);
}

async function measureWaits({ sql, workspace, deliver, receiver }: Stage, seconds: number): Promise<Figure[]> {
  await sql`truncate outbox, webhook_deliveries`;
  deliver.send('start');
  await messageOf(deliver);
  await askReceiver(receiver, { ask: 'time' });
  const begun = await countOf(receiver);
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
    (await countOf(receiver)) < begun + events && performance.now() < deadline;
  )
    await wait(FEED_EVERY_MS);
  const waits = (await waitsOf(receiver)).toSorted((a, b) => a - b);
  deliver.send('stop');
  await messageOf(deliver);
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

const waitsOf = (receiver: ChildProcess): Promise<number[]> => askReceiver<number[]>(receiver, { ask: 'waits' });
const countOf = (receiver: ChildProcess): Promise<number> => askReceiver<number>(receiver, { ask: 'count' });

type Question = { ask: 'listen'; ports: number } | { ask: 'count' | 'time' | 'waits' };
let questions = 0;

/** Several questions may be open at once: each waits for the answer with its own id. */
function askReceiver<T>(receiver: ChildProcess, question: Question): Promise<T> {
  const id = (questions += 1);
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the receivers ended'));
    const onMessage = (message: ReceiverAnswer) => {
      if (message.id !== id) return;
      receiver.off('message', onMessage).off('exit', onExit);
      resolve(message.answer as T);
    };
    receiver.on('message', onMessage).once('exit', onExit);
    receiver.send({ id, ...question });
  });
}
