/** What the console shows of a filtered list before the API has answered: pure. */
import { expect, test } from 'vitest';
import { holds, narrowed } from '../../../../web/console/api/narrowed.ts';

const page = (names: string[], next_cursor: string | null) => ({ data: names.map(name => ({ name })), next_cursor });
const narrow = (pages: ReturnType<typeof page>[]) =>
  narrowed({ pages, pageParams: [] }, ({ name }) => holds([name], 'Bar'))?.pages;

test('the result of a filter is known with the last page and its total', () => {
  const first = page(['Bar 1', 'Gym'], 'next');
  expect([narrow([first]), narrow([first, page(['Bistro', 'MINIBAR'], null)])]).toEqual([
    undefined,
    [{ ...page(['Bar 1', 'MINIBAR'], null), total: 2 }],
  ]);
});

test('the result is unknown for a list that was not requested or is loading', () => {
  expect([narrowed(undefined, () => true), narrow([])]).toEqual([undefined, undefined]);
});

test('one of several texts is enough, and pattern characters are literal', () => {
  expect([holds(['Door', 'City Hall'], 'hall'), holds(['Door'], 'hall'), holds(['50% off'], '0%')]).toEqual([
    true,
    false,
    true,
  ]);
});
