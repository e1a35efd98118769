/** Subscriptions to events: rows, locks, and the units of work that change them. Secrets arrive here sealed. */
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import type { Surface } from '#domain/access/permission.ts';
import type { Handle } from '#domain/id.ts';
import { refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { next } from '#domain/transition.ts';
import { mayHearAll, SECRET_OVERLAP_MS, surfacesWithin, webhookMachine, type EventType } from '#domain/webhook.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Owner, type UnitOptions } from '#books/unit-of-work.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { tellWebhooks } from './channel.ts';

/** Subscriptions of a workspace. Every event is matched against all of them, and nobody needs more. */
const WEBHOOKS_MAX = 50;

type Status = (typeof webhookMachine.states)[number];
export type WebhookRow = {
  handle: Handle<'webhook'>;
  surface: Surface;
  url: string;
  events: EventType[];
  status: Status;
  disabled_at: Date | null;
  disabled_reason: 'requested' | 'client_errors' | null;
  client_errors: number;
  previous_secret_until: Date | null;
  created_at: Date;
};

/** The workspace, the book and the surface of a caller, who sees no other subscriptions. */
export type Subscriber = Owner & { surface: Surface };
/** A subscriber that acts: its actor, and the time. */
export type SubscriberCall = UnitOptions & Subscriber;

const columnsOf = (sql: Queryable) => sql`
  handle, surface, url, events, status, disabled_at, disabled_reason, client_errors, previous_secret_until, created_at`;

const ofWorkspace = (sql: Queryable, { workspace, sandbox }: Subscriber) =>
  sql`workspace_handle = ${workspace} and sandbox = ${sandbox} and deleted_at is null`;
/**
 * A subscription hears what the key that made it may read; a key that may read less neither sees it nor turns it to
 * itself.
 */
const ofSubscriber = (sql: Queryable, subscriber: Subscriber) =>
  sql`${ofWorkspace(sql, subscriber)} and surface = any (${[...surfacesWithin(subscriber.surface)]}::text[])`;

/** A page of the subscriptions that the caller may see. */
export async function listWebhooks(sql: Queryable, subscriber: Subscriber, page: PageOrder): Promise<WebhookRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: BY_CREATION });
  return sql<WebhookRow[]>`
    select ${columnsOf(sql)} from webhooks where ${ofSubscriber(sql, subscriber)} ${behind} ${order}`;
}

/** One subscription that the caller may see. */
export async function findWebhook(
  sql: Queryable,
  subscriber: Subscriber,
  handle: Handle<'webhook'>,
): Promise<WebhookRow | Refusal> {
  const [row] = await sql<WebhookRow[]>`
    select ${columnsOf(sql)} from webhooks where handle = ${handle} and ${ofSubscriber(sql, subscriber)}`;
  return row ?? refuseAbsent();
}

/** Locks and reads one subscription that the caller may see; undefined if there is none. */
export async function lockWebhook(
  tx: Transaction,
  subscriber: Subscriber,
  handle: Handle<'webhook'>,
): Promise<WebhookRow | undefined> {
  const [row] = await tx<WebhookRow[]>`
    select ${columnsOf(tx)} from webhooks where handle = ${handle} and ${ofSubscriber(tx, subscriber)} for update`;
  return row;
}

/** Subscribes. Refuses events that the surface does not reach, and more subscriptions than a workspace may have. */
export async function createWebhook(
  sql: Postgres,
  call: SubscriberCall,
  { url, events, secret }: { url: string; events: readonly EventType[]; secret: Buffer },
): Promise<WebhookRow | Refusal> {
  const { workspace, sandbox, surface } = call;
  const refusal = mayHearAll(surface, events);
  if (refusal) return refusal;
  return inUnitOfWork(sql, call, async unit => {
    const { tx } = unit;
    await tx`select 1 from workspaces where handle = ${workspace}
      for no key update`; // two at once must not both be the last one allowed
    const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`
      select count(*) as count from webhooks where ${ofWorkspace(tx, call)}`;
    if (count >= WEBHOOKS_MAX)
      return refuse('state_conflict', `A workspace has at most ${WEBHOOKS_MAX} webhooks. Delete one that is not used.`);
    const [row] = await tx<WebhookRow[]>`
      insert into webhooks (workspace_handle, sandbox, surface, url, events, secret, created_at)
      values (${workspace}, ${sandbox}, ${surface}, ${url}, ${tx.array([...events])}, ${secret}, ${unit.now})
      returning ${columnsOf(tx)}`;
    const diff = diffOfNew({ url, events, status: 'active' });
    unit.audit({ ...entityOf(call, row!.handle), action: 'webhook.created', diff });
    return row!;
  });
}

export type WebhookChanges = { url?: string; events?: EventType[]; status?: Status };

