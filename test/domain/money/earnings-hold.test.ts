/** Until when earnings are held before they can be withdrawn. Pure rules, by examples and random times. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { heldFrom, releasedAtMs } from '#domain/money/earnings-hold.ts';

const at = (text: string) => Date.parse(text);

test.each([
  ['the moment before the seventh day after has ended', '2026-03-08T23:59:59.999Z', 7, true],
  ['the seventh day after has ended', '2026-03-09T00:00:00Z', 7, false],
  ['one day, on the day after', '2026-03-02T12:00:00Z', 1, true],
  ['one day, two days after', '2026-03-03T00:00:00Z', 1, false],
  ['no day, the same day', '2026-03-01T00:00:00Z', 0, false],
])('earnings settled on 1 March: %s', (_name, now, days, isHeld) => {
  const from = heldFrom(at(now), days);
  expect(from !== undefined && '2026-03-01' >= from).toBe(isHeld);
});

test('held earnings are released at the stated moment, and not before', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 365 }),
      fc.integer({ min: at('2026-01-01'), max: at('2028-01-01') }),
      (days, settledMs) => {
        const settledOn = new Date(settledMs).toISOString().slice(0, 10);
        const releasedMs = releasedAtMs(settledOn, days);
        expect([heldFrom(releasedMs - 1, days)! <= settledOn, heldFrom(releasedMs, days)! <= settledOn]).toEqual([
          true,
          false,
        ]);
        expect(releasedMs - settledMs).toBeGreaterThan(days * 86_400_000);
      },
    ),
  );
});
