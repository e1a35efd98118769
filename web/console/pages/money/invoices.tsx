/** The invoices and credit notes of a workspace with lines and files, and the billing details of an agency. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, useState, type ReactElement } from 'react';
import { useList, useRead } from '../../api/api.ts';
import { mayRead, useMayWrite, useSession } from '../../api/session.ts';
import { day, money, monthName } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Page } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { BillingForm } from './billing-form.tsx';
import { EInvoice } from './e-invoice.tsx';
import { InvoiceLines } from './invoice-lines.tsx';

type Invoice = RecordOf<'/v1/invoices'>;

export function Invoices(): ReactElement {
  const session = useSession();
  const [shown, setShown] = useState<Invoice>();
  const list = useList(['invoices'], (api, page, signal) => api.get('/v1/invoices', { query: page, signal }));
  return (
    <Page title={t('invoices.title')} lead={t('invoices.lead')}>
      <ListTable
        of={list}
        empty={{ title: t('invoices.none'), hint: t('invoices.noneHint') }}
        label={t('invoices.title')}
        columns={useMemo(() => columns(setShown), [])}
        keyOf={one => one.id}
      />
      {shown && <InvoiceLines invoice={shown} onClose={() => setShown(undefined)} />}
      {session.client === undefined && mayRead(session, 'agency') && <OwnBilling id={session.me.workspace.id} />}
    </Page>
  );
}

/** An agency is a record of the list of its clients, too. For other workspaces the operator sets the details. */
function OwnBilling({ id }: { id: string }): ReactElement {
  const { me } = useSession();
  const mayWrite = useMayWrite('agency') && me.mode === 'live'; // the agency itself is not part of its sandbox
  const own = useRead(['client', id], (api, signal) => api.get('/v1/agency/clients/{id}', { path: { id }, signal }));
  return (
    <Answered of={own}>
      {({ billing_details: details }) => (
        <BillingForm key={JSON.stringify(details)} id={id} details={details} mayWrite={mayWrite} />
      )}
    </Answered>
  );
}

function columns(onShow: (invoice: Invoice) => void): Column<Invoice>[] {
  return [
    {
      head: t('invoices.number'),
      cell: invoice => (
        <>
          <a href={invoice.pdf_url}>{invoice.number}</a>
          <div className="row small">
            <span className="muted">{term('invoice', invoice.kind)}</span>
            <button
              type="button"
              className="text-button"
              aria-label={t('invoices.linesOf', { number: invoice.number })}
              onClick={() => onShow(invoice)}
            >
              {t('invoices.lines')}
            </button>
          </div>
        </>
      ),
    },
    { head: t('invoices.period'), cell: ({ period }) => monthName(period), isBelow: true },
    { head: t('filter.status'), cell: ({ status }) => <Status of={status} /> },
    { head: t('invoices.due'), cell: ({ due_on: due }) => day(due), isBelow: true },
    { head: t('invoices.net'), cell: ({ total }) => money(total), isFigure: true, isWide: true },
    {
      head: t('invoices.vat'),
      cell: ({ vat }) => (vat === null ? '-' : money(vat.amount)),
      isFigure: true,
      isWide: true,
    },
    { head: t('invoices.total'), cell: ({ total, vat }) => money(vat?.total_with_vat ?? total), isFigure: true },
    {
      head: t('invoices.files'),
      cell: ({ id, number, vat, pdf_url: url }) => (
        <span className="row">
          <a href={url} aria-label={t('invoices.file', { number, format: 'PDF' })}>
            PDF
          </a>
          {vat !== null && <EInvoice id={id} number={number} />}
        </span>
      ),
      isBelow: true,
    },
  ];
}