/** Changes a subscription. If it is enabled or disabled, its count of 4xx begins anew. */
export async function changeWebhook(
  sql: Postgres,
  call: SubscriberCall,
  { handle, changes }: { handle: Handle<'webhook'>; changes: WebhookChanges },
): Promise<WebhookRow | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const { tx } = unit;
    const before = await lockWebhook(tx, call, handle);
    if (!before) return refuseAbsent();
    const refusal = mayHearAll(before.surface, changes.events ?? []);
    if (refusal) return refusal;
    const diff = diffOfChange(before, changes);
    if (Object.keys(diff).length === 0) return before;
    const { url, events, status, ...after } = { ...before, ...changes, ...moved(before, changes.status, unit.now) };
    const [row] = await tx<WebhookRow[]>`
      update webhooks set url = ${url}, events = ${tx.array(events)}, status = ${status},
        client_errors = ${after.client_errors}, disabled_at = ${after.disabled_at},
        disabled_reason = ${after.disabled_reason}
      where handle = ${handle} returning ${columnsOf(tx)}`;
    if (status !== before.status) await tellWebhooks(tx, [handle]); // what waits for it is given up
    unit.audit({
      ...entityOf(call, handle),
      action: status === before.status ? 'webhook.updated' : `webhook.${status === 'active' ? 'enabled' : 'disabled'}`,
      diff,
    });
    return row!;
  });
}

/** The columns that change with the status. */
function moved({ status }: WebhookRow, wanted: Status | undefined, now: Date): Partial<WebhookRow> {
  if (wanted === undefined || wanted === status) return {};
  const to = next(webhookMachine, status, wanted === 'active' ? 'enable' : 'disable')!;
  return to === 'active'
    ? { status: to, client_errors: 0, disabled_at: null, disabled_reason: null }
    : { status: to, client_errors: 0, disabled_at: now, disabled_reason: 'requested' };
}

/** Ends the subscription at once and forgets its secrets. */
export async function deleteWebhook(
  sql: Postgres,
  call: SubscriberCall,
  handle: Handle<'webhook'>,
): Promise<undefined | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const before = await lockWebhook(unit.tx, call, handle);
    if (!before) return refuseAbsent();
    await unit.tx`update webhooks set deleted_at = ${unit.now}, secret = null, previous_secret = null,
        previous_secret_until = null where handle = ${handle}`;
    await tellWebhooks(unit.tx, [handle]);
    const diff = { deleted_at: { from: null, to: unit.now }, url: { from: before.url, to: null } };
    unit.audit({ ...entityOf(call, handle), action: 'webhook.deleted', diff });
    return undefined;
  });
}

/** Stores a new secret; the one before signs beside it for 24 hours more, and the one before that no longer. */
export async function rotateSecret(
  sql: Postgres,
  call: SubscriberCall,
  { handle, secret }: { handle: Handle<'webhook'>; secret: Buffer },
): Promise<WebhookRow | Refusal> {
  return inUnitOfWork(sql, call, async unit => {
    const { tx, now } = unit;
    if (!(await lockWebhook(tx, call, handle))) return refuseAbsent();
    const until = new Date(now.getTime() + SECRET_OVERLAP_MS);
    const [row] = await tx<WebhookRow[]>`
      update webhooks set previous_secret = secret, previous_secret_until = ${until}, secret = ${secret}
      where handle = ${handle} returning ${columnsOf(tx)}`;
    const diff = { previous_secret_expires_at: { from: null, to: until } };
    unit.audit({ ...entityOf(call, handle), action: 'webhook.rotated', diff });
    return row!;
  });
}

/** Disables an endpoint with too many 4xx answers in a row, with an audit entry. */
export async function disableWebhook(
  sql: Postgres,
  webhook: Handle<'webhook'>,
  { now, clientErrors }: { now: Date; clientErrors: number },
): Promise<void> {
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const [row] = await unit.tx<{ workspace: Handle<'workspace'>; sandbox: boolean }[]>`
      update webhooks set status = 'disabled', disabled_at = ${now}, disabled_reason = 'client_errors',
        client_errors = ${clientErrors}
      where handle = ${webhook} and status = 'active' and deleted_at is null
      returning workspace_handle as workspace, sandbox`;
    if (!row) return;
    const diff = { status: { from: 'active', to: 'disabled' }, client_errors: { from: null, to: clientErrors } };
    unit.audit({ ...entityOf(row, webhook), sandbox: row.sandbox, action: 'webhook.disabled', diff });
  });
}

export const entityOf = ({ workspace }: Pick<Subscriber, 'workspace'>, handle: Handle<'webhook'>) => ({
  workspace,
  entityType: 'webhook',
  entityHandle: handle,
});
