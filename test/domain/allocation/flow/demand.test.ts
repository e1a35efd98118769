/** The part of a campaign's rest that it should deliver within the horizon of the forecast. */
import { expect, test } from 'vitest';
import { demandWithin } from '../../../../domain/allocation/demand.ts';

/** One campaign with a rest of 100 impressions. */
const demand = ({ eligible, ahead, later }: { eligible: number; ahead: number; later?: number }) =>
  demandWithin(
    {
      goal: Float64Array.of(200),
      remaining: Float64Array.of(100),
      price: Float64Array.of(1),
      seenEligible: Float64Array.of(0),
      ...(later !== undefined && { laterEligible: Float64Array.of(later) }),
    },
    { eligible: Float64Array.of(eligible), ahead: Float64Array.of(ahead) },
  )[0];

test.each([
  ['all of it, if the flight ends within the horizon', { eligible: 500, ahead: 500 }, 100],
  ['the part of its supply, if the flight goes on', { eligible: 500, ahead: 500, later: 1_500 }, 25],
  ['nothing, without supply that it may play in', { eligible: 0, ahead: 0 }, 0],
  ['nothing, if caps leave it none of the supply', { eligible: 0, ahead: 500, later: 500 }, 0],
])('is %s', (_which, supply, expected) => expect(demand(supply)).toBe(expected));
