/**
 * Documents as UBL and CII by the rules of EN 16931, for every category of VAT and every type
 * of document; and that a broken document is found.
 */
import { describe, expect, test } from 'vitest';
import { writeCii } from '../../../api/e-invoices/cii.ts';
import { refuseXml, type EDocument } from '../../../api/e-invoices/e-document.ts';
import { writeUbl } from '../../../api/e-invoices/ubl.ts';
import { vatTotals } from '../../../domain/tax/vat.ts';
import { CASES, document, GERMAN, party } from './documents.ts';
import { brokenRules, readFacts } from './en16931-rules.ts';

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

test.each([
  ['UBL', writeUbl],
  ['CII', writeCii],
])('characters that XML cannot have are replaced in %s: one name must not break the file', (_syntax, write) => {
  const name = 'A\uFFFEB\uFFFFC\u0000D\u000BE\uD800F\u{1F600}';
  const { lines, ...others } = document(GERMAN, party('DE'));
  const xml = write({ ...others, lines: lines.map(line => ({ ...line, name })) });
  expect(xml).toContain('>A\uFFFDB\uFFFDC\uFFFDD\uFFFDE\uFFFDF\u{1F600}<');
});

test('XML is refused without the full address of the buyer or in a currency with three decimals', () => {
  expect(refuseXml({ buyer: { name: 'B', address_lines: [] }, currency: 'EUR' })).toMatchObject({
    code: 'state_conflict',
    detail: expect.stringContaining('lacked city, postal_code, country'),
  });
  expect(refuseXml({ buyer: party('DE'), currency: 'KWD' })).toMatchObject({ code: 'state_conflict' });
  expect(refuseXml({ buyer: party('DE'), currency: 'JPY' })).toBeUndefined();
});
