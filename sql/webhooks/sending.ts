/**
 * What the one sender of events reads and writes. Deliveries are written in the statement that marks their events as
 * dispatched, as due rows; attempts are recorded on them.
 */
import { formatId, type Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { DELIVERIES_KEPT_MS, type AttemptOutcome } from '#domain/webhook.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';

/** An event as sent: the same bytes to every endpoint and at every attempt. */
export type OutgoingEvent = { handle: Handle<'event'>; id: string; entity: string; body: string };
/** One event for one endpoint, in the memory of the sender. */
export type Delivery = {
  webhook: Handle<'webhook'>;
  event: OutgoingEvent;
  handle: Handle<'webhook_delivery'>;
  attempts: number;
  firstAt: Milliseconds | undefined;
  /** Attempts of one chain follow one another: first attempts of one entity, or the repeats of one delivery. */
  chain: string;
  /** The last attempt if it is not recorded. */
  made: Attempt | undefined;
};
/** An attempt. `at` in ms; `nextAt` undefined: it was the last one. */
export type Attempt = {
  at: number;
  ms: Milliseconds;
  outcome: AttemptOutcome;
  delivered: boolean;
  nextAt: Milliseconds | undefined;
};

/** An endpoint's count of 4xx in a row. */
export type ClientErrorCount = { webhook: Handle<'webhook'>; clientErrors: number };

export type EndpointRow = {
  handle: Handle<'webhook'>;
  url: string;
  status: string;
  client_errors: number;
  workspace_handle: Handle<'workspace'>;
  /** Sealed. */
  secret: Buffer | null;
  previous_secret: Buffer | null;
};

/** The columns of an endpoint with the secrets that sign now. */
export const endpointColumns = (sql: Queryable, now: Date) => sql`
  w.handle, w.url, w.status, w.client_errors, w.workspace_handle, w.secret, case
    when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret`;

/** These endpoints; those that are deleted are missing. */
export async function readEndpoints(
  sql: Queryable,
  { webhooks, now }: { webhooks: readonly Handle<'webhook'>[]; now: Date },
): Promise<EndpointRow[]> {
  if (webhooks.length === 0) return [];
  return sql<EndpointRow[]>`select ${endpointColumns(sql, now)} from webhooks w
    where w.handle = any (${webhooks}::bigint[]) and w.deleted_at is null`;
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

/** How many of the oldest are deleted at a time, for each subscription and from the outbox. */
const DELIVERIES_AT_ONCE = 100;
const EVENTS_AT_ONCE = 1_000;

/** Deletes deliveries and dispatched events 30 days after they were written. Returns how many. */
export async function forgetDeliveries(sql: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - DELIVERIES_KEPT_MS);
  const deliveries = await sql`
    delete from webhook_deliveries d using (
      select o.webhook_handle, o.handle from webhooks w cross join lateral (
        select webhook_handle, handle, created_at, state from webhook_deliveries where webhook_handle = w.handle
        order by handle limit ${DELIVERIES_AT_ONCE}) o
      where o.created_at < ${before} and o.state <> 'pending') old
    where d.webhook_handle = old.webhook_handle and d.handle = old.handle`;
  const events = await sql`
    delete from outbox where handle in (
      select handle from (select handle, created_at, dispatched_at from outbox order by handle
        limit ${EVENTS_AT_ONCE}) oldest where created_at < ${before} and dispatched_at is not null)`;
  return deliveries.count + events.count;
}
