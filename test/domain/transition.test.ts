/**
 * State machines as tables: a machine does what its table says, and a table that contradicts itself is a bug. Pure
 * rules.
 */
import { expect, test } from 'vitest';
import { defineMachine, next } from '#domain/transition.ts';

const lamp = defineMachine({
  states: ['off', 'on', 'broken'],
  moves: [
    { from: 'off', on: 'press', to: 'on' },
    { from: 'on', on: 'press', to: 'off' },
    { from: 'on', on: 'burst', to: 'broken' },
  ],
});

test('a machine allows exactly the transitions of its table', () => {
  expect(next(lamp, 'off', 'press')).toBe('on');
  expect(next(lamp, 'on', 'press')).toBe('off');
  expect(next(lamp, 'off', 'burst')).toBeUndefined();
  expect(next(lamp, 'broken', 'press')).toBeUndefined();
});

test('a machine with two answers to one event, or a state twice, is a bug', () => {
  expect(() =>
    defineMachine({
      states: ['a', 'b'],
      moves: [
        { from: 'a', on: 'x', to: 'b' },
        { from: 'a', on: 'x', to: 'a' },
      ],
    }),
  ).toThrow('same event');
  expect(() => defineMachine({ states: ['a', 'a'], moves: [] })).toThrow('twice');
});
