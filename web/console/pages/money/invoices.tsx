/** The invoices and credit notes of a workspace, each with its PDF. */
import type { RecordOf } from '@marquee/sdk';
import type { ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { day, money } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table, type Column } from '../../ui/views/table.tsx';

type Invoice = RecordOf<'/v1/invoices'>;

export function Invoices(): ReactElement {
  const list = useList(['invoices'], (api, page, signal) => api.get('/v1/invoices', { query: page, signal }));
  return (
    <Page title={t('invoices.title')} lead={t('invoices.lead')}>
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.isSuccess && list.rows.length === 0 && (
        <EmptyState title={t('invoices.none')} hint={t('invoices.noneHint')} />
      )}
      {list.rows.length > 0 && (
        <Table
          label={t('invoices.title')}
          columns={columns()}
          rows={list.rows}
          keyOf={one => one.id}
          onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
        />
      )}
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
    { head: t('invoices.total'), cell: ({ total }) => money(total), isFigure: true },
  ];
}
