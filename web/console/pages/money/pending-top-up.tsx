/** A requested top-up: the reference for its transfer, and buttons to cancel or, with a provider, to pay online. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import type { ReactElement } from 'react';
import { useChange } from '../../api/api.ts';
import { moment, money } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Fault } from '../../ui/states.tsx';

type TopUp = AnswerOf<OperationOf<'/v1/wallet', 'get'>>['pending_top_ups'][number];

export type PendingTopUpOptions = { topUp: TopUp; isPayable: boolean; mayWrite: boolean };

export function PendingTopUp({ topUp, isPayable, mayWrite }: PendingTopUpOptions): ReactElement {
  const { id, amount, created_at: at } = topUp;
  const here = location.href;
  const pay = useChange(api =>
    api.post('/v1/wallet/top-ups/{id}/checkout', { path: { id }, body: { success_url: here, cancel_url: here } }),
  );
  const cancel = useChange(api => api.delete('/v1/wallet/top-ups/{id}', { path: { id } }));
  return (
    <div className="notice is-wait">
      <p>{t('wallet.expected', { amount: money(amount), time: moment(at), id })}</p>
      {mayWrite && (
        <span className="row">
          {isPayable && (
            <Button
              isBusy={pay.isPending}
              onClick={() => pay.mutate(undefined, { onSuccess: ({ url }) => location.assign(url) })}
            >
              {t('wallet.payOnline')}
            </Button>
          )}
          <Confirm
            label={t('wallet.cancelTopUp')}
            title={t('wallet.cancelTitle')}
            hint={t('wallet.cancelHint')}
            isBusy={cancel.isPending}
            error={cancel.error}
            onConfirm={() => cancel.mutate()}
          />
        </span>
      )}
      <Fault error={pay.error} />
    </div>
  );
}
