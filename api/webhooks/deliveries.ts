/**
 * Events on their way to one receiver, in Postgres: tests, simulated and repeated events that are put in line for it,
 * and the log of its deliveries. The workers send them.
 */
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { mayHear, TEST_EVENT, type EventType } from '#domain/webhook.ts';
import { jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';
import { tellWebhooks } from '#records/webhook-channel.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../lists/paging.ts';
import { EVENT_SHAPES } from './events.ts';
import type { WebhookDelivery } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { type WebhookRow, type WebhookTarget, type ofCaller, readWebhook, lockWebhook, entityOf } from './store.ts';

/** Queues an event of the type `webhook.test` for this receiver alone. */
export async function testWebhook(
  sql: Postgres,
  caller: Caller,
  { handle, now }: WebhookTarget,
): Promise<WebhookDelivery | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const refusal = refuseInactive(await lockWebhook(unit.tx, caller, handle));
    if (refusal) return refusal;
    return sendAlone(unit, caller, {
      handle,
      type: TEST_EVENT,
      action: 'webhook.tested',
      payload: { object: { id: formatId('webhook', handle) } },
    });
  });
}

/** Queues the sample of an event type for this receiver alone. */
export async function simulateEvent(
  sql: Postgres,
  caller: Caller,
  { handle, type, now }: WebhookTarget & { type: EventType },
): Promise<WebhookDelivery | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const row = await lockWebhook(unit.tx, caller, handle);
    const refusal = refuseInactive(row);
    if (refusal) return refusal;
    if (!mayHear(row!.surface, type))
      return refuseField('/type', 'not_allowed', `must be of a resource that the surface ${row!.surface} reaches`);
    return sendAlone(unit, caller, {
      handle,
      type,
      action: 'webhook.simulated',
      payload: { ...EVENT_SHAPES[type].sample, simulated: true },
    });
  });
}

/** An event for one receiver, which nobody else is sent. */
async function sendAlone(
  unit: Unit,
  caller: Caller,
  {
    handle,
    type,
    action,
    payload,
  }: { handle: Handle<'webhook'>; type: string; action: string; payload: Record<string, unknown> },
): Promise<WebhookDelivery> {
  const [event] = await unit.tx<{ handle: Handle<'event'> }[]>`
    insert into outbox (workspace_handle, sandbox, type, entity_type, entity_handle, payload, created_at, dispatched_at)
    values (${caller.workspace}, ${caller.sandbox}, ${type}, 'webhook', ${handle}, ${jsonb(unit.tx, payload)},
      ${unit.now}, ${unit.now}) returning handle`;
  unit.audit({
    ...entityOf(caller, handle),
    action,
    diff: {
      event: { from: null, to: formatId('event', event!.handle) },
      ...(type !== TEST_EVENT && { type: { from: null, to: type } }),
    },
  });
  return putInLine(unit, handle, event!.handle);
}

/** Sends the event of a delivery once more, with the same id and the whole schedule of attempts. */
export async function redeliver(
  sql: Postgres,
  caller: Caller,
  { handle, delivery, now }: WebhookTarget & { delivery: number },
): Promise<WebhookDelivery | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    const refusal = refuseInactive(await lockWebhook(tx, caller, handle));
    if (refusal) return refusal;
    const [row] = await tx<{ event: Handle<'event'> }[]>`
      select o.handle as event from webhook_deliveries d join outbox o on o.handle = d.outbox_handle
      where d.webhook_handle = ${handle} and d.handle = ${delivery}`;
    if (!row) return refuseAbsent();
    unit.audit({
      ...entityOf(caller, handle),
      action: 'webhook.redelivered',
      diff: { event: { from: null, to: formatId('event', row.event) } },
    });
    return putInLine(unit, handle, row.event);
  });
}

function refuseInactive(row: WebhookRow | undefined): Refusal | undefined {
  if (!row) return refuseAbsent();
  return row.status === 'active'
    ? undefined
    : refuse('state_conflict', 'This webhook is disabled. Enable it first: PATCH with the status active.');
}

async function putInLine(
  { tx, now }: Unit,
  webhook: Handle<'webhook'>,
  event: Handle<'event'>,
): Promise<WebhookDelivery> {
  const [row] = await tx<
    { handle: Handle<'webhook_delivery'> }[]
  >`insert into webhook_deliveries (webhook_handle, outbox_handle, created_at) values (${webhook}, ${event}, ${now})
    returning handle`;
  await tellWebhooks(tx, [webhook]);
  const [made] = await selectDeliveries(tx, webhook, tx`and d.handle = ${row!.handle}`);
  return deliveryRecord(made!);
}

/** The log of a receiver, of the last 30 days. */
export async function listDeliveries(
  sql: Postgres,
  caller: Caller,
  { handle, page, status, now }: WebhookTarget & { page: Page; status: string | undefined },
): Promise<List<WebhookDelivery> | Refusal> {
  const webhook = await readWebhook(sql, caller, { handle, now });
  if (isRefusal(webhook)) return webhook;
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION, handle: 'd.handle' });
  const rows = await selectDeliveries(
    sql,
    handle,
    sql`${behind} ${status === undefined ? sql`` : sql`and d.state = ${status}`} ${order}`,
  );
  return envelope(rows, page, { positionOf: positionIn(page, BY_CREATION), recordOf: deliveryRecord });
}

type DeliveryRow = {
  handle: Handle<'webhook_delivery'>;
  event: Handle<'event'>;
  type: string;
  state: WebhookDelivery['status'];
  reason: string | null;
  log: { at: string; status?: number; error?: string; ms: Milliseconds }[];
  next_at: Date | null;
  created_at: Date;
};

function selectDeliveries(sql: Queryable, webhook: Handle<'webhook'>, rest: ReturnType<typeof ofCaller>) {
  return sql<DeliveryRow[]>`
    select d.handle, o.handle as event, o.type, d.state, d.reason, d.log, case when d.state = 'pending'
      and isfinite(d.next_at) then d.next_at end as next_at, d.created_at
    from webhook_deliveries d join outbox o on o.handle = d.outbox_handle where d.webhook_handle = ${webhook} ${rest}`;
}

function deliveryRecord(row: DeliveryRow): WebhookDelivery {
  return {
    id: formatId('webhook_delivery', row.handle),
    event: { id: formatId('event', row.event), type: row.type },
    status: row.state,
    failure: row.reason,
    attempts: row.log.map(({ at, status, error, ms }) => ({
      at: new Date(at).toISOString(),
      status: status ?? null,
      error: error ?? null,
      duration_ms: ms,
    })),
    next_attempt_at: row.next_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
