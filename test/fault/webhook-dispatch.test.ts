/**
 * Webhooks while their worker is killed: no event is lost, and one that comes twice has the same id. A worker process
 * on real Postgres and Redis, a receiver of the test, and kills at each step from the outbox to the record of the
 * answer.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, type Handle } from '../../domain/id.ts';
import type { Postgres } from '../../sql/postgres.ts';
import { createSealer, webhookSecretPurpose } from '../../runtime/cryptography/sealed.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { freshPostgres, freshRedisUrl } from '../support/engines/databases.ts';
import { handle } from '../support/handle.ts';
import { eventually } from '../support/network.ts';
import { startReceiver, type Receiver } from '../workers/support/webhook-receiver.ts';

/** How often the process is killed; MARQUEE_KILLS=20 for the long run. */
const KILLS = Number(process.env['MARQUEE_KILLS'] ?? 4);
const EVENTS_PER_ROUND = 24;
const ENTITIES = 6;
/**
 * By a fault point: between a POST and its answer, before deliveries are written, and with attempts made, before they
 * are recorded. And in the receiver before it answers.
 */
const WAYS = ['webhooks.after_post', 'in the receiver', 'outbox.before_commit', 'webhooks.before_record'] as const;

let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let sql: Postgres;
let redisUrl: string;
let receiver: Receiver;
let workspace: Handle<'workspace'>;
let child: ChildProcess | undefined;

beforeAll(async () => {
  [postgres, redisUrl, receiver] = await Promise.all([freshPostgres(), freshRedisUrl(), startReceiver()]);
  sql = postgres.sql;
  const [row] = await sql<
    { handle: Handle<'workspace'> }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('brand', 'Brand', 'EUR', now()) returning handle`;
  workspace = row!.handle;
  const secret = createSealer(Buffer.alloc(32)).seal(
    `whsec_${Buffer.alloc(32).toString('base64')}`,
    webhookSecretPurpose(workspace),
  );
  await sql`insert into webhooks (workspace_handle, sandbox, surface, url, events, secret, created_at) values (${workspace}, false, 'ads_manager', ${receiver.url}, '{campaign.paused}', ${secret}, now())`;
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await receiver.close();
  await postgres.drop();
});

async function startWorker(fault?: string): Promise<{ exited: Promise<unknown> }> {
  child = fork(join(import.meta.dirname, 'load/webhook-worker.ts'), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      DATABASE_URL: postgres.url,
      REDIS_URL: redisUrl,
      ...(fault !== undefined && { FAULT: fault }),
    },
  });
  const exited = new Promise(resolve => {
    child!.once('exit', (_code, signal) => resolve(signal));
  });
  await Promise.race([once(child, 'message'), exited]);
  return { exited };
}

let emitted = 0;
async function emitSome(): Promise<void> {
  for (let index = 0; index < EVENTS_PER_ROUND; index += 1) {
    const n = (emitted += 1);
    const entity = handle('campaign', 1 + (n % ENTITIES));
    await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: new Date() }, async unit => {
      unit.emit({
        workspace,
        type: 'campaign.paused',
        entityType: 'campaign',
        entityHandle: entity,
        payload: { object: { id: formatId('campaign', entity), n } },
      });
    });
  }
}

async function killOnce(way: (typeof WAYS)[number]): Promise<void> {
  const byFault = way !== 'in the receiver';
  if (!byFault) {
    // From the third request on the process is gone before it could hear the answer.
    let left = 3;
    receiver.answer = () => {
      if ((left -= 1) <= 0) child?.kill('SIGKILL');
      return 204;
    };
  }
  const { exited } = await startWorker(byFault ? way : undefined);
  expect(await exited).toBe('SIGKILL');
  if (way === 'webhooks.before_record') await expectSentAndUnrecorded();
  receiver.answer = () => 204;
}

/** Some events have gone out, and nothing says so: the next process sends them again. */
async function expectSentAndUnrecorded(): Promise<void> {
  const pending = await sql<{ event: Handle<'event'> }[]>`
    select outbox_handle as event from webhook_deliveries where state = 'pending'`;
  const sent = new Set(receiver.received.map(one => one.event.id));
  expect(pending.filter(({ event }) => sent.has(formatId('event', event)))).not.toEqual([]);
}

test(
  `${KILLS} kills between a POST and its record lose no event, and repeat one only under its id`,
  async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await emitSome();
      await killOnce(WAYS[kill % WAYS.length]!);
    }
    await startWorker();
    await eventually(async () => {
      const [row] = await sql<
        { open: number }[]
      >`select (select count(*) from outbox where dispatched_at is null) + (select count(*) from webhook_deliveries where state = 'pending') as open`;
      return row!.open === 0 ? true : undefined;
    }, 60_000);
    const { received } = receiver;
    const outbox = await sql<{ handle: Handle<'event'> }[]>`select handle from outbox order by handle`;
    const deliveries = await sql<
      { outbox_handle: number; state: string; attempts: number }[]
    >`select outbox_handle, state, attempts from webhook_deliveries order by outbox_handle`;
    // Every event was dispatched once, and is delivered.
    expect(outbox).toHaveLength(emitted);
    expect(deliveries.map(delivery => delivery.outbox_handle)).toEqual(outbox.map(event => event.handle));
    expect(deliveries.filter(delivery => delivery.state !== 'delivered' || delivery.attempts !== 1)).toEqual([]);
    // The receiver saw exactly these events, some of them more than once, and then with the same bytes.
    expect(new Set(received.map(one => one.event.id))).toEqual(
      new Set(outbox.map(event => formatId('event', event.handle))),
    );
    expect(new Set(received.map(one => one.body)).size).toBe(emitted);
    expect(received.length).toBeGreaterThan(emitted); // else nothing was killed in between
    // First sights of one record's events are in order.
    for (let entity = 1; entity <= ENTITIES; entity += 1) {
      const seen = [
        ...new Set(
          received
            .filter(one => one.event.data.object['id'] === formatId('campaign', handle('campaign', entity)))
            .map(one => one.event.data.object['n'] as number),
        ),
      ];
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    }
  },
  90_000 + KILLS * 20_000,
);
