/**
 * The sort keys of lists, and the format of a position in such an order: the handle of a record, followed by the value
 * that the list is sorted by. Cursors carry positions; `list-order.ts` turns them into SQL.
 */

/** One column that a list may be sorted by. */
export type SortColumn<Row> = {
  column: string;
  type: 'text' | 'bigint' | 'date' | 'timestamptz';
  valueOf: (row: Row) => string | number | null;
  /** For a column that may be null: the value that null is sorted as. */
  whenNull?: string | number;
};

/**
 * A sort key of a list. `handle` is the order of creation. In any other order, records with equal values are in order
 * of their handles; texts are compared without regard to case.
 */
export type Sorts<Row = never> = Readonly<Record<string, 'handle' | SortColumn<Row>>>;

/** Sorted by the time of creation, in either direction. */
export const BY_CREATION = { created_at: 'handle' } as const satisfies Sorts;

/** The order of a page, and the position after which it starts, in the list's own format. */
export type PageOrder = { limit: number; sort: string; isDescending: boolean; after: string | undefined };

/** The order of the newest records, whose page reads `count` rows: one more than its limit. */
export const newest = (count: number): PageOrder => ({
  limit: count - 1,
  sort: 'created_at',
  isDescending: true,
  after: undefined,
});

const HANDLE = /^[1-9][0-9]{0,15}$/;
const HANDLE_AND_VALUE = /^([1-9][0-9]{0,15}) ([^]*)$/;

/** Whether a text is a position in this order that the database can compare. */
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

/** The handle of a position, capped at the largest safe integer. */
export function handleAt(position: string): number {
  return Math.min(Number(position.split(' ')[0]), Number.MAX_SAFE_INTEGER);
}

/** The value of a position in a list sorted by another key than the handle. */
export function valueAt(position: string): string {
  return HANDLE_AND_VALUE.exec(position)![2]!;
}
