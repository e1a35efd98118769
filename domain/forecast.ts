import { assert } from './assertion.ts';
import { SCHEDULE_DAYS_MAX } from './campaign.ts';
import { SLOT_DEFAULT_MS } from './creative.ts';

/**
 * A plain estimate of what a budget buys: the slots that matching screens have, at the rate of their venues, evenly over
 * the days. The band is the estimate plus and minus 30%, a stand-in of no measured coverage until the supply model
 * gives a tested one; other campaigns are not subtracted.
 */
export type SupplyScreen = {
  /** Micro-units per impression at its venue. */
  rateMicros: number;
  /** Estimated impressions of one 15 s play, in thousandths. */
  impressionsPerSlotThousandths: number;
  /** Minutes of a mean day in which the venue is open and the campaign may run. */
  openMinutesPerDay: number;
  /** Share of the running time that may be ads, 0 .. 1. */
  adRatio: number;
};

export type SupplyForecast = {
  /** Mean rate of the matching screens, weighted by their impressions; 0 without any. */
  rateMicros: number;
  screensEligible: number;
  plays: number;
  impressions: number;
  impressionsLow: number;
  impressionsHigh: number;
  /** What the impressions cost by estimate, at most the budget. */
  costMicros: number;
  scanRateEst: number;
  /** How much of the budget the screens can take, 0 .. 1. */
  fillProbability: number;
  /** One entry per day; sums to `impressions`. */
  pacing: { day: number; impressionsEst: number }[];
};

/** Scans per impression in venues where people wait or sit; the default of a table without a defensible average. */
const SCAN_RATE_EST = 0.0005;
const BAND_SHARE = 0.3;
const SLOTS_PER_MINUTE = 60_000 / SLOT_DEFAULT_MS;

/** The forecast for days `startsOn` .. `endsOn` (days since 1970-01-01, both included, at most three years). */
export function estimateSupply(options: { screens: readonly SupplyScreen[]; startsOn: number; endsOn: number; budgetMicros: number }): SupplyForecast {
  const { screens, startsOn, endsOn, budgetMicros } = options;
  const days = endsOn - startsOn + 1;
  assert(days >= 1 && days <= SCHEDULE_DAYS_MAX, `${days} days are not 1 .. ${SCHEDULE_DAYS_MAX}`);
  let playsPerDay = 0;
  let impressionsPerDay = 0;
  let spendPerDay = 0;
  for (const screen of screens) {
    const plays = screen.openMinutesPerDay * SLOTS_PER_MINUTE * screen.adRatio;
    const impressions = (plays * screen.impressionsPerSlotThousandths) / 1000;
    playsPerDay += plays;
    impressionsPerDay += impressions;
    spendPerDay += impressions * screen.rateMicros;
  }
  const share = spendPerDay === 0 ? 0 : Math.min(1, budgetMicros / (spendPerDay * days));
  const impressions = Math.round(impressionsPerDay * days * share);
  const rateMicros = impressionsPerDay === 0 ? 0 : Math.round(spendPerDay / impressionsPerDay);
  return {
    rateMicros,
    screensEligible: screens.length,
    plays: Math.round(playsPerDay * days * share),
    impressions,
    impressionsLow: Math.floor(impressions * (1 - BAND_SHARE)),
    impressionsHigh: Math.ceil(impressions * (1 + BAND_SHARE)),
    costMicros: Math.min(budgetMicros, Math.round(spendPerDay * days)),
    scanRateEst: SCAN_RATE_EST,
    fillProbability: budgetMicros === 0 ? 0 : Math.min(1, (spendPerDay * days) / budgetMicros),
    pacing: Array.from({ length: days }, (_, index) => ({
      day: startsOn + index,
      impressionsEst: Math.round((impressions * (index + 1)) / days) - Math.round((impressions * index) / days),
    })),
  };
}
