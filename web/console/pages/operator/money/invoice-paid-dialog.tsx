/** Recording that an invoice was paid: the day, and the bank's reference. */
import type { RecordOf } from '@marquee/sdk';
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../../api/api.ts';
import { dateAfter, money } from '../../../text/format.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Field } from '../../../ui/field.tsx';
import { REFERENCE_LENGTH_MAX, textOfField } from './form.ts';

export type InvoicePaidDialogOptions = { invoice: RecordOf<'/v1/operator/invoices'>; onClose: () => void };

export function InvoicePaidDialog({ invoice, onClose }: InvoicePaidDialogOptions): ReactElement {
  const { id, number, workspace, total, vat, issued_at: issued } = invoice;
  const today = dateAfter(Date.now(), 0);
  const settle = useChange((api, body: { paid_on?: string; reference?: string }) =>
    api.post('/v1/operator/invoices/{id}/settle', { path: { id }, body }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [paidOn, reference] = ['paid_on', 'reference'].map(name => textOfField(event.currentTarget, name));
    const body = { ...(paidOn !== undefined && { paid_on: paidOn }), ...(reference !== undefined && { reference }) };
    settle.mutate(body, {
      onSuccess: () => {
        showToast({ text: t('billing.marked', { number }) });
        onClose();
      },
    });
  };
  const faults = fieldErrors(settle.error);
  const isOther = settle.error && Object.keys(faults).length === 0;
  return (
    <Dialog title={t('billing.settleTitle', { number })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t('billing.settleOn', { total: money(vat?.total_with_vat ?? total), name: workspace.name })}</p>
        <Field
          label={t('billing.paidOnField')}
          name="paid_on"
          type="date"
          defaultValue={today}
          min={issued.slice(0, 10)}
          max={today}
          required
          error={faults['paid_on']}
        />
        <Field
          label={t('payouts.reference')}
          name="reference"
          maxLength={REFERENCE_LENGTH_MAX}
          hint={t('billing.referenceHint')}
          error={faults['reference'] ?? (isOther ? messageOf(settle.error) : undefined)}
        />
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={settle.isPending}>
            {t('billing.mark')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
