/**
 * Part of a completely loaded list: the result of a filter can be shown before the API has answered. The API still
 * decides: its answer replaces the result.
 */
import type { InfiniteData } from '@tanstack/react-query';

/** The API's answer for a list. */
export type Page<Row> = { data: readonly Row[]; next_cursor: string | null; total?: number };

export type Narrowing<Row> = {
  /** The name of the whole list, as `useList` was given it. */
  name: readonly unknown[];
  /** Whether the filters leave this row, as the API would say. */
  has: (row: Row) => boolean;
};

type Pages<Row> = InfiniteData<Page<Row>, string | undefined>;

/** The filtered list; undefined while it is not completely loaded. */
export function narrowed<Row>(whole: Pages<Row> | undefined, has: (row: Row) => boolean): Pages<Row> | undefined {
  if (whole?.pages.at(-1)?.next_cursor !== null) return undefined;
  const data = whole.pages.flatMap(page => page.data).filter(has);
  return { pages: [{ data, next_cursor: null, total: data.length }], pageParams: [undefined] };
}

/** Whether one of these texts contains the search text, in any case. */
export function holds(texts: readonly string[], searched: string): boolean {
  const wanted = searched.toLowerCase();
  return texts.some(text => text.toLowerCase().includes(wanted));
}
