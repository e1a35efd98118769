/**
 * Webhooks from their cause to their receiver: signatures, retries, order, slow and broken receivers, and who gets
 * which event. The API, the outbox and the sender run in this process on real engines, and receivers are HTTP servers
 * of the test.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { formatId, parseId, type Handle } from '../../domain/id.ts';
import { createScanEvents } from '../../ingest/scans/scan-events.ts';
import { createSealer } from '../../runtime/cryptography/sealed.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { createEgress, type Egress } from '../../runtime/egress/egress.ts';
import { forgetDeliveries } from '#sql/webhooks/sending.ts';
import { startWebhooks, type Webhooks } from '../../workers/webhooks/webhooks.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../api/support/app-under-test.ts';
import { handle, handles } from '../support/handle.ts';
import { eventually } from '../support/network.ts';
import { startReceiver, type Receiver } from './support/webhook-receiver.ts';
import { readAs, rowsOf } from '../api/support/answer.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
let api: TestApi;
let egress: Egress;
let webhooks: Webhooks;
const receivers: Receiver[] = [];

beforeAll(async () => {
  api = await startApi();
  egress = createEgress({ allowPrivate: true });
  webhooks = await startWebhooks({
    sql: api.sql,
    sealer: createSealer(Buffer.alloc(32)),
    egress,
    log: api.workers.log,
    now: () => new Date(api.clock.now()),
  });
});
afterAll(async () => {
  await webhooks.close();
  await egress.close();
  for (const receiver of receivers) await receiver.close();
  await api.close();
});

type Subscriber = { home: TestWorkspace; key: string; receiver: Receiver; id: string; secret: string };

async function subscribe(
  events: readonly string[],
  {
    home,
    surface = 'ads_manager',
    mode = 'live',
    receiver,
  }: { home?: TestWorkspace; surface?: string; mode?: 'live' | 'test'; receiver?: Receiver } = {},
): Promise<Subscriber> {
  const workspace = home ?? (await createWorkspace(api, { kind: surface === 'screen_manager' ? 'venue' : 'brand' }));
  const key = await createKey(api, workspace, { surface, mode, expiresAt: new Date(Date.now() + 400 * DAY_MS) });
  const at = receiver ?? (await startReceiver());
  receivers.push(at);
  const made = await api.call('POST', '/v1/webhooks', { key, body: { url: at.url, events } });
  expect(made.status).toBe(201);
  return { home: workspace, key, receiver: at, id: made.body['id']!, secret: made.body['secret']! };
}

type Emitted = { type?: string; entity?: number; sandbox?: boolean; data?: object };

/** Writes events into the outbox as a unit of work does, each in a transaction of its own, and dispatches them. */
async function emit(home: TestWorkspace, events: readonly Emitted[]): Promise<void> {
  for (const { type = 'campaign.paused', entity = 1, sandbox = false, data = {} } of events) {
    await inUnitOfWork(api.sql, { actor: SYSTEM_ACTOR, now: new Date(api.clock.now()) }, async unit => {
      unit.emit({
        workspace: home.handle,
        type,
        entityType: 'campaign',
        entityHandle: handle('campaign', entity),
        sandbox,
        payload: { object: { id: formatId('campaign', handle('campaign', entity)), ...data } },
      });
    });
  }
  await dispatch();
}

async function dispatch(): Promise<void> {
  while ((await webhooks.jobs[0].run(api.workers)) > 0);
}

async function deliveriesOf({ id, key }: Subscriber): Promise<Loose[]> {
  return dataOf(await api.call('GET', `/v1/webhooks/${id}/deliveries?limit=100`, { key }));
}

/** The deliveries, the first one first, once none of them is pending without a next attempt. */
async function settled(subscriber: Subscriber, least = 1): Promise<Loose[]> {
  return eventually(async () => {
    const deliveries = (await deliveriesOf(subscriber)).reverse();
    const isOpen = deliveries.some(
      delivery => String(delivery['status']) === 'pending' && delivery['next_attempt_at'] === null,
    );
    return deliveries.length >= least && !isOpen ? deliveries : undefined;
  }, 15_000);
}

const sweep = () => webhooks.jobs[1].run(api.workers);

