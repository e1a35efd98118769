/**
 * Self-billed invoices: one for each payout to a workspace that has agreed to them, issued when the bank has paid it.
 * The seller is the workspace, the buyer is the operator (Directive 2006/112/EC, Article 224). The tax point is the
 * last day of the plays.
 */
import type { Handle } from '#domain/id.ts';
import { vatTreatment } from '#domain/tax/vat.ts';
import type { VatParty } from '#domain/tax/vat-party.ts';
import type { Micros } from '#domain/unit.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { jsonb, type Queryable } from '../postgres.ts';
import { readParties } from './parties.ts';
import { vatColumns, type VatColumns } from './vat-columns.ts';

export type SelfBilledRow = VatColumns & {
  year: number;
  sequence: number;
  parties: { seller: VatParty; buyer: VatParty };
  issued_at: Date;
};

type Payout = { payout: Handle<'payout'>; workspace: Handle<'workspace'>; currency: string; amountMicros: Micros };

/** Issues the document; undefined if the workspace has not agreed, or lacks details that a seller needs. */
export async function issueSelfBilled(
  { tx, now }: Unit,
  { payout, workspace, currency, amountMicros }: Payout,
): Promise<{ year: number; sequence: number } | undefined> {
  const { operator, workspace: seller, agreesToSelfBilling } = await readParties(tx, workspace);
  if (!agreesToSelfBilling) return undefined;
  const [last] = await tx<{ day: string }[]>`
    select to_char(max(e.day), 'YYYY-MM-DD') as day from payout_lines l
    join venue_earnings e on e.handle = l.earning_handle where l.payout_handle = ${payout}`;
  const vat = vatTreatment({ seller, buyer: operator, on: last!.day });
  if (vat === undefined) return undefined;
  const year = now.getUTCFullYear();
  // The row stays locked until the commit, so that no number is lost.
  const [series] = await tx<{ last: number }[]>`
    insert into self_billed_series (year, last) values (${year}, 1)
    on conflict (year) do update set last = self_billed_series.last + 1 returning last`;
  const number = { year, sequence: series!.last };
  await tx`insert into self_billed_invoices ${tx({
    payout_handle: payout,
    ...number,
    parties: jsonb(tx, { seller, buyer: operator }),
    ...vatColumns(vat, amountMicros, currency),
    issued_at: now,
  })}`;
  return number;
}

export async function findSelfBilled(sql: Queryable, payout: Handle<'payout'>): Promise<SelfBilledRow | undefined> {
  const [row] = await sql<SelfBilledRow[]>`
    select year, sequence, parties, vat_category, vat_rate, vat_exemption_code, vat_exemption_reason, vat_micros,
      issued_at
    from self_billed_invoices where payout_handle = ${payout}`;
  return row;
}
