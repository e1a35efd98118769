/** Seller or buyer of a document, as far as VAT needs it, and the details that a seller lacks. */
import { isRefusal, refuseField, type Refusal } from '../refusal.ts';
import { isCountry } from './countries.ts';
import { parseVatId } from './vat-id.ts';
import { VAT_COUNTRIES } from './vat-rates.ts';

/** As it is stored with a document, and in the settings that it is read from. */
export type VatParty = {
  name: string;
  address_lines: readonly string[];
  city?: string | null;
  postal_code?: string | null;
  /** ISO 3166. */
  country?: string | null;
  vat_id?: string | null;
  /** Number that the tax office of the country gave, if there is no VAT id. */
  tax_id?: string | null;
  /** Why a seller charges no VAT, such as the scheme for small enterprises of its country. */
  vat_exemption?: string | null;
};

/** Fields of the settings that a seller still needs before its documents hold VAT. Empty: documents hold VAT. */
export function missingOfSeller(seller: VatParty): string[] {
  const missing: string[] = (['city', 'postal_code', 'country'] as const).filter(field => !seller[field]);
  if (seller.address_lines.length === 0) missing.unshift('address_lines');
  if (seller.country && !VAT_COUNTRIES.includes(seller.country)) missing.push('country');
  if (!seller.vat_id && !(seller.vat_exemption && seller.tax_id))
    missing.push(seller.vat_exemption ? 'tax_id' : 'vat_id');
  return missing;
}

/** Fields of the billing details that a buyer still needs before its documents are available as XML. */
export function missingOfBuyer(buyer: VatParty): string[] {
  return (['city', 'postal_code', 'country'] as const).filter(field => !buyer[field]);
}

type Place = { country?: string | undefined; vat_id?: string | undefined };

/**
 * Details with a known country, and with a VAT id of that country as `parseVatId` reads it; or the refusal that names
 * the field. @param pointerOf how the caller calls a field
 */
export function readVatDetails<Details extends Place>(
  details: Details,
  pointerOf: (field: 'country' | 'vat_id') => string,
): Details | Refusal {
  const { country, vat_id: vatId } = details;
  if (country !== undefined && !isCountry(country))
    return refuseField(pointerOf('country'), 'unknown_country', 'must be a country code of ISO 3166, such as DE');
  if (vatId === undefined) return details;
  if (country === undefined)
    return refuseField(pointerOf('country'), 'required', 'is required with a VAT id, because it decides its form');
  const id = parseVatId(vatId, { country, pointer: pointerOf('vat_id') });
  return isRefusal(id) ? id : { ...details, vat_id: id };
}