describe('a delivery', () => {
  test('has a signature that two independent libraries verify, and carries the event', async () => {
    const subscriber = await subscribe(['campaign.created', 'campaign.paused']);
    await emit(subscriber.home, [{ entity: 7, data: { status: 'paused', name: 'Café "7" \u2028' } }]);
    await subscriber.receiver.count(1);
    const { body, headers, event } = subscriber.receiver.received[0]!;
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'campaign.paused',
      created_at: expect.stringMatching(/Z$/),
      workspace_id: formatId('workspace', subscriber.home.handle),
      data: { object: { id: formatId('campaign', handle('campaign', 7)), status: 'paused', name: 'Café "7" \u2028' } },
    });
    const signature = String(headers['x-service-signature']);
    expect(signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    const stripe = new Stripe('sk_test_none');
    expect(stripe.webhooks.constructEvent(body, signature, subscriber.secret)).toEqual(event);
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, subscriber.secret)).toThrow(
      'No signatures found',
    );
    expect(() =>
      stripe.webhooks.constructEvent(body, signature, subscriber.secret, 300, undefined, Date.now() + 301_000),
    ).toThrow('Timestamp outside the tolerance zone');
    const standard = {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    };
    expect(new StandardWebhook(subscriber.secret).verify(body, standard)).toEqual(event);
    expect(standard['webhook-id']).toBe(event.id);
    const [delivery] = await settled(subscriber);
    expect(delivery).toMatchObject({
      status: 'delivered',
      failure: null,
      event: { id: event.id, type: 'campaign.paused' },
      attempts: [{ status: 204, error: null }],
      next_attempt_at: null,
    });
  });

  test('is retried on the schedule with the same id and body and a new time and signature, and given up after the last attempt', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    subscriber.receiver.answer = () => 503;
    await emit(subscriber.home, [{}]);
    for (const [index, offsetMs] of [
      0,
      30_000,
      MINUTE_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      120 * MINUTE_MS,
      360 * MINUTE_MS,
      720 * MINUTE_MS,
      DAY_MS,
    ].entries()) {
      api.clock.offsetMs = offsetMs + index * 1_000; // each a second behind, as a look every second may be
      await sweep();
      await subscriber.receiver.count(index + 1);
      const [delivery] = await eventually(async () => {
        const found = await deliveriesOf(subscriber);
        return rowsOf<unknown>(found[0]!['attempts']).length === index + 1 ? found : undefined;
      });
      expect([index, String(delivery!['status'])]).toEqual([index, index < 8 ? 'pending' : 'failed']);
    }
    await sweep();
    const { received } = subscriber.receiver;
    expect(received).toHaveLength(9);
    expect(new Set(received.map(one => one.body)).size).toBe(1);
    expect(new Set(received.map(one => one.headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(one => one.headers['x-service-signature'])).size).toBe(9);
    expect((await deliveriesOf(subscriber))[0]).toMatchObject({
      status: 'failed',
      failure: 'attempts_used_up',
      next_attempt_at: null,
    });
    expect((await api.call('GET', `/v1/webhooks/${subscriber.id}`, { key: subscriber.key })).body).toMatchObject({
      status: 'active',
      client_errors: 0,
    });
    api.clock.offsetMs = 0;
  });

  test('requested by a user is another delivery of the same event', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    await emit(subscriber.home, [{}]);
    const [first] = await settled(subscriber);
    const again = await api.call('POST', `/v1/webhooks/${subscriber.id}/deliveries/${first!['id']}/redeliver`, {
      key: subscriber.key,
    });
    await subscriber.receiver.count(2);
    expect(subscriber.receiver.received[1]!.body).toBe(subscriber.receiver.received[0]!.body);
    expect(again.body['event']).toEqual(first!['event']);
    expect((await settled(subscriber, 2)).map(delivery => String(delivery['status']))).toEqual([
      'delivered',
      'delivered',
    ]);
  });

  test('of a test event goes only to that receiver', async () => {
    const home = await createWorkspace(api);
    const [one, other] = [
      await subscribe(['campaign.paused'], { home }),
      await subscribe(['campaign.paused'], { home }),
    ];
    await api.call('POST', `/v1/webhooks/${one.id}/test`, { key: one.key });
    await one.receiver.count(1);
    expect(one.receiver.received[0]!.event).toMatchObject({ type: 'webhook.test', data: { object: { id: one.id } } });
    expect(other.receiver.received).toEqual([]);
  });

  test('with data too large for a body carries only the id', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    await emit(subscriber.home, [{ entity: 3, data: { name: 'é'.repeat(12_000) } }]);
    await subscriber.receiver.count(1);
    expect(subscriber.receiver.received[0]!.event.data).toEqual({
      object: { id: formatId('campaign', handle('campaign', 3)) },
      truncated: true,
    });
  });

  test('is signed with both secrets for a day after a rotation', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    const next = (await api.call('POST', `/v1/webhooks/${subscriber.id}/rotate`, { key: subscriber.key })).body[
      'secret'
    ]!;
    const stripe = new Stripe('sk_test_none');
    const verifies = (index: number, secret: string) => {
      const { body, headers } = subscriber.receiver.received[index]!;
      const at = Number(headers['webhook-timestamp']) * 1_000;
      try {
        stripe.webhooks.constructEvent(body, String(headers['x-service-signature']), secret, 300, undefined, at);
        return true;
      } catch {
        return false;
      }
    };
    await emit(subscriber.home, [{}]);
    await subscriber.receiver.count(1);
    expect([verifies(0, next), verifies(0, subscriber.secret)]).toEqual([true, true]);
    const { body, headers } = subscriber.receiver.received[0]!;
    for (const secret of [next, subscriber.secret])
      expect(() => new StandardWebhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
    api.clock.offsetMs = DAY_MS + 1_000;
    await emit(subscriber.home, [{}]);
    await subscriber.receiver.count(2);
    expect([verifies(1, next), verifies(1, subscriber.secret)]).toEqual([true, false]);
    api.clock.offsetMs = 0;
  });
});

