/** The wallet: the balance for campaigns, pending money, movements of the balance, and spend by day. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type FormEvent, type ReactElement } from 'react';
import { fieldErrors, messageOf, useChange, useList, useRead } from '../../api/api.ts';
import { useMayWrite, useSession } from '../../api/session.ts';
import { moment, money, smallestAmount } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Figure, Page } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { DailyCharges } from './daily-charges.tsx';
import { PendingTopUp } from './pending-top-up.tsx';

type Movement = RecordOf<'/v1/wallet/transactions'>;
/** All but charges: these come by the minute and campaign, and do not change the balance. */
const KINDS = 'top_up,top_up_refunded,reserve,refund,discount,credit,transfer';

export function Wallet(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const mayWrite = useMayWrite('wallet');
  const wallet = useRead(['wallet'], (api, signal) => api.get('/v1/wallet', { signal }), { isLive: true });
  const topUp = mayWrite && (
    <Button kind="primary" onClick={() => setOpen(true)}>
      {t('wallet.topUp')}
    </Button>
  );
  return (
    <Page title={t('wallet.title')} lead={t('wallet.lead')} actions={topUp}>
      <Answered of={wallet}>
        {({ balance, reserved, refund_pending: pending, pending_top_ups: topUps, online_payments: isPayable }) => (
          <>
            <dl className="figures">
              <Figure label={t('wallet.balance')} value={money(balance)} note={t('wallet.balanceNote')} />
              <Figure label={t('wallet.reserved')} value={money(reserved)} note={t('wallet.reservedNote')} />
              <Figure label={t('wallet.refund')} value={money(pending)} note={t('wallet.refundNote')} />
            </dl>
            {topUps.map(one => (
              <PendingTopUp key={one.id} topUp={one} isPayable={isPayable} mayWrite={mayWrite} />
            ))}
          </>
        )}
      </Answered>
      <Movements />
      <DailyCharges />
      <TopUpDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Page>
  );
}

function Movements(): ReactElement {
  const list = useList(['movements'], (api, page, signal) =>
    api.get('/v1/wallet/transactions', { query: { ...page, kind: KINDS }, signal }),
  );
  return (
    <ListTable
      of={list}
      empty={{ title: t('wallet.none'), hint: t('wallet.noneHint') }}
      label={t('wallet.movements')}
      columns={useMemo(columns, [])}
      keyOf={one => one.id}
    />
  );
}

function columns(): Column<Movement>[] {
  return [
    {
      head: t('wallet.kind'),
      cell: ({ kind, refers_to: about }) => (
        <>
          {term('movement', kind)}
          <div className="muted small breaks">
            <About about={about} />
          </div>
        </>
      ),
    },
    { head: t('wallet.at'), cell: ({ at }) => moment(at), isBelow: true },
    { head: t('wallet.change'), cell: row => changed(row.balance_change), isFigure: true },
    { head: t('wallet.reservedChange'), cell: row => changed(row.reserved_change), isFigure: true },
    {
      head: t('wallet.after'),
      cell: ({ balance_after: after }) => (after === null ? '–' : money(after)),
      isFigure: true,
      isWide: true,
    },
  ];
}

/** The subject by name; the id is available on request. */
function About({ about }: { about: Movement['refers_to'] }): ReactElement | null {
  if (about === null) return null;
  const { type, id, name } = about;
  if (type !== 'campaign') return <span title={id}>{name ?? id}</span>;
  return (
    <Link to="/campaigns/$id" params={{ id }} title={id}>
      {name ?? id}
    </Link>
  );
}

function changed(change: Movement['balance_change']): string {
  return change.amount === 0 ? '–' : money(change);
}

function TopUpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const { mode, workspace } = useSession().me;
  const { currency } = workspace;
  const topUp = useChange((api, amount: number) =>
    api.post('/v1/wallet/top-ups', { body: { amount: { amount, currency } } }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    topUp.mutate(Number(new FormData(event.currentTarget).get('amount')), { onSuccess: onClose });
  };
  return (
    <Dialog title={t('wallet.topUp')} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t('wallet.amount', { currency })}
          name="amount"
          type="number"
          min={smallestAmount(currency)}
          step={smallestAmount(currency)}
          hint={t(mode === 'test' ? 'wallet.playMoneyHint' : 'wallet.amountHint')}
          error={topUp.error ? (fieldErrors(topUp.error)['amount'] ?? messageOf(topUp.error)) : undefined}
          required
        />
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={topUp.isPending}>
            {t('wallet.request')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
