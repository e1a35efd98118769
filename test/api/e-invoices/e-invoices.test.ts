/**
 * Documents as UBL and CII by the rules of EN 16931, for every category of VAT and every type
 * of document; and that a broken document is found.
 */
import { describe, expect, test } from 'vitest';
import { writeCii } from '../../../api/e-invoices/cii.ts';
import { refuseXml, type EDocument } from '../../../api/e-invoices/e-document.ts';
import { writeUbl } from '../../../api/e-invoices/ubl.ts';
import type { VatParty } from '../../../domain/tax/vat-party.ts';
import { vatMicros, vatTotals, vatTreatment } from '../../../domain/tax/vat.ts';
import { brokenRules, readFacts } from './en16931-rules.ts';

const party = (country: string, more: Partial<VatParty> = {}): VatParty => ({
  name: 'Screens & Söhne <GmbH>',
  address_lines: ['Street 1', 'Yard 2', 'Floor 3', 'Door 4'],
  city: 'City',
  postal_code: '10115',
  country,
  ...more,
});
const GERMAN = {
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

function document(seller: EDocument['seller'], buyer: VatParty, more: Partial<EDocument> = {}): EDocument {
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

const CASES: [string, EDocument][] = [
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

describe.each(CASES)('a document of %s', (_name, given) => {
  test('breaks no rule as UBL or CII, and has the same content in both', () => {
    expect(brokenRules(writeUbl(given))).toEqual([]);
    expect(brokenRules(writeCii(given))).toEqual([]);
    const { due: _ubl, ...ubl } = readFacts(writeUbl(given));
    const { due: _cii, ...cii } = readFacts(writeCii(given));
    expect(ubl).toEqual(cii);
    expect(ubl).toMatchObject({
      number: '2026-000001',
      vat: expect.any(String),
      groups: [{ category: given.vat.category }],
    });
  });
});

describe('a broken document is found', () => {
  const domestic = document(GERMAN, party('DE'));
  const reverse = document(GERMAN, party('FR', { vat_id: 'FR12345678901' }));
  const foreign = document(GERMAN, party('US'));
  test.each<[string, EDocument]>([
    ['BR-11', { ...domestic, buyer: party('') }],
    ['BR-CO-10', { ...domestic, lines: domestic.lines.slice(1) }],
    ['BR-CO-15', { ...domestic, totals: { ...domestic.totals, totalMicros: 1_000_000 } }],
    ['BR-CO-16', { ...domestic, totals: { ...domestic.totals, dueMicros: 10_000 } }],
    ['BR-CO-17', { ...domestic, totals: vatTotals(domestic.totals.netMicros, 10_000) }],
    ['BR-S-10', { ...domestic, vat: { ...domestic.vat, exemptionReason: 'None' } }],
    ['BR-AE-02', { ...reverse, buyer: party('FR') }],
    ['BR-AE-10', { ...reverse, vat: { category: 'AE', rateBasisPoints: 0 } }],
    ['BR-CO-26', { ...foreign, seller: party('DE') }],
    ['BR-16', { ...domestic, lines: [] }],
  ])('by %s', (rule, broken) => {
    expect(brokenRules(writeUbl(broken))).toContain(rule);
    expect(brokenRules(writeCii(broken))).toContain(rule);
  });
});

test('XML is refused without the full address of the buyer or in a currency with three decimals', () => {
  expect(refuseXml({ buyer: { name: 'B', address_lines: [] }, currency: 'EUR' })).toMatchObject({
    code: 'state_conflict',
    detail: expect.stringContaining('lacked city, postal_code, country'),
  });
  expect(refuseXml({ buyer: party('DE'), currency: 'KWD' })).toMatchObject({ code: 'state_conflict' });
  expect(refuseXml({ buyer: party('DE'), currency: 'JPY' })).toBeUndefined();
});
