/** Writes an invoice or a credit note: takes its number, freezes its parties and lines, and emits its event. */
import { jsonb, type Transaction } from '#sql/postgres.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { formatInvoiceNumber, lastDayOf, payableAmounts, type InvoiceKind } from '#domain/money/invoice.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { vatTreatment, type VatTreatment } from '#domain/tax/vat.ts';
import { readParties } from './parties.ts';
import { vatColumns } from './vat-columns.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { Micros } from '#domain/unit.ts';

export type InvoiceLine = {
  workspace_handle: Handle<'workspace'>;
  workspace_name: string;
  campaign_handle: Handle<'campaign'>;
  campaign_name: string;
  plays: number;
  impressions_thousandths: number;
  gross_micros: Micros;
  discount_micros: Micros;
  /** Numbers of the invoices that a credit note corrects. */
  corrects?: readonly string[];
};
type InvoiceDocument = {
  kind: InvoiceKind;
  sandbox: boolean;
  payer: Handle<'workspace'>;
  month: string;
  currency: string;
  is_consolidated: boolean;
  issuedAt: Date;
  /**
   * VAT of the invoices that a credit note corrects; null if they hold none. Absent: by the current seller and buyer.
   */
  vat?: VatTreatment | null;
};

type IssuedDocument = InvoiceDocument & { handle: Handle<'invoice'>; number: string; totalMicros: Micros };

/** Writes the document and returns its handle. A rollback of the transaction also returns the number. */
export async function writeInvoice(
  unit: Unit,
  document: InvoiceDocument,
  lines: readonly InvoiceLine[],
): Promise<number> {
  const { tx } = unit;
  const { kind, sandbox, payer, month, currency, issuedAt } = document;
  const number = await takeNumber(tx, { sandbox, year: issuedAt.getUTCFullYear() });
  const { total } = payableAmounts(
    lines.map(line => ({ grossMicros: line.gross_micros, discountMicros: line.discount_micros })),
    currency,
  );
  const { operator, workspace, branding } = await readParties(tx, payer);
  const parties = { seller: operator, buyer: workspace, branding };
  const vat = document.vat === undefined ? vatTreatment({ ...parties, on: lastDayOf(month) }) : document.vat;
  const isPaid = kind === 'credit_note'; // its credit went to the wallet before
  const [row] = await tx<{ handle: Handle<'invoice'> }[]>`
    insert into invoices ${tx({
      workspace_handle: payer,
      ...number,
      kind,
      month,
      currency,
      is_consolidated: document.is_consolidated,
      status: isPaid ? 'paid' : 'issued',
      paid_at: isPaid ? issuedAt : null,
      gross_micros: lines.reduce((sum, line) => sum + line.gross_micros, 0),
      discount_micros: lines.reduce((sum, line) => sum + line.discount_micros, 0),
      total_micros: total.netMicros,
      parties: jsonb(tx, parties),
      ...(vat && vatColumns(vat, total.netMicros, currency)),
      issued_at: issuedAt,
    })} returning handle`;
  await addLines(tx, row!.handle, lines);
  // The proof follows. Months of play money are those of slots, so test invoices have none.
  if (!sandbox) await tx`insert into invoice_proofs (invoice_handle) values (${row!.handle})`;
  emitIssued(unit, {
    ...document,
    handle: row!.handle,
    number: formatInvoiceNumber(number),
    totalMicros: total.netMicros,
  });
  return row!.handle;
}

/** The next number of the series and year. Its row stays locked until the invoice is written, so that none is lost. */
async function takeNumber(
  tx: Transaction,
  series: { sandbox: boolean; year: number },
): Promise<{ sandbox: boolean; year: number; sequence: number }> {
  const [row] = await tx<{ last: number }[]>`
    insert into invoice_series (sandbox, year, last) values (${series.sandbox}, ${series.year}, 1)
    on conflict (sandbox, year) do update set last = invoice_series.last + 1 returning last`;
  return { ...series, sequence: row!.last };
}

async function addLines(tx: Transaction, invoice: number, lines: readonly InvoiceLine[]): Promise<void> {
  const column = <T>(pick: (line: InvoiceLine) => T) => lines.map(pick);
  await tx`
    insert into invoice_lines (invoice_handle, position, workspace_handle, workspace_name, campaign_handle,
      campaign_name, plays, impressions_thousandths, gross_micros, discount_micros, corrects)
    select ${invoice}::bigint, position, workspace, workspace_name, campaign, campaign_name, plays, impressions, gross,
      discount, string_to_array(corrects, ' ')
    from unnest(${column(l => l.workspace_handle)}::bigint[], ${column(l => l.workspace_name)}::text[],
      ${column(l => l.campaign_handle)}::bigint[], ${column(l => l.campaign_name)}::text[],
      ${column(l => l.plays)}::bigint[], ${column(l => l.impressions_thousandths)}::bigint[],
        ${column(l => l.gross_micros)}::bigint[], ${column(l => l.discount_micros)}::bigint[],
        ${column(l => (l.corrects ?? []).join(' '))}::text[])
      with ordinality as l (workspace, workspace_name, campaign, campaign_name, plays, impressions, gross, discount,
        corrects, position)`;
}

function emitIssued(
  unit: Unit,
  { kind, sandbox, payer, month, currency, issuedAt, handle, number, totalMicros }: IssuedDocument,
): void {
  const entity = { workspace: payer, sandbox, entityType: 'invoice', entityHandle: handle };
  const isNote = kind === 'credit_note';
  const status = isNote ? 'paid' : 'issued';
  const object = {
    id: formatId('invoice', handle),
    number,
    kind,
    period: month.slice(0, 7),
    status,
    issued_at: issuedAt.toISOString(),
    total: { amount: decimalFromMicros(isNote ? -totalMicros : totalMicros), currency },
  };
  const diff = {
    kind: { from: null, to: kind },
    status: { from: null, to: status },
    number: { from: null, to: number },
    total: { from: null, to: object.total },
  };
  unit.audit({ ...entity, action: 'invoice.issued', diff });
  unit.emit({ ...entity, type: 'invoice.issued', payload: { object } });
}
