/**
 * Reads the audit: changes come from Postgres, calls that changed nothing from ClickHouse. Both are merged into one
 * order of time and number; the numbers of calls begin above those of changes, so no two are equal.
 */
import { showAuditEntry, type StoredAuditEntry } from '#domain/access/audit-entry.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { TIME_MS_MAX, type AuditFilter } from './filter.ts';
import type { AuditEntry } from './schema.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** A position in the audit: time in ms, and number. */
export const AUDIT_POSITION = /^[0-9]{1,15}\.[0-9]{1,16}$/;

type Entry = { atMs: Milliseconds; number: number; record: AuditEntry };
type Position = { atMs: Milliseconds; number: number };
type Query = { page: Page; filter: AuditFilter };
type Sources = { sql: Postgres; clickhouse: Clickhouse };

export async function listAudit({ sql, clickhouse }: Sources, caller: Caller, query: Query): Promise<List<AuditEntry>> {
  const { page, filter } = query;
  const [changes, calls] = await Promise.all([
    filter.kind === 'calls' ? [] : listChanges(sql, caller, query),
    filter.kind === 'changes' ? [] : listCalls(clickhouse, caller, query),
  ]);
  const sign = page.isDescending ? -1 : 1;
  const entries = [...changes, ...calls]
    .sort((a, b) => sign * (a.atMs - b.atMs || a.number - b.number))
    .slice(0, page.limit + 1);
  return envelope(entries, page, {
    positionOf: entry => `${entry.atMs}.${entry.number}`,
    recordOf: entry => entry.record,
  });
}

/** The position after which a page starts; for the first page one before everything. */
function positionOf({ after, isDescending }: Page): Position {
  const [atMs, number] = (after ?? '').split('.');
  return after === undefined
    ? { atMs: isDescending ? TIME_MS_MAX : 0, number: 0 }
    : { atMs: Math.min(Number(atMs), TIME_MS_MAX), number: Math.min(Number(number), Number.MAX_SAFE_INTEGER) };
}

async function listChanges(sql: Postgres, caller: Caller, { page, filter }: Query): Promise<Entry[]> {
  const { actor, entity, entityId, action, source, fromMs, toMs } = filter;
  const { atMs, number } = positionOf(page);
  const rows = await sql<StoredAuditEntry[]>`
    select handle, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip,
      user_agent, diff from audit_entries
    where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox}
      and at between ${new Date(fromMs)} and ${new Date(toMs)}
    and (at, handle) ${page.isDescending ? sql`<` : sql`>`} (${new Date(atMs)}, ${number}::bigint)
    ${
      actor === undefined
        ? sql``
        : 'handle' in actor
          ? sql`and actor_handle = ${actor.handle}`
          : 'email' in actor
            ? sql`and actor_email = ${actor.email}`
            : sql`and actor_type = ${actor.type}`
    }
    ${entity === undefined ? sql`` : sql`and entity_type = ${entity}`}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
    ${entityId === undefined ? sql`` : sql`and entity_type = ${entityId.kind} and entity_handle = ${entityId.handle}`}
      ${source === undefined ? sql`` : sql`and source = ${source}`}
    order by ${page.isDescending ? sql`at desc, handle desc` : sql`at, handle`} limit ${page.limit + 1}`;
  return rows.map(row => ({ atMs: row.at.getTime(), number: row.handle, record: showAuditEntry(row) }));
}

type CallRow = {
  at_ms: Milliseconds;
  number: Handle<'audit'>;
  user_handle: Handle<'user'>;
  email: string;
  action: string;
  entity_type: string;
  entity_id: string;
  method: string;
  path: string;
  status: number;
  code: string;
  ip: string;
  user_agent: string;
  request_id: string;
  lacking: number;
};

async function listCalls(clickhouse: Clickhouse, caller: Caller, { page, filter }: Query): Promise<Entry[]> {
  const { actor, entity, entityId, action, source, fromMs, toMs, withReads } = filter;
  if ((source !== undefined && source !== 'API') || (actor && 'type' in actor && actor.type !== 'user')) return [];
  const { atMs, number } = positionOf(page);
  const conditions = [
    'workspace_handle = {workspace:UInt64} and sandbox = {sandbox:Bool}',
    'at between fromUnixTimestamp64Milli({from:Int64}) and fromUnixTimestamp64Milli({to:Int64}) and at > now() - toIntervalYear(kept_years)',
    `(at, number) ${page.isDescending ? '<' : '>'} (fromUnixTimestamp64Milli({at:Int64}), {number:UInt64})`,
    ...(withReads ? [] : ["not endsWith(action, '.read')"]),
    ...(source === undefined ? [] : ['user_handle <> 0']),
    ...(actor && 'handle' in actor ? ['user_handle = {user:UInt64}'] : []),
    ...(actor && 'email' in actor ? ['email = {email:String}'] : []),
    ...(entity === undefined ? [] : ['entity_type = {entity:String}']),
    ...(entityId === undefined ? [] : ['entity_id = {id:String}']),
    ...(action === undefined ? [] : ['action = {action:String}']),
  ];
  const result = await clickhouse.query({
    query: `select toUnixTimestamp64Milli(at) as at_ms, number, user_handle, email, action, entity_type, entity_id,
        method, path, status, code, ip, user_agent, request_id, lacking
      from private_api_calls where ${conditions.join(' and ')}
      order by ${page.isDescending ? 'at desc, number desc' : 'at, number'} limit {limit:UInt32}`,
    query_params: {
      workspace: caller.workspace,
      sandbox: caller.sandbox,
      from: fromMs,
      to: toMs,
      at: atMs,
      number,
      limit: page.limit + 1,
      user: actor && 'handle' in actor ? actor.handle : 0,
      email: actor && 'email' in actor ? actor.email : '',
      entity: entity ?? '',
      id: entityId?.text ?? '',
      action: action ?? '',
    },
    format: 'JSONEachRow',
  });
  return (await result.json<CallRow>()).map(row => ({ atMs: row.at_ms, number: row.number, record: callRecord(row) }));
}

/** A call as an entry. A row without a user is the API's own note of how many calls it could not record. */
function callRecord(row: CallRow): AuditEntry {
  const same = {
    id: formatId('audit', row.number),
    at: new Date(row.at_ms).toISOString(),
    action: row.action,
    entity: { type: row.entity_type, id: row.entity_id || null },
    ip: row.ip || null,
    user_agent: row.user_agent || null,
  };
  if (row.user_handle === 0)
    return {
      ...same,
      actor: { type: 'system', id: 'system', email: null },
      source: 'SYSTEM',
      diff: { calls: { from: null, to: row.lacking } },
    };
  return {
    ...same,
    actor: { type: 'user', id: formatId('user', row.user_handle), email: row.email },
    source: 'API',
    call: {
      method: row.method,
      path: row.path,
      status: row.status,
      code: row.code || null,
      request_id: row.request_id,
    },
    diff: {},
  };
}
