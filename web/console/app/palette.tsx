/**
 * The search over everything: pages, actions and records by name. The focus stays in the field; arrow keys mark an
 * entry, Enter opens it.
 */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { t } from '../text/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { usePaused } from '../ui/time/use-paused.ts';
import { useEntries, type Entry } from './palette-entries.ts';

/** No name of anything has more, and the API takes no more. */
const LENGTH_MAX = 200;

export type PaletteOptions = { onClose: () => void; onHelp: () => void };

export default function Palette({ onClose, onHelp }: PaletteOptions): ReactElement {
  return (
    <Dialog title={t('frame.search')} isOpen onClose={onClose}>
      <Search onClose={onClose} onHelp={onHelp} />
    </Dialog>
  );
}

function Search({ onClose, onHelp }: PaletteOptions): ReactElement {
  const [text, setText] = useState('');
  const [marked, setMarked] = useState(0);
  const navigate = useNavigate();
  const id = useId();
  const q = text.trim();
  const asked = usePaused(q);
  const { entries, isAsking } = useEntries({ q, asked, onHelp });
  const at = Math.min(marked, Math.max(0, entries.length - 1));
  const open = (entry: Entry) => {
    onClose();
    if ('act' in entry) entry.act();
    else void navigate({ to: entry.to });
  };
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to !== undefined) setMarked((to + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter' && entries[at]) open(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <div className="palette">
      <input
        type="search"
        role="combobox"
        aria-label={t('palette.label')}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={entries[at] && `${id} ${at}`}
        aria-autocomplete="list"
        placeholder={t('palette.label')}
        maxLength={LENGTH_MAX}
        autoFocus
        value={text}
        onChange={event => {
          setText(event.target.value);
          setMarked(0);
        }}
        onKeyDown={onKey}
      />
      <ul id={id} role="listbox" aria-label={t('frame.search')}>
        {entries.map((entry, index) => (
          <Option key={entry.key} id={`${id} ${index}`} entry={entry} isMarked={index === at} onOpen={open} />
        ))}
      </ul>
      {entries.length === 0 && (
        <p className="muted small" role="status">
          {t(isAsking ? 'palette.searching' : 'palette.none')}
        </p>
      )}
    </div>
  );
}

type OptionOptions = { id: string; entry: Entry; isMarked: boolean; onOpen: (entry: Entry) => void };

function Option({ id, entry, isMarked, onOpen }: OptionOptions): ReactElement {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  return (
    <li ref={row} id={id} role="option" aria-selected={isMarked} onClick={() => onOpen(entry)}>
      <Icon name={entry.icon} />
      <span className="breaks">{entry.text}</span>
      <span className="muted small">{entry.note}</span>
    </li>
  );
}
