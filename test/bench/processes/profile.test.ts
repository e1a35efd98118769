/** CPU profiles summed by function. A profile made here. */
import { expect, test } from 'vitest';
import { linesOf, profileTable } from '../../../bench/profile.ts';

const node = (id: number, functionName: string, url = '') => ({ id, callFrame: { functionName, url } });

test('a profile is summed by function over the time that was not idle', () => {
  const here = new URL('../../../delivery/slots/slots.ts', import.meta.url).href;
  const lines = linesOf({
    nodes: [
      node(1, '(root)'),
      node(2, '(idle)'),
      node(3, '(garbage collector)'),
      node(4, 'answer', here),
      node(5, 'answer', here),
      node(6, '', here),
    ],
    samples: [1, 2, 4, 5, 3, 6],
    timeDeltas: [1_000, 5_000, 300, 300, 300, 100],
  });
  expect(lines).toEqual([
    { name: 'answer delivery/slots/slots.ts', percent: 60 },
    { name: '(garbage collector)', percent: 30 },
    { name: '(anonymous) delivery/slots/slots.ts', percent: 10 },
  ]);
  expect(profileTable(lines, 2)).toBe(
    '| self time | function |\n|---|---|\n| 60.0% | `answer delivery/slots/slots.ts` |\n| 30.0% | `(garbage collector)` |',
  );
});
