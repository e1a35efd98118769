/** The keys that work on every page: Ctrl-K or Cmd-K opens the search, a question mark the list of keys. */
import { lazy, Suspense, useEffect, useState, type ReactElement } from 'react';
import { t, withMoreTexts } from '../text/text.ts';
import { Icon } from '../ui/icon.tsx';

/** Both are loaded when they are opened: no part of the first view. */
const Palette = lazy(() => withMoreTexts(import('./palette.tsx')));
const ShortcutHelp = lazy(() => withMoreTexts(import('./shortcut-help.tsx')));

type Opened = 'palette' | 'help';

export function Shortcuts(): ReactElement {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const wanted = openedBy(event);
      if (wanted === undefined) return;
      event.preventDefault(); // the browser's own search
      setOpened(wanted);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const close = () => setOpened(undefined);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={t('frame.search')}
        title={t('frame.search')}
        onClick={() => setOpened('palette')}
      >
        <Icon name="search" />
      </button>
      <Suspense>
        {opened === 'palette' && <Palette onClose={close} onHelp={() => setOpened('help')} />}
        {opened === 'help' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </>
  );
}

/** A question mark that is typed into a field or a dialog stays one. */
function openedBy({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): Opened | undefined {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) return 'palette';
  const isTyped = target instanceof Element && target.closest('input, textarea, select, [role="dialog"]') !== null;
  return key === '?' && !ctrlKey && !metaKey && !isTyped ? 'help' : undefined;
}
