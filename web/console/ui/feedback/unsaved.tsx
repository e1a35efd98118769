/** Keeps a person on the page while a form has changes that are not saved, until they say that these may be lost. */
import { useBlocker } from '@tanstack/react-router';
import { useRef, type ReactElement } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';

export type Unsaved = {
  /** The dialog that asks; it is drawn with the form. */
  warning: ReactElement;
  /** The form was saved: the page may be left before it is drawn again. */
  release: () => void;
};

export function useUnsaved(isDirty: boolean): Unsaved {
  const isReleased = useRef(false);
  const isKept = () => isDirty && !isReleased.current;
  const blocker = useBlocker({ shouldBlockFn: isKept, enableBeforeUnload: isKept, withResolver: true });
  const warning = (
    <Dialog title={t('unsaved.title')} isOpen={blocker.status === 'blocked'} onClose={() => blocker.reset?.()}>
      <p>{t('unsaved.hint')}</p>
      <footer className="dialog-foot">
        <Button onClick={() => blocker.reset?.()}>{t('unsaved.stay')}</Button>
        <Button kind="danger" onClick={() => blocker.proceed?.()}>
          {t('unsaved.leave')}
        </Button>
      </footer>
    </Dialog>
  );
  return { warning, release: () => (isReleased.current = true) };
}
