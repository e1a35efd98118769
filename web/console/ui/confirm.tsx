/** A button for an irreversible action: it asks first. */
import { useState, type ReactElement } from 'react';
import { t } from '../text/text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Fault } from './states.tsx';

export type ConfirmOptions = {
  label: string;
  title: string;
  hint: string;
  isBusy: boolean;
  error: Error | null;
  onConfirm: () => void;
};

export function Confirm({ label, title, hint, isBusy, error, onConfirm }: ConfirmOptions): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
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
