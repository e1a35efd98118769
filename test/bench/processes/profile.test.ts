/** CPU profiles summed by function. A profile made here. */
import { expect, test } from 'vitest';
import { linesOf, profileTable } from '../../../bench/profile.ts';

const node = (id: number, functionName: string, url = '', children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

test('a profile is summed by function over the busy time', () => {
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

test('a function outside the project is named with its caller in the project', () => {
  const here = new URL('../../../authority/epochs.ts', import.meta.url).href;
  const library = new URL('../../../node_modules/ioredis/built/Command.js', import.meta.url).href;
  const lines = linesOf({
    nodes: [
      node(1, '(root)', '', [2, 5]),
      node(2, 'nameBytes', here, [3]),
      node(3, 'toWritable', library, [4]),
      node(4, 'allocate', 'node:buffer'),
      node(5, 'allocate', 'node:buffer'),
    ],
    samples: [2, 3, 4, 5],
    timeDeltas: [400, 300, 200, 100],
  });
  expect(lines.map(({ name }) => name)).toEqual([
    'nameBytes authority/epochs.ts',
    'toWritable ioredis/built/Command.js for nameBytes authority/epochs.ts',
    'allocate node:buffer for nameBytes authority/epochs.ts',
    'allocate node:buffer',
  ]);
});
