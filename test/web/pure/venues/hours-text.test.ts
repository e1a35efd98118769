/** Opening hours written as text: what is saved is what was written, and what is no range is found. */
import { expect, test } from 'vitest';

type Range = { start: string; end: string };
const { rangesOfText, textOfRanges } = (await import(
  /* @vite-ignore */ new URL('../../../../web/console/pages/venues/hours-text.ts', import.meta.url).href
)) as { rangesOfText: (text: string) => Range[] | undefined; textOfRanges: (ranges: readonly Range[]) => string };

const MORNING = { start: '09:00', end: '12:00' };
const NIGHT = { start: '14:00', end: '02:00' };

test.each([
  ['', []],
  [' , ', []],
  ['9:00-12:00', [MORNING]],
  ['09:00–12:00, 14:00 – 02:00', [MORNING, NIGHT]],
])('%j is %j, and stays so when it is shown and saved again', (text, ranges) => {
  expect(rangesOfText(text)).toEqual(ranges);
  expect(rangesOfText(textOfRanges(ranges))).toEqual(ranges);
});

test.each(['9-12', '09:00', '09:00-12:00 14:00-18:00', 'closed'])('%j is no range', text => {
  expect(rangesOfText(text)).toBeUndefined();
});
