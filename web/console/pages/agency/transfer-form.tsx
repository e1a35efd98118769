/** Money between the wallets of the agency and a client. */
import type { FormEvent, ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../api/api.ts';
import { money, smallestAmount } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import type { Client } from './risk.ts';

type Transfer = { amount: number; direction: 'to_client' | 'to_agency' };

export function TransferForm({ client: { id, currency } }: { client: Client }): ReactElement {
  const transfer = useChange((api, { amount, direction }: Transfer) =>
    api.post('/v1/agency/clients/{id}/transfers', { path: { id }, body: { amount: { amount, currency }, direction } }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const direction = fields.get('direction') === 'to_agency' ? 'to_agency' : 'to_client';
    transfer.mutate({ amount: Number(fields.get('amount')), direction }, { onSuccess: () => form.reset() });
  };
  return (
    <Card title={t('transfer.title')}>
      <form className="stack" aria-label={t('transfer.title')} onSubmit={submit}>
        <div className="stack">
          <SelectField label={t('transfer.direction')} name="direction">
            <option value="to_client">{t('transfer.to_client')}</option>
            <option value="to_agency">{t('transfer.to_agency')}</option>
          </SelectField>
          <Field
            label={t('wallet.amount', { currency })}
            name="amount"
            type="number"
            min={smallestAmount(currency)}
            step={smallestAmount(currency)}
            error={transfer.error ? (fieldErrors(transfer.error)['amount'] ?? messageOf(transfer.error)) : undefined}
            required
          />
        </div>
        <div className="row">
          <Button type="submit" isBusy={transfer.isPending}>
            {t('transfer.send')}
          </Button>
          {transfer.data && (
            <span role="status" className="muted small">
              {t('transfer.done', {
                amount: money(transfer.data.amount),
                agency: money(transfer.data.agency_balance),
                client: money(transfer.data.client_balance),
              })}
            </span>
          )}
        </div>
      </form>
    </Card>
  );
}
