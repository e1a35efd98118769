/**
 * The audit as CSV (RFC 4180), oldest entry first, page by page: each page begins after the last one, so that no
 * database snapshot is held during a slow upload, and an export continues where a killed worker stopped. Cells that a
 * spreadsheet would run as a formula get an apostrophe before them: names and user agents come from strangers.
 */
import { stringify } from 'csv-stringify/sync';
import type { ShownAuditEntry } from '#domain/access/audit-entry.ts';
import { readAuditLog, type AuditPage, type AuditPosition } from '#books/audit-log.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';

/** A lone carriage return is quoted as well: some programs begin a row at it. */
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
  'call_method',
  'call_path',
  'call_status',
  'call_code',
  'request_id',
] as const;

export type Selection = Omit<AuditPage, 'after' | 'isDescending' | 'limit'>;
type CsvPage = { text: Buffer; rows: number; position: AuditPosition };

/** The log could not be read: an engine is down. */
export class LogUnreadable extends Error {
  constructor(cause: unknown) {
    super('the audit log could not be read', { cause });
    this.name = 'LogUnreadable';
  }
}

export function csvHeader(): Buffer {
  return Buffer.from(csvOf([[...COLUMNS]]));
}

/** The pages after a position, from the first one without it. */
export async function* csvPages(
  sources: { sql: Postgres; clickhouse: Clickhouse },
  selection: Selection,
  begunAt: AuditPosition | undefined,
): AsyncGenerator<CsvPage> {
  for (let after = begunAt; ;) {
    const page = { ...selection, after, isDescending: false, limit: PAGE_ROWS };
    const entries = await readAuditLog(sources, page).catch((error: unknown) => {
      throw new LogUnreadable(error);
    });
    const newest = entries.at(-1);
    if (!newest) return;
    after = { atMs: newest.atMs, number: newest.number };
    yield {
      text: Buffer.from(csvOf(entries.map(({ entry }) => cellsOf(entry)))),
      rows: entries.length,
      position: after,
    };
    if (entries.length < PAGE_ROWS) return;
  }
}

function cellsOf({ actor, entity, call, ...entry }: ShownAuditEntry): (string | null)[] {
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
    call?.method ?? null,
    call?.path ?? null,
    call ? String(call.status) : null,
    call?.code ?? null,
    call?.request_id ?? null,
  ];
}

function csvOf(rows: (string | null)[][]): string {
  return stringify(rows, { escape_formulas: true, record_delimiter: 'windows', quoted_match: LINE_BREAK });
}
