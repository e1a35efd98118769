/** What a lane reads and writes of its endpoint in Postgres, which alone says what is due; nothing is remembered between two turns. */
import type { Handle } from '#domain/id.ts';
import type { AttemptOutcome } from '#domain/webhook.ts';
import { jsonb, type Postgres } from '#sql/postgres.ts';
import { webhookSecretPurpose, type Sealer } from '#sql/sealed.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { signingSecret, type SigningSecret } from './signature.ts';
import type { Milliseconds } from '#domain/unit.ts';

export type Endpoint = {
  handle: Handle<'webhook'>;
  url: string;
  isActive: boolean;
  clientErrors: number;
  secrets: SigningSecret[];
};
export type Delivery = {
  handle: Handle<'webhook_delivery'>;
  attempts: number;
  firstAt: number | undefined;
  event: Handle<'event'>;
  type: string;
  workspace: Handle<'workspace'>;
  entity: string;
  createdAt: Date;
  /** The event's data as JSON. */
  data: string;
};
/** An attempt that was made. `at` in ms; `nextAt` undefined: it was the last one. */
export type Attempt = {
  delivery: Delivery;
  at: number;
  ms: Milliseconds;
  outcome: AttemptOutcome;
  delivered: boolean;
  nextAt: number | undefined;
};

type EndpointRow = {
  url: string;
  status: string;
  client_errors: number;
  workspace_handle: Handle<'workspace'>;
  secret: Buffer | null;
  previous_secret: Buffer | null;
};

/** The endpoint with the secrets that sign now; undefined for one that is deleted. */
export async function readEndpoint(
  sql: Postgres,
  sealer: Sealer,
  { handle, now }: { handle: Handle<'webhook'>; now: Date },
): Promise<Endpoint | undefined> {
  const [row] = await sql<EndpointRow[]>`
    select url, status, client_errors, workspace_handle, secret, case when previous_secret_until > ${now} then previous_secret end as previous_secret
    from webhooks where handle = ${handle} and deleted_at is null`;
  if (!row) return undefined;
  const secrets = [row.secret, row.previous_secret]
    .filter(sealed => sealed !== null)
    .map(sealed => signingSecret(sealer.open(sealed, webhookSecretPurpose(row.workspace_handle))));
  return { handle, url: row.url, isActive: row.status === 'active', clientErrors: row.client_errors, secrets };
}

type DueRow = {
  handle: Handle<'webhook_delivery'>;
  attempts: number;
  first_at: Date | null;
  event: Handle<'event'>;
  type: string;
  workspace: Handle<'workspace'>;
  entity: string;
  created_at: Date;
  data: string;
};

/** Deliveries that are due, without those that are known already: first attempts in their order, and as many that are tried again. */
export async function readDue(
  sql: Postgres,
  { webhook, now, known, count }: { webhook: number; now: Date; known: readonly number[]; count: number },
): Promise<Delivery[]> {
  const rows = await sql<DueRow[]>`
    select d.handle, d.attempts, d.first_at, o.handle as event, o.type, o.workspace_handle as workspace, o.entity_type || ' ' || o.entity_handle as entity, o.created_at, o.payload::text as data
    from (
      (select handle, outbox_handle, attempts, first_at from webhook_deliveries
        where webhook_handle = ${webhook} and state = 'pending' and next_at = '-infinity' and handle <> all (${known}::bigint[]) order by handle limit ${count})
      union all
      (select handle, outbox_handle, attempts, first_at from webhook_deliveries
        where webhook_handle = ${webhook} and state = 'pending' and next_at > '-infinity' and next_at <= ${now} and handle <> all (${known}::bigint[]) order by next_at limit ${count})
    ) d join outbox o on o.handle = d.outbox_handle order by d.handle`;
  return rows.map(({ first_at, created_at, ...row }) => ({
    ...row,
    firstAt: first_at?.getTime(),
    createdAt: created_at,
  }));
}

