/**
 * The audit as CSV (RFC 4180), oldest entry first, page by page: each page begins behind the last one, so that no
 * snapshot of the database is held while a slow bucket is waited for, and an export goes on where a killed worker left
 * it. Cells that a spreadsheet would take for a formula get an apostrophe before them: names and user agents come from
 * strangers.
 */
import { stringify } from 'csv-stringify/sync';
import { showAuditEntry, type ShownAuditEntry, type StoredAuditEntry } from '#domain/access/audit-entry.ts';
import type { Handle } from '#domain/id.ts';
import type { Postgres } from '#sql/postgres.ts';

/** Also a lone carriage return is quoted: some programs begin a row at it. */
const LINE_BREAK = /[\r\n]/;
const PAGE_ROWS = 2_000; // some 600 kB of text
const COLUMNS = [
  'id',
  'at',
  'actor_type',
  'actor_id',
  'actor_email',
  'action',
  'entity_type',
  'entity_id',
  'source',
  'ip',
  'user_agent',
  'diff',
] as const;

/** The last entry of a page; the export goes on behind it. */
export type Position = { at: Date; handle: Handle<'audit'> };
export type Selection = { workspace: Handle<'workspace'>; sandbox: boolean; from: Date; to: Date };
export type CsvPage = { text: Buffer; rows: number; position: Position };

export function csvHeader(): Buffer {
  return Buffer.from(csvOf([[...COLUMNS]]));
}

/** The pages behind a position, the first one without it. */
export async function* csvPages(
  sql: Postgres,
  { workspace, sandbox, from, to }: Selection,
  after: Position | undefined,
): AsyncGenerator<CsvPage> {
  for (let last = after; ;) {
    const rows = await sql<StoredAuditEntry[]>`
      select handle, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip,
        user_agent, diff from audit_entries
      where workspace_handle = ${workspace} and sandbox = ${sandbox} and at between ${from} and ${to}
      ${last === undefined ? sql`` : sql`and (at, handle) > (${last.at}, ${last.handle}::bigint)`} order by at, handle
      limit ${PAGE_ROWS}`;
    const newest = rows.at(-1);
    if (!newest) return;
    last = { at: newest.at, handle: newest.handle };
    yield {
      text: Buffer.from(csvOf(rows.map(row => cellsOf(showAuditEntry(row))))),
      rows: rows.length,
      position: last,
    };
    if (rows.length < PAGE_ROWS) return;
  }
}

function cellsOf(entry: ShownAuditEntry): (string | null)[] {
  const { actor, entity } = entry;
  return [
    entry.id,
    entry.at,
    actor.type,
    actor.id,
    actor.email,
    entry.action,
    entity.type,
    entity.id,
    entry.source,
    entry.ip,
    entry.user_agent,
    JSON.stringify(entry.diff),
  ];
}

function csvOf(rows: (string | null)[][]): string {
  return stringify(rows, { escape_formulas: true, record_delimiter: 'windows', quoted_match: LINE_BREAK });
}
