/**
 * Reads the audit log: changes come from Postgres, calls that changed nothing from ClickHouse. Both are merged into one
 * order of time and number; the numbers of calls begin above those of changes, so no two are equal.
 */
import {
  showAuditEntry,
  showCall,
  type ShownAuditEntry,
  type StoredAuditEntry,
  type StoredCall,
} from '#domain/access/audit-entry.ts';
import { foldAddress } from '#domain/access/mail-address.ts';
import type { Handle, Kind } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';

/** The latest time that ClickHouse can represent. */
const TIME_MS_MAX = Date.UTC(2299, 0);

/** Which entries are wanted, besides their time. `entityId` has the kind and the handle of its record. */
export type AuditFilter = {
  actor?: { handle: Handle<'user'> } | { email: string } | { type: string };
  entity?: string;
  entityId?: { text: string; kind: Kind; handle: Handle<Kind> };
  action?: string;
  source?: string;
  withReads: boolean;
  kind?: 'changes' | 'calls' | undefined;
};
export type AuditPosition = { atMs: Milliseconds; number: Handle<'audit'> };
/** One page of one workspace and book. Both times are included. */
export type AuditPage = {
  workspace: Handle<'workspace'>;
  sandbox: boolean;
  filter: AuditFilter;
  fromMs: Milliseconds;
  toMs: Milliseconds;
  /** The entry before the page; undefined for the first page. */
  after: AuditPosition | undefined;
  isDescending: boolean;
  limit: number;
};
export type AuditLogEntry = AuditPosition & { entry: ShownAuditEntry };
type Sources = { sql: Postgres; clickhouse: Clickhouse };

export async function readAuditLog({ sql, clickhouse }: Sources, page: AuditPage): Promise<AuditLogEntry[]> {
  const { actor, kind } = page.filter;
  const emails = actor && 'email' in actor ? await formsOf(sql, actor.email) : [];
  const [changes, calls] = await Promise.all([
    kind === 'calls' ? [] : readChanges(sql, page, emails),
    kind === 'changes' ? [] : readCalls(clickhouse, page, emails),
  ]);
  const sign = page.isDescending ? -1 : 1;
  return [...changes, ...calls].sort((a, b) => sign * (a.atMs - b.atMs || a.number - b.number)).slice(0, page.limit);
}

/** The address as given, and as members and sign-ins have it: entries keep the form of their time. */
async function formsOf(sql: Postgres, address: string): Promise<string[]> {
  const folded = foldAddress(address);
  const rows = await sql<{ email: string }[]>`
    select email from users where email_folded = ${folded}
    union select email from sign_ins where email_folded = ${folded}`;
  return [address, ...rows.map(({ email }) => email)];
}

/** The position after which a page starts; for the first page one before everything. */
function startOf({ after, isDescending }: AuditPage): AuditPosition {
  return after === undefined ? { atMs: isDescending ? TIME_MS_MAX : 0, number: 0 as Handle<'audit'> } : after;
}

async function readChanges(sql: Postgres, page: AuditPage, emails: string[]): Promise<AuditLogEntry[]> {
  const { actor, entity, entityId, action, source } = page.filter;
  const { atMs, number } = startOf(page);
  const rows = await sql<StoredAuditEntry[]>`
    select handle, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip,
      user_agent, diff from audit_entries
    where workspace_handle = ${page.workspace} and sandbox = ${page.sandbox}
      and at between ${new Date(page.fromMs)} and ${new Date(page.toMs)}
    and (at, handle) ${page.isDescending ? sql`<` : sql`>`} (${new Date(atMs)}, ${number}::bigint)
    ${
      actor === undefined
        ? sql``
        : 'handle' in actor
          ? sql`and actor_handle = ${actor.handle}`
          : 'email' in actor
            ? sql`and actor_email = any(${emails}::text[])`
            : sql`and actor_type = ${actor.type}`
    }
    ${entity === undefined ? sql`` : sql`and entity_type = ${entity}`}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
    ${entityId === undefined ? sql`` : sql`and entity_type = ${entityId.kind} and entity_handle = ${entityId.handle}`}
      ${source === undefined ? sql`` : sql`and source = ${source}`}
    order by ${page.isDescending ? sql`at desc, handle desc` : sql`at, handle`} limit ${page.limit}`;
  return rows.map(row => ({ atMs: row.at.getTime(), number: row.handle, entry: showAuditEntry(row) }));
}

async function readCalls(clickhouse: Clickhouse, page: AuditPage, emails: string[]): Promise<AuditLogEntry[]> {
  const { actor, entity, entityId, action, source, withReads } = page.filter;
  if ((source !== undefined && source !== 'API') || (actor && 'type' in actor && actor.type !== 'user')) return [];
  const { atMs, number } = startOf(page);
  const conditions = [
    'workspace_handle = {workspace:UInt64} and sandbox = {sandbox:Bool}',
    'at between fromUnixTimestamp64Milli({from:Int64}) and fromUnixTimestamp64Milli({to:Int64}) and at > now() - toIntervalYear(kept_years)',
    `(at, number) ${page.isDescending ? '<' : '>'} (fromUnixTimestamp64Milli({at:Int64}), {number:UInt64})`,
    ...(withReads ? [] : ["not endsWith(action, '.read')"]),
    ...(source === undefined ? [] : ['user_handle <> 0']),
    ...(actor && 'handle' in actor ? ['user_handle = {user:UInt64}'] : []),
    ...(actor && 'email' in actor ? ['email in {emails:Array(String)}'] : []),
    ...(entity === undefined ? [] : ['entity_type = {entity:String}']),
    ...(entityId === undefined ? [] : ['entity_id = {id:String}']),
    ...(action === undefined ? [] : ['action = {action:String}']),
  ];
  const rows = await queryRows<StoredCall>(clickhouse, {
    query: `select toUnixTimestamp64Milli(at) as at_ms, number, user_handle, email, action, entity_type, entity_id,
        method, path, status, code, ip, user_agent, request_id, lacking
      from private_api_calls where ${conditions.join(' and ')}
      order by ${page.isDescending ? 'at desc, number desc' : 'at, number'} limit {limit:UInt32}`,
    query_params: {
      workspace: page.workspace,
      sandbox: page.sandbox,
      from: page.fromMs,
      to: page.toMs,
      at: atMs,
      number,
      limit: page.limit,
      user: actor && 'handle' in actor ? actor.handle : 0,
      emails,
      entity: entity ?? '',
      id: entityId?.text ?? '',
      action: action ?? '',
    },
  });
  return rows.map(row => ({ atMs: row.at_ms, number: row.number, entry: showCall(row) }));
}
