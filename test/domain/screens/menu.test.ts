/** A menu as a venue sends it: prices, texts and templates, and what is refused. Pure rules, by examples. */
import { describe, expect, test } from 'vitest';
import { isMenuTemplate, MENU_ITEMS_MAX, parseMenu, type SpelledMenu, writePrice } from '#domain/screens/menu.ts';

const menu = (changes: object = {}, item: object = {}): SpelledMenu => ({
  sections: [{ name: 'Beer', items: [{ name: 'Ale', ...item }] }],
  ...changes,
});

describe('parseMenu', () => {
  test('reads prices as money and fills in optional fields', () => {
    expect(
      parseMenu(
        menu(
          { title: 'Tonight', language: 'de-AT' },
          { price: { amount: 4.8, currency: 'EUR' }, description: 'Cold', tags: ['vegan'] },
        ),
      ),
    ).toEqual({
      title: 'Tonight',
      language: 'de-AT',
      sections: [
        {
          name: 'Beer',
          items: [{ name: 'Ale', description: 'Cold', price: { micros: 4_800_000, currency: 'EUR' }, tags: ['vegan'] }],
        },
      ],
    });
    expect(parseMenu(menu())).toEqual({
      language: 'en',
      sections: [{ name: 'Beer', items: [{ name: 'Ale', tags: [] }] }],
    });
  });

  test.each<[string, SpelledMenu, string, string]>([
    ['a line break in a name', menu({}, { name: 'a\nb' }), '/sections/0/items/0/name', 'bad_text'],
    [
      'a control character in a description',
      menu({}, { description: 'a\u0007b' }),
      '/sections/0/items/0/description',
      'bad_text',
    ],
    ['spaces as a tag', menu({}, { tags: ['ok', ' '] }), '/sections/0/items/0/tags/1', 'bad_text'],
    ['a title of a control character', menu({ title: '\u0001' }), '/title', 'bad_text'],
    [
      'an unknown currency',
      menu({}, { price: { amount: 1, currency: 'XXX' } }),
      '/sections/0/items/0/price/currency',
      'unknown_currency',
    ],
    [
      'half a yen',
      menu({}, { price: { amount: 0.5, currency: 'JPY' } }),
      '/sections/0/items/0/price/amount',
      'too_many_decimals',
    ],
    ['a language that is none', menu({ language: 'not a tag' }), '/language', 'unknown_value'],
    [
      'too many items in all',
      {
        sections: [0, 1].map(at => ({
          name: `S${at}`,
          items: Array.from({ length: MENU_ITEMS_MAX / 2 + 1 }, () => ({ name: 'Ale' })),
        })),
      },
      '/sections',
      'too_long',
    ],
  ])('%s is refused', (_, body, pointer, code) => {
    expect(parseMenu(body)).toMatchObject({ code: 'validation_failed', errors: [{ pointer, code }] });
  });
});

test.each([
  [{ micros: 4_800_000, currency: 'EUR' }, 'de', '4,80\u00a0€'],
  [{ micros: 4_800_000, currency: 'EUR' }, 'en', '€4.80'],
  [{ micros: 1_200_000_000, currency: 'JPY' }, 'ja', '￥1,200'],
  [{ micros: 1_250_000, currency: 'KWD' }, 'en', 'KWD\u00a01.250'],
])('the price %j is written in %s as %s', (price, language, text) => {
  expect(writePrice(price, language)).toBe(text);
});

test('a template is one of the list, and not a property name of objects', () => {
  expect(['board', 'card', 'highlights'].every(isMenuTemplate)).toBe(true);
  expect(['', 'Board', 'toString', '__proto__', undefined, 7].some(isMenuTemplate)).toBe(false);
});
