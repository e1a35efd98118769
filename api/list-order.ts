import type postgres from 'postgres';
import type { Queryable } from '#sql/postgres.ts';
import type { Page } from './paging.ts';

/**
 * What a list may be sorted by. `handle` is the order in which records were made. Of another value equal ones go by handle;
 * texts are compared without case.
 */
export type SortColumn<Row> = {
  column: string;
  type: 'text' | 'bigint' | 'date' | 'timestamptz';
  valueOf: (row: Row) => string | number;
};
export type Sorts<Row = never> = Readonly<Record<string, 'handle' | SortColumn<Row>>>;

/** A statement, or a part of one, that other statements take in. */
export type Statement = postgres.PendingQuery<postgres.Row[]>;

const HANDLE = /^[1-9][0-9]{0,15}$/;
const HANDLE_AND_VALUE = /^([1-9][0-9]{0,15}) ([^]*)$/;

/** Whether a text is a position as `positionIn` spells it: one that the database can compare. */
export function isPositionOf(key: Sorts[string], text: string): boolean {
  if (key === 'handle') return HANDLE.test(text);
  const [, handle, value] = HANDLE_AND_VALUE.exec(text) ?? [];
  return handle !== undefined && value !== undefined && IS_VALUE[key.type](value);
}

const isoOf = (text: string) =>
  Number.isNaN(Date.parse(text)) || text < '0001' ? undefined : new Date(text).toISOString();
const IS_VALUE: Readonly<Record<SortColumn<never>['type'], (text: string) => boolean>> = {
  text: text => !text.includes('\0'),
  bigint: text => /^[0-9]{1,16}$/.test(text),
  date: text => isoOf(text)?.slice(0, 10) === text,
  timestamptz: text => isoOf(text) === text,
};

/** Spells where a row stands in the order of a page. */
export function positionIn<Row>(page: Page, sorts: Sorts<Row>): (row: Row & { handle: number }) => string {
  const key = sorts[page.sort]!;
  return key === 'handle' ? row => String(row.handle) : row => `${row.handle} ${key.valueOf(row)}`;
}

/** The handle of a position; undefined for the first page. */
function handleOf(after: string): number {
  return Math.min(Number(after.split(' ')[0]), Number.MAX_SAFE_INTEGER);
}

/**
 * What a statement adds for a page: `behind`, a condition with its `and`, and `order` up to the limit, one more than shown.
 * @param handle the column of the handle
 */
export function sliceOf<Row>(
  sql: Queryable,
  page: Page,
  { sorts, handle = 'handle' }: { sorts: Sorts<Row>; handle?: string },
) {
  const key = sorts[page.sort]!;
  const [before, direction] = page.isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const { after, limit } = page;
  if (key === 'handle') {
    return {
      behind: after === undefined ? sql`` : sql`and ${sql(handle)} ${before} ${handleOf(after)}`,
      order: sql`order by ${sql(handle)} ${direction} limit ${limit + 1}`,
    };
  }
  const column = key.type === 'text' ? sql`lower(${sql(key.column)})` : sql`${sql(key.column)}`;
  return {
    behind:
      after === undefined
        ? sql``
        : sql`and (${column}, ${sql(handle)}) ${before} (${valueOf(sql, key.type, HANDLE_AND_VALUE.exec(after)![2]!)}, ${handleOf(after)})`,
    order: sql`order by ${column} ${direction}, ${sql(handle)} ${direction} limit ${limit + 1}`,
  };
}

function valueOf(sql: Queryable, type: SortColumn<never>['type'], value: string) {
  switch (type) {
    case 'text':
      return sql`lower(${value}::text)`;
    case 'bigint':
      return sql`${Number(value)}::bigint`;
    case 'date':
      return sql`${value}::date`;
    case 'timestamptz':
      return sql`${new Date(value)}::timestamptz`;
  }
}

/** `{total}` of a list where it was asked for. `rows` is a statement of all of its records. */
export async function totalOf(sql: Queryable, isCounted: boolean, rows: Statement): Promise<{ total?: number }> {
  if (!isCounted) return {};
  const [row] = await sql<{ total: number }[]>`select count(*)::int as total from (${rows}) as counted`;
  return { total: row!.total };
}
