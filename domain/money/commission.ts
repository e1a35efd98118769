/**
 * The share of a venue in the ad revenue of its screens. It is a share of the gross price: the platform bears the
 * discounts of agencies.
 *
 * | tier              | share of ad revenue                                              |
 * |-------------------|------------------------------------------------------------------|
 * | `sensing`         | 0.50 x ad ratio: a sensing module counted, now or in the week before |
 * | `full_audience`   | the same, without one: 1,000 visitors a day and 30 minutes, or more |
 * | `scaled_audience` | that x min(1, visitors / 1,000) x min(1, dwell / 30)             |
 * | `minimum`         | 0.10 x ad ratio, which it never falls below                      |
 */
import { assert } from '../assertion.ts';
import { shareMicros } from './money.ts';
import type { Micros } from '../unit.ts';

export const COMMISSION_TIERS = ['sensing', 'full_audience', 'scaled_audience', 'minimum'] as const;
export type CommissionTier = (typeof COMMISSION_TIERS)[number];

const SHARE_MAX = 0.5;
const SHARE_MIN = 0.1;
const FULL_VISITORS_PER_DAY = 1_000;
const FULL_DWELL_MINUTES = 30;

/** `adRatio` 0..1 of the screen; visitors and minutes of its venue. */
export type CommissionFacts = { adRatio: number; hasSensor: boolean; dailyVisitors: number; dwellMinutes: number };
/** `shareMillionths`: 0 .. 500,000. */
export type Commission = { tier: CommissionTier; shareMillionths: number };

/** The tier and the share of a screen, to the nearest millionth. */
export function commissionOf({ adRatio, hasSensor, dailyVisitors, dwellMinutes }: CommissionFacts): Commission {
  assert(adRatio >= 0 && adRatio <= 1, `an ad ratio of ${adRatio} is not in 0..1`);
  if (hasSensor) return { tier: 'sensing', shareMillionths: millionths(SHARE_MAX * adRatio) };
  const audience = Math.min(1, dailyVisitors / FULL_VISITORS_PER_DAY) * Math.min(1, dwellMinutes / FULL_DWELL_MINUTES);
  const scale = Math.max(SHARE_MIN, SHARE_MAX * audience);
  const tier = audience === 1 ? 'full_audience' : scale > SHARE_MIN ? 'scaled_audience' : 'minimum';
  return { tier, shareMillionths: millionths(scale * adRatio) };
}

function millionths(share: number): number {
  return Math.round(share * 1_000_000);
}

/** A venue's earnings from a gross amount, rounded down to the micro-unit. */
export function earnedMicros(grossMicros: Micros, { shareMillionths }: Commission): Micros {
  return shareMicros(grossMicros, shareMillionths);
}