describe('the order', () => {
  test('of first attempts follows the events of one record; a failing one delays nothing', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    const { receiver } = subscriber;
    let underWay = 0;
    let most = 0;
    receiver.answer = async ({ event }) => {
      most = Math.max(most, (underWay += 1));
      await new Promise(resolve => {
        setTimeout(resolve, Math.random() * 10);
      });
      underWay -= 1;
      return event.data.object['n'] === 1 ? 500 : 200;
    };
    const entities = handles('campaign', 11, 12, 13, 14);
    await emit(
      subscriber.home,
      Array.from({ length: 40 }, (_, index) => ({ entity: entities[index % 4]!, data: { n: Math.floor(index / 4) } })),
    );
    await receiver.count(40);
    for (const entity of entities) {
      expect(
        receiver.received
          .filter(one => one.event.data.object['id'] === formatId('campaign', handle('campaign', entity)))
          .map(one => one.event.data.object['n']),
      ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });
});

describe('a slow or broken receiver', () => {
  test('does not delay other receivers', async () => {
    const slow = await subscribe(['campaign.paused']);
    slow.receiver.answer = () => new Promise<number>(() => undefined);
    await emit(
      slow.home,
      Array.from({ length: 30 }, (_, index) => ({ entity: index + 1 })),
    );
    await slow.receiver.count(8);
    const startedAt = Date.now();
    const quick = await subscribe(['campaign.paused']);
    await emit(quick.home, [{}]);
    await quick.receiver.count(1);
    expect(Date.now() - startedAt).toBeLessThan(4_000); // before the first of the slow one's attempts has timed out
    const first = await eventually(
      async () => (await deliveriesOf(slow)).find(delivery => delivery['next_attempt_at'] !== null),
      15_000,
    );
    expect(first).toMatchObject({ status: 'pending', attempts: [{ status: null, error: 'timeout' }] });
    await api.call('DELETE', `/v1/webhooks/${slow.id}`, { key: slow.key });
  });

  test('does not delay recording the deliveries sent with it', async () => {
    const home = await createWorkspace(api);
    const [slow, quick] = [
      await subscribe(['campaign.paused'], { home }),
      await subscribe(['campaign.paused'], { home }),
    ];
    slow.receiver.answer = () => new Promise<number>(() => undefined);
    const startedAt = Date.now();
    await emit(home, [{}]);
    expect((await settled(quick)).map(delivery => String(delivery['status']))).toEqual(['delivered']);
    expect((await deliveriesOf(slow)).map(delivery => String(delivery['status']))).toEqual(['pending']);
    expect(Date.now() - startedAt).toBeLessThan(4_000); // before the attempt of the slow one has timed out
    await api.call('DELETE', `/v1/webhooks/${slow.id}`, { key: slow.key });
  });

  test('that falls behind beyond the memory queue gets everything once, in the order of each record', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    const { receiver, home } = subscriber;
    let release: (status: number) => void = () => undefined;
    const isReleased = new Promise<number>(resolve => {
      release = resolve;
    });
    receiver.answer = () => isReleased;
    // Twice: the first of them are in memory, and the rest are rows.
    const emitMany = (from: number) => api.sql`
      insert into outbox (workspace_handle, type, entity_type, entity_handle, payload, created_at)
      select ${home.handle}, 'campaign.paused', 'campaign', 1 + n % 7, jsonb_build_object('object', jsonb_build_object('id', n % 7, 'n', n)), now()
      from generate_series(${from}::int, ${from + 999}::int) n`;
    await emitMany(1);
    await dispatch();
    await emitMany(1_001);
    await dispatch();
    release(204);
    await receiver.count(2_000);
    const seen = receiver.received.map(one => one.event.data.object as { id: number; n: number });
    expect(new Set(seen.map(object => object.n)).size).toBe(2_000);
    for (let id = 0; id < 7; id += 1) {
      const ofOne = seen.filter(object => object.id === id).map(object => object.n);
      expect(ofOne).toEqual(ofOne.toSorted((a, b) => a - b));
    }
    await eventually(async () => {
      const rows = await api.sql`
        select from webhook_deliveries where webhook_handle = ${parseId('webhook', subscriber.id)!} and state = 'delivered' and attempts = 1`;
      return rows.length === 2_000 ? true : undefined;
    });
    expect(receiver.received).toHaveLength(2_000);
  }, 60_000);

  test('is disabled at the 24th 4xx answer in a row, which API and audit log show, and enabled by PATCH', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    const { receiver, key, id, home } = subscriber;
    receiver.answer = () => 401;
    await emit(
      home,
      Array.from({ length: 40 }, (_, index) => ({ entity: index + 1 })),
    );
    const shown = await eventually(async () => {
      const { body } = await api.call('GET', `/v1/webhooks/${id}`, { key });
      return String(body['status']) === 'disabled' ? body : undefined;
    });
    expect(shown).toMatchObject({
      disabled_reason: 'client_errors',
      client_errors: 24,
      disabled_at: expect.any(String),
    });
    await eventually(async () =>
      (await deliveriesOf(subscriber)).every(delivery => String(delivery['status']) === 'failed') ? true : undefined,
    );
    expect(receiver.received).toHaveLength(24);
    expect(
      (await deliveriesOf(subscriber)).every(delivery => String(delivery['failure']) === 'endpoint_disabled'),
    ).toBe(true);
    expect(dataOf(await api.call('GET', `/v1/audit?entity_id=${id}&action=webhook.disabled`, { key }))).toMatchObject([
      { actor: { type: 'system' }, diff: { status: { from: 'active', to: 'disabled' }, client_errors: { to: 24 } } },
    ]);
    await emit(home, [{ data: { while: 'disabled' } }]);
    receiver.answer = () => 200;
    expect((await api.call('PATCH', `/v1/webhooks/${id}`, { key, body: { status: 'active' } })).body).toMatchObject({
      status: 'active',
      client_errors: 0,
    });
    await emit(home, [{ data: { while: 'enabled' } }]);
    await receiver.count(25);
    expect(receiver.received[24]!.event.data.object['while']).toBe('enabled');
  });

  test('has one 4xx count over all events; other failures leave it unchanged, and a success resets it', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    const answers = [...Array.from({ length: 23 }, () => 400), 500, 200, ...Array.from({ length: 23 }, () => 422)];
    subscriber.receiver.answer = () => answers[subscriber.receiver.received.length - 1] ?? 400;
    const read = async () => (await api.call('GET', `/v1/webhooks/${subscriber.id}`, { key: subscriber.key })).body;
    // One record, so that one attempt follows the other.
    await emit(
      subscriber.home,
      answers.map(() => ({ entity: 1 })),
    );
    await settled(subscriber, answers.length);
    expect(await read()).toMatchObject({ status: 'active', client_errors: 23 });
    await emit(subscriber.home, [{ entity: 1 }]);
    await eventually(async () => (String((await read())['status']) === 'disabled' ? true : undefined));
    expect(subscriber.receiver.received).toHaveLength(answers.length + 1);
  });
});

