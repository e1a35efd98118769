/** A bank transfer that arrived for a workspace: its amount and its reference, under which it is booked once. */
import type { RecordOf } from '@marquee/sdk';
import type { FormEvent, ReactElement } from 'react';
import { faultAt, messageOf, useChange } from '../../../api/api.ts';
import { money, smallestAmount } from '../../../text/format.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Field } from '../../../ui/field.tsx';
import { REFERENCE_LENGTH_MAX, textOfField } from './form.ts';

export type FundingDialogOptions = { workspace: RecordOf<'/v1/operator/workspaces'>; onClose: () => void };

type Transfer = { amount: { amount: number; currency: string }; reference: string };

export function FundingDialog({ workspace: { id, name, currency }, onClose }: FundingDialogOptions): ReactElement {
  const fund = useChange((api, body: Transfer) =>
    api.post('/v1/operator/workspaces/{id}/fund', { path: { id }, body }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const amount = Number(textOfField(event.currentTarget, 'amount'));
    const reference = textOfField(event.currentTarget, 'reference') ?? '';
    fund.mutate(
      { amount: { amount, currency }, reference },
      {
        onSuccess: ({ funded, booked_before: isBefore }) => {
          showToast({ text: t(isBefore ? 'funding.before' : 'funding.done', { name, amount: money(funded) }) });
          onClose();
        },
      },
    );
  };
  const [wrongAmount, wrongReference] = [faultAt(fund.error, '/amount'), faultAt(fund.error, '/reference')];
  const isOther = fund.error && wrongAmount === undefined && wrongReference === undefined;
  return (
    <Dialog title={t('funding.title', { name })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t('funding.hint')}</p>
        <Field
          label={t('funding.amount', { currency })}
          name="amount"
          type="number"
          min={smallestAmount(currency)}
          step={smallestAmount(currency)}
          error={wrongAmount}
          required
        />
        <Field
          label={t('funding.reference')}
          name="reference"
          maxLength={REFERENCE_LENGTH_MAX}
          hint={t('funding.referenceHint')}
          error={wrongReference ?? (isOther ? messageOf(fund.error) : undefined)}
          required
        />
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={fund.isPending}>
            {t('funding.book')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
