/**
 * When the report of a campaign is final: its range is over, nothing is out, and every counted play is charged. Pure
 * rules.
 */
import { describe, expect, test } from 'vitest';
import { isFinal, isOver } from '../../../domain/plays/final-report.ts';

const range = { endsAt: 1_000_000, clocksMs: 1_000 };
const facts = { chargedPlays: 3, asOf: 1_061_001, writtenPlays: 3, standing: { open: 0, inDoubt: 0, countedPlays: 3 } };

describe('a report is final', () => {
  test('when its range has ended, nothing is out, and each counted play has its row and is charged', () => {
    expect(isFinal(range, facts)).toBe(true);
    expect(
      isFinal(range, {
        ...facts,
        chargedPlays: 0,
        writtenPlays: 0,
        standing: { open: 0, inDoubt: 0, countedPlays: 0 },
      }),
    ).toBe(true);
  });

  test.each([
    ['a slot of its range may still be asked for', { asOf: 1_061_000 }],
    ['money of an epoch is open', { standing: { ...facts.standing, open: 1 } }],
    ['money is in doubt', { standing: { ...facts.standing, inDoubt: 1 } }],
    ['a counted play has no row', { standing: { ...facts.standing, countedPlays: 4 } }],
    [
      'a counted play has a row and is not charged',
      { writtenPlays: 4, standing: { ...facts.standing, countedPlays: 4 } },
    ],
    ['a charged play has no row', { writtenPlays: 2 }],
    ['the number of counted plays is not known', { standing: { ...facts.standing, countedPlays: undefined } }],
  ])('not while %s', (_, change) => {
    expect(isFinal(range, { ...facts, ...change })).toBe(false);
  });
});

test('a range ends a minute after its last moment, plus the tolerance for clocks', () => {
  expect([isOver(range, 1_061_000), isOver(range, 1_061_001), isOver({ ...range, clocksMs: 0 }, 1_060_001)]).toEqual([
    false,
    true,
    true,
  ]);
});
