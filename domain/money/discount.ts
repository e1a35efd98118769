/**
 * The discount of an agency's workspaces on what they are charged, in millionths. Its volume part depends on what the
 * workspace was charged in the month so far, in its own currency. It works like tax brackets: each part of a charge
 * gets the rate of the bracket that it falls into. So it does not matter how many settlements a month's plays are
 * divided into.
 */
import { assert } from '../assertion.ts';
import { MICROS_PER_UNIT, shareMicros } from './money.ts';
import type { Micros } from '../unit.ts';

/** The highest tier and both bonuses add up to 0.30, the most that the interface promises: no charge needs a cap. */
const VOLUME_TIERS: readonly { fromMicros: Micros; rateMillionths: number }[] = [
  { fromMicros: 0, rateMillionths: 0 },
  { fromMicros: 5_000 * MICROS_PER_UNIT, rateMillionths: 50_000 },
  { fromMicros: 20_000 * MICROS_PER_UNIT, rateMillionths: 100_000 },
  { fromMicros: 50_000 * MICROS_PER_UNIT, rateMillionths: 150_000 },
  { fromMicros: 100_000 * MICROS_PER_UNIT, rateMillionths: 220_000 },
];
const SLOT_FILL_BONUS_MILLIONTHS = 60_000;
const CASE_STUDY_BONUS_MILLIONTHS = 20_000;
/** The bonus is given when more than this part of what the schedules had due by now was delivered. */
const SLOT_FILL_DELIVERY = 0.95;

/** `delivered` and `due`: what running campaigns were charged, and what their budgets and schedules had due by now. */
export type DiscountFacts = {
  monthToDateMicros: Micros;
  deliveredMicros: Micros;
  dueMicros: Micros;
  caseStudy: boolean;
};

/** The rate of the next charge, 0 .. 300,000 millionths. */
export function discountRate(facts: DiscountFacts): number {
  const tier = VOLUME_TIERS.findLast(({ fromMicros }) => facts.monthToDateMicros >= fromMicros);
  assert(tier, 'spend is 0 or more');
  return tier.rateMillionths + bonusRate(facts);
}

/**
 * The discount on a charge that follows the month's spend, in micro-units. The sum over the month is rounded down.
 */
export function discountMicros(facts: DiscountFacts, chargeMicros: Micros): Micros {
  const { monthToDateMicros: before } = facts;
  const volume = volumeDiscountMicros(before + chargeMicros) - volumeDiscountMicros(before);
  return volume + shareMicros(chargeMicros, bonusRate(facts));
}

/** The volume discount of a month in which so much was charged. */
export function volumeDiscountMicros(spentMicros: Micros): Micros {
  return VOLUME_TIERS.reduce((sum, { fromMicros, rateMillionths }, index) => {
    const toMicros = Math.min(spentMicros, VOLUME_TIERS[index + 1]?.fromMicros ?? spentMicros);
    return sum + (toMicros > fromMicros ? shareMicros(toMicros - fromMicros, rateMillionths) : 0);
  }, 0);
}

function bonusRate({ deliveredMicros, dueMicros, caseStudy }: DiscountFacts): number {
  const isFilled = dueMicros > 0 && deliveredMicros > SLOT_FILL_DELIVERY * dueMicros;
  return (isFilled ? SLOT_FILL_BONUS_MILLIONTHS : 0) + (caseStudy ? CASE_STUDY_BONUS_MILLIONTHS : 0);
}
