/**
 * A list as every page shows one: what went wrong, grey bars while the first rows come, what to do when there are none,
 * else the rows. Rows that were there stay when asking again fails.
 */
import type { ReactElement, ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { EmptyState, Failure, Loading, type FailureOptions } from '../states.tsx';
import { Table, type Column } from './table.tsx';

/** The result of `useList`. */
type AskedList<Row> = {
  rows: readonly Row[];
  total: number | undefined;
  error: Error | null;
  isPending: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
};

export type ListOptions<Row> = Pick<FailureOptions, 'list'> & {
  of: AskedList<Row>;
  /** Shown when there is no row. */
  empty: { title: string; hint?: string; children?: ReactNode };
  /** Whether a search or a filter may be why there is no row. */
  isFiltered?: boolean;
  lines?: number;
  children: (rows: readonly Row[], onMore: (() => void) | undefined) => ReactNode;
};

export function List<Row>({ of, empty, isFiltered, list, lines = 6, children }: ListOptions<Row>): ReactElement {
  const { rows, error, isPending, hasNextPage, refetch, fetchNextPage } = of;
  const isEmpty = rows.length === 0;
  // After a failure a person retries, and not every step of a scroll.
  const mayAsk = hasNextPage && !error;
  return (
    <>
      {error && <Failure error={error} list={list} onRetry={() => void refetch()} />}
      {isPending && !error && <Loading lines={lines} />}
      {isEmpty && !isPending && !error && <EmptyState {...(isFiltered ? noMatch() : empty)} />}
      {!isEmpty && children(rows, mayAsk ? () => void fetchNextPage() : undefined)}
    </>
  );
}

function noMatch(): ListOptions<never>['empty'] {
  return { title: t('filter.noMatch'), hint: t('filter.noMatchHint') };
}

export type ListTableOptions<Row> = Omit<ListOptions<Row>, 'children'> & {
  label: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  onShow?: (rows: readonly Row[]) => void;
};

/** A list as a table of any length. */
export function ListTable<Row>({ label, columns, keyOf, onShow, ...list }: ListTableOptions<Row>): ReactElement {
  return (
    <List {...list}>
      {(rows, onMore) => <Table {...{ label, columns, rows, keyOf, onMore, onShow }} total={list.of.total} />}
    </List>
  );
}
