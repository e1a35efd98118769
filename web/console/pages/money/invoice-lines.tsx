/** The lines of an invoice: one for each campaign, of an agency with its client. */
import type { AnswerOf, OperationOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { count, money } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Answered } from '../../ui/states.tsx';
import { Table, type Column } from '../../ui/views/table.tsx';

type Line = AnswerOf<OperationOf<'/v1/invoices/{id}', 'get'>>['lines'][number];
export type InvoiceLinesOptions = { invoice: { id: string; number: string }; onClose: () => void };

export function InvoiceLines({ invoice: { id, number }, onClose }: InvoiceLinesOptions): ReactElement {
  const invoice = useRead(['invoice', id], (api, signal) => api.get('/v1/invoices/{id}', { path: { id }, signal }));
  return (
    <Dialog title={t('invoices.linesOf', { number })} isOpen onClose={onClose}>
      <Answered of={invoice}>{({ lines }) => <Lines lines={lines} />}</Answered>
    </Dialog>
  );
}

function Lines({ lines }: { lines: readonly Line[] }): ReactElement {
  const hasClients = lines.some(line => line.client_id !== lines[0]!.client_id);
  return (
    <Table
      label={t('invoices.lines')}
      rows={lines}
      keyOf={line => `${line.client_id} ${line.campaign_id} ${line.corrects ?? ''}`}
      columns={useMemo(() => columns(hasClients), [hasClients])}
    />
  );
}

function columns(hasClients: boolean): Column<Line>[] {
  return [
    {
      head: t('campaigns.name'),
      cell: line => (
        <>
          {line.campaign_name}
          {hasClients && <div className="muted small">{line.client_name}</div>}
        </>
      ),
    },
    { head: t('invoices.plays'), cell: line => count(line.plays), isFigure: true, isWide: true },
    { head: t('invoices.gross'), cell: line => money(line.gross), isFigure: true, isWide: true },
    { head: t('invoices.discount'), cell: line => money(line.discount), isFigure: true, isWide: true },
    { head: t('invoices.net'), cell: line => money(line.net), isFigure: true },
  ];
}
