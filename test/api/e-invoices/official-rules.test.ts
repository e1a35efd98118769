/** Documents of every kind by the official rules of EN 16931, and broken ones, which these rules find. */
import { describe, expect, test } from 'vitest';
import { writeCii } from '../../../api/e-invoices/cii.ts';
import type { EDocument } from '../../../api/e-invoices/e-document.ts';
import { writeUbl } from '../../../api/e-invoices/ubl.ts';
import { vatTotals } from '../../../domain/tax/vat.ts';
import { CASES, document, GERMAN, party } from './documents.ts';
import { officialFaults } from './official-rules.ts';

describe.each([
  ['UBL', writeUbl],
  ['CII', writeCii],
])('as %s', (_syntax, write) => {
  test.each(CASES)(
    'a document of %s breaks no official rule',
    (_name, given) => {
      expect(officialFaults(write(given))).toEqual([]);
    },
    120_000,
  );

  const domestic = document(GERMAN, party('DE'));
  const reverse = document(GERMAN, party('FR', { vat_id: 'FR12345678901' }));
  test.each<[string, EDocument]>([
    ['BR-11', { ...domestic, buyer: party('') }],
    ['BR-CO-10', { ...domestic, lines: domestic.lines.slice(1) }],
    ['BR-CO-15', { ...domestic, totals: { ...domestic.totals, totalMicros: 1_000_000 } }],
    ['BR-CO-17', { ...domestic, totals: vatTotals(domestic.totals.netMicros, 10_000) }],
    ['BR-AE-02', { ...reverse, buyer: party('FR') }],
    ['BR-AE-10', { ...reverse, vat: { category: 'AE', rateBasisPoints: 0 } }],
  ])(
    'a broken document is found by %s',
    (rule, broken) => {
      expect(officialFaults(write(broken)).map(fault => fault.split(':')[0])).toContain(rule);
    },
    120_000,
  );
});

test('a text of neither syntax is refused', () => {
  expect(() => officialFaults('<a/>')).toThrow('no rule of UBL applies');
}, 120_000);
