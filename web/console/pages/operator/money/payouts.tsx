/** Payouts of all workspaces: waiting for a file, at the bank, and answered. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, useState, type ReactElement } from 'react';
import { counted, useList } from '../../../api/api.ts';
import { useMayWrite } from '../../../api/session.ts';
import { moment, money } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useFilter, useSearchText } from '../../../ui/views/filters.ts';
import { NameFilter } from '../../../ui/views/name-filter.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { ListTable } from '../../../ui/views/list.tsx';
import type { Column } from '../../../ui/views/table.tsx';
import { BankFiles, NewBankFile } from './bank-files.tsx';
import { SettleDialog } from './settle-dialog.tsx';

type Payout = RecordOf<'/v1/operator/payouts'>;
const STAGES = ['waiting', 'sent', 'paid', 'failed'] as const;

export function Payouts(): ReactElement {
  const { text, q, setText } = useSearchText();
  const [shown, setShown] = useFilter('stage', [...STAGES, 'all']);
  const [settling, setSettling] = useState<Payout>();
  const mayWrite = useMayWrite('payments');
  const list = useList(
    ['workspace-payouts', shown, q],
    (api, page, signal) =>
      api.get('/v1/operator/payouts', {
        query: { ...counted(page), ...(shown !== 'all' && { stage: shown }), ...(q !== '' && { q }) },
        signal,
      }),
    { isLive: true },
  );
  const tabs = [
    ...STAGES.map(value => ({ value, text: term('payoutStage', value) })),
    { value: 'all', text: t('filter.all') } as const,
  ];
  const showFile = (id: string) => {
    setText(id);
    setShown('sent');
  };
  return (
    <Page title={t('nav.payouts')} lead={t('payouts.lead')} actions={mayWrite && <NewBankFile />}>
      <BankFiles onShow={showFile} />
      <NameFilter text={text} onText={setText} label={t('payouts.search')} />
      <Tabs label={t('filter.status')} tabs={tabs} chosen={shown} onChoose={setShown} />
      <ListTable
        of={list}
        empty={{ title: t('payouts.none'), hint: t('payouts.noneHint') }}
        isFiltered={(shown !== 'waiting' && shown !== 'all') || q !== ''}
        label={t('nav.payouts')}
        columns={useMemo(() => columns(mayWrite ? setSettling : undefined), [mayWrite])}
        keyOf={payout => payout.id}
      />
      {settling && <SettleDialog payout={settling} onClose={() => setSettling(undefined)} />}
    </Page>
  );
}

function columns(onSettle: ((payout: Payout) => void) | undefined): Column<Payout>[] {
  return [
    {
      head: t('payouts.payee'),
      cell: ({ id, workspace, stage }) => (
        <>
          <strong className="breaks">{workspace.name}</strong>
          <div className="muted small breaks">{id}</div>
          <Status of={stage} group="payoutStage" />
        </>
      ),
    },
    {
      head: t('payouts.account'),
      cell: ({ account, bank_file: file }) => (
        <>
          {account ? (
            <span className="breaks">
              {account.holder}, {account.iban_masked}
            </span>
          ) : (
            <span className="tag">{t('payouts.noAccount')}</span>
          )}
          {file !== null && <div className="muted small breaks">{file}</div>}
        </>
      ),
      isBelow: true,
    },
    { head: t('payouts.issued'), cell: ({ issued_at: at }) => moment(at), isBelow: true },
    {
      head: t('payouts.arrives'),
      cell: ({ arrives, fee }) => (
        <>
          {money(arrives)}
          {fee.amount > 0 && <div className="muted small">{t('payouts.fee', { fee: money(fee) })}</div>}
        </>
      ),
      isFigure: true,
    },
    ...(onSettle
      ? [
          {
            head: t('payouts.answer'),
            cell: (payout: Payout) =>
              payout.settled_at === null && (
                <Button
                  aria-label={t('payouts.settleOf', { name: payout.workspace.name })}
                  onClick={() => onSettle(payout)}
                >
                  {t('payouts.settle')}
                </Button>
              ),
            isFigure: true,
          },
        ]
      : []),
  ];
}
