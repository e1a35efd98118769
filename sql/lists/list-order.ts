/**
 * A page of a list in SQL: its order, the condition that skips earlier pages, and the position of each row in that
 * order.
 */
import type { Handle } from '#domain/id.ts';
import type postgres from 'postgres';
import type { Queryable } from '../postgres.ts';
import { handleAt, valueAt, type PageOrder, type SortColumn, type Sorts } from './sorts.ts';

/** A statement, or a fragment that is embedded in other statements. */
export type Statement = postgres.PendingQuery<postgres.Row[]>;

/** The function that formats the position of a row in the order of a page. */
export function positionIn<Row>(page: PageOrder, sorts: Sorts<Row>): (row: Row & { handle: Handle }) => string {
  const key = sorts[page.sort]!;
  return key === 'handle' ? row => String(row.handle) : row => `${row.handle} ${key.valueOf(row) ?? key.whenNull}`;
}

/**
 * The fragments that a statement needs for a page: `behind`, a condition that begins with `and`, and `order`, with the
 * order and a limit of one row more than the page shows.
 *
 * @param handle the column of the handle
 */
export function sliceOf<Row>(
  sql: Queryable,
  page: PageOrder,
  { sorts, handle = 'handle' }: { sorts: Sorts<Row>; handle?: string },
) {
  const key = sorts[page.sort]!;
  const [before, direction] = page.isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const { after, limit } = page;
  if (key === 'handle') {
    return {
      behind: after === undefined ? sql`` : sql`and ${sql(handle)} ${before} ${handleAt(after)}`,
      order: sql`order by ${sql(handle)} ${direction} limit ${limit + 1}`,
    };
  }
  const column =
    key.type === 'text'
      ? sql`lower(${sql(key.column)})`
      : key.whenNull === undefined
        ? sql`${sql(key.column)}`
        : sql`coalesce(${sql(key.column)}, ${valueOf(sql, key.type, String(key.whenNull))})`;
  return {
    behind:
      after === undefined
        ? sql``
        : sql`and (${column}, ${sql(handle)}) ${before} (${valueOf(sql, key.type, valueAt(after))},
            ${handleAt(after)})`,
    order: sql`order by ${column} ${direction}, ${sql(handle)} ${direction} limit ${limit + 1}`,
  };
}

/** The value of a cursor's position, typed and folded as the column is. */
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

/** The parts of a list: `wanted` has `handle` and the column of the order, `records` the shown data of each. */
type CountedList<Row> = { sorts: Sorts<Row>; wanted: Statement; records: Statement; isCounted: boolean };

/**
 * The rows of a page with their total, where the caller asked for it, by one statement: finding the records of the list
 * is paid for once, and the shown data are only looked up for the records of the page.
 */
export async function readCounted<Row extends { handle: Handle }>(
  sql: Queryable,
  page: PageOrder,
  { sorts, wanted, records, isCounted }: CountedList<Row>,
): Promise<Counted<Row>> {
  const { behind, order } = sliceOf(sql, page, { sorts });
  const rows = await sql<(Row & { total: number })[]>`
    with wanted as (${wanted}), page as (select handle from wanted where true ${behind} ${order})
    select records.*, ${isCounted ? sql`(select count(*) from wanted)` : sql`null::bigint`} as total
    from (${records}) as records where handle in (select handle from page) ${order}`;
  if (!isCounted) return { rows };
  const [first] = rows;
  return { rows, ...(first ? { total: first.total } : await totalOf(sql, isCounted, wanted)) };
}

/** The rows of a page, and the total of all pages if the caller asked for it. */
export type Counted<Row> = { rows: Row[]; total?: number };

/** A list whose records are selected with their shown data. `handle` is the column of the handle. */
type TypedList<Row extends object> = {
  sorts: Sorts<Row>;
  handle?: string;
  wanted: postgres.PendingQuery<Row[]>;
  isCounted: boolean;
};

/** The rows of a page of such a list with their total, where the caller asked for it. */
export async function readListed<Row extends { handle: Handle }>(
  sql: Queryable,
  page: PageOrder,
  { sorts, handle = 'handle', wanted, isCounted }: TypedList<Row>,
): Promise<Counted<Row>> {
  const { behind, order } = sliceOf(sql, page, { sorts, handle });
  const [rows, total] = await Promise.all([sql<Row[]>`${wanted} ${behind} ${order}`, totalOf(sql, isCounted, wanted)]);
  return { rows, ...total };
}

/** `{total}` of a list, if requested. `rows` is a statement that selects all of its records. */
async function totalOf<Row extends object>(
  sql: Queryable,
  isCounted: boolean,
  rows: postgres.PendingQuery<Row[]>,
): Promise<{ total?: number }> {
  if (!isCounted) return {};
  const [row] = await sql<{ total: number }[]>`select count(*)::int as total from (${rows}) as counted`;
  return { total: row!.total };
}

/** The pattern for `like` that finds this text anywhere: wildcards in the text are escaped. */
export const likeText = (text: string) => `%${text.replaceAll(/[\\%_]/g, character => `\\${character}`)}%`;
