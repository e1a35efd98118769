import { Type, type TSchema } from 'typebox';
import { refuse, type Refusal } from '#domain/refusal.ts';

/**
 * Lists are read newest first by position, never by offset: a cursor names the last record of a page, and the next page
 * starts behind it. Records that are added meanwhile are newer than the cursor, so no page repeats or skips one.
 */
const LIMIT_DEFAULT = 20;

/** The query parameters of every list. */
export const PAGE_QUERY = {
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$', description: `Records per page, 1 to 100; ${LIMIT_DEFAULT} by default.` })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The `next_cursor` of the page before; absent for the first page.' })),
};

/** `{data, has_more, next_cursor}` of one kind of record. */
export function listOf<T extends TSchema>(record: T) {
  return Type.Object({
    data: Type.Array(record, { description: 'The records of this page, newest first.' }),
    has_more: Type.Boolean({ description: 'Whether older records follow.' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Pass it as `cursor` for the next page; null on the last one.' }),
    total: Type.Optional(Type.Integer({ description: 'How many records all pages hold, where `count=true` asked for it.' })),
  });
}

export type List<T> = { data: T[]; has_more: boolean; next_cursor: string | null; total?: number };

/** A page asked for: how many records, and the position (of the list's own spelling) behind which it starts. */
export type Page = { list: string; limit: number; after: string | undefined };

/** Reads `limit` and `cursor`, already of the right shape. Refuses a cursor that is not one of this list. */
export function readPage(query: { limit?: string; cursor?: string }, { list, position }: { list: string; position: RegExp }): Page | Refusal {
  const limit = query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit);
  if (query.cursor === undefined) return { list, limit, after: undefined };
  const text = Buffer.from(query.cursor, 'base64url').toString('utf8');
  const after = text.startsWith(`${list} `) ? text.slice(list.length + 1) : undefined;
  if (after === undefined || !position.test(after)) return refuse('bad_cursor', 'Pass the next_cursor of a page of this list, unchanged.');
  return { list, limit, after };
}

/** Lists of entities go by their handle: identities grow, so the newest has the largest. */
export const HANDLE_POSITION = /^[1-9][0-9]{0,15}$/;

/** The handle behind which a page of entities starts; beyond every handle for the first page. */
export function handleBefore(page: Page): number {
  return page.after === undefined ? Number.MAX_SAFE_INTEGER : Math.min(Number(page.after), Number.MAX_SAFE_INTEGER);
}

/** The envelope of rows that were read with a limit of one more than the page's. */
export function envelope<Row, T>(rows: readonly Row[], page: Page, { positionOf, recordOf }: { positionOf: (row: Row) => string; recordOf: (row: Row) => T }): List<T> {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > page.limit && last !== undefined;
  return {
    data: shown.map(recordOf),
    has_more: hasMore,
    next_cursor: hasMore ? Buffer.from(`${page.list} ${positionOf(last)}`, 'utf8').toString('base64url') : null,
  };
}
