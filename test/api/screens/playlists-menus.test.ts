/**
 * Menus of venues and the pages that screens show of them: addresses that change with the content, and hostile text
 * that stays text. Driven by calls to the API in this process on real engines; some tests call the page templates
 * themselves.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderMenu } from '../../../api/menus/page.ts';
import { formatId, parseId } from '../../../domain/id.ts';
import { MENU_TEMPLATES, parseMenu, type Menu } from '../../../domain/screens/menu.ts';
import { handle } from '../../support/handle.ts';
import { createKey, createWorkspace, startApi, VENUE, type Answer, type TestApi } from '../support/app-under-test.ts';
import { rowsOf } from '../support/answer.ts';

let api: TestApi;
let key: string;
let otherKey: string;
let venue: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  otherKey = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
});
afterAll(() => api.close());

const BEER = {
  name: 'Beer',
  items: [
    { name: 'Pale ale', description: 'Half a litre', price: { amount: 4.8, currency: 'EUR' }, tags: ['vegan'] },
    { name: 'Stout', tags: [] },
  ],
};
const put = (body: object, options: { as?: string; id?: string } = {}): Promise<Answer> =>
  api.call('PUT', `/v1/venues/${options.id ?? venue}/menu`, { key: options.as ?? key, body });
const pageOf = (answer: Answer, template = 'board'): string =>
  new URL(rowsOf<{ template: string; url: string }>(answer.body['pages']).find(page => page.template === template)!.url)
    .pathname;
const textOf = async (path: string): Promise<string> => (await api.call('GET', path)).raw.toString();

describe('PUT /venues/{id}/menu', () => {
  test('replaces the menu, and a change gives its pages new addresses and reaches delivery and the audit log', async () => {
    const first = await put({ title: 'Tonight', language: 'de', sections: [BEER] });
    expect(first).toMatchObject({
      status: 200,
      body: {
        venue_id: venue,
        title: 'Tonight',
        language: 'de',
        sections: [BEER],
        updated_at: expect.stringMatching(/Z$/),
      },
    });
    const [before] = await api.sql<{ number: number }[]>`select coalesce(max(number), 0) as number from change_log`;
    const second = await put({ sections: [BEER] });
    expect(second.body).toMatchObject({ language: 'en', sections: [BEER] });
    expect(second.body['title']).toBeUndefined();
    expect(pageOf(second)).not.toBe(pageOf(first));
    expect((await api.call('GET', pageOf(first))).status).toBe(404);
    expect(await api.sql`select entity, handle from change_log where number > ${before!.number}`).toEqual([
      { entity: 'venue', handle: parseId('venue', venue)! },
    ]);
    const [entry] = await api.sql<
      { action: string; diff: object }[]
    >`select action, diff from audit_entries order by handle desc limit 1`;
    expect(entry).toMatchObject({
      action: 'menu.updated',
      diff: { title: { from: 'Tonight', to: null }, language: { from: 'de', to: 'en' } },
    });
  });

  test('writes nothing for the same menu, and its pages keep their addresses', async () => {
    const first = await put({ sections: [BEER] });
    const [before] = await api.sql<{ number: number }[]>`select coalesce(max(number), 0) as number from change_log`;
    const again = await put({ language: 'en', sections: [BEER] });
    expect(pageOf(again)).toBe(pageOf(first));
    expect(await api.sql`select coalesce(max(number), 0) as number from change_log`).toEqual([before]);
  });

  test.each<[string, object, string, string]>([
    ['no sections', { sections: [] }, '/sections', 'too_short'],
    ['a section without items', { sections: [{ name: 'A', items: [] }] }, '/sections/0/items', 'too_short'],
    [
      'an unknown field of an item',
      { sections: [{ name: 'A', items: [{ name: 'B', html: '<b>' }] }] },
      '/sections/0/items/0/html',
      'unknown_field',
    ],
    [
      'a price in another currency code',
      { sections: [{ name: 'A', items: [{ name: 'B', price: { amount: 1, currency: 'ZZZ' } }] }] },
      '/sections/0/items/0/price/currency',
      'unknown_currency',
    ],
    [
      'a price below zero',
      { sections: [{ name: 'A', items: [{ name: 'B', price: { amount: -1, currency: 'EUR' } }] }] },
      '/sections/0/items/0/price/amount',
      'out_of_range',
    ],
    ['a long name', { sections: [{ name: 'x'.repeat(81), items: [{ name: 'B' }] }] }, '/sections/0/name', 'too_long'],
    ['an unknown language', { language: '../..', sections: [BEER] }, '/language', 'unknown_value'],
  ])('with %s is refused', async (_, body, pointer, code) => {
    expect(await put(body)).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
  });

  test('gives 404 for a venue of another workspace or an unknown one', async () => {
    for (const [id, as] of [
      [venue, otherKey],
      [formatId('venue', handle('venue', 999_999)), key],
      ['nonsense', key],
    ] as const) {
      expect(await put({ sections: [BEER] }, { id, as })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });
});

describe('GET /venues/{id}/menu', () => {
  test('returns the menu with the addresses of its pages, one for each template', async () => {
    const written = await put({ sections: [BEER] });
    const answer = await api.call('GET', `/v1/venues/${venue}/menu`, { key });
    expect(answer.body).toEqual(written.body);
    expect(rowsOf<{ template: string }>(answer.body['pages']).map(page => page.template)).toEqual(MENU_TEMPLATES);
    expect((await api.call('GET', `/v1/venues/${venue}/menu`, { key: otherKey })).status).toBe(404);
  });

  test('gives 404 while the venue has no menu', async () => {
    const bare = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
    expect((await api.call('GET', `/v1/venues/${bare}/menu`, { key })).status).toBe(404);
  });
});

describe('a menu page', () => {
  test.each(MENU_TEMPLATES)(
    'with the template %s shows names, prices and tags under a policy that allows only its own style',
    async template => {
      const path = pageOf(await put({ title: 'Tonight & after', language: 'de', sections: [BEER] }), template);
      const answer = await api.call('GET', path);
      const html = answer.raw.toString();
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      for (const text of ['Tonight &amp; after', 'Pale ale', 'Half a litre', '4,80\u00a0€', 'vegan', 'Stout'])
        expect(html).toContain(text);
      const style = /<style>([\s\S]*)<\/style>/.exec(html)![1]!;
      expect(answer.headers['content-security-policy']).toBe(
        `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; sandbox`,
      );
      expect(html).not.toMatch(/<script|style=|src=|href=/);
    },
  );

  test('shows the venue as its headline if the menu has none', async () => {
    expect(await textOf(pageOf(await put({ sections: [BEER] })))).toContain(`<h1 dir="auto">${VENUE.name}</h1>`);
  });

  test('gives 404 for an unknown template or an unknown name', async () => {
    const path = pageOf(await put({ sections: [BEER] }));
    for (const wrong of [
      path.replace('board', 'bored'),
      path.replace('board', '__proto__'),
      path.replace('board', '..%2Fboard'),
      '/menus/00000000000000000000000000000000/board',
      '/menus/x/board',
    ]) {
      expect((await api.call('GET', wrong)).status).toBe(404);
    }
  });

  const HOSTILE = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `' onmouseover='alert(1)`,
    '</style><style>*{}',
    '{{{title}}}',
    '{{#sections}}{{/sections}}',
    '{{=<% %>=}}',
    '<!-- ',
    '&lt;b&gt;',
    'javascript:alert(1)',
    '\u202eevil',
    '${7*7}',
    '`',
    'a'.repeat(80),
    '<'.repeat(80),
  ];
  test.each(HOSTILE)('shows hostile text %j as text in every field', text => {
    for (const template of MENU_TEMPLATES) {
      const menu = parseMenu({
        title: text,
        sections: [
          {
            name: text,
            items: [
              { name: text, description: text, price: { amount: 1, currency: 'EUR' }, tags: [text.slice(0, 24)] },
            ],
          },
        ],
      }) as Menu;
      const html = renderMenu(template, { menu, venue: text });
      const harmless = renderMenu(template, {
        menu: parseMenu({
          title: 'x',
          sections: [
            { name: 'x', items: [{ name: 'x', description: 'x', price: { amount: 1, currency: 'EUR' }, tags: ['x'] }] },
          ],
        }) as Menu,
        venue: 'x',
      });
      // The same tags, in the same order, with the same attributes: the text added none.
      const tagsOf = (page: string) => page.match(/<[^>]*>/g)!.map(tag => tag.replace(/class="[a-z0-9 ]*"/, ''));
      expect(tagsOf(html)).toEqual(tagsOf(harmless));
      const escaped = text.replace(/[&<>"'`=/]/g, character => `&#${character.codePointAt(0)};`);
      const decoded = html.replace(
        /&(amp|lt|gt|quot|#39|#x2F|#x60|#x3D);/g,
        (_, name: string) =>
          `&#${{ amp: 38, lt: 60, gt: 62, quot: 34, '#39': 39, '#x2F': 47, '#x60': 96, '#x3D': 61 }[name]};`,
      );
      expect(decoded).toContain(escaped);
    }
  });

  test.each([
    ['three items', 1, 3, ''],
    ['a full card', 5, 5, 'with everything that belongs to it'],
    [
      'as much as there may be',
      10,
      8,
      'with everything that belongs to it, and with a salad from the garden behind the house',
    ],
  ])('of %s has a letter size of the style sheet, smaller for more text', (_, sections, items, description) => {
    const menu = parseMenu({
      sections: Array.from({ length: sections }, (_unused, at) => ({
        name: `Section ${at}`,
        items: Array.from({ length: items }, (_one, index) => ({
          name: `Dish number ${index}`,
          ...(description && { description }),
        })),
      })),
    }) as Menu;
    const html = renderMenu('board', { menu, venue: 'Bar' });
    const size = /<html lang="en" class="(c[1-4]) (s\d+)(?: sb)? (p[12]) (t\d+)(?: tb)?">/.exec(html)!;
    for (const name of size.slice(1)) expect(html).toMatch(new RegExp(`\\.${name}[ {]`));
  });

  test('with more text has smaller letters', () => {
    const lettersOf = (count: number): number => {
      const menu = parseMenu({
        sections: [{ name: 'A', items: Array.from({ length: count }, () => ({ name: 'Dish of the day' })) }],
      }) as Menu;
      return Number(/class="c\d s(\d+)/.exec(renderMenu('card', { menu, venue: 'Bar' }))![1]);
    };
    const letters = [3, 20, 50, 80].map(lettersOf);
    expect(letters).toEqual([...letters].sort((a, b) => b - a));
    expect(letters[0]).toBeGreaterThan(letters[3]!);
  });
});
