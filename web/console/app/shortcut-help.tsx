/** The keys of the console. */
import type { ReactElement } from 'react';
import { t, type TextKey } from '../text/text.ts';
import { Dialog } from '../ui/dialog.tsx';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

const KEYS: readonly { keys: readonly string[]; text: TextKey }[] = [
  { keys: [isApple ? '⌘' : 'Ctrl', 'K'], text: 'shortcuts.palette' },
  { keys: ['↑', '↓', 'Enter'], text: 'shortcuts.choose' },
  { keys: ['?'], text: 'shortcuts.help' },
  { keys: ['Esc'], text: 'shortcuts.close' },
];

export default function ShortcutHelp({ onClose }: { onClose: () => void }): ReactElement {
  return (
    <Dialog title={t('shortcuts.title')} isOpen onClose={onClose}>
      <dl className="facts">
        {KEYS.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
