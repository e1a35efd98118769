/**
 * VAT of a document about advertising, a service: the category of EN 16931 with its rate and reason, and the totals.
 *
 * The whole document has one treatment. The tax point is the last day of its month, because a supply with successive
 * statements is complete when the period of a statement ends (Directive 2006/112/EC, Article 64). So a rate that
 * changes during a month applies to all of it from the month in which it is in force on the last day.
 */
import { minorUnitMicros } from '../money/money.ts';
import type { Micros } from '../unit.ts';
import { isInEu, standardRate } from './vat-rates.ts';
import { missingOfSeller, type VatParty } from './vat-party.ts';

/**
 * Codes of UNTDID 5305 that occur here. `S`: standard rate. `AE`: reverse charge. `E`: exempt. `G`: zero-rated export,
 * which Norway makes of services for use abroad. `O`: outside the scope of the seller's VAT. Never `Z`: no country here
 * has a rate of zero on advertising at home.
 */
export const VAT_CATEGORIES = ['S', 'AE', 'E', 'G', 'O'] as const;
export type VatCategory = (typeof VAT_CATEGORIES)[number];

export type VatTreatment = {
  category: VatCategory;
  /** Hundredths of a percent; 0 except for `S`. */
  rateBasisPoints: number;
  /** A code from the VATEX list, and the reason in words; undefined for `S`. */
  exemptionCode?: string | undefined;
  exemptionReason?: string | undefined;
};

const NO_VAT = { rateBasisPoints: 0 };
const REVERSE_CHARGE: VatTreatment = {
  ...NO_VAT,
  category: 'AE',
  exemptionCode: 'VATEX-EU-AE',
  exemptionReason: 'Reverse charge: the recipient is liable for VAT (Directive 2006/112/EC, Articles 44 and 196).',
};
const OUTSIDE_SCOPE: VatTreatment = {
  ...NO_VAT,
  category: 'O',
  exemptionCode: 'VATEX-EU-O',
  exemptionReason: 'Not subject to VAT: the place of supply is in the country of the recipient.',
};
const EXPORT: VatTreatment = {
  ...NO_VAT,
  category: 'G',
  exemptionCode: 'VATEX-EU-G',
  exemptionReason: 'Service for use abroad, exempt with the right to deduct (Norwegian VAT Act, section 6-22).',
};

type Supply = { seller: VatParty; buyer: VatParty; /** The tax point, `2026-03-31`. */ on: string };

/**
 * How a supply is taxed; undefined if details of the seller are missing, so that documents hold no tax.
 *
 * A buyer without a country is treated as one at the seller's place. A buyer in the EU without a VAT id is no taxable
 * person (Article 45), so that VAT of the seller's country applies. In services, Northern Ireland is Great Britain.
 */
export function vatTreatment({ seller, buyer, on }: Supply): VatTreatment | undefined {
  if (missingOfSeller(seller).length > 0) return undefined;
  const from = seller.country!;
  const to = buyer.country || from;
  const isAbroad = to !== from;
  const isWithinEu = isInEu(from) && isInEu(to);
  if (isAbroad && !isWithinEu) return from === 'NO' ? EXPORT : OUTSIDE_SCOPE;
  if (seller.vat_exemption) return { ...NO_VAT, category: 'E', exemptionReason: seller.vat_exemption };
  if (isAbroad && buyer.vat_id) return REVERSE_CHARGE;
  return { category: 'S', rateBasisPoints: standardRate(from, on)! };
}

/**
 * The VAT on a net amount of whole minor units, to the nearest minor unit; half goes up (EN 16931, BR-CO-17). It is
 * counted once from the sum of the document, never line by line.
 */
export function vatMicros(netMicros: Micros, rateBasisPoints: number, currency: string): Micros {
  const unit = BigInt(minorUnitMicros(currency));
  const product = (BigInt(netMicros) / unit) * BigInt(rateBasisPoints);
  return Number(((product + 5_000n) / 10_000n) * unit);
}

/** Totals of a document whose net amount the wallet paid in advance, or the payout pays. Named as in EN 16931. */
export type VatTotals = {
  /** BT-109. */
  netMicros: Micros;
  /** BT-110. */
  vatMicros: Micros;
  /** BT-112. */
  totalMicros: Micros;
  /** BT-113. */
  prepaidMicros: Micros;
  /** BT-115. */
  dueMicros: Micros;
};

/** @param vat the frozen VAT of the document */
export function vatTotals(netMicros: Micros, vat: Micros): VatTotals {
  return { netMicros, vatMicros: vat, totalMicros: netMicros + vat, prepaidMicros: netMicros, dueMicros: vat };
}

/** `19`, `25.5`. */
export function formatRate(basisPoints: number): string {
  return String(basisPoints / 100);
}
