/** A menu written as lines of text: what is saved is what was written, and a wrong line is named. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

type Item = { name: string; price?: { amount: number; currency: string }; description?: string; tags?: string[] };
type Section = { name: string; items: Item[] };
const { menuOfText, textOfMenu } = (await import(
  /* @vite-ignore */ new URL('../../../../web/console/pages/venues/menu-text.ts', import.meta.url).href
)) as {
  menuOfText: (text: string, currency: string) => { sections: Section[] } | { line: number };
  textOfMenu: (sections: readonly Section[]) => string;
};

const word = fc.stringMatching(/^[A-Za-z][a-z ]{0,8}[a-z]$/);
const item: fc.Arbitrary<Item> = fc
  .record({
    name: word,
    cents: fc.option(fc.integer({ min: 0, max: 99_999 })),
    description: fc.option(word),
    tags: fc.array(word, { maxLength: 3 }),
  })
  .map(({ name, cents, description, tags }) => ({
    name,
    ...(cents !== null && { price: { amount: cents / 100, currency: 'EUR' } }),
    ...(description !== null && { description }),
    ...(tags.length > 0 && { tags }),
  }));
const sections = fc.array(fc.record({ name: word, items: fc.array(item, { maxLength: 4 }) }), { maxLength: 4 });

test('a menu shown as text and saved again stays unchanged', () => {
  fc.assert(
    fc.property(sections, menu => {
      expect(menuOfText(textOfMenu(menu), 'EUR')).toEqual({ sections: menu });
    }),
  );
});

test('an item has a price with a point or a comma, and optionally a description and tags', () => {
  expect(menuOfText('# Drinks\nEspresso | 2,50 | from Naples | strong, small\n\nWater', 'EUR')).toEqual({
    sections: [
      {
        name: 'Drinks',
        items: [
          {
            name: 'Espresso',
            price: { amount: 2.5, currency: 'EUR' },
            description: 'from Naples',
            tags: ['strong', 'small'],
          },
          { name: 'Water' },
        ],
      },
    ],
  });
});

test.each([
  ['an item before any section', 'Espresso | 2.50', 1],
  ['a price that is no number', '# Drinks\nWater | 1.00\nEspresso | cheap', 3],
  ['a fifth field', '# Drinks\nEspresso | 2 | a | b | c', 2],
  ['an item without a name', '# Drinks\n| 2.50', 2],
])('%s is named by its line', (_, text, line) => {
  expect(menuOfText(text, 'EUR')).toEqual({ line });
});
