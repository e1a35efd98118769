/**
 * The even curve of a flight: it grows in exactly the minutes in which the flight may run. Pure rules, driven by random
 * flights.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileCurve, curveShare, eligibleMs } from '../../../domain/campaigns/pacing.ts';
import { checkFlight, type FlightRule } from '../../../domain/screens/schedule.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const rule = fc
  .record({
    startsOn: fc.integer({ min: 20_000, max: 20_010 }),
    length: fc.integer({ min: 0, max: 20 }),
    daypart: fc.option(
      fc
        .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 1440 }))
        .filter(([start, end]) => start !== end),
      { nil: undefined },
    ),
    days: fc.option(fc.integer({ min: 1, max: 127 }), { nil: undefined }),
  })
  .map(({ startsOn, length, daypart, days }): FlightRule => ({
    startsOn,
    endsOn: startsOn + length,
    ...(daypart && { daypart: { startMinute: daypart[0], endMinute: daypart[1] } }),
    ...(days !== undefined && { days }),
  }));

describe('the even curve', () => {
  test('grows by a minute in exactly the minutes in which the flight may run', () => {
    fc.assert(
      fc.property(rule, fc.integer({ min: 19_999 * 1440, max: 20_033 * 1440 }), (flight, minute) => {
        const curve = compileCurve(flight);
        const grown = eligibleMs(curve, (minute + 1) * MINUTE) - eligibleMs(curve, minute * MINUTE);
        expect(grown).toBe(checkFlight(flight, 0, minute * MINUTE) === 'ok' ? MINUTE : 0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('the share goes from 0 to 1 over the rest of the flight', () => {
    const curve = compileCurve({ startsOn: 20_000, endsOn: 20_009 });
    expect(curveShare(curve, 19_990 * DAY, 20_000 * DAY)).toBe(0);
    expect(curveShare(curve, 19_990 * DAY, 20_005 * DAY)).toBe(0.5);
    expect(curveShare(curve, 20_008 * DAY, 20_009 * DAY)).toBe(0.5);
    expect(curveShare(curve, 20_000 * DAY, 20_010 * DAY)).toBe(1);
    expect(curveShare(curve, 20_011 * DAY, 20_012 * DAY)).toBe(1);
  });
});
