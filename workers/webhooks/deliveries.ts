/**
 * The sender's reads and writes in Postgres. Deliveries are written in the statement that marks their events as
 * dispatched, as due rows; attempts are recorded on them.
 */
import { formatId, type Handle } from '#domain/id.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import type { Attempt, Delivery, OutgoingEvent } from './delivery.ts';
import type { Keyring } from './keyring.ts';
import type { SigningSecret } from './attempts/signature.ts';

export type Endpoint = {
  webhook: Handle<'webhook'>;
  url: string;
  isActive: boolean;
  clientErrors: number;
  secrets: SigningSecret[];
};
/** An endpoint's count of 4xx in a row. */
export type ClientErrorCount = { webhook: Handle<'webhook'>; clientErrors: number };

export type EndpointRow = {
  handle: Handle<'webhook'>;
  url: string;
  status: string;
  client_errors: number;
  workspace_handle: Handle<'workspace'>;
  secret: Buffer | null;
  previous_secret: Buffer | null;
};

export function endpointOf(keyring: Keyring, row: EndpointRow): Endpoint {
  return {
    webhook: row.handle,
    url: row.url,
    isActive: row.status === 'active',
    clientErrors: row.client_errors,
    secrets: [row.secret, row.previous_secret]
      .filter(sealed => sealed !== null)
      .map(sealed => keyring.open(sealed, row.workspace_handle)),
  };
}

/** The columns of an endpoint with the secrets that sign now. */
export const endpointColumns = (sql: Queryable, now: Date) => sql`
  w.handle, w.url, w.status, w.client_errors, w.workspace_handle, w.secret, case
    when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret`;

/** These endpoints; those that are deleted are missing. */
export async function readEndpoints(
  sql: Queryable,
  keyring: Keyring,
  { webhooks, now }: { webhooks: readonly Handle<'webhook'>[]; now: Date },
): Promise<Endpoint[]> {
  if (webhooks.length === 0) return [];
  const rows = await sql<EndpointRow[]>`select ${endpointColumns(sql, now)} from webhooks w
    where w.handle = any (${webhooks}::bigint[]) and w.deleted_at is null`;
  return rows.map(row => endpointOf(keyring, row));
}

export type EventRow = {
  handle: Handle<'event'>;
  type: string;
  workspace: Handle<'workspace'>;
  entity_type: string;
  entity: Handle;
  created_at: Date;
  data: string;
};

export function outgoingEvent(row: EventRow): OutgoingEvent {
  const id = formatId('event', row.handle);
  return {
    handle: row.handle,
    id,
    entity: `${row.entity_type} ${row.entity}`,
    body: `{"id":"${id}","type":"${row.type}","created_at":"${row.created_at.toISOString()}","workspace_id":"${formatId('workspace', row.workspace)}","data":${row.data}}`,
  };
}

type DueRow = EventRow & { delivery: Handle<'webhook_delivery'>; attempts: number; first_at: Date | null };

/** Due deliveries without known ones: first attempts in order, and as many retries. */
export async function readDue(
  sql: Queryable,
  { webhook, now, known, count }: { webhook: Handle<'webhook'>; now: Date; known: readonly number[]; count: number },
): Promise<Delivery[]> {
  const rows = await sql<DueRow[]>`
    select d.handle as delivery, d.attempts, d.first_at, o.handle, o.type, o.workspace_handle as workspace,
      o.entity_type, o.entity_handle as entity, o.created_at, o.payload::text as data
    from (
      (select handle, outbox_handle, attempts, first_at from webhook_deliveries
        where webhook_handle = ${webhook} and state = 'pending' and next_at = '-infinity'
          and handle <> all (${known}::bigint[]) order by handle limit ${count})
      union all
      (select handle, outbox_handle, attempts, first_at from webhook_deliveries
        where webhook_handle = ${webhook} and state = 'pending' and next_at > '-infinity' and next_at <= ${now}
          and handle <> all (${known}::bigint[]) order by next_at limit ${count})
    ) d join outbox o on o.handle = d.outbox_handle order by d.handle`;
  return rows.map(row => {
    const event = outgoingEvent(row);
    return {
      webhook,
      event,
      handle: row.delivery,
      attempts: row.attempts,
      firstAt: row.first_at?.getTime(),
      chain: row.attempts === 0 ? event.entity : `repeat ${row.delivery}`,
      made: undefined,
    };
  });
}

type NewDeliveries = {
  events: readonly OutgoingEvent[];
  deliveries: readonly Pick<Delivery, 'webhook' | 'event'>[];
  now: Date;
};

/**
 * Writes deliveries as due rows and marks their events as dispatched, in one statement: either everything is written,
 * or the events are dispatched again. Returns the handles, in order.
 */
export async function writeDeliveries(
  sql: Queryable,
  { events, deliveries, now }: NewDeliveries,
): Promise<Handle<'webhook_delivery'>[]> {
  const rows = await sql<{ handle: Handle<'webhook_delivery'> }[]>`
    with dispatched as (
      update outbox set dispatched_at = ${now} where handle = any (${events.map(event => event.handle)}::bigint[])
    ), written as (
      insert into webhook_deliveries (webhook_handle, outbox_handle, created_at)
      select w.webhook, w.event, ${now}
      from unnest(${deliveries.map(delivery => delivery.webhook)}::bigint[],
        ${deliveries.map(delivery => delivery.event.handle)}::bigint[]) with ordinality as w (webhook, event, n)
      order by w.n
      returning handle
    ) select handle from written order by handle`;
  return rows.map(row => row.handle);
}

