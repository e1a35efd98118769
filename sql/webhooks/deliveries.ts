/**
 * Events for one receiver alone: tests, simulated and repeated events, and the log of its deliveries. The units of work
 * lock the subscription, and refuse one that is disabled. The workers send what they write.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, refuseField, type Refusal } from '#domain/refusal.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { mayHear, TEST_EVENT, type EventType } from '#domain/webhook.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import { jsonb, type Fragment, type Postgres, type Queryable } from '#sql/postgres.ts';
import { tellWebhooks } from './channel.ts';
import { entityOf, lockWebhook, type SubscriberCall, type WebhookRow } from './subscriptions.ts';

export type DeliveryRow = {
  handle: Handle<'webhook_delivery'>;
  event: Handle<'event'>;
  type: string;
  state: 'pending' | 'delivered' | 'failed';
  reason: string | null;
  log: { at: string; status?: number; error?: string; ms: Milliseconds }[];
  next_at: Date | null;
  created_at: Date;
};

/** Queues an event of the type `webhook.test` for this receiver alone. */
export async function testWebhook(
  sql: Postgres,
  call: SubscriberCall,
  handle: Handle<'webhook'>,
): Promise<DeliveryRow | Refusal> {
  const payload = { object: { id: formatId('webhook', handle) } };
  return forReceiver(sql, call, handle, async unit =>
    sendAlone(unit, call, { handle, type: TEST_EVENT, action: 'webhook.tested', payload }),
  );
}

/** Queues the sample of an event type for this receiver alone. Refuses types that its surface does not reach. */
export async function simulateEvent(
  sql: Postgres,
  call: SubscriberCall,
  { handle, type, sample }: { handle: Handle<'webhook'>; type: EventType; sample: Record<string, unknown> },
): Promise<DeliveryRow | Refusal> {
  return forReceiver(sql, call, handle, async (unit, { surface }) => {
    if (!mayHear(surface, type))
      return refuseField('/type', 'not_allowed', `must be of a resource that the surface ${surface} reaches`);
    const payload = { ...sample, simulated: true };
    return sendAlone(unit, call, { handle, type, action: 'webhook.simulated', payload });
  });
}

/** Sends the event of a delivery once more, with the same id and the whole schedule of attempts. */
export async function redeliver(
  sql: Postgres,
  call: SubscriberCall,
  { handle, delivery }: { handle: Handle<'webhook'>; delivery: Handle<'webhook_delivery'> },
): Promise<DeliveryRow | Refusal> {
  return forReceiver(sql, call, handle, async unit => {
    const [row] = await unit.tx<{ event: Handle<'event'> }[]>`
      select o.handle as event from webhook_deliveries d join outbox o on o.handle = d.outbox_handle
      where d.webhook_handle = ${handle} and d.handle = ${delivery}`;
    if (!row) return refuseAbsent();
    const diff = { event: { from: null, to: formatId('event', row.event) } };
    unit.audit({ ...entityOf(call, handle), action: 'webhook.redelivered', diff });
    return putInLine(unit, handle, row.event);
  });
}

async function forReceiver(
  sql: Postgres,
  call: SubscriberCall,
  handle: Handle<'webhook'>,
  work: (unit: Unit, row: WebhookRow) => Promise<DeliveryRow | Refusal>,
): Promise<DeliveryRow | Refusal> {
  return inUnitOfWork<DeliveryRow | Refusal>(sql, call, async unit => {
    const row = await lockWebhook(unit.tx, call, handle);
    if (!row) return refuseAbsent();
    if (row.status !== 'active')
      return refuse('state_conflict', 'This webhook is disabled. Enable it first: PATCH with the status active.');
    return work(unit, row);
  });
}

type LoneEvent = { handle: Handle<'webhook'>; type: string; action: string; payload: Record<string, unknown> };

/** An event for one receiver, which nobody else is sent. */
async function sendAlone(
  unit: Unit,
  call: SubscriberCall,
  { handle, type, action, payload }: LoneEvent,
): Promise<DeliveryRow> {
  const [event] = await unit.tx<{ handle: Handle<'event'> }[]>`
    insert into outbox (workspace_handle, sandbox, type, entity_type, entity_handle, payload, created_at, dispatched_at)
    values (${call.workspace}, ${call.sandbox}, ${type}, 'webhook', ${handle}, ${jsonb(unit.tx, payload)},
      ${unit.now}, ${unit.now}) returning handle`;
  const diff = {
    event: { from: null, to: formatId('event', event!.handle) },
    ...(type !== TEST_EVENT && { type: { from: null, to: type } }),
  };
  unit.audit({ ...entityOf(call, handle), action, diff });
  return putInLine(unit, handle, event!.handle);
}

async function putInLine({ tx, now }: Unit, webhook: Handle<'webhook'>, event: Handle<'event'>): Promise<DeliveryRow> {
  const [row] = await tx<{ handle: Handle<'webhook_delivery'> }[]>`
    insert into webhook_deliveries (webhook_handle, outbox_handle, created_at) values (${webhook}, ${event}, ${now})
    returning handle`;
  await tellWebhooks(tx, [webhook]);
  const [made] = await selectDeliveries(tx, webhook, tx`and d.handle = ${row!.handle}`);
  return made!;
}

/** A page of the log of a receiver, of the last 30 days. */
export async function listDeliveries(
  sql: Queryable,
  webhook: Handle<'webhook'>,
  { page, status }: { page: PageOrder; status: string | undefined },
): Promise<DeliveryRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'd.handle' });
  const ofStatus = status === undefined ? sql`` : sql`and d.state = ${status}`;
  return selectDeliveries(sql, webhook, sql`${behind} ${ofStatus} ${order}`);
}

function selectDeliveries(sql: Queryable, webhook: Handle<'webhook'>, rest: Fragment) {
  return sql<DeliveryRow[]>`
    select d.handle, o.handle as event, o.type, d.state, d.reason, d.log, case when d.state = 'pending'
      and isfinite(d.next_at) then d.next_at end as next_at, d.created_at
    from webhook_deliveries d join outbox o on o.handle = d.outbox_handle where d.webhook_handle = ${webhook} ${rest}`;
}
