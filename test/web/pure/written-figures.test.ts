/** How figures and money are written in texts, in both languages: pure, with a browser's languages. */
import { describe, expect, test, vi } from 'vitest';

/** Loaded as a browser loads them: their types are those of a browser, which the types of tests are not. */
const load = async <Module>(file: string) =>
  (await import(/* @vite-ignore */ new URL(`../../../web/console/${file}`, import.meta.url).href)) as Module;
type Money = { amount: number; currency: string };
const {
  compact,
  count: number,
  money,
  monthName,
  roundMoney,
  smallestAmount,
} = await load<
  Record<'money' | 'roundMoney', (value: Money) => string> & {
    compact: (value: number) => string;
    monthName: (period: string) => string;
    count: (value: number) => string;
    smallestAmount: (currency: string) => string;
  }
>('text/format.ts');
const { loadLanguage, t, term, withMoreTexts } = await load<{
  loadLanguage: (language: string) => Promise<void>;
  withMoreTexts: (page: Promise<unknown>) => Promise<unknown>;
  t: (key: string, values: Readonly<Record<string, string | number>>) => string;
  term: (group: string, word: string) => string;
}>('text/text.ts');
const { withdrawableMoney } = await load<{ withdrawableMoney: (value: { value: number; currency: string }) => string }>(
  'pages/venue/payout-money.ts',
);

const speak = async (language: string, locale: string): Promise<void> => {
  vi.stubGlobal('navigator', { languages: [locale] });
  vi.stubGlobal('document', { documentElement: {} });
  await loadLanguage(language);
  await withMoreTexts(Promise.resolve());
};

test.each([
  ['en', 'en-GB', '1 campaign: x', '0 campaigns: x', '1,000 campaigns: x'],
  ['de', 'de-DE', '1 Kampagne: x', '0 Kampagnen: x', '1.000 Kampagnen: x'],
])('in %s one is not written as many', async (language, locale, one, none, many) => {
  await speak(language, locale);
  const written = [1, 0, 1_000].map(count => t('screen.losers', { count: number(count), reason: 'x' }));
  expect(written).toEqual([one, none, many]);
});

test.each([
  ['EUR', '0.01'],
  ['JPY', '1'],
  ['KWD', '0.001'],
])('an amount of %s is typed in steps of %s', (currency, step) => {
  expect(smallestAmount(currency)).toBe(step);
});

describe('money', () => {
  test.each([
    [0.172, '€0.1720', '€0.17'],
    [0.0357, '€0.0357', '€0.04'],
    [0.0051, '€0.0051', '€0.0051'],
    [0.29, '€0.29', '€0.29'],
    [-0.899, '-€0.8990', '-€0.90'],
    [15, '€15.00', '€15.00'],
    [7_500.4, '€7,500.40', '€7,500'],
  ])('of %d euros shows parts of a cent all as far, and none at a glance', async (amount, whole, atAGlance) => {
    await speak('en', 'en-GB');
    const value = { amount, currency: 'EUR' };
    expect([money(value), roundMoney(value)]).toEqual([whole, atAGlance]);
  });

  test.each([
    ['JPY', 0.25, '0,2500 ¥', '0,2500 ¥'],
    ['JPY', 0.4, '0,4000 ¥', '0,4000 ¥'],
    ['JPY', 1_240, '1.240 ¥', '1.240 ¥'],
    ['KWD', 0.005, '0,005 KWD', '0,005 KWD'],
    ['KWD', 0.0051, '0,0051 KWD', '0,005 KWD'],
    ['KWD', 0.25, '0,250 KWD', '0,250 KWD'],
  ])(
    'of %s, which has no cents, shows parts of its own smallest unit: %d',
    async (currency, amount, whole, atAGlance) => {
      await speak('de', 'de-DE');
      const written = [money({ amount, currency }), roundMoney({ amount, currency })];
      expect(written.map(text => text.replaceAll('\u00a0', ' '))).toEqual([whole, atAGlance]);
    },
  );
});

test.each([
  ['en', 'en-GB', '172.1M', '32K'],
  ['en', 'en-US', '172.1M', '32K'],
  ['de', 'de-DE', '172,1\u00a0Mio.', '32.007'],
])('in %s of %s large figures are shortened', async (language, locale, millions, thousands) => {
  await speak(language, locale);
  expect([compact(172_100_000), compact(32_007)]).toEqual([millions, thousands]);
});

test.each([
  ['en', 'en-GB', 'October 2026'],
  ['de', 'de-DE', 'Oktober 2026'],
])('in %s of %s a month is written %s', async (language, locale, month) => {
  await speak(language, locale);
  expect(monthName('2026-10')).toBe(month);
});

test('a venue type within a type of the same name is written once', async () => {
  await speak('en', 'en-GB');
  expect(term('venueType', 'office_buildings.office_buildings')).toBe('Office buildings');
  expect(term('venueType', 'retail.malls')).toBe('Retail: malls');
});

test('money that can be withdrawn is in whole smallest units, rounded down', async () => {
  await speak('en', 'en-GB');
  const written = [0.0011, 0.29, 262.709].map(value => withdrawableMoney({ value, currency: 'EUR' }));
  expect(written).toEqual(['€0.00', '€0.29', '€262.70']);
  expect(withdrawableMoney({ value: 621.6, currency: 'JPY' })).toBe('JP¥621');
});