const updateClientErrors = (sql: Queryable, counts: readonly ClientErrorCount[]) => sql`
  update webhooks w set client_errors = c.client_errors
  from unnest(${counts.map(count => count.webhook)}::bigint[],
    ${counts.map(count => count.clientErrors)}::integer[]) as c (webhook, client_errors) where w.handle = c.webhook`;

/** Records attempts, and the endpoints' counts of 4xx. */
export async function recordAttempts(
  sql: Queryable,
  { made, counts }: { made: readonly Delivery[]; counts: readonly ClientErrorCount[] },
): Promise<void> {
  const attempts = made.map(delivery => delivery.made!);
  await sql`
    with made as (
      update webhook_deliveries d set state = r.state, attempts = r.before + 1, log = d.log || r.entry::jsonb,
        reason = case r.state when 'failed' then 'attempts_used_up' end,
        next_at = coalesce(r.next_at, d.next_at), first_at = coalesce(d.first_at, r.at), last_at = r.at
      from unnest(${made.map(delivery => delivery.webhook)}::bigint[],
        ${made.map(delivery => delivery.handle)}::bigint[],
        ${made.map(delivery => delivery.attempts)}::smallint[], ${attempts.map(stateAfter)}::text[],
        ${attempts.map(({ at }) => timestampOf(at))}::timestamptz[],
        ${attempts.map(({ nextAt }) => timestampOf(nextAt))}::timestamptz[],
        ${attempts.map(logEntry)}::text[]) as r (webhook, handle, before, state, at, next_at, entry)
      where d.webhook_handle = r.webhook and d.handle = r.handle and d.attempts = r.before and d.state = 'pending')
    ${updateClientErrors(sql, counts)}`;
}

function stateAfter({ delivered, nextAt }: Attempt): 'delivered' | 'failed' | 'pending' {
  if (delivered) return 'delivered';
  return nextAt === undefined ? 'failed' : 'pending';
}

const timestampOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

/** Statuses and the words for what went wrong need no escapes. */
function logEntry({ at, outcome, ms }: Attempt): string {
  const answer = 'status' in outcome ? `"status":${outcome.status}` : `"error":"${outcome.error}"`;
  return `{"at":"${new Date(at).toISOString()}",${answer},"ms":${ms}}`;
}

/** Disables an endpoint with too many 4xx answers in a row, with an audit entry. */
export async function disableEndpoint(
  sql: Postgres,
  webhook: Handle<'webhook'>,
  { now, clientErrors }: { now: Date; clientErrors: number },
): Promise<void> {
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const [row] = await unit.tx<{ workspace_handle: Handle<'workspace'>; sandbox: boolean }[]>`
      update webhooks set status = 'disabled', disabled_at = ${now}, disabled_reason = 'client_errors',
        client_errors = ${clientErrors}
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

/** Gives up the waiting deliveries of an inactive endpoint, at most `count`. Returns how many. */
export async function giveUpDeliveries(
  sql: Queryable,
  webhook: Handle<'webhook'>,
  { reason, count }: { reason: 'endpoint_disabled' | 'endpoint_deleted'; count: number },
): Promise<number> {
  const given = await sql`
    update webhook_deliveries set state = 'failed', reason = ${reason}
    where webhook_handle = ${webhook} and handle in (
      select handle from webhook_deliveries where webhook_handle = ${webhook} and state = 'pending'
      order by next_at, handle limit ${count})`;
  return given.count;
}

/** The endpoints with due deliveries, found by jumps from one to the next in the index of pending ones. */
export async function endpointsDue(sql: Queryable, now: Date): Promise<Handle<'webhook'>[]> {
  const rows = await sql<{ webhook_handle: Handle<'webhook'> }[]>`
    with recursive due as (
      (select webhook_handle, next_at from webhook_deliveries where state = 'pending' order by webhook_handle, next_at
      limit 1)
      union all
      select n.webhook_handle, n.next_at from due cross join lateral (
        select webhook_handle, next_at from webhook_deliveries
        where state = 'pending' and webhook_handle > due.webhook_handle order by webhook_handle, next_at limit 1) n
    )
    select webhook_handle from due where next_at <= ${now}`;
  return rows.map(row => row.webhook_handle);
}

/**
 * The number of endpoints with due deliveries, and since when the oldest is due. One index look-up for each endpoint.
 */
export async function oldestDue(sql: Postgres, now: Date): Promise<{ endpoints: number; since: Date | null }> {
  const [row] = await sql<{ endpoints: number; since: Date | null }[]>`
    with recursive first as (
      (select webhook_handle, next_at, created_at from webhook_deliveries where state = 'pending'
      order by webhook_handle, next_at, handle limit 1)
      union all
      select n.webhook_handle, n.next_at, n.created_at from first cross join lateral (
        select webhook_handle, next_at, created_at from webhook_deliveries
        where state = 'pending' and webhook_handle > first.webhook_handle order by webhook_handle, next_at, handle
        limit 1) n
    )
    select count(*) as endpoints, min(greatest(next_at, created_at)) as since from first where next_at <= ${now}`;
  return row!;
}
