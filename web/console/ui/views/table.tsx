/**
 * Tables of any length: only the rows in view are in the page, and the next ones are requested before the end is
 * reached. A real table, so that screen readers read it as one; on narrow screens columns marked `isWide` are left out.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';
import { count } from '../../text/format.ts';
import { t } from '../../text/text.ts';

export type Column<Row> = {
  head: string;
  /** In place of the text of `head`. */
  headCell?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** How the rows are sorted, if by this column. */
  sorted?: 'ascending' | 'descending' | undefined;
  /** Figures are aligned right. */
  isFigure?: boolean;
  /** Left out on narrow screens. */
  isWide?: boolean;
  /** On narrow screens it is a line of the first cell. */
  isBelow?: boolean;
  /** Only as wide as a checkbox. */
  isChoice?: boolean;
};

export type TableOptions<Row> = {
  label: string;
  /** The same array again as long as nothing in it changes: others are drawn again for every row in view. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  total?: number | undefined;
  /** Called when the end comes near. */
  onMore?: (() => void) | undefined;
  /** Called with the rows that are in the page when they are others than before. */
  onShow?: ((rows: readonly Row[]) => void) | undefined;
};

/** A row of two lines, as most have; others are measured when they come into view. */
const ROW_PX = 51;
const ROWS_AHEAD = 8;
/** Half a page: at a row a frame the next page has most of a second to come before the end is in view. */
const MORE_AHEAD = 50;

export function Table<Row>({ label, columns, rows, keyOf, total, onMore, onShow }: TableOptions<Row>): ReactElement {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: ROWS_AHEAD,
    scrollMargin: top,
    // Another function makes the virtualizer measure all rows again, so that it only changes with them.
    getItemKey: useCallback((index: number) => keyOf(rows[index]!), [rows]),
  });
  const isNarrow = useIsNarrow();
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onMore && rows.length > 0 && last >= rows.length - MORE_AHEAD) onMore();
  }, [last, rows.length, onMore]);
  const first = items[0]?.index ?? 0;
  useEffect(() => onShow?.(rows.slice(first, last + 1)), [onShow, rows, first, last]);
  const before = (items[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <div className="table-frame">
      <table aria-label={label} aria-rowcount={total ?? rows.length}>
        <TableHead columns={columns} />
        <tbody ref={body}>
          {before > 0 && <Spacer height={before} columns={columns.length} />}
          {items.map(item => (
            <tr key={item.key} data-index={item.index} ref={virtual.measureElement} aria-rowindex={item.index + 1}>
              <Cells columns={columns} row={rows[item.index]!} isNarrow={isNarrow} />
            </tr>
          ))}
          {after > 0 && <Spacer height={after} columns={columns.length} />}
        </tbody>
      </table>
      {total !== undefined && <p className="table-foot muted small">{t('table.total', { total: count(total) })}</p>}
    </div>
  );
}

type CellsOptions<Row> = { columns: readonly Column<Row>[]; row: Row; isNarrow: boolean };

/** Written again only for another row or other columns, and not for every step of a scroll. */
const Cells = memo(CellsOfRow) as typeof CellsOfRow;

function CellsOfRow<Row>({ columns, row, isNarrow }: CellsOptions<Row>): ReactElement {
  return (
    <>
      {columns.map((column, at) => (
        <td key={column.head} className={classOf(column)}>
          {column.cell(row)}
          {at === 0 && isNarrow && <Below columns={columns} row={row} />}
        </td>
      ))}
    </>
  );
}

function Below<Row>({ columns, row }: Omit<CellsOptions<Row>, 'isNarrow'>): ReactElement[] {
  return columns
    .filter(({ isBelow }) => isBelow)
    .map(({ head, cell }) => ({ head, shown: cell(row) }))
    .filter(({ shown }) => shown !== null)
    .map(({ head, shown }) => (
      <div key={head} className="muted small">
        {head}: {shown}
      </div>
    ));
}

/** Whether the window has as little room as the style sheets call narrow. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(onResize, () => matchMedia('(max-width: 720px)').matches);
}

function onResize(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

function TableHead<Row>({ columns }: Pick<TableOptions<Row>, 'columns'>): ReactElement {
  return (
    <thead>
      <tr>
        {columns.map(column => (
          <th key={column.head} scope="col" className={classOf(column)} aria-sort={column.sorted}>
            {column.headCell ?? column.head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The room of the rows that are not in the page. */
function Spacer({ height, columns }: { height: number; columns: number }): ReactElement {
  return (
    <tr aria-hidden="true">
      <td className="spacer" colSpan={columns} style={{ height }} />
    </tr>
  );
}

function classOf({ isFigure, isWide, isBelow, isChoice }: Column<never>): string | undefined {
  const names = [
    ...(isFigure === true ? ['is-figure'] : []),
    ...(isWide === true || isBelow === true ? ['is-wide'] : []),
    ...(isChoice === true ? ['is-choice'] : []),
  ];
  return names.length === 0 ? undefined : names.join(' ');
}
