/** The VAT of a document as its row keeps it: category, rate, reason and amount, frozen when it is issued. */
import { vatMicros, type VatCategory, type VatTreatment } from '#domain/tax/vat.ts';
import type { Micros } from '#domain/unit.ts';

export type VatColumns = {
  vat_category: VatCategory;
  vat_rate: number;
  vat_exemption_code: string | null;
  vat_exemption_reason: string | null;
  vat_micros: Micros;
};

/** As it is read: documents without VAT have none of it. */
export type StoredVat = { [Column in keyof VatColumns]: VatColumns[Column] | null };

/** @param netMicros whole minor units of `currency` */
export function vatColumns(vat: VatTreatment, netMicros: Micros, currency: string): VatColumns {
  return {
    vat_category: vat.category,
    vat_rate: vat.rateBasisPoints,
    vat_exemption_code: vat.exemptionCode ?? null,
    vat_exemption_reason: vat.exemptionReason ?? null,
    vat_micros: vatMicros(netMicros, vat.rateBasisPoints, currency),
  };
}

export function treatmentOf(row: Omit<VatColumns, 'vat_micros'>): VatTreatment {
  return {
    category: row.vat_category,
    rateBasisPoints: row.vat_rate,
    exemptionCode: row.vat_exemption_code ?? undefined,
    exemptionReason: row.vat_exemption_reason ?? undefined,
  };
}
