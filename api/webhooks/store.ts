/**
 * Webhook subscriptions in Postgres: their secrets, test events, and the log of deliveries. The workers send the
 * events.
 */
import { randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import type { Surface } from '#domain/access/permission.ts';
import { isRefusal, refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { next } from '#domain/campaigns/transition.ts';
import {
  mayHear,
  mayHearAll,
  SECRET_OVERLAP_MS,
  surfacesWithin,
  TEST_EVENT,
  webhookMachine,
  type EventType,
} from '#domain/webhook.ts';
import { jsonb, type Postgres, type Queryable, type Transaction } from '#sql/postgres.ts';
import { webhookSecretPurpose, type Sealer } from '#sql/sealed.ts';
import { tellWebhooks } from '#records/webhook-channel.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange, diffOfNew } from '../audit/diff.ts';
import { refuseAbsent } from '../refusals.ts';
import { positionIn, sliceOf } from '../lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../lists/paging.ts';
import { EVENT_SHAPES } from './events.ts';
import type { ChangeWebhook, CreateWebhook, Webhook, WebhookDelivery } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Subscriptions of a workspace. Every event is matched against all of them, and nobody needs more. */
const WEBHOOKS_MAX = 50;
const SECRET_BYTES = 32;

type WebhookRow = {
  handle: Handle<'webhook'>;
  surface: Surface;
  url: string;
  events: EventType[];
  status: Webhook['status'];
  disabled_at: Date | null;
  disabled_reason: Webhook['disabled_reason'];
  client_errors: number;
  secret: Buffer;
  previous_secret_until: Date | null;
  created_at: Date;
};
type WebhookTarget = { handle: Handle<'webhook'>; now: Milliseconds };
export type WithSecret = Webhook & { secret: string };

const ofWorkspace = (sql: Queryable, caller: Caller) =>
  sql`workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null`;
/**
 * A subscription hears what the key that made it may read; a key that may read less neither sees it nor turns it to
 * itself.
 */
const ofCaller = (sql: Queryable, caller: Caller) =>
  sql`${ofWorkspace(sql, caller)} and surface = any (${[...surfacesWithin(caller.surface)]}::text[])`;

export async function listWebhooks(
  sql: Postgres,
  caller: Caller,
  { page, now }: { page: Page; now: Milliseconds },
): Promise<List<Webhook>> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION });
  const rows = await sql<WebhookRow[]>`select * from webhooks where ${ofCaller(sql, caller)} ${behind} ${order}`;
  return envelope(rows, page, { positionOf: positionIn(page, BY_CREATION), recordOf: row => webhookRecord(row, now) });
}

export async function readWebhook(
  sql: Queryable,
  caller: Caller,
  { handle, now }: WebhookTarget,
): Promise<Webhook | Refusal> {
  const [row] = await sql<WebhookRow[]>`select * from webhooks where handle = ${handle} and ${ofCaller(sql, caller)}`;
  return row ? webhookRecord(row, now) : refuseAbsent();
}

/** Subscribes. The secret is in this answer and sealed in the database. */
export async function createWebhook(
  { sql, sealer }: { sql: Postgres; sealer: Sealer },
  caller: Caller,
  { fields, now }: { fields: CreateWebhook; now: Milliseconds },
): Promise<WithSecret | Refusal> {
  const refusal = mayHearAll(caller.surface, fields.events);
  if (refusal) return refusal;
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    await tx`select 1 from workspaces where handle = ${caller.workspace} for no key update`; // two at once must not both be the last one allowed
    const [{ count } = { count: 0 }] = await tx<
      { count: number }[]
    >`select count(*) as count from webhooks where ${ofWorkspace(tx, caller)}`;
    if (count >= WEBHOOKS_MAX)
      return refuse('state_conflict', `A workspace has at most ${WEBHOOKS_MAX} webhooks. Delete one that is not used.`);
    const secret = makeSecret();
    const [row] = await tx<WebhookRow[]>`
      insert into webhooks (workspace_handle, sandbox, surface, url, events, secret, created_at)
      values (${caller.workspace}, ${caller.sandbox}, ${caller.surface}, ${fields.url}, ${tx.array(fields.events)}, ${sealer.seal(secret, webhookSecretPurpose(caller.workspace))}, ${unit.now}) returning *`;
    unit.audit({
      ...entityOf(caller, row!.handle),
      action: 'webhook.created',
      diff: diffOfNew({ url: fields.url, events: fields.events, status: 'active' }),
    });
    return { ...webhookRecord(row!, now), secret };
  });
}

