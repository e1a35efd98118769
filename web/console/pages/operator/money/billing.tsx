/** Invoices and credit notes of all workspaces: which are open, which are overdue, and when the others were paid. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, useState, type ReactElement } from 'react';
import { counted, useList } from '../../../api/api.ts';
import { useMayWrite } from '../../../api/session.ts';
import { dateAfter, day, money, monthName } from '../../../text/format.ts';
import { t, term } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useFilter, useSearchText } from '../../../ui/views/filters.ts';
import { NameFilter } from '../../../ui/views/name-filter.tsx';
import { Page } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { ListTable } from '../../../ui/views/list.tsx';
import type { Column } from '../../../ui/views/table.tsx';
import { InvoicePaidDialog } from './invoice-paid-dialog.tsx';

type Invoice = RecordOf<'/v1/operator/invoices'>;
/** The longest open come first: they are the ones to ask for. */
const QUERIES = { open: { status: 'issued', sort: 'created_at' }, paid: { status: 'paid' }, all: {} } as const;

export function Billing(): ReactElement {
  const { text, q, setText } = useSearchText();
  const [shown, setShown] = useFilter('status', ['open', 'paid', 'all']);
  const [paying, setPaying] = useState<Invoice>();
  const mayWrite = useMayWrite('payments');
  const list = useList(['workspace-invoices', shown, q], (api, page, signal) =>
    api.get('/v1/operator/invoices', {
      query: { ...counted(page), ...QUERIES[shown], ...(q !== '' && { q }) },
      signal,
    }),
  );
  const tabs = [
    { value: 'open', text: t('billing.open') },
    { value: 'paid', text: t('billing.paid') },
    { value: 'all', text: t('filter.all') },
  ] as const;
  return (
    <Page title={t('nav.invoices')} lead={t('billing.lead')}>
      <NameFilter text={text} onText={setText} label={t('billing.search')} />
      <Tabs label={t('filter.status')} tabs={tabs} chosen={shown} onChoose={setShown} />
      <ListTable
        of={list}
        empty={{ title: t('billing.none'), hint: t('billing.noneHint') }}
        isFiltered={shown === 'paid' || q !== ''}
        label={t('nav.invoices')}
        columns={useMemo(() => columns(mayWrite ? setPaying : undefined), [mayWrite])}
        keyOf={invoice => invoice.id}
      />
      {paying && <InvoicePaidDialog invoice={paying} onClose={() => setPaying(undefined)} />}
    </Page>
  );
}

function columns(onPaid: ((invoice: Invoice) => void) | undefined): Column<Invoice>[] {
  return [
    {
      head: t('billing.number'),
      cell: ({ number, kind, workspace, pdf_url: url }) => (
        <>
          <a href={url}>{number}</a>
          <div className="small breaks">{workspace.name}</div>
          {kind === 'credit_note' && <div className="muted small">{term('billingKind', kind)}</div>}
        </>
      ),
    },
    { head: t('billing.period'), cell: ({ period }) => monthName(period), isBelow: true },
    { head: t('billing.due'), cell: due, isBelow: true },
    {
      head: t('billing.total'),
      cell: ({ total, vat }) => (
        <>
          {money(vat?.total_with_vat ?? total)}
          {vat !== null && <div className="muted small">{t('billing.vatDue', { vat: money(vat.amount) })}</div>}
        </>
      ),
      isFigure: true,
    },
    ...(onPaid
      ? [
          {
            head: t('billing.payment'),
            cell: (invoice: Invoice) =>
              invoice.status === 'issued' && (
                <Button aria-label={t('billing.settleOf', { number: invoice.number })} onClick={() => onPaid(invoice)}>
                  {t('billing.settle')}
                </Button>
              ),
            isFigure: true,
          },
        ]
      : []),
  ];
}

function due({ kind, due_on: on, paid_at: paid }: Invoice): ReactElement | string {
  if (paid !== null) return kind === 'credit_note' ? '–' : t('billing.paidOn', { day: day(paid) });
  return (
    <>
      {day(on)} {on < dateAfter(Date.now(), 0) && <span className="tag">{t('billing.overdue')}</span>}
    </>
  );
}
