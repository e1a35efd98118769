/** Recording the bank's answer to a payout. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../../api/api.ts';
import { money } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Field } from '../../../ui/field.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { REFERENCE_LENGTH_MAX, textOfField } from './form.ts';

const OUTCOMES = ['paid', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];

export type SettleDialogOptions = { payout: RecordOf<'/v1/operator/payouts'>; onClose: () => void };

export function SettleDialog({ payout: { id, workspace, arrives }, onClose }: SettleDialogOptions): ReactElement {
  const [outcome, setOutcome] = useState<Outcome>('paid');
  const settle = useChange((api, reference: string | undefined) =>
    api.post('/v1/operator/payouts/{id}/settle', {
      path: { id },
      body: { outcome, ...(reference !== undefined && { reference }) },
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    settle.mutate(textOfField(event.currentTarget, 'reference'), {
      onSuccess: () => {
        showToast({ text: t(outcome === 'paid' ? 'payouts.paid' : 'payouts.failed', { name: workspace.name }) });
        onClose();
      },
    });
  };
  const tabs = OUTCOMES.map(value => ({ value, text: term('payoutStage', value) }));
  return (
    <Dialog title={t('payouts.settleTitle', { name: workspace.name })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t('payouts.settleOn', { amount: money(arrives), id })}</p>
        <Tabs label={t('payouts.answer')} tabs={tabs} chosen={outcome} onChoose={setOutcome} />
        {outcome === 'failed' && <p className="notice is-wait">{t('payouts.failedHint')}</p>}
        <Field
          label={t('payouts.reference')}
          name="reference"
          maxLength={REFERENCE_LENGTH_MAX}
          hint={t('payouts.referenceHint')}
          error={settle.error ? (fieldErrors(settle.error)['reference'] ?? messageOf(settle.error)) : undefined}
        />
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button kind={outcome === 'paid' ? 'primary' : 'danger'} type="submit" isBusy={settle.isPending}>
            {t(outcome === 'paid' ? 'payouts.markPaid' : 'payouts.markFailed')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
