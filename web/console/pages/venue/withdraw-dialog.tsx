/** Withdrawing earnings: the net amount, the account, and setting or changing that account. */
import { useState, type FormEvent, type ReactElement } from 'react';
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { fieldErrors, messageOf, useChange, useRead } from '../../api/api.ts';
import { moment, money, smallestAmount } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Answered, ErrorState, Fault, Loading } from '../../ui/states.tsx';
import { readAccount, type PayoutAccount } from './payout-account.ts';
import { withdrawalOf, type Withdrawal } from './withdrawal.ts';

type EarningsBalance = AnswerOf<OperationOf<'/v1/payouts/balance', 'get'>>;
type Money = { value: number; currency: string };

export function WithdrawDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const [isChanging, setChanging] = useState(false);
  const account = useRead(['payout account'], readAccount, { isWanted: isOpen });
  const balance = useRead(['balance'], (api, signal) => api.get('/v1/payouts/balance', { signal }), {
    isWanted: isOpen,
  });
  const close = () => {
    setChanging(false);
    onClose();
  };
  return (
    <Dialog title={t('earnings.withdraw')} isOpen={isOpen} onClose={close}>
      {account.isPending && <Loading />}
      {account.error && <ErrorState error={account.error} />}
      {account.data === null && <AccountForm hint={t('withdraw.account')} onSaved={() => undefined} />}
      {account.data && isChanging && <AccountForm hint={t('withdraw.changeHint')} onSaved={() => setChanging(false)} />}
      {account.data && !isChanging && (
        <Answered of={balance}>
          {balances => (
            <Withdraw account={account.data!} of={balances} onDone={close} onChange={() => setChanging(true)} />
          )}
        </Answered>
      )}
    </Dialog>
  );
}

type WithdrawOptions = { account: PayoutAccount; of: EarningsBalance; onDone: () => void; onChange: () => void };

function Withdraw({ account, of, onDone, onChange }: WithdrawOptions): ReactElement {
  const withdraw = useChange((api, amount: Money) => api.post('/v1/payouts', { body: { amount } }));
  const isPaused = Date.parse(account.usable_from) > Date.now();
  const offers = of.balances.map(balance => {
    const { currency } = balance.available;
    const withdrawal = withdrawalOf(balance, { freeAbove: of.free_above, unit: Number(smallestAmount(currency)) });
    return { balance, currency, withdrawal: isPaused ? undefined : withdrawal };
  });
  return (
    <div className="stack">
      <p>{t('withdraw.to', { holder: account.holder, iban: account.iban_masked })}</p>
      {isPaused && <p className="notice is-wait">{t('withdraw.from', { time: moment(account.usable_from) })}</p>}
      {!isPaused && offers.length === 0 && <p>{t('withdraw.none')}</p>}
      {!isPaused &&
        offers.map(({ balance, currency, withdrawal }) => (
          <p key={currency}>{withdrawal ? costOf(withdrawal, currency) : reasonOf(balance)}</p>
        ))}
      <Fault error={withdraw.error} />
      <footer className="dialog-foot">
        <Button onClick={onChange}>{t('withdraw.change')}</Button>
        {offers.map(
          ({ currency, withdrawal }) =>
            withdrawal && (
              <Button
                key={currency}
                kind="primary"
                isBusy={withdraw.isPending}
                onClick={() => withdraw.mutate({ value: withdrawal.amount, currency }, { onSuccess: onDone })}
              >
                {t('withdraw.submit', { amount: money({ amount: withdrawal.amount, currency }) })}
              </Button>
            ),
        )}
      </footer>
    </div>
  );
}

function costOf({ fee, arrives }: Withdrawal, currency: string): string {
  if (fee === 0) return t('withdraw.free', { arrives: money({ amount: arrives, currency }) });
  return t('withdraw.cost', { arrives: money({ amount: arrives, currency }), fee: money({ amount: fee, currency }) });
}

/** Why a balance cannot be withdrawn. */
function reasonOf({ available, held, fee, next_release_at: next }: EarningsBalance['balances'][number]): string {
  const inWords = ({ value, currency }: Money) => money({ amount: value, currency });
  if (available.value > 0) return t('withdraw.belowFee', { available: inWords(available), fee: inWords(fee) });
  if (held.value === 0) return t('withdraw.none');
  return next === null
    ? t('withdraw.reviewed', { held: inWords(held) })
    : t('withdraw.held', { held: inWords(held), time: moment(next) });
}

function AccountForm({ hint, onSaved }: { hint: string; onSaved: () => void }): ReactElement {
  const set = useChange((api, body: { holder: string; iban: string }) => api.put('/v1/payouts/account', { body }));
  const errors = fieldErrors(set.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    set.mutate({ holder: String(fields.get('holder')), iban: String(fields.get('iban')) }, { onSuccess: onSaved });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">{hint}</p>
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
