/** VAT as tables: rates by day, categories by countries, the form of VAT ids, and rounded totals. */
import { describe, expect, test } from 'vitest';
import { parseVatId } from '../../../domain/tax/vat-id.ts';
import { missingOfBuyer, missingOfSeller, readVatDetails, type VatParty } from '../../../domain/tax/vat-party.ts';
import { isInEu, standardRate, VAT_COUNTRIES } from '../../../domain/tax/vat-rates.ts';
import { formatRate, vatMicros, vatTotals, vatTreatment } from '../../../domain/tax/vat.ts';

const party = (country: string | null, more: Partial<VatParty> = {}): VatParty => ({
  name: 'Party',
  address_lines: ['Street 1'],
  city: 'City',
  postal_code: '10000',
  country,
  ...more,
});
const ON = '2026-03-31';

describe('standard rates', () => {
  test('are known for the 27 EU states, Great Britain, Switzerland and Norway', () => {
    expect(VAT_COUNTRIES.filter(isInEu)).toHaveLength(27);
    expect(VAT_COUNTRIES.filter(country => !isInEu(country)).sort()).toEqual(['CH', 'GB', 'NO']);
    expect(standardRate('US', ON)).toBeUndefined();
    expect(standardRate('constructor', ON)).toBeUndefined();
    expect(isInEu('US')).toBe(false);
  });

  test.each([
    ['DE', ON, 1_900],
    ['HU', ON, 2_700],
    ['EE', '2023-12-31', 2_000],
    ['EE', '2025-06-30', 2_200],
    ['EE', '2025-07-01', 2_400],
    ['FI', '2024-08-31', 2_400],
    ['FI', '2024-09-01', 2_550],
    ['LU', '2024-01-01', 1_700],
    ['RO', '2025-07-31', 1_900],
    ['RO', '2025-08-01', 2_100],
    ['SK', '2025-01-01', 2_300],
    ['CH', '2023-12-31', 770],
    ['CH', '2024-01-01', 810],
  ])('of %s on %s is %i hundredths of a percent', (country, day, rate) => {
    expect(standardRate(country, day)).toBe(rate);
  });
});

describe('the treatment of a supply', () => {
  const german = party('DE', { vat_id: 'DE123456789' });
  test.each<[string, VatParty, VatParty, string, number, string | undefined]>([
    ['at home', german, party('DE', { vat_id: 'DE987654321' }), 'S', 1_900, undefined],
    ['to a business of another EU state', german, party('FR', { vat_id: 'FR12345678901' }), 'AE', 0, 'VATEX-EU-AE'],
    ['to a buyer of the EU without a VAT id', german, party('FR'), 'S', 1_900, undefined],
    ['to a buyer without a country', german, party(null), 'S', 1_900, undefined],
    ['to a buyer outside the EU', german, party('US'), 'O', 0, 'VATEX-EU-O'],
    ['from the EU to Northern Ireland', german, party('GB', { vat_id: 'XI123456789' }), 'O', 0, 'VATEX-EU-O'],
    ['to Switzerland', german, party('CH', { vat_id: 'CHE123456789' }), 'O', 0, 'VATEX-EU-O'],
    ['in Switzerland', party('CH', { vat_id: 'CHE123456789' }), party('CH'), 'S', 810, undefined],
    ['from Switzerland', party('CH', { vat_id: 'CHE123456789' }), german, 'O', 0, 'VATEX-EU-O'],
    ['from Norway', party('NO', { vat_id: 'NO123456789' }), german, 'G', 0, 'VATEX-EU-G'],
    [
      'of a small enterprise at home',
      party('DE', { tax_id: '12/345', vat_exemption: 'Small' }),
      german,
      'E',
      0,
      undefined,
    ],
  ])('%s has a category, a rate and a reason', (_where, seller, buyer, category, rate, code) => {
    const treatment = vatTreatment({ seller, buyer, on: ON });
    expect(treatment).toMatchObject({ category, rateBasisPoints: rate });
    expect(treatment?.exemptionCode).toBe(code);
    expect(treatment?.exemptionReason === undefined).toBe(category === 'S');
  });

  test('uses the rate of the last day if the rate changed within the month', () => {
    const seller = party('EE', { vat_id: 'EE123456789' });
    expect(vatTreatment({ seller, buyer: seller, on: '2025-06-30' })?.rateBasisPoints).toBe(2_200);
    expect(vatTreatment({ seller, buyer: seller, on: '2025-07-31' })?.rateBasisPoints).toBe(2_400);
  });

  test.each<[VatParty, string[]]>([
    [{ name: 'Seller', address_lines: [] }, ['address_lines', 'city', 'postal_code', 'country', 'vat_id']],
    [party('DE'), ['vat_id']],
    [party('DE', { vat_exemption: 'Small' }), ['tax_id']],
    [party('US', { vat_id: 'US1' }), ['country']],
    [german, []],
  ])('of a seller %# is undefined while details are missing', (seller, missing) => {
    expect(missingOfSeller(seller)).toEqual(missing);
    expect(vatTreatment({ seller, buyer: party('DE'), on: ON }) === undefined).toBe(missing.length > 0);
  });

  test('needs only the address of the buyer', () => {
    expect(missingOfBuyer({ name: 'Buyer', address_lines: [] })).toEqual(['city', 'postal_code', 'country']);
    expect(missingOfBuyer(party('US'))).toEqual([]);
  });
});

