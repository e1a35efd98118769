/** Lists the audit log: a page of it as an answer of the API. */
import type { Handle } from '#domain/id.ts';
import { readAuditLog, type AuditPosition } from '#books/audit-log.ts';
import { namesOf } from '#books/audit-names.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { envelope, type List, type Page } from '../lists/paging.ts';
import { TIME_MS_MAX, type AuditSelection } from './filter.ts';
import type { AuditEntry } from './schema.ts';

/** A position in the audit: time in ms, and number. */
export const AUDIT_POSITION = /^[0-9]{1,15}\.[0-9]{1,16}$/;

type Sources = { sql: Postgres; clickhouse: Clickhouse };

export async function listAudit(
  sources: Sources,
  { workspace, sandbox }: Caller,
  { page, selection }: { page: Page; selection: AuditSelection },
): Promise<List<AuditEntry>> {
  const { isDescending, limit } = page;
  const after = page.after === undefined ? undefined : parsePosition(page.after);
  const entries = await readAuditLog(sources, {
    ...selection,
    workspace,
    sandbox,
    after,
    isDescending,
    limit: limit + 1,
  });
  const names = await namesOf(
    sources.sql,
    workspace,
    entries.map(({ entry }) => entry.entity),
  );
  return envelope(entries, page, {
    positionOf: entry => `${entry.atMs}.${entry.number}`,
    recordOf: ({ entry }) => {
      const name = names.get(entry.entity.id ?? '');
      return name === undefined ? entry : { ...entry, entity: { ...entry.entity, name } };
    },
  });
}

/** @param text of {@link AUDIT_POSITION}; a made-up cursor may exceed the range of an engine */
function parsePosition(text: string): AuditPosition {
  const [atMs, number] = text.split('.').map(Number);
  return { atMs: Math.min(atMs!, TIME_MS_MAX), number: Math.min(number!, Number.MAX_SAFE_INTEGER) as Handle<'audit'> };
}
