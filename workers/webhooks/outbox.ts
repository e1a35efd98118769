/**
 * The pending events of the outbox in order, and their receivers: the subscriptions to an event's type in its
 * workspace, and in the agency of a client, if their surface may receive it.
 */
import { showAuditEntry, type StoredAuditEntry } from '#domain/access/audit-entry.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { AUDIBLE, EVENT_DATA_BYTES_MAX, thinData } from '#domain/webhook.ts';
import { jsonb, type Queryable } from '#sql/postgres.ts';
import { endpointColumns, endpointOf, type Endpoint, type EndpointRow, type EventRow } from './deliveries.ts';
import type { Keyring } from './keyring.ts';

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

const AUDIBLE_PAIRS = new Set(AUDIBLE.map(({ surface, type }) => `${surface} ${type}`));

type SubscriptionRow = EndpointRow & { surface: string; sandbox: boolean; events: string[] };

/** The receivers of events of these workspaces. */
export class Audience {
  readonly #parents: ReadonlyMap<Handle<'workspace'>, Handle<'workspace'> | null>;
  readonly #subscriptions: ReadonlyMap<string, readonly Subscription[]>;

  constructor(
    parents: ReadonlyMap<Handle<'workspace'>, Handle<'workspace'> | null>,
    subscriptions: ReadonlyMap<string, readonly Subscription[]>,
  ) {
    this.#parents = parents;
    this.#subscriptions = subscriptions;
  }

  of({ workspace, sandbox, type }: WaitingEvent): Endpoint[] {
    const parent = this.#parents.get(workspace) ?? null;
    const homes = parent === null ? [workspace] : [workspace, parent];
    return homes
      .flatMap(home => this.#subscriptions.get(homeKey(home, sandbox)) ?? [])
      .filter(({ hears }) => hears.has(type))
      .map(({ endpoint }) => endpoint);
  }
}

type Subscription = { endpoint: Endpoint; hears: ReadonlySet<string> };

const homeKey = (workspace: Handle<'workspace'>, sandbox: boolean): string => `${workspace} ${sandbox}`;

/** The active subscriptions that may receive these events. */
export async function readAudience(
  sql: Queryable,
  keyring: Keyring,
  { events, now }: { events: readonly WaitingEvent[]; now: Date },
): Promise<Audience> {
  const homes = await sql<{ handle: Handle<'workspace'>; parent_handle: Handle<'workspace'> | null }[]>`
    select handle, parent_handle from workspaces
    where handle = any (${[...new Set(events.map(event => event.workspace))]}::bigint[])`;
  const parents = new Map<Handle<'workspace'>, Handle<'workspace'> | null>(
    homes.map(home => [home.handle, home.parent_handle]),
  );
  const subscriptions = new Map<string, Subscription[]>();
  const rows = await sql<SubscriptionRow[]>`
    select w.surface, w.sandbox, w.events, ${endpointColumns(sql, now)} from webhooks w
    where w.workspace_handle = any
      (${[...new Set(homes.flatMap(home => [home.handle, home.parent_handle ?? home.handle]))]}::bigint[])
      and w.status = 'active' and w.deleted_at is null order by w.handle`;
  for (const row of rows) {
    const key = homeKey(row.workspace_handle, row.sandbox);
    const hears = new Set(row.events.filter(type => AUDIBLE_PAIRS.has(`${row.surface} ${type}`)));
    const subscription = { endpoint: endpointOf(keyring, row), hears };
    subscriptions.set(key, [...(subscriptions.get(key) ?? []), subscription]);
  }
  return new Audience(parents, subscriptions);
}