describe('VAT ids', () => {
  test.each([
    ['DE', 'de 123.456.789', 'DE123456789'],
    ['AT', 'ATU12345678', 'ATU12345678'],
    ['GR', 'EL123456789', 'EL123456789'],
    ['GB', 'XI123456789', 'XI123456789'],
    ['GB', 'GB 123 4567 89', 'GB123456789'],
    ['CH', 'CHE-123.456.789 MWST', 'CHE123456789MWST'],
    ['NO', 'NO 123 456 789 MVA', 'NO123456789MVA'],
    ['NL', 'NL123456789B01', 'NL123456789B01'],
    ['IE', 'IE1234567WA', 'IE1234567WA'],
    ['ES', 'ESX1234567X', 'ESX1234567X'],
    ['US', 'US12-3456789', 'US123456789'],
  ])('of %s are read without blanks: %s', (country, text, id) => {
    expect(parseVatId(text, { country, pointer: '/vat_id' })).toBe(id);
  });

  test.each([
    ['DE', 'FR12345678901', 'wrong_country', 'begins with FR, but the country of the address is DE'],
    ['GR', 'GR123456789', 'wrong_country', 'begins with GR'],
    ['IE', 'XI123456789', 'wrong_country', 'begins with XI'],
    ['DE', '', 'wrong_country', 'begins with nothing'],
    ['DE', 'DE12345678', 'bad_format', 'is not a VAT id as DE issues them'],
    ['US', 'US', 'bad_format', 'is not a VAT id'],
  ])('of %s with the value %s are refused by the name of the field', (country, text, code, detail) => {
    expect(parseVatId(text, { country, pointer: '/billing_details/vat_id' })).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/billing_details/vat_id', code, detail: expect.stringContaining(detail) }],
    });
  });
});

describe('the details of a party', () => {
  const read = (details: { country?: string; vat_id?: string }) => readVatDetails(details, field => `/of/${field}`);

  test('contain the VAT id as printed, which is optional', () => {
    expect(read({ country: 'DE', vat_id: 'de123 456 789' })).toEqual({ country: 'DE', vat_id: 'DE123456789' });
    expect(read({ country: 'ZW' })).toEqual({ country: 'ZW' });
    expect(read({})).toEqual({});
  });

  test.each([
    [{ country: 'XX' }, '/of/country', 'unknown_country'],
    [{ country: 'EL' }, '/of/country', 'unknown_country'],
    [{ vat_id: 'DE123456789' }, '/of/country', 'required'],
    [{ country: 'FR', vat_id: 'DE123456789' }, '/of/vat_id', 'wrong_country'],
  ])('of %j are refused by the name of the field', (details, pointer, code) => {
    expect(read(details)).toMatchObject({ code: 'validation_failed', errors: [{ pointer, code }] });
  });
});

describe('the VAT of a document', () => {
  test.each([
    [10_010_000, 1_900, 'EUR', 1_900_000], // 10.01 at 19% is 1.9019
    [10_050_000, 1_000, 'EUR', 1_010_000], // 1.005: half goes up
    [100_000_000, 2_550, 'EUR', 25_500_000],
    [1_005_000_000, 1_000, 'JPY', 101_000_000], // 100.5 yen
    [1_234_000, 1_900, 'KWD', 234_000], // 0.23446 of three decimals
    [9_007_199_254_740_000, 2_700, 'EUR', 2_431_943_798_780_000],
    [0, 1_900, 'EUR', 0],
  ])('on %i micro-units at %i is rounded once, in %s', (net, rate, currency, vat) => {
    expect(vatMicros(net, rate, currency)).toBe(vat);
  });

  test('is the amount due, because the wallet paid the net amount in advance', () => {
    expect(vatTotals(10_010_000, 1_900_000)).toEqual({
      netMicros: 10_010_000,
      vatMicros: 1_900_000,
      totalMicros: 11_910_000,
      prepaidMicros: 10_010_000,
      dueMicros: 1_900_000,
    });
    expect([1_900, 2_550, 810].map(formatRate)).toEqual(['19', '25.5', '8.1']);
  });
});
