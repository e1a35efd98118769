/** The invoices and credit notes of a workspace, each with its PDF. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { day, money } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';

type Invoice = RecordOf<'/v1/invoices'>;

export function Invoices(): ReactElement {
  const list = useList(['invoices'], (api, page, signal) => api.get('/v1/invoices', { query: page, signal }));
  return (
    <Page title={t('invoices.title')} lead={t('invoices.lead')}>
      <ListTable
        of={list}
        empty={{ title: t('invoices.none'), hint: t('invoices.noneHint') }}
        label={t('invoices.title')}
        columns={useMemo(columns, [])}
        keyOf={one => one.id}
      />
    </Page>
  );
}

function columns(): Column<Invoice>[] {
  return [
    {
      head: t('invoices.number'),
      cell: ({ number, kind, pdf_url: url }) => (
        <>
          <a href={url}>{number}</a>
          <div className="muted small">{term('invoice', kind)}</div>
        </>
      ),
    },
    { head: t('invoices.period'), cell: ({ period }) => period, isWide: true },
    { head: t('filter.status'), cell: ({ status }) => <Status of={status} /> },
    { head: t('invoices.due'), cell: ({ due_on: due }) => day(due), isWide: true },
    { head: t('invoices.net'), cell: ({ total }) => money(total), isFigure: true, isWide: true },
    {
      head: t('invoices.vat'),
      cell: ({ vat }) => (vat === null ? '-' : money(vat.amount)),
      isFigure: true,
      isWide: true,
    },
    { head: t('invoices.total'), cell: ({ total, vat }) => money(vat?.total_with_vat ?? total), isFigure: true },
  ];
}
