/**
 * A document of EN 16931 in any syntax, and the cases without one. Amounts are whole minor units without a sign: the
 * type code tells an invoice from a credit note. BT-... are the business terms of the standard.
 */
import { currencyDecimals } from '#domain/money/money.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { missingOfBuyer, type VatParty } from '#domain/tax/vat-party.ts';
import type { VatTotals, VatTreatment } from '#domain/tax/vat.ts';
import type { PayableAmounts } from '#domain/money/invoice.ts';

/** Codes of UNTDID 1001 (BT-3). */
export const TYPE_CODES = { invoice: '380', credit_note: '381', self_billed: '389' } as const;

export type ELine = PayableAmounts & { /** BT-153. */ name: string; /** BT-154. */ description: string };

export type EDocument = {
  /** BT-1. */
  number: string;
  kind: keyof typeof TYPE_CODES;
  /** BT-2, `2026-04-01`. */
  issuedOn: string;
  /** BT-9; undefined if nothing is due. */
  dueOn?: string | undefined;
  /** BT-22. */
  note: string;
  /** BT-20. */
  terms: string;
  currency: string;
  /** BG-14. */
  period: { from: string; to: string };
  /** BT-25. */
  corrects: readonly string[];
  seller: VatParty & { iban?: string | null; bic?: string | null };
  buyer: VatParty;
  vat: VatTreatment;
  totals: VatTotals;
  lines: readonly ELine[];
};

/** Why a document has no XML; undefined if it has. */
export function refuseXml({ buyer, currency }: Pick<EDocument, 'buyer' | 'currency'>): Refusal | undefined {
  const missing = missingOfBuyer(buyer);
  if (missing.length > 0)
    return refuse(
      'state_conflict',
      `The document has no XML, because the billing details of the buyer lacked ${missing.join(', ')} when it was issued. Documents issued after these are set have it.`,
    );
  if (currencyDecimals(currency)! > 2)
    return refuse('state_conflict', `There is no XML in ${currency}: EN 16931 allows amounts of two decimals at most.`);
  return undefined;
}

/** The refusal of a document that was issued without VAT. */
export function refuseWithoutVat(): Refusal {
  return refuse(
    'state_conflict',
    'The document has no XML, because it was issued without VAT: the seller lacked tax details then. Later documents have it once these are set.',
  );
}

/** A document outside the scope of VAT has no VAT ids (BR-O-02 to BR-O-04): they are plain ids of the parties there. */
export function identityOf(party: VatParty, { vat: { category } }: EDocument) {
  const vatId = category === 'O' ? undefined : (party.vat_id ?? undefined);
  return { vatId, plainId: vatId === undefined ? (party.vat_id ?? party.tax_id ?? undefined) : undefined };
}

/** The lines of an address as the standard has room for them: two, and the rest as the third. */
export function addressOf({ address_lines: lines }: VatParty): readonly (string | undefined)[] {
  const [first, second, ...rest] = lines;
  return [first, second, rest.length === 0 ? undefined : rest.join(', ')];
}
