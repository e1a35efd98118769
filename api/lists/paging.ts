/**
 * Pages of lists. Lists are read by position, never by offset: a cursor names the last record of a page, and the next
 * page starts after it. In the default order (newest first) records that are added meanwhile come before the cursor, so
 * no page repeats or skips one. A cursor is encrypted: its handle counts the records of the whole installation.
 */
import { Type, type TSchema } from 'typebox';
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { Fault } from '#runtime/fault-error.ts';
import { cursorPurpose, type Sealer } from '#runtime/cryptography/sealed.ts';
import { BY_CREATION, isPositionOf, type PageOrder, type Sorts } from '#sql/lists/sorts.ts';
import { positionIn } from '#sql/lists/list-order.ts';

const LIMIT_DEFAULT = 20;
/** Room for an address of 320 characters of four bytes each in base64, its order and handle, nonce and tag. */
const CURSOR_LENGTH_MAX = 2_000;

export { BY_CREATION };

/** The query parameters of a list. Without `sort` it is in descending order of the first of these names. */
export function pageQuery<Name extends string>(sorts: Readonly<Record<Name, unknown>>) {
  const names = Object.keys(sorts) as Name[];
  return {
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9][0-9]?|100)$',
        description: `Records per page, 1 to 100; ${LIMIT_DEFAULT} by default.`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: CURSOR_LENGTH_MAX,
        description: 'The `next_cursor` of the page before; absent for the first page. It knows the order of its list.',
      }),
    ),
    sort: Type.Optional(
      Type.Enum(
        names.flatMap(name => [name, `-${name}`]),
        { description: `Order of the records, the largest first with a minus; \`-${names[0]}\` by default.` },
      ),
    ),
  };
}

/** The schema of a list of one kind of record. */
export function listOf<T extends TSchema>(record: T) {
  return Type.Object({
    data: Type.Array(record, { description: 'The records of this page; newest first, unless `sort` says otherwise.' }),
    has_more: Type.Boolean({ description: 'Whether more records follow.' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Pass it as `cursor` for the next page; null on the last one.',
    }),
    total: Type.Optional(
      Type.Integer({ description: 'How many records all pages hold, where `count=true` asked for it.' }),
    ),
  });
}

export type List<T> = { data: T[]; has_more: boolean; next_cursor: string | null; total?: number };

/** A parsed request for a page. `cursorOf` makes a cursor from a position. */
export type Page = PageOrder & { cursorOf: (position: string) => string };

/** A cursor contains the order of its list, unless it is the default, and the position. */
const CURSOR = /^(?:sort=(-?[a-z_]+) )?([^]*)$/;

/**
 * Reads `limit`, `sort` and `cursor`, whose format the schema has checked. Refuses a cursor of another list or another
 * order.
 *
 * @param position the format of the list's positions, where they are not handles
 */
export function readPage(
  query: { limit?: string; cursor?: string; sort?: string },
  { list, sorts = BY_CREATION, position }: { list: string; sorts?: Sorts; position?: RegExp },
  sealer: Sealer,
): Page | Refusal {
  const standard = `-${Object.keys(sorts)[0]}`;
  const pageOf = (sort: string, after?: string): Page => ({
    limit: query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit),
    sort: sort.replace('-', ''),
    isDescending: sort.startsWith('-'),
    after,
    cursorOf: last =>
      sealer
        .sealEqually(`${sort === standard ? '' : `sort=${sort} `}${last}`, cursorPurpose(list))
        .toString('base64url'),
  });
  if (query.cursor === undefined) return pageOf(query.sort ?? standard);
  const [, sort = standard, after] = CURSOR.exec(opened(query.cursor, { list, sealer }) ?? '') ?? [];
  const key = sort.replace('-', '');
  const isPosition =
    after !== undefined && Object.hasOwn(sorts, key) && (position?.test(after) ?? isPositionOf(sorts[key]!, after));
  if (!isPosition) return refuse('bad_cursor', 'Pass the next_cursor of a page of this list, unchanged.');
  if (query.sort !== undefined && query.sort !== sort)
    return refuse(
      'bad_cursor',
      `The cursor is of a list in the order of sort=${sort}. Ask for that with it, or begin without a cursor.`,
    );
  return pageOf(sort, after);
}

/** The text of a cursor; undefined unless this installation made it for this list. */
function opened(cursor: string, { list, sealer }: { list: string; sealer: Sealer }): string | undefined {
  try {
    return sealer.open(Buffer.from(cursor, 'base64url'), cursorPurpose(list));
  } catch (error) {
    if (error instanceof Fault && error.code === 'sealed_with_another_key') return undefined;
    throw error;
  }
}

/** The list of a page whose rows were read with one more than its limit, and its total if that was counted. */
export function listed<Row extends { handle: Handle }, T, Counts extends object>(
  { rows, ...counts }: { rows: readonly Row[] } & Counts,
  page: Page,
  { sorts = BY_CREATION, recordOf }: { sorts?: Sorts<Row>; recordOf: (row: Row) => T },
) {
  return { ...envelope(rows, page, { positionOf: positionIn(page, sorts), recordOf }), ...counts };
}

/** Makes a list from rows that were read with a limit of one more than the page's. */
export function envelope<Row, T>(
  rows: readonly Row[],
  page: Page,
  { positionOf, recordOf }: { positionOf: (row: Row) => string; recordOf: (row: Row) => T },
): List<T> {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > page.limit && last !== undefined;
  return {
    data: shown.map(recordOf),
    has_more: hasMore,
    next_cursor: hasMore ? page.cursorOf(positionOf(last)) : null,
  };
}
