/**
 * Credit notes: after the end of a month, the credits for removed plays to each invoiced workspace. An issued invoice
 * stays unchanged; the note names the invoices that may have the plays. Each credit is on one note. Its VAT is that of
 * the campaign's first corrected invoice, even if the rate has changed since. A document has one treatment, so credits
 * of differently taxed invoices are on several notes. Plays of a sandbox are never removed, so there is no note of play
 * money.
 */
import type { Handle } from '#domain/id.ts';
import { formatInvoiceNumber } from '#domain/money/invoice.ts';
import type { Postgres, Transaction } from '#sql/postgres.ts';
import type { VatTreatment } from '#domain/tax/vat.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Unit } from '#books/unit-of-work.ts';
import { type InvoiceLine, writeInvoice } from './document.ts';
import { treatmentOf, type StoredVat } from './vat-columns.ts';

type CreditsDue = { payer: Handle<'workspace'>; month: string; currency: string; is_consolidated: boolean };
type CreditLine = Omit<InvoiceLine, 'corrects'> & { first_month: string };

const PAYER = "case when w.billing_model = 'agency-billed' then w.parent_handle else w.handle end";

/** Payers with credits in months without a note, the oldest first. */
export async function readCreditsDue(
  sql: Postgres,
  { before, rowsMax }: { before: string; rowsMax: number },
): Promise<CreditsDue[]> {
  return sql<CreditsDue[]>`
    select ${sql.unsafe(PAYER)} as payer, to_char(date_trunc('month', t.taken_at at time zone 'UTC'),
      'YYYY-MM-DD') as month, c.currency, bool_or(w.billing_model = 'agency-billed') is true as is_consolidated
    from campaign_credits k join play_takings t on t.handle = k.taking_handle
    join campaigns c on c.handle = k.campaign_handle join workspaces w on w.handle = c.workspace_handle
    where k.credit_micros > 0 and (t.taken_at at time zone 'UTC') < ${before}::date
      and not exists (select from noted_credits n where n.taking_handle = k.taking_handle
      and n.campaign_handle = k.campaign_handle)
    group by 1, 2, 3 order by 2, 1, 3 limit ${rowsMax}`;
}

/** Writes the notes of a payer's credits in a month: one for each treatment of the invoices that they correct. */
export async function issueCreditNote(sql: Postgres, due: CreditsDue, now: Date): Promise<void> {
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const { tx } = unit;
    // One at a time: a second process finds the credits already on a note.
    await tx`select from workspaces where handle = ${due.payer} for no key update`;
    const lines = await readLines(tx, due);
    const campaigns = lines.map(line => line.campaign_handle);
    for (const note of notesOf(lines, await readInvoices(tx, campaigns))) await writeNote(unit, due, note);
  });
}

type Note = { vat: VatTreatment | null | undefined; lines: InvoiceLine[] };

function notesOf(lines: readonly CreditLine[], invoices: readonly CorrectedInvoice[]): Iterable<Note> {
  const notes = new Map<string, Note>();
  for (const { first_month: first, ...line } of lines) {
    const corrected = invoices.filter(({ campaign, month }) => campaign === line.campaign_handle && month >= first);
    const vat = corrected[0] && vatOf(corrected[0]);
    const key = JSON.stringify(vat) ?? 'now';
    const note = notes.get(key) ?? { vat, lines: [] };
    note.lines.push({
      ...line,
      corrects: corrected.map(({ year, sequence }) => formatInvoiceNumber({ sandbox: false, year, sequence })),
    });
    notes.set(key, note);
  }
  return notes.values();
}

async function writeNote(unit: Unit, due: CreditsDue, { vat, lines }: Note): Promise<void> {
  const { tx } = unit;
  const note = await writeInvoice(
    unit,
    { kind: 'credit_note', sandbox: false, issuedAt: unit.now, ...due, ...(vat !== undefined && { vat }) },
    lines,
  );
  await tx`
    insert into noted_credits (taking_handle, campaign_handle, invoice_handle)
    select k.taking_handle, k.campaign_handle, ${note}::bigint ${creditsOf(tx, due)}
      and k.campaign_handle = any(${lines.map(line => line.campaign_handle)}::bigint[])`;
}

/** The credits of a payer in a month without a note. */
function creditsOf(tx: Transaction, { payer, month, currency }: CreditsDue) {
  return tx`
    from campaign_credits k join play_takings t on t.handle = k.taking_handle
    join findings f on f.handle = t.finding_handle
    join campaigns c on c.handle = k.campaign_handle join workspaces w on w.handle = c.workspace_handle
    where k.credit_micros > 0 and c.currency = ${currency} and ${tx.unsafe(PAYER)} = ${payer}
      and date_trunc('month', t.taken_at at time zone 'UTC') = ${month}::date
      and not exists (select from noted_credits n
        where n.taking_handle = k.taking_handle and n.campaign_handle = k.campaign_handle)`;
}

/** By campaign: the charges for the plays, their discount, and the month of the first of them. */
async function readLines(tx: Transaction, due: CreditsDue): Promise<CreditLine[]> {
  return tx<CreditLine[]>`
    select w.handle as workspace_handle, w.name as workspace_name, c.handle as campaign_handle, c.name as campaign_name,
      sum(k.plays)::bigint as plays, sum(k.impressions_thousandths)::bigint as impressions_thousandths,
      sum(k.gross_micros)::bigint as gross_micros, sum(k.gross_micros - k.credit_micros)::bigint as discount_micros,
        to_char(date_trunc('month', min(f.from_at) at time zone 'UTC'), 'YYYY-MM-DD') as first_month
    ${creditsOf(tx, due)} group by w.handle, w.name, c.handle, c.name order by w.name, w.handle, c.handle`;
}

type CorrectedInvoice = Omit<StoredVat, 'vat_micros'> & {
  campaign: Handle<'campaign'>;
  month: string;
  year: number;
  sequence: number;
};

/** The invoices of campaigns, oldest first. */
async function readInvoices(
  tx: Transaction,
  campaigns: readonly Handle<'campaign'>[],
): Promise<readonly CorrectedInvoice[]> {
  return tx<CorrectedInvoice[]>`
    select l.campaign_handle as campaign, to_char(i.month, 'YYYY-MM-DD') as month, i.year, i.sequence, i.vat_category,
      i.vat_rate, i.vat_exemption_code, i.vat_exemption_reason
    from invoice_lines l join invoices i on i.handle = l.invoice_handle
    where l.campaign_handle = any(${[...campaigns]}::bigint[]) and i.kind = 'invoice' order by i.year, i.sequence`;
}

function vatOf({ vat_category: category, vat_rate: rate, ...vat }: CorrectedInvoice): VatTreatment | null {
  return category === null || rate === null ? null : treatmentOf({ ...vat, vat_category: category, vat_rate: rate });
}
