/** Documents of every category of VAT and of every type, for tests of their XML. */
import type { EDocument } from '../../../api/e-invoices/e-document.ts';
import type { VatParty } from '../../../domain/tax/vat-party.ts';
import { vatMicros, vatTotals, vatTreatment } from '../../../domain/tax/vat.ts';

export const party = (country: string, more: Partial<VatParty> = {}): VatParty => ({
  name: 'Screens & Söhne <GmbH>',
  address_lines: ['Street 1', 'Yard 2', 'Floor 3', 'Door 4'],
  city: 'City',
  postal_code: '10115',
  country,
  ...more,
});
export const GERMAN = {
  ...party('DE', { vat_id: 'DE123456789', tax_id: '12/345/67890' }),
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
};
const SELLERS: readonly [string, EDocument['seller'], VatParty][] = [
  ['S', GERMAN, party('DE')],
  ['AE', GERMAN, party('FR', { vat_id: 'FR12345678901' })],
  ['O', GERMAN, party('US')],
  ['O', GERMAN, party('CH', { vat_id: 'CHE123456789' })],
  ['G', party('NO', { vat_id: 'NO123456789MVA' }), party('DE')],
  ['E', party('DE', { tax_id: '12/345/67890', vat_exemption: 'Small enterprise, section 19 UStG' }), party('DE')],
];

/** An invoice from the seller to the buyer, with changes. */
export function document(seller: EDocument['seller'], buyer: VatParty, more: Partial<EDocument> = {}): EDocument {
  const currency = more.currency ?? 'EUR';
  const unit = currency === 'JPY' ? 1_000_000 : 10_000;
  const lines = [
    {
      name: 'Autumn',
      description: '10 plays',
      grossMicros: 1_234 * unit,
      discountMicros: 34 * unit,
      netMicros: 1_200 * unit,
    },
    {
      name: 'Winter & more',
      description: '3 plays',
      grossMicros: 777 * unit,
      discountMicros: 0,
      netMicros: 777 * unit,
    },
  ];
  const vat = vatTreatment({ seller, buyer, on: '2026-03-31' })!;
  return {
    number: '2026-000001',
    kind: 'invoice',
    issuedOn: '2026-04-01',
    dueOn: '2026-05-01',
    note: 'Advertising on screens.',
    terms: 'The wallet paid the net amount in advance.',
    currency,
    period: { from: '2026-03-01', to: '2026-03-31' },
    corrects: [],
    seller,
    buyer,
    vat,
    totals: vatTotals(1_977 * unit, vatMicros(1_977 * unit, vat.rateBasisPoints, currency)),
    lines,
    ...more,
  };
}

/** A document of every category of VAT and of every type. */
export const CASES: [string, EDocument][] = [
  ...SELLERS.map(([category, seller, buyer]): [string, EDocument] => [
    `${category} to ${buyer.country}`,
    document(seller, buyer),
  ]),
  ['yen', document(GERMAN, party('DE'), { currency: 'JPY' })],
  [
    'a credit note',
    document(GERMAN, party('DE'), { kind: 'credit_note', dueOn: undefined, corrects: ['2026-000001', '2026-000002'] }),
  ],
  ['a self-billed document', document(GERMAN, party('DE'), { kind: 'self_billed' })],
];
