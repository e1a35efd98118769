/**
 * The items of a playlist in their order. A mouse or a finger drags an item by its handle; the keyboard has two buttons
 * at each item. The new position of an item is announced to screen readers.
 */
import { useRef, useState, type PointerEvent, type ReactElement, type ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { moved, type DraftItem } from './draft.ts';

export type SortableItemsOptions = {
  items: readonly DraftItem[];
  nameOf: (item: DraftItem['item']) => string;
  onChange: (items: DraftItem[]) => void;
  mayWrite: boolean;
  children: (item: DraftItem, index: number) => ReactNode;
};

export function SortableItems({ items, nameOf, onChange, mayWrite, children }: SortableItemsOptions): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');
  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length || to === from) return;
    onChange(moved(items, from, to));
    setSaid(t('playlist.movedTo', { name: nameOf(items[from]!.item), place: to + 1, all: items.length }));
  };
  const drag = (event: PointerEvent) => {
    const from = items.findIndex(({ key }) => key === dragged);
    if (from >= 0) move(from, placeAt(list.current!, event.clientY, from));
  };
  return (
    <>
      <ol className="sortable" ref={list}>
        {items.map((one, index) => (
          <li key={one.key} className={one.key === dragged ? 'is-dragged' : undefined}>
            {mayWrite && (
              <>
                <span
                  className="drag-handle"
                  aria-hidden="true"
                  onPointerDown={event => {
                    event.currentTarget.setPointerCapture(event.pointerId);
                    setDragged(one.key);
                  }}
                  onPointerMove={drag}
                  onPointerUp={() => setDragged(undefined)}
                  onPointerCancel={() => setDragged(undefined)}
                >
                  <Icon name="grip" />
                </span>
                <MoveButtons name={nameOf(one.item)} index={index} last={items.length - 1} onMove={move} />
              </>
            )}
            {children(one, index)}
          </li>
        ))}
      </ol>
      <p className="unseen" role="status">
        {said}
      </p>
    </>
  );
}

type MoveButtonsOptions = { name: string; index: number; last: number; onMove: (from: number, to: number) => void };

/** They stay enabled at the ends, so that the focus is not lost there; then they do nothing. */
function MoveButtons({ name, index, last, onMove }: MoveButtonsOptions): ReactElement {
  return (
    <span className="move-buttons">
      <button
        type="button"
        className="icon-button"
        aria-label={t('playlist.up', { name })}
        aria-disabled={index === 0}
        onClick={() => onMove(index, index - 1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t('playlist.down', { name })}
        aria-disabled={index === last}
        onClick={() => onMove(index, index + 1)}
      >
        <Icon name="down" />
      </button>
    </span>
  );
}

/**
 * The place of the item that the pointer is over. It has to be beyond the middle of a neighbour: else items of
 * different heights would change places to and fro.
 */
function placeAt(list: HTMLOListElement, y: number, from: number): number {
  const middles = [...list.children].map(item => {
    const { top, height } = item.getBoundingClientRect();
    return top + height / 2;
  });
  const above = middles.findIndex((middle, index) => index < from && y < middle);
  if (above >= 0) return above;
  const below = middles.findLastIndex((middle, index) => index > from && y > middle);
  return below >= 0 ? below : from;
}
