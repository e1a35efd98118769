/**
 * Webhook subscriptions in Postgres, and their secrets.
 */
import { randomBytes } from 'node:crypto';
import { formatId, type Handle } from '#domain/id.ts';
import type { Surface } from '#domain/access/permission.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { next } from '#domain/transition.ts';
import {
  mayHear,
  mayHearAll,
  SECRET_OVERLAP_MS,
  surfacesWithin,
  webhookMachine,
  type EventType,
} from '#domain/webhook.ts';
import type { Postgres, Queryable, Transaction } from '#sql/postgres.ts';
import { webhookSecretPurpose, type Sealer } from '#runtime/cryptography/sealed.ts';
import { tellWebhooks } from '#records/webhook-channel.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfChange, diffOfNew } from '#domain/access/audit-diff.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { positionIn, sliceOf } from '#sql/lists/list-order.ts';
import { BY_CREATION, envelope, type List, type Page } from '../lists/paging.ts';
import type { ChangeWebhook, CreateWebhook, Webhook } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Subscriptions of a workspace. Every event is matched against all of them, and nobody needs more. */
const WEBHOOKS_MAX = 50;
const SECRET_BYTES = 32;

export type WebhookRow = {
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
export type WebhookTarget = { handle: Handle<'webhook'>; now: Milliseconds };
export type WithSecret = Webhook & { secret: string };

const ofWorkspace = (sql: Queryable, caller: Caller) =>
  sql`workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and deleted_at is null`;
/**
 * A subscription hears what the key that made it may read; a key that may read less neither sees it nor turns it to
 * itself.
 */
export const ofCaller = (sql: Queryable, caller: Caller) =>
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
    await tx`select 1 from workspaces where handle = ${caller.workspace}
      for no key update`; // two at once must not both be the last one allowed
    const [{ count } = { count: 0 }] = await tx<
      { count: number }[]
    >`select count(*) as count from webhooks where ${ofWorkspace(tx, caller)}`;
    if (count >= WEBHOOKS_MAX)
      return refuse('state_conflict', `A workspace has at most ${WEBHOOKS_MAX} webhooks. Delete one that is not used.`);
    const secret = makeSecret();
    const [row] = await tx<WebhookRow[]>`
      insert into webhooks (workspace_handle, sandbox, surface, url, events, secret, created_at)
      values (${caller.workspace}, ${caller.sandbox}, ${caller.surface}, ${fields.url}, ${tx.array(fields.events)},
        ${sealer.seal(secret, webhookSecretPurpose(caller.workspace))}, ${unit.now}) returning *`;
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
    update webhooks set status = ${to}, client_errors = 0, disabled_at = ${isActive ? null : now},
      disabled_reason = ${isActive ? null : 'requested'} where handle = ${handle}`;
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
    await unit.tx`update webhooks set deleted_at = ${unit.now}, secret = null, previous_secret = null,
        previous_secret_until = null where handle = ${handle}`;
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
      update webhooks set previous_secret = secret, previous_secret_until = ${until},
        secret = ${sealer.seal(secret, webhookSecretPurpose(caller.workspace))} where handle = ${handle}`;
    unit.audit({
      ...entityOf(caller, handle),
      action: 'webhook.rotated',
      diff: { previous_secret_expires_at: { from: null, to: until } },
    });
    const rotated = await readWebhook(unit.tx, caller, { handle, now });
    return isRefusal(rotated) ? rotated : { ...rotated, secret };
  });
}

export async function lockWebhook(
  tx: Transaction,
  caller: Caller,
  handle: Handle<'webhook'>,
): Promise<WebhookRow | undefined> {
  const [row] = await tx<
    WebhookRow[]
  >`select * from webhooks where handle = ${handle} and ${ofCaller(tx, caller)} for update`;
  return row;
}

export const entityOf = (caller: Caller, handle: Handle<'webhook'>) => ({
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
