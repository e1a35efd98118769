/**
 * VAT identification numbers: the form that each country gives them, behind the prefix of the country. Forms of EU
 * states are those of VIES. Check digits are not verified: some countries keep theirs secret, and only VIES or the tax
 * office knows whether a number is registered. The table is our own, because `domain/` imports no packages.
 */
import { refuseField, type Refusal } from '../refusal.ts';
import { VAT_COUNTRIES } from './vat-rates.ts';

/** The country that a prefix stands for, and what may follow the prefix. */
const FORMS: Readonly<Record<string, { country: string; form: RegExp }>> = {
  ...Object.fromEntries(
    Object.entries({
      AT: /^U\d{8}$/,
      BE: /^[01]\d{9}$/,
      BG: /^\d{9,10}$/,
      CH: /^E\d{9}(MWST|TVA|IVA)?$/,
      CY: /^\d{8}[A-Z]$/,
      CZ: /^\d{8,10}$/,
      DE: /^\d{9}$/,
      DK: /^\d{8}$/,
      EE: /^\d{9}$/,
      ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
      FI: /^\d{8}$/,
      FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
      GB: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
      HR: /^\d{11}$/,
      HU: /^\d{8}$/,
      IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
      IT: /^\d{11}$/,
      LT: /^(\d{9}|\d{12})$/,
      LU: /^\d{8}$/,
      LV: /^\d{11}$/,
      MT: /^\d{8}$/,
      NL: /^\d{9}B\d{2}$/,
      NO: /^\d{9}(MVA)?$/,
      PL: /^\d{10}$/,
      PT: /^\d{9}$/,
      RO: /^\d{2,10}$/,
      SE: /^\d{12}$/,
      SI: /^\d{8}$/,
      SK: /^\d{10}$/,
    }).map(([country, form]) => [country, { country, form }]),
  ),
  EL: { country: 'GR', form: /^\d{9}$/ }, // Greece
  XI: { country: 'GB', form: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/ }, // Northern Ireland
};

type VatIdField = { /** Country of the address, ISO 3166. */ country: string; /** Of the field. */ pointer: string };

/**
 * The VAT id in capitals and without blanks, dots and hyphens, or the refusal that names the field. Of a country
 * without a form here, two letters and up to 13 letters and digits are accepted.
 */
export function parseVatId(text: string, { country, pointer }: VatIdField): string | Refusal {
  const id = text.replaceAll(/[\s.-]/g, '').toUpperCase();
  const prefix = id.slice(0, 2);
  const known = Object.hasOwn(FORMS, prefix) ? FORMS[prefix] : undefined;
  const isOfCountry = known ? known.country === country : prefix === country && !VAT_COUNTRIES.includes(country);
  if (!isOfCountry)
    return refuseField(
      pointer,
      'wrong_country',
      `begins with ${prefix || 'nothing'}, but the country of the address is ${country}`,
    );
  if (!(known?.form ?? /^[A-Z0-9]{2,13}$/).test(id.slice(2)))
    return refuseField(pointer, 'bad_format', `is not a VAT id as ${country} issues them`);
  return id;
}
