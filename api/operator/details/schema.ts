/** The operator's own details, as TypeBox schemas. */
import { Type, type Static } from 'typebox';
import { orNull, partyFields, strict, textField } from '../../wire/shapes.ts';

/** As long as an IBAN with blanks between. */
const BANK_CODE_LENGTH_MAX = 60;
const name = textField(140, 'Legal name: the seller on invoices and the payer of payouts.');
const exemption = textField(200, 'Why no VAT is charged at home, as printed on invoices.');
/** In units of whatever currency a payout has, with up to two decimals. */
const amount = (description: string) => Type.Number({ minimum: 0, description });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
/** What the operator decides of payouts and of demand beyond the supply. */
const terms = {
  payout_fee: amount('Fee of a payout, in units of the currency of the payout.'),
  payout_free_above: amount('Payouts above it have no fee; in units of the currency of the payout.'),
  overload_floor: share(
    'If demand exceeds supply: the part of its goal that each campaign gets before price counts, 0 to 1.',
  ),
  overload_floor_least: share('The same for campaigns that earn less than nine in ten others, 0 to 1.'),
};

export const OperatorDetails = Type.Object(
  {
    name,
    address_lines: partyFields.address_lines,
    city: orNull(partyFields.city, 'City of the address; null: not set.'),
    postal_code: orNull(partyFields.postal_code, 'Postal code of the address; null: not set.'),
    country: orNull(partyFields.country, 'Country of the address, ISO 3166; null: not set.'),
    tax_id: orNull(partyFields.tax_id, 'Number for the tax office; null: not set.'),
    vat_id: orNull(partyFields.vat_id, 'VAT id with the prefix of the country; null: not set.'),
    vat_exemption: orNull(exemption, 'Why no VAT is charged at home; null: VAT is charged.'),
    iban: orNull(Type.String(), 'Account that invoices name and payouts are paid from; null: not set.'),
    bic: orNull(Type.String(), 'Code of its bank; null: not set.'),
    ...terms,
    missing_for_vat: Type.Array(Type.String(), {
      description: 'Fields without which invoices hold no VAT. Empty: they hold VAT.',
    }),
  },
  {
    title: 'OperatorDetails',
    description: 'Who runs the installation, as invoices and files for the bank name it, and its terms.',
  },
);
export type OperatorDetails = Static<typeof OperatorDetails>;

const removable = (field: ReturnType<typeof textField>, what: string) =>
  Type.Optional(orNull(field, `${what} Null removes it.`));

export const ChangeDetailsBody = strict(
  {
    name: Type.Optional(name),
    address_lines: Type.Optional(partyFields.address_lines),
    city: removable(partyFields.city, 'City of the address.'),
    postal_code: removable(partyFields.postal_code, 'Postal code of the address.'),
    country: removable(partyFields.country, 'Country of the address, ISO 3166. A VAT id has to be of it.'),
    tax_id: removable(partyFields.tax_id, 'Number for the tax office.'),
    vat_id: removable(partyFields.vat_id, 'VAT id with the prefix of the country.'),
    vat_exemption: removable(exemption, 'Why no VAT is charged at home, as printed on invoices.'),
    iban: removable(
      textField(BANK_CODE_LENGTH_MAX, 'An IBAN with its check digits; blanks and small letters are taken.'),
      'Account that invoices name and payouts are paid from. Without `bic` beside it, the former BIC goes.',
    ),
    bic: removable(textField(BANK_CODE_LENGTH_MAX, 'A BIC of 8 or 11 characters.'), 'Code of its bank.'),
    ...Type.Partial(Type.Object(terms)).properties,
  },
  { minProperties: 1 },
);