describe('the receivers of an event', () => {
  test('are the workspace and the agency of a client, and no other workspace or book', async () => {
    const agency = await subscribe(['campaign.paused'], { surface: 'agency' });
    const client = await subscribe(['campaign.paused']);
    await api.sql`update workspaces set parent_handle = ${agency.home.handle} where handle = ${client.home.handle}`;
    const stranger = await subscribe(['campaign.paused']);
    const sandbox = await subscribe(['campaign.paused'], { home: client.home, mode: 'test' });
    const deaf = await subscribe(['campaign.resumed'], { home: client.home });
    await emit(client.home, [{ entity: 1 }, { entity: 2, sandbox: true }]);
    await Promise.all([agency.receiver.count(1), client.receiver.count(1), sandbox.receiver.count(1)]);
    const heard = (subscriber: Subscriber) => subscriber.receiver.received.map(one => one.event.data.object['id']);
    expect([agency, client, stranger, sandbox, deaf].map(heard)).toEqual([
      [formatId('campaign', handle('campaign', 1))],
      [formatId('campaign', handle('campaign', 1))],
      [],
      [formatId('campaign', handle('campaign', 2))],
      [],
    ]);
    expect(agency.receiver.received[0]!.event).toMatchObject({
      workspace_id: formatId('workspace', client.home.handle),
      id: client.receiver.received[0]!.event.id,
    });
  });

  test('do not include subscriptions to events that the key may not read', async () => {
    const ads = await subscribe(['campaign.paused'], { home: await createWorkspace(api) });
    // as it could be made before
    await api.sql`update webhooks set events = '{screen.paired,campaign.paused}' where handle = ${parseId('webhook', ads.id)!}`;
    await emit(ads.home, [{ type: 'screen.paired' }, { type: 'campaign.paused' }]);
    await ads.receiver.count(1);
    expect((await settled(ads)).map(delivery => delivery['event'])).toEqual([
      { id: ads.receiver.received[0]!.event.id, type: 'campaign.paused' },
    ]);
  });
});

