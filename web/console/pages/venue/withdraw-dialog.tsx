/** Withdrawing earnings: to the account that is set, or first to set one. */
import type { FormEvent, ReactElement } from 'react';
import { MarqueeError } from '@marquee/sdk';
import { fieldErrors, messageOf, useChange, useRead } from '../../api/api.ts';
import { moment } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';

export function WithdrawDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const account = useRead(
    ['payout account'],
    (api, signal) => readAccount(() => api.get('/v1/payouts/account', { signal })),
    { isWanted: isOpen },
  );
  const withdraw = useChange(api => api.post('/v1/payouts', { body: {} }));
  const close = () => {
    withdraw.reset();
    onClose();
  };
  return (
    <Dialog title={t('earnings.withdraw')} isOpen={isOpen} onClose={close}>
      {account.isPending && <Loading />}
      {account.error && <ErrorState error={account.error} />}
      {account.data === null && <AccountForm />}
      {account.data && (
        <div className="stack">
          <p>{t('withdraw.all', { holder: account.data.holder, iban: account.data.iban_masked })}</p>
          <p className="muted small">{t('withdraw.from', { time: moment(account.data.usable_from) })}</p>
          {withdraw.error && (
            <p className="field-error" role="alert">
              {messageOf(withdraw.error)}
            </p>
          )}
          <footer className="dialog-foot">
            <Button onClick={close}>{t('dialog.cancel')}</Button>
            <Button
              kind="primary"
              isBusy={withdraw.isPending}
              onClick={() => withdraw.mutate(undefined, { onSuccess: close })}
            >
              {t('earnings.withdraw')}
            </Button>
          </footer>
        </div>
      )}
    </Dialog>
  );
}

/** Null where no account is set yet. */
async function readAccount<Account>(read: () => Promise<Account>): Promise<Account | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MarqueeError && error.is('not_found')) return null;
    throw error;
  }
}

function AccountForm(): ReactElement {
  const set = useChange((api, body: { holder: string; iban: string }) => api.put('/v1/payouts/account', { body }));
  const errors = fieldErrors(set.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    set.mutate({ holder: String(fields.get('holder')), iban: String(fields.get('iban')) });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">{t('withdraw.account')}</p>
      <Field label={t('withdraw.holder')} name="holder" maxLength={140} error={errors['holder']} required />
      <Field label="IBAN" name="iban" maxLength={60} error={errors['iban']} required />
      {set.error && Object.keys(errors).length === 0 && <p className="field-error">{messageOf(set.error)}</p>}
      <footer className="dialog-foot">
        <Button kind="primary" type="submit" isBusy={set.isPending}>
          {t('dialog.save')}
        </Button>
      </footer>
    </form>
  );
}
