/** Refunds, disputes and unmatched payments: pending ones, and the decisions on the others. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, useState, type ReactElement } from 'react';
import { counted, useChange, useList } from '../../../api/api.ts';
import { useMayWrite } from '../../../api/session.ts';
import { moment, money } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useFilter } from '../../../ui/views/filters.ts';
import { ListTable } from '../../../ui/views/list.tsx';
import type { Column } from '../../../ui/views/table.tsx';
import { CloseCaseDialog } from './close-case-dialog.tsx';
import { UnreadableEvents } from './unreadable-events.tsx';

type Case = RecordOf<'/v1/operator/payment-cases'>;
const STATUSES = ['open', 'waiting', 'booked', 'closed'] as const;

export function Refunds(): ReactElement {
  const [shown, setShown] = useFilter('status', [...STATUSES, 'all']);
  const [closing, setClosing] = useState<Case>();
  const mayWrite = useMayWrite('payments');
  const list = useList(
    ['payment-cases', shown],
    (api, page, signal) =>
      api.get('/v1/operator/payment-cases', {
        query: { ...counted(page), ...(shown !== 'all' && { status: shown }) },
        signal,
      }),
    { isLive: true },
  );
  const tabs = [
    ...STATUSES.map(value => ({ value, text: term('caseStatus', value) })),
    { value: 'all', text: t('filter.all') } as const,
  ];
  return (
    <Page title={t('nav.refunds')} lead={t('refunds.lead')}>
      <UnreadableEvents />
      <Tabs label={t('filter.status')} tabs={tabs} chosen={shown} onChoose={setShown} />
      <ListTable
        of={list}
        empty={{ title: t('refunds.none'), hint: t('refunds.noneHint') }}
        isFiltered={shown !== 'open' && shown !== 'all'}
        label={t('nav.refunds')}
        columns={useMemo(() => columns(mayWrite ? setClosing : undefined), [mayWrite])}
        keyOf={one => one.id}
      />
      {closing && <CloseCaseDialog id={closing.id} onClose={() => setClosing(undefined)} />}
    </Page>
  );
}

function columns(onClose: ((one: Case) => void) | undefined): Column<Case>[] {
  return [
    {
      head: t('refunds.case'),
      cell: ({ kind, status, workspace, note }) => (
        <>
          <strong>{term('caseKind', kind)}</strong>
          <div className="small breaks">{workspace?.name ?? t('refunds.unknown')}</div>
          <Status of={status} group="caseStatus" />
          {note !== null && <div className="muted small breaks">{note}</div>}
        </>
      ),
    },
    {
      head: t('refunds.provider'),
      cell: ({ object, payment }) => (
        <>
          <div className="small breaks">{object}</div>
          {payment !== null && <div className="muted small breaks">{payment}</div>}
        </>
      ),
      isWide: true,
    },
    { head: t('refunds.reported'), cell: ({ created_at: at }) => moment(at), isWide: true },
    { head: t('payouts.arrives'), cell: ({ amount }) => money(amount), isFigure: true },
    ...(onClose
      ? [{ head: t('refunds.decide'), cell: (one: Case) => <Decide one={one} onClose={onClose} />, isFigure: true }]
      : []),
  ];
}

function Decide({ one, onClose }: { one: Case; onClose: (one: Case) => void }): ReactElement {
  const { id, kind, status, amount, workspace } = one;
  const book = useChange(async api => {
    await api.post('/v1/operator/payment-cases/{id}/book', { path: { id } });
    showToast({ text: t('refunds.booked', { amount: money(amount) }) });
  });
  return (
    <span className="row">
      {status === 'open' && workspace !== null && (kind === 'refund' || kind === 'dispute') && (
        <Confirm
          label={t('refunds.book')}
          title={t('refunds.bookTitle', { amount: money(amount), name: workspace.name })}
          hint={t('refunds.bookHint')}
          isBusy={book.isPending}
          error={book.error}
          onConfirm={() => book.mutate()}
        />
      )}
      {(status === 'open' || status === 'waiting') && (
        <Button onClick={() => onClose(one)}>{t('refunds.close')}</Button>
      )}
    </span>
  );
}
