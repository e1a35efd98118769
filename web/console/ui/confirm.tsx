/** A button that asks before its change, and closes once that is done. */
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { t } from '../text/text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Fault } from './states.tsx';

export type ConfirmOptions = {
  label: string;
  /** What the button is called in full, where several on a page have the same label. */
  name?: string;
  title: string;
  hint: string;
  isBusy: boolean;
  error: Error | null;
  onConfirm: () => void;
};

export function Confirm({ label, name, title, hint, isBusy, error, onConfirm }: ConfirmOptions): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const wasBusy = useRef(false);
  // What it was about may stay on the page.
  useEffect(() => {
    if (wasBusy.current && !isBusy && error === null) setOpen(false);
    wasBusy.current = isBusy;
  }, [isBusy, error]);
  return (
    <>
      <Button aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{hint}</p>
        <Fault error={error} />
        <footer className="dialog-foot">
          <Button onClick={() => setOpen(false)}>{t('dialog.cancel')}</Button>
          <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
            {label}
          </Button>
        </footer>
      </Dialog>
    </>
  );
}
