/** An assertion that fails is a bug and is thrown as one. A pure rule. */
import { expect, test } from 'vitest';
import { Bug, assert } from '#domain/assertion.ts';

test('a true assertion does nothing, and a false one throws a bug', () => {
  expect(() => assert(1 + 1 === 2, 'sum')).not.toThrow();
  for (const value of [false, 0, '', null, undefined]) expect(() => assert(value, 'sum')).toThrow(Bug);
});