export async function changeWebhook(
  sql: Postgres,
  caller: Caller,
  { handle, changes, now }: WebhookTarget & { changes: ChangeWebhook },
): Promise<Webhook | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const { tx } = unit;
    const before = await lockWebhook(tx, caller, handle);
    if (!before) return refuseAbsent();
    const refusal = mayHearAll(before.surface, changes.events ?? []);
    if (refusal) return refusal;
    const diff = diffOfChange(before, changes);
    if (Object.keys(diff).length === 0) return webhookRecord(before, now);
    const { url = before.url, events = before.events, status = before.status } = changes;
    await tx`update webhooks set url = ${url}, events = ${tx.array(events)} where handle = ${handle}`;
    if (status !== before.status) await moveWebhook(unit, before, status);
    unit.audit({
      ...entityOf(caller, handle),
      action: status === before.status ? 'webhook.updated' : `webhook.${status === 'active' ? 'enabled' : 'disabled'}`,
      diff,
    });
    return readWebhook(tx, caller, { handle, now });
  });
}

async function moveWebhook(
  { tx, now }: Unit,
  { handle, status }: WebhookRow,
  wanted: Webhook['status'],
): Promise<void> {
  const to = next(webhookMachine, status, wanted === 'active' ? 'enable' : 'disable')!;
  const isActive = to === 'active';
  await tx`
    update webhooks set status = ${to}, client_errors = 0, disabled_at = ${isActive ? null : now}, disabled_reason = ${isActive ? null : 'requested'} where handle = ${handle}`;
  await tellWebhooks(tx, [handle]); // what waits for it is given up
}

/** Ends the subscription at once and forgets its secrets. */
export async function deleteWebhook(
  sql: Postgres,
  caller: Caller,
  { handle, now }: WebhookTarget,
): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const before = await lockWebhook(unit.tx, caller, handle);
    if (!before) return refuseAbsent();
    await unit.tx`update webhooks set deleted_at = ${unit.now}, secret = null, previous_secret = null, previous_secret_until = null where handle = ${handle}`;
    await tellWebhooks(unit.tx, [handle]);
    unit.audit({
      ...entityOf(caller, handle),
      action: 'webhook.deleted',
      diff: { deleted_at: { from: null, to: unit.now }, url: { from: before.url, to: null } },
    });
    return undefined;
  });
}

/** A new secret; the one before signs beside it for 24 hours more. A rotation within those ends the one before that. */
export async function rotateSecret(
  { sql, sealer }: { sql: Postgres; sealer: Sealer },
  caller: Caller,
  { handle, now }: WebhookTarget,
): Promise<WithSecret | Refusal> {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    if (!(await lockWebhook(unit.tx, caller, handle))) return refuseAbsent();
    const secret = makeSecret();
    const until = new Date(now + SECRET_OVERLAP_MS);
    await unit.tx`
      update webhooks set previous_secret = secret, previous_secret_until = ${until}, secret = ${sealer.seal(secret, webhookSecretPurpose(caller.workspace))} where handle = ${handle}`;
    unit.audit({
      ...entityOf(caller, handle),
      action: 'webhook.rotated',
      diff: { previous_secret_expires_at: { from: null, to: until } },
    });
    const rotated = await readWebhook(unit.tx, caller, { handle, now });
    return isRefusal(rotated) ? rotated : { ...rotated, secret };
  });
}

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
    values (${caller.workspace}, ${caller.sandbox}, ${type}, 'webhook', ${handle}, ${jsonb(unit.tx, payload)}, ${unit.now}, ${unit.now}) returning handle`;
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
      select o.handle as event from webhook_deliveries d join outbox o on o.handle = d.outbox_handle where d.webhook_handle = ${handle} and d.handle = ${delivery}`;
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
  >`insert into webhook_deliveries (webhook_handle, outbox_handle, created_at) values (${webhook}, ${event}, ${now}) returning handle`;
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
    select d.handle, o.handle as event, o.type, d.state, d.reason, d.log, case when d.state = 'pending' and isfinite(d.next_at) then d.next_at end as next_at, d.created_at
    from webhook_deliveries d join outbox o on o.handle = d.outbox_handle where d.webhook_handle = ${webhook} ${rest}`;
}

async function lockWebhook(
  tx: Transaction,
  caller: Caller,
  handle: Handle<'webhook'>,
): Promise<WebhookRow | undefined> {
  const [row] = await tx<
    WebhookRow[]
  >`select * from webhooks where handle = ${handle} and ${ofCaller(tx, caller)} for update`;
  return row;
}

const entityOf = (caller: Caller, handle: Handle<'webhook'>) => ({
  workspace: caller.workspace,
  entityType: 'webhook',
  entityHandle: handle,
});
const makeSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

function webhookRecord(row: WebhookRow, now: Milliseconds): Webhook {
  const overlap = row.previous_secret_until;
  return {
    id: formatId('webhook', row.handle),
    url: row.url,
    // One of before this was asked may hold others, which are never sent.
    events: row.events.filter(type => mayHear(row.surface, type)),
    status: row.status,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    disabled_reason: row.disabled_reason,
    client_errors: row.client_errors,
    previous_secret_expires_at: overlap && overlap.getTime() > now ? overlap.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
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
