/** What can be done with a campaign from its page: pause, resume, submit, raise the budget, delete. */
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, messageOf, useChange } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { ShareButton } from '../shared-report/share-button.tsx';
import type { CampaignDetail } from './pace.ts';

type Change = { status: 'live' | 'paused' | 'pending_review' } | { budget: { amount: number; currency: string } };

export function CampaignActions({ campaign }: { campaign: CampaignDetail }): ReactElement | null {
  const { id, status } = campaign;
  const [isBudgetOpen, setBudgetOpen] = useState(false);
  const mayWrite = useMayWrite('campaigns');
  const change = useChange((api, body: Change) => api.patch('/v1/campaigns/{id}', { path: { id }, body }));
  if (!mayWrite) return null;
  const move = (status: 'live' | 'paused' | 'pending_review') => () => change.mutate({ status });
  return (
    <>
      {status === 'live' && (
        <Button onClick={move('paused')} isBusy={change.isPending}>
          {t('campaign.pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button kind="primary" onClick={move('live')} isBusy={change.isPending}>
          {t('campaign.resume')}
        </Button>
      )}
      {status === 'draft' && (
        <Button kind="primary" onClick={move('pending_review')} isBusy={change.isPending}>
          {t('campaign.submit')}
        </Button>
      )}
      {['draft', 'live', 'paused'].includes(status) && (
        <Button onClick={() => setBudgetOpen(true)}>{t('campaign.changeBudget')}</Button>
      )}
      {status !== 'deleted' && <ShareButton id={id} />}
      {status !== 'deleted' && <DeleteButton id={id} />}
      {change.error && !isBudgetOpen && (
        <p className="field-error" role="alert">
          {messageOf(change.error)}
        </p>
      )}
      <BudgetDialog campaign={campaign} isOpen={isBudgetOpen} onClose={() => setBudgetOpen(false)} />
    </>
  );
}

type BudgetDialogOptions = { campaign: CampaignDetail; isOpen: boolean; onClose: () => void };

function BudgetDialog({ campaign, isOpen, onClose }: BudgetDialogOptions): ReactElement {
  const { id, budget } = campaign;
  const change = useChange((api, amount: number) =>
    api.patch('/v1/campaigns/{id}', { path: { id }, body: { budget: { amount, currency: budget.currency } } }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(Number(new FormData(event.currentTarget).get('amount')), { onSuccess: onClose });
  };
  return (
    <Dialog title={t('campaign.changeBudget')} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t('campaign.newBudget', { currency: budget.currency })}
          name="amount"
          type="number"
          min="0.01"
          step="0.01"
          defaultValue={budget.amount}
          hint={t('campaign.budgetHint')}
          error={change.error ? (fieldErrors(change.error)['budget'] ?? messageOf(change.error)) : undefined}
          required
        />
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={change.isPending}>
            {t('dialog.save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function DeleteButton({ id }: { id: string }): ReactElement {
  const navigate = useNavigate();
  const remove = useChange(api => api.delete('/v1/campaigns/{id}', { path: { id } }));
  return (
    <Confirm
      label={t('campaign.delete')}
      title={t('campaign.deleteTitle')}
      hint={t('campaign.deleteHint')}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/campaigns' }) })}
    />
  );
}
