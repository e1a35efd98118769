/**
 * Events become deliveries: one for each subscription to its type of the event's workspace, and of the agency whose client it
 * is, if its surface may receive it. An event is dispatched in the transaction that writes its deliveries, so each is
 * dispatched once; the delivery itself happens at least once. One process dispatches, in the order of the outbox.
 */
import { showAuditEntry, type StoredAuditEntry } from '#domain/access/audit-entry.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { AUDIBLE, EVENT_DATA_BYTES_MAX, thinData } from '#domain/webhook.ts';
import { faultPoint } from '#runtime/fault.ts';
import { counter } from '#runtime/metrics.ts';
import { jsonb, type Transaction } from '#sql/postgres.ts';
import { tellWebhooks } from '#records/webhook-channel.ts';
import type { JobContext } from '../schedule.ts';

const EVENTS_AT_ONCE = 500;

const dispatched = counter({
  name: 'workers_events_dispatched_total',
  help: 'Events of the outbox that were dispatched',
});

/** Dispatches the oldest events. Answers how many. */
export async function dispatchOutbox({ sql, now }: Pick<JobContext, 'sql' | 'now'>): Promise<number> {
  const count = await sql.begin(async tx => {
    const events = await tx<WaitingEvent[]>`
      select handle, type, entity_handle, case when type = any (${BARE_TYPES}) or octet_length(payload::text) > ${EVENT_DATA_BYTES_MAX} then payload end as payload
      from outbox where dispatched_at is null order by handle limit ${EVENTS_AT_ONCE} for update`;
    if (events.length === 0) return 0;
    await completeData(
      tx,
      events.filter(event => event.payload !== null),
    );
    await tellWebhooks(
      tx,
      await writeDeliveries(
        tx,
        events.map(event => event.handle),
        now(),
      ),
    );
    faultPoint('outbox.before_commit');
    return events.length;
  });
  dispatched.inc(count);
  return count;
}

/** Written by triggers, which format no ids. */
const BARE_TYPES = ['audit.entry.created', 'screen.online', 'screen.offline'];
type Data = Record<string, unknown>;
/** `payload` is null where it can go out as it is. */
type WaitingEvent = { handle: number; type: string; entity_handle: Handle; payload: Data | null };

/** Data that were left to the dispatch are filled in, and what is too large for a body is cut down to the record's id. */
async function completeData(tx: Transaction, events: readonly WaitingEvent[]): Promise<void> {
  if (events.length === 0) return;
  const entries = await readAuditEntries(
    tx,
    events.filter(event => event.type === 'audit.entry.created').map(event => event.entity_handle as Handle<'audit'>),
  );
  const rows = events.map(event => ({ handle: event.handle, data: bounded(dataOf(event, entries)) }));
  await tx`update outbox o set payload = r.data from jsonb_to_recordset(${jsonb(tx, rows)}) as r (handle bigint, data jsonb) where o.handle = r.handle`;
}

function dataOf(
  { type, entity_handle: entity, payload }: WaitingEvent,
  entries: ReadonlyMap<Handle<'audit'>, StoredAuditEntry>,
): Data {
  if (type === 'audit.entry.created') {
    const audited = entity as Handle<'audit'>;
    const entry = entries.get(audited); // gone where the retention was faster
    return { object: entry ? showAuditEntry(entry) : { id: formatId('audit', audited) } };
  }
  if (type !== 'screen.online' && type !== 'screen.offline') return payload!;
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
  tx: Transaction,
  handles: readonly Handle<'audit'>[],
): Promise<Map<Handle<'audit'>, StoredAuditEntry>> {
  const rows =
    handles.length === 0
      ? []
      : await tx<StoredAuditEntry[]>`
    select handle, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip, user_agent, diff from audit_entries where handle = any (${handles}::bigint[])`;
  return new Map(rows.map(row => [row.handle, row]));
}

function bounded(data: Data): Data {
  return Buffer.byteLength(JSON.stringify(data)) > EVENT_DATA_BYTES_MAX ? thinData(data) : data;
}

/** Answers the endpoints that have something to deliver now. */
async function writeDeliveries(tx: Transaction, events: readonly number[], now: Date): Promise<number[]> {
  const rows = await tx<{ webhook_handle: number }[]>`
    with sent as (
      insert into webhook_deliveries (webhook_handle, outbox_handle, created_at)
      select w.handle, o.handle, ${now} from outbox o
      join workspaces s on s.handle = o.workspace_handle
      join webhooks w on w.workspace_handle in (s.handle, s.parent_handle) and w.sandbox = o.sandbox and o.type = any (w.events)
      join unnest(${AUDIBLE.map(pair => pair.surface)}::text[], ${AUDIBLE.map(pair => pair.type)}::text[]) as audible (surface, type) on audible.surface = w.surface and audible.type = o.type
      where o.handle = any (${events}::bigint[]) and w.status = 'active' and w.deleted_at is null
      order by o.handle returning webhook_handle
    ), done as (update outbox set dispatched_at = ${now} where handle = any (${events}::bigint[]))
    select distinct webhook_handle from sent`;
  return rows.map(row => row.webhook_handle);
}
