/** Recording that the bank paid all payouts of a file. Those that it has answered to before stay as they are. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../../api/api.ts';
import { count, money } from '../../../text/format.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Field } from '../../../ui/field.tsx';
import { REFERENCE_LENGTH_MAX, textOfField } from './form.ts';

export type BankFile = AnswerOf<OperationOf<'/v1/operator/bank-files', 'get'>>['files'][number];
export type BankFilePaidDialogOptions = { file: BankFile; onClose: () => void };

export function BankFilePaidDialog({ file, onClose }: BankFilePaidDialogOptions): ReactElement {
  const { message_id: id, payouts, amounts } = file;
  const settle = useChange((api, reference: string | undefined) =>
    api.post('/v1/operator/bank-files/{id}/settle', {
      path: { id },
      body: reference === undefined ? {} : { reference },
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    settle.mutate(textOfField(event.currentTarget, 'reference'), {
      onSuccess: ({ paid, unanswered }) => {
        showToast({
          text: [
            t('bankFiles.paid', { id, payouts: count(paid) }),
            ...(unanswered > 0 ? [t('bankFiles.left', { payouts: count(unanswered) })] : []),
          ].join(' '),
        });
        onClose();
      },
    });
  };
  return (
    <Dialog title={t('bankFiles.paidTitle', { id })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t('bankFiles.paidOn', { payouts: count(payouts), amounts: amounts.map(money).join(', ') })}</p>
        <p className="notice is-wait">{t('bankFiles.paidHint')}</p>
        <Field
          label={t('payouts.reference')}
          name="reference"
          maxLength={REFERENCE_LENGTH_MAX}
          hint={t('bankFiles.referenceHint')}
          error={settle.error ? (fieldErrors(settle.error)['reference'] ?? messageOf(settle.error)) : undefined}
        />
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={settle.isPending}>
            {t('bankFiles.markPaid')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