describe('a sender that loses its lock', () => {
  test('records nothing more, and its deliveries are sent again under the same id', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    const { receiver } = subscriber;
    let release: (status: number) => void = () => undefined;
    const isReleased = new Promise<number>(resolve => {
      release = resolve;
    });
    receiver.answer = () => isReleased;
    await emit(subscriber.home, [{ entity: 1 }, { entity: 2 }]);
    await receiver.count(2);
    const ended = await api.sql`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and classid = 7265002 and objid = 70 and database = (select oid from pg_database where datname = current_database())`;
    expect(ended).toHaveLength(1);
    release(204);
    const delivered = await eventually(async () => {
      await dispatch().catch(() => undefined); // the first round finds the connection gone
      const deliveries = await deliveriesOf(subscriber);
      return deliveries.length === 2 && deliveries.every(one => String(one['status']) === 'delivered')
        ? deliveries
        : undefined;
    }, 15_000);
    expect(delivered.map(one => rowsOf<unknown>(one['attempts']).length)).toEqual([1, 1]);
    expect(receiver.received.length).toBeGreaterThan(2);
    expect(new Set(receiver.received.map(one => one.event.id)).size).toBe(2);
  }, 30_000);
});

describe('events', () => {
  test('of the audit log carry the entry as GET /audit shows it', async () => {
    const subscriber = await subscribe(['audit.entry.created']);
    await api.call('POST', '/v1/wallet/top-ups', {
      key: subscriber.key,
      body: { amount: { amount: 5, currency: 'EUR' } },
    });
    await dispatch();
    await subscriber.receiver.count(2); // the subscription's own creation is the first
    const [entry] = dataOf(await api.call('GET', '/v1/audit?action=wallet.top_up_requested', { key: subscriber.key }));
    const events = subscriber.receiver.received.map(one => one.event.data.object);
    expect(events.find(object => object['action'] === 'wallet.top_up_requested')).toEqual(entry);
    expect(events.map(object => object['action']).sort()).toEqual(['wallet.top_up_requested', 'webhook.created']);
  });

  test('of a screen report each connect and disconnect once', async () => {
    const subscriber = await subscribe(['screen.paired', 'screen.online', 'screen.offline', 'screen.unpaired'], {
      surface: 'screen_manager',
    });
    const { key, receiver } = subscriber;
    const venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
    const code = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body['code']!;
    const screen = (await api.call('POST', '/v1/screens', { key, body: { venue_id: venue, label: 'Bar', code } })).body[
      'id'
    ]!;
    const handle = parseId('screen', screen)!;
    const presence = (online: boolean) => api.sql`
      insert into screen_presence (screen_handle, online, last_seen_at) values (${handle}, ${online}, now()) on conflict (screen_handle) do update set online = excluded.online, last_seen_at = excluded.last_seen_at`;
    for (const online of [true, true, false, false, true]) await presence(online);
    await api.call('DELETE', `/v1/screens/${screen}`, { key });
    await presence(false); // nobody's any more
    await dispatch();
    await receiver.count(5);
    expect((await settled(subscriber, 5)).map(delivery => readAs<{ type: string }>(delivery['event']).type)).toEqual([
      'screen.paired',
      'screen.online',
      'screen.offline',
      'screen.online',
      'screen.unpaired',
    ]);
    expect(receiver.received[1]!.event.data.object).toEqual({
      id: screen,
      venue_id: venue,
      label: 'Bar',
      status: 'online',
      last_seen_at: expect.stringMatching(/Z$/),
    });
  });

  test('of a scan are recorded once, however often ingest repeats its group, and only with a subscriber', async () => {
    const subscriber = await subscribe(['scan.recorded']);
    const quiet = await createWorkspace(api);
    const campaignOf = async (home: TestWorkspace) =>
      (
        await api.sql<{ handle: Handle<'campaign'> }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${home.handle}, 'C', 'travel', 'draft', false, 'EUR', 1, '2026-01-01', '2026-12-31', '{}', 1, '{}', now()) returning handle`
      )[0]!.handle;
    const scan = {
      creative: handle('creative', 2),
      screen: handle('screen', 3),
      venue: handle('venue', 4),
      slotAt: Date.now(),
      scannedAt: Date.now(),
      daypart: 'evening',
      sandbox: false,
    };
    const ids = Array.from({ length: 3 }, () => `scan_${randomBytes(16).toString('hex')}`);
    const [campaign, unheard] = [await campaignOf(subscriber.home), await campaignOf(quiet)];
    const scans = [
      ...ids.map(scanId => ({ ...scan, scanId, campaign })),
      { ...scan, scanId: 'scan_unheard', campaign: unheard },
    ];
    const scanEvents = createScanEvents(api.sql);
    for (let repeat = 0; repeat < 3; repeat += 1) await scanEvents.emit(scans, new Date());
    await dispatch();
    for (let repeat = 0; repeat < 2; repeat += 1) await scanEvents.emit(scans, new Date());
    await dispatch();
    await subscriber.receiver.count(3);
    await settled(subscriber, 3);
    expect(subscriber.receiver.received.map(one => one.event.data.object['id']).sort()).toEqual(ids.sort());
    expect(subscriber.receiver.received[0]!.event.data.object).toMatchObject({
      campaign_id: formatId('campaign', campaign),
      screen_id: formatId('screen', handle('screen', 3)),
      venue_id: formatId('venue', handle('venue', 4)),
      daypart: 'evening',
    });
    expect(await api.sql`select 1 from outbox where source_key = 'scan_unheard'`).toHaveLength(0);
  });

  test('are kept for 30 days with their deliveries', async () => {
    const subscriber = await subscribe(['campaign.paused']);
    await emit(subscriber.home, [{}]);
    await settled(subscriber);
    const [{ n: before } = { n: 0 }] = await api.sql<{ n: number }[]>`select count(*) as n from outbox`;
    api.clock.offsetMs = 30 * DAY_MS - MINUTE_MS;
    expect(await forgetDeliveries(api.sql, api.workers.now())).toBe(0);
    api.clock.offsetMs = 30 * DAY_MS + MINUTE_MS;
    while ((await forgetDeliveries(api.sql, api.workers.now())) > 0);
    expect(await deliveriesOf(subscriber)).toEqual([]);
    const [{ n: after } = { n: 0 }] = await api.sql<{ n: number }[]>`select count(*) as n from outbox`;
    expect(after).toBeLessThan(before);
    api.clock.offsetMs = 0;
  });
});
