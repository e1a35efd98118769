/** Fields and values of the audit log as people read them, in both languages: pure, with a browser's languages. */
import { beforeAll, describe, expect, test, vi } from 'vitest';

/** Loaded as a browser loads them: their types are those of a browser, which the types of tests are not. */
const load = async <Module>(file: string) =>
  (await import(/* @vite-ignore */ new URL(`../../../web/console/${file}`, import.meta.url).href)) as Module;
const { fieldName, shownValue } = await load<{
  fieldName: (field: string) => string;
  shownValue: (field: string, value: unknown) => string;
}>('pages/audit/audited-values.ts');
const { loadLanguage, withMoreTexts } = await load<{
  loadLanguage: (language: string) => Promise<void>;
  withMoreTexts: (page: Promise<void>) => Promise<void>;
}>('text/text.ts');

const speak = async (language: string, locale: string): Promise<void> => {
  vi.stubGlobal('navigator', { languages: [locale] });
  vi.stubGlobal('document', { documentElement: {} });
  await loadLanguage(language);
  await withMoreTexts(Promise.resolve());
};

describe('in English', () => {
  beforeAll(() => speak('en', 'en-GB'));

  test.each([
    ['budget', 'Budget'],
    ['landing_url', 'QR destination'],
    ['amount_micros', 'Amount'],
    ['visibility.name', 'Visibility: name'],
  ])('the field %s is called %s', (field, name) => {
    expect(fieldName(field)).toBe(name);
  });

  test.each([
    ['budget', { amount: 1234.5, currency: 'EUR' }, '€1,234.50'],
    ['amount_micros', 2_500_000, '2.5'],
    ['ad_ratio', 0.3, '30%'],
    ['daily_visitors', 12_000, '12,000'],
    ['status', 'pending_review', 'In review'],
    ['blocked_categories', ['travel_and_tourism'], 'Travel and tourism'],
    ['brand_lift', true, 'yes'],
    ['schedule', { starts: '2026-09-01', ends: '2026-09-30' }, 'Starts: 1 Sept 2026; Ends: 30 Sept 2026'],
    ['targets', { cities: ['Berlin'], venue_types: [], daypart: null }, 'Cities: Berlin'],
    ['photo', 'a'.repeat(64), 'a file (aaaaaaaa…)'],
    ['landing_url', null, '–'],
    ['creatives', [], '–'],
  ])('%s: %j is written %s', (field, value, written) => {
    expect(shownValue(field, value)).toBe(written);
  });

  test('a time has its zone', () => {
    expect(shownValue('deleted_at', '2026-09-01T12:30:00.000Z')).toMatch(/^1 Sept 2026, \d\d:\d\d \S+$/);
  });
});

describe('in German', () => {
  beforeAll(() => speak('de', 'de-DE'));

  test('a field and its value are in German', () => {
    expect([fieldName('ad_ratio'), fieldName('visibility.name')]).toEqual(['Werbeanteil', 'Sichtbarkeit: Name']);
    expect(shownValue('targets', { cities: ['Berlin', 'Ulm'] })).toBe('Städte: Berlin, Ulm');
    expect(shownValue('budget', { amount: 1234.5, currency: 'EUR' })).toBe('1.234,50\u00a0€');
    expect(shownValue('brand_lift', false)).toBe('nein');
  });
});
