/** Closing a case without taking anything from a wallet: it needs a note that says why. */
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../../api/api.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Field } from '../../../ui/field.tsx';
import { NOTE_LENGTH_MAX, textOfField } from './form.ts';

export function CloseCaseDialog({ id, onClose }: { id: string; onClose: () => void }): ReactElement {
  const close = useChange((api, note: string) =>
    api.post('/v1/operator/payment-cases/{id}/close', { path: { id }, body: { note } }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    close.mutate(textOfField(event.currentTarget, 'note') ?? '', {
      onSuccess: () => {
        showToast({ text: t('refunds.closed') });
        onClose();
      },
    });
  };
  return (
    <Dialog title={t('refunds.closeTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t('refunds.closeHint')}</p>
        <Field
          label={t('refunds.note')}
          name="note"
          maxLength={NOTE_LENGTH_MAX}
          error={close.error ? (fieldErrors(close.error)['note'] ?? messageOf(close.error)) : undefined}
          required
        />
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={close.isPending}>
            {t('refunds.close')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
