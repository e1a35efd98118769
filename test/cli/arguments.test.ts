import { describe, expect, test } from 'vitest';
import { numberFlag, readArguments, UsageError } from '../../cli/arguments.ts';

describe('command line', () => {
  test.each(['0', '-1', '1.5', 'ten', '99999'])('--screens %s is refused in one sentence', value => {
    expect(() => numberFlag('screens', value, { fallback: 1, min: 1, max: 5000 })).toThrow(
      new UsageError(`--screens takes a whole number from 1 to 5000, not '${value}'`),
    );
  });

  test('an absent flag takes its default', () => {
    expect(numberFlag('screens', undefined, { fallback: 200, min: 1, max: 5000 })).toBe(200);
  });

  test('an unknown flag is refused', () => {
    expect(() => readArguments(['--scren', '3'], { screens: { type: 'string' } })).toThrow(UsageError);
  });
});
