import { formatId } from '#domain/id.ts';
import { formatInvoiceNumber, monthOf, payableAmounts } from '#domain/invoice.ts';
import { decimalFromMicros } from '#domain/money.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Unit } from '#sql/unit-of-work.ts';
import type { JobContext } from '../schedule.ts';

/**
 * Issues the invoices of months that have ended: one for each workspace that was charged, or one for an agency with all its
 * clients that are billed through it. A month is closed by the transaction that issues its invoice; a charge that is
 * settled later falls into the month after it, so that nothing is invoiced twice or never.
 */
const ROUND_INVOICES_MAX = 50;

/** Who pays for which months, as they stand before they are locked. */
type Due = { payer: number; month: string; currency: string; workspaces: number[]; is_consolidated: boolean };
type Line = { workspace_handle: number; workspace_name: string; campaign_handle: number; campaign_name: string; plays: number; impressions_thousandths: number; gross_micros: number; discount_micros: number };

/** Issues what is due. Answers how many invoices, or months without a charge, that were. */
export async function issueInvoices({ sql, now }: JobContext): Promise<number> {
  const at = now();
  const due = await readDue(sql, monthOf(at.getTime()));
  for (const invoice of due) await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: at }, unit => issueInvoice(unit, invoice));
  return due.length;
}

async function readDue(sql: Postgres, month: string): Promise<Due[]> {
  return sql<Due[]>`
    select case when w.billing_model = 'agency-billed' then w.parent_handle else w.handle end as payer, to_char(m.month, 'YYYY-MM-DD') as month, m.currency,
      array_agg(w.handle order by w.handle) as workspaces, bool_or(w.billing_model = 'agency-billed') is true as is_consolidated
    from workspace_months m join workspaces w on w.handle = m.workspace_handle
    where m.closed_at is null and not m.sandbox and m.month < ${month}::date group by 1, 2, 3 order by 2, 1, 3 limit ${ROUND_INVOICES_MAX}`;
}

async function issueInvoice(unit: Unit, due: Due): Promise<void> {
  const { tx, now } = unit;
  const closed = await tx<{ workspace_handle: number }[]>`
    update workspace_months set closed_at = ${now} where month = ${due.month} and not sandbox and closed_at is null and workspace_handle in (
      select workspace_handle from workspace_months where month = ${due.month} and not sandbox and workspace_handle in ${tx(due.workspaces)} order by workspace_handle for update) returning workspace_handle`;
  const lines = closed.length === 0 ? [] : await readLines(tx, closed.map(row => row.workspace_handle), due.month);
  if (lines.length === 0) return;
  const number = await takeNumber(tx, now.getUTCFullYear());
  const { total } = payableAmounts(lines.map(line => ({ grossMicros: line.gross_micros, discountMicros: line.discount_micros })), due.currency);
  const [row] = await tx<{ handle: number }[]>`
    insert into invoices ${tx({
      workspace_handle: due.payer, ...number, month: due.month, currency: due.currency, is_consolidated: due.is_consolidated, status: 'issued',
      gross_micros: lines.reduce((sum, line) => sum + line.gross_micros, 0),
      discount_micros: lines.reduce((sum, line) => sum + line.discount_micros, 0),
      total_micros: total.netMicros,
      parties: tx.json(await readParties(tx, due.payer) as never),
      issued_at: now,
    })} returning handle`;
  await addLines(tx, row!.handle, lines);
  tell(unit, { due, handle: row!.handle, number: formatInvoiceNumber(number.year, number.sequence), totalMicros: total.netMicros });
}

async function readLines(tx: Unit['tx'], workspaces: readonly number[], month: string): Promise<Line[]> {
  return tx<Line[]>`
    select w.handle as workspace_handle, w.name as workspace_name, c.handle as campaign_handle, c.name as campaign_name, m.plays, m.impressions_thousandths, m.gross_micros, m.discount_micros
    from campaign_months m join campaigns c on c.handle = m.campaign_handle join workspaces w on w.handle = c.workspace_handle
    where c.workspace_handle in ${tx([...workspaces])} and not c.sandbox and m.month = ${month}::date and m.gross_micros > 0 order by w.name, w.handle, c.handle`;
}

/** The next number of the year. Its row stays locked until the invoice is there, so that none is lost. */
async function takeNumber(tx: Unit['tx'], year: number): Promise<{ year: number; sequence: number }> {
  const [series] = await tx<{ last: number }[]>`
    insert into invoice_series (year, last) values (${year}, 1) on conflict (year) do update set last = invoice_series.last + 1 returning last`;
  return { year, sequence: series!.last };
}

/** Seller, buyer and branding as they are now; a client without its own branding has that of its agency. */
async function readParties(tx: Unit['tx'], payer: number): Promise<Record<string, unknown>> {
  const [row] = await tx<{ seller: unknown; buyer: unknown; branding: unknown }[]>`
    select jsonb_build_object('name', o.name, 'address_lines', o.address_lines, 'tax_id', o.tax_id, 'iban', o.iban, 'bic', o.bic) as seller,
      jsonb_build_object('name', coalesce(w.billing_details->>'legal_name', w.name), 'address_lines', coalesce(w.billing_details->'address_lines', '[]'), 'tax_id', w.billing_details->'tax_id') as buyer,
      coalesce(w.branding, a.branding) as branding
    from workspaces w left join workspaces a on a.handle = w.parent_handle, operator_settings o where w.handle = ${payer}`;
  return row!;
}

async function addLines(tx: Unit['tx'], invoice: number, lines: readonly Line[]): Promise<void> {
  const column = <T>(pick: (line: Line) => T) => lines.map(pick);
  await tx`
    insert into invoice_lines (invoice_handle, position, workspace_handle, workspace_name, campaign_handle, campaign_name, plays, impressions_thousandths, gross_micros, discount_micros)
    select ${invoice}::bigint, position, workspace, workspace_name, campaign, campaign_name, plays, impressions, gross, discount
    from unnest(${column(l => l.workspace_handle)}::bigint[], ${column(l => l.workspace_name)}::text[], ${column(l => l.campaign_handle)}::bigint[], ${column(l => l.campaign_name)}::text[],
      ${column(l => l.plays)}::bigint[], ${column(l => l.impressions_thousandths)}::bigint[], ${column(l => l.gross_micros)}::bigint[], ${column(l => l.discount_micros)}::bigint[])
      with ordinality as l (workspace, workspace_name, campaign, campaign_name, plays, impressions, gross, discount, position)`;
}

function tell(unit: Unit, { due, handle, number, totalMicros }: { due: Due; handle: number; number: string; totalMicros: number }): void {
  const entity = { workspace: due.payer, entityType: 'invoice', entityHandle: handle };
  const object = { id: formatId('invoice', handle), number, period: due.month.slice(0, 7), status: 'issued', total: { amount: decimalFromMicros(totalMicros), currency: due.currency } };
  unit.audit({ ...entity, action: 'invoice.issued', diff: { status: { from: null, to: 'issued' }, number: { from: null, to: number }, total: { from: null, to: object.total } } });
  unit.emit({ ...entity, type: 'invoice.issued', payload: { object } });
}