/** Records attempts and the endpoint's count of 4xx. An attempt that another worker recorded meanwhile is not recorded twice. */
export async function recordAttempts(
  sql: Postgres,
  webhook: number,
  { attempts, clientErrors }: { attempts: readonly Attempt[]; clientErrors: number | undefined },
): Promise<void> {
  const rows = attempts.map(({ delivery, at, ms, outcome, delivered, nextAt }) => ({
    handle: delivery.handle,
    before: delivery.attempts,
    state: delivered ? 'delivered' : nextAt === undefined ? 'failed' : 'pending',
    at: new Date(at),
    reason: delivered || nextAt !== undefined ? null : 'attempts_used_up',
    next_at: nextAt === undefined ? null : new Date(nextAt),
    entry: { at: new Date(at), ...outcome, ms },
  }));
  await sql`
    with made as (
      update webhook_deliveries d set state = r.state, reason = r.reason, attempts = d.attempts + 1, log = d.log || r.entry, next_at = coalesce(r.next_at, d.next_at),
        first_at = coalesce(d.first_at, r.at), last_at = r.at
      from jsonb_to_recordset(${jsonb(sql, rows)}) as r (handle bigint, before smallint, state text, reason text, at timestamptz, next_at timestamptz, entry jsonb)
      where d.webhook_handle = ${webhook} and d.handle = r.handle and d.attempts = r.before and d.state = 'pending')
    update webhooks set client_errors = ${clientErrors ?? 0} where handle = ${webhook} and ${clientErrors !== undefined}::boolean`;
}

/** Disables an endpoint that answered 4xx so many times in a row; its audit says so. */
export async function disableEndpoint(
  sql: Postgres,
  webhook: Handle<'webhook'>,
  { now, clientErrors }: { now: Date; clientErrors: number },
): Promise<void> {
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const [row] = await unit.tx<{ workspace_handle: Handle<'workspace'>; sandbox: boolean }[]>`
      update webhooks set status = 'disabled', disabled_at = ${now}, disabled_reason = 'client_errors', client_errors = ${clientErrors}
      where handle = ${webhook} and status = 'active' and deleted_at is null returning workspace_handle, sandbox`;
    if (!row) return;
    unit.audit({
      workspace: row.workspace_handle,
      sandbox: row.sandbox,
      action: 'webhook.disabled',
      entityType: 'webhook',
      entityHandle: webhook,
      diff: { status: { from: 'active', to: 'disabled' }, client_errors: { from: null, to: clientErrors } },
    });
  });
}

/** Gives up what still waits for an endpoint that takes nothing any more, up to `count`. Answers how many. */
export async function giveUpDeliveries(
  sql: Postgres,
  webhook: number,
  { reason, count }: { reason: 'endpoint_disabled' | 'endpoint_deleted'; count: number },
): Promise<number> {
  const given = await sql`
    update webhook_deliveries set state = 'failed', reason = ${reason}
    where webhook_handle = ${webhook} and handle in (
      select handle from webhook_deliveries where webhook_handle = ${webhook} and state = 'pending' order by next_at, handle limit ${count})`;
  return given.count;
}

/** The endpoints for which something is due, found by a jump from one to the next in the index of what is pending. */
export async function endpointsDue(sql: Postgres, now: Date): Promise<number[]> {
  const rows = await sql<{ webhook_handle: number }[]>`
    with recursive due as (
      (select webhook_handle, next_at from webhook_deliveries where state = 'pending' order by webhook_handle, next_at limit 1)
      union all
      select n.webhook_handle, n.next_at from due cross join lateral (
        select webhook_handle, next_at from webhook_deliveries where state = 'pending' and webhook_handle > due.webhook_handle order by webhook_handle, next_at limit 1) n
    )
    select webhook_handle from due where next_at <= ${now}`;
  return rows.map(row => row.webhook_handle);
}

/** How many endpoints have something due, and since when the oldest of it is. One look-up of the index for each endpoint. */
export async function oldestDue(sql: Postgres, now: Date): Promise<{ endpoints: number; since: Date | null }> {
  const [row] = await sql<{ endpoints: number; since: Date | null }[]>`
    with recursive first as (
      (select webhook_handle, next_at, created_at from webhook_deliveries where state = 'pending' order by webhook_handle, next_at, handle limit 1)
      union all
      select n.webhook_handle, n.next_at, n.created_at from first cross join lateral (
        select webhook_handle, next_at, created_at from webhook_deliveries where state = 'pending' and webhook_handle > first.webhook_handle order by webhook_handle, next_at, handle limit 1) n
    )
    select count(*) as endpoints, min(greatest(next_at, created_at)) as since from first where next_at <= ${now}`;
  return row!;
}
