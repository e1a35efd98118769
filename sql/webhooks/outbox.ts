/**
 * Events that wait in the outbox, in order, the subscriptions in whose workspaces they may be heard, and the events of
 * scans. Other events are written by their units of work.
 */
import { showAuditEntry, type StoredAuditEntry } from '#domain/access/audit-entry.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { EVENT_DATA_BYTES_MAX, thinData } from '#domain/webhook.ts';
import { jsonb, type Queryable } from '#sql/postgres.ts';
import { endpointColumns, type EndpointRow, type EventRow } from './sending.ts';

export type WaitingEvent = EventRow & { sandbox: boolean };

/** The oldest undispatched events, with their data as sent. */
export async function readWaitingEvents(sql: Queryable, count: number): Promise<WaitingEvent[]> {
  const events = await sql<WaitingEvent[]>`
    select handle, type, workspace_handle as workspace, sandbox, entity_type, entity_handle as entity, created_at,
      payload::text as data
    from outbox where dispatched_at is null order by handle limit ${count}`;
  await completeData(
    sql,
    events.filter(({ type, data }) => BARE_TYPES.has(type) || Buffer.byteLength(data) > EVENT_DATA_BYTES_MAX),
  );
  return events;
}

/** How many events wait, counted up to `countMax`, and since when the oldest of them has waited. */
export async function oldestEvent(sql: Queryable, countMax: number): Promise<{ count: number; since: Date | null }> {
  // By the order of the handles in the partial index: the first is the oldest.
  const [row] = await sql<{ count: number; since: Date | null }[]>`
    select count(*) as count, (array_agg(created_at))[1] as since
    from (select created_at from outbox where dispatched_at is null order by handle limit ${countMax}) as o`;
  return row!;
}

/** Written by triggers, which format no ids. */
const BARE_TYPES = new Set(['audit.entry.created', 'screen.online', 'screen.offline']);
type Data = Record<string, unknown>;

/**
 * Fills in data that were left to the dispatch, and reduces data too large for a body to the record's id. The result is
 * written back, because later attempts send the same bytes; a repeat changes nothing.
 */
async function completeData(sql: Queryable, events: readonly WaitingEvent[]): Promise<void> {
  if (events.length === 0) return;
  const entries = await readAuditEntries(
    sql,
    events.filter(event => event.type === 'audit.entry.created').map(event => event.entity as Handle<'audit'>),
  );
  const rows = events.map(event => ({ handle: event.handle, data: bounded(dataOf(event, entries)) }));
  const written = await sql<{ handle: Handle<'event'>; data: string }[]>`
    update outbox o set payload = r.data from jsonb_to_recordset(${jsonb(sql, rows)}) as r (handle bigint, data jsonb)
    where o.handle = r.handle
    returning o.handle, o.payload::text as data`;
  const dataByHandle = new Map(written.map(row => [row.handle, row.data]));
  for (const event of events) event.data = dataByHandle.get(event.handle) ?? event.data;
}

function dataOf({ type, entity, data }: WaitingEvent, entries: ReadonlyMap<Handle<'audit'>, StoredAuditEntry>): Data {
  if (type === 'audit.entry.created') {
    const audited = entity as Handle<'audit'>;
    const entry = entries.get(audited); // missing if the retention was faster
    return { object: entry ? showAuditEntry(entry) : { id: formatId('audit', audited) } };
  }
  const payload = JSON.parse(data) as Data;
  if (!BARE_TYPES.has(type) || 'object' in payload) return payload;
  const {
    venue,
    label,
    last_seen_at: seenAt,
  } = payload as { venue: Handle<'venue'>; label: string; last_seen_at: string };
  return {
    object: {
      id: formatId('screen', entity as Handle<'screen'>),
      venue_id: formatId('venue', venue),
      label,
      status: type.slice('screen.'.length),
      last_seen_at: new Date(seenAt).toISOString(),
    },
  };
}

async function readAuditEntries(
  sql: Queryable,
  handles: readonly Handle<'audit'>[],
): Promise<Map<Handle<'audit'>, StoredAuditEntry>> {
  const rows =
    handles.length === 0
      ? []
      : await sql<StoredAuditEntry[]>`
    select handle, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip,
      user_agent, diff from audit_entries where handle = any (${handles}::bigint[])`;
  return new Map(rows.map(row => [row.handle, row]));
}

function bounded(data: Data): Data {
  return Buffer.byteLength(JSON.stringify(data)) > EVENT_DATA_BYTES_MAX ? thinData(data) : data;
}

export type SubscriptionRow = EndpointRow & { surface: string; sandbox: boolean; events: string[] };

/** These workspaces with their agencies, and the active subscriptions of all of them. */
export async function readSubscriptions(
  sql: Queryable,
  { workspaces, now }: { workspaces: readonly Handle<'workspace'>[]; now: Date },
) {
  const homes = await sql<{ handle: Handle<'workspace'>; parent_handle: Handle<'workspace'> | null }[]>`
    select handle, parent_handle from workspaces where handle = any (${workspaces}::bigint[])`;
  const subscriptions = await sql<SubscriptionRow[]>`
    select w.surface, w.sandbox, w.events, ${endpointColumns(sql, now)} from webhooks w
    where w.workspace_handle = any
      (${[...new Set(homes.flatMap(home => [home.handle, home.parent_handle ?? home.handle]))]}::bigint[])
      and w.status = 'active' and w.deleted_at is null order by w.handle`;
  return { homes, subscriptions };
}

export type ScanEventRow = {
  id: string;
  campaign: Handle<'campaign'>;
  sandbox: boolean;
  payload: { object: Record<string, unknown> };
};

/** Writes `scan.recorded` for the workspaces that listen, once per id of a scan. */
export async function writeScanEvents(sql: Queryable, rows: readonly ScanEventRow[], now: Date): Promise<void> {
  // A scan has no handle: 53 bits of the hash of its id distinguish it from its neighbors.
  await sql`
    insert into outbox (workspace_handle, sandbox, type, entity_type, entity_handle, payload, created_at, source_key)
    select c.workspace_handle, r.sandbox, 'scan.recorded', 'scan', hashtextextended(r.id, 0) & 9007199254740991,
      r.payload, ${now}, r.id
    from jsonb_to_recordset(${jsonb(sql, rows)}) as r (id text, campaign bigint, sandbox boolean, payload jsonb)
    join campaigns c on c.handle = r.campaign
    where webhook_listens(c.workspace_handle, r.sandbox, 'scan.recorded')
    on conflict (source_key) where source_key is not null do nothing`;
}
