/**
 * The forecast and the rate of a campaign that is booked or changed: the same forecast that `POST /v1/forecasts`
 * returns for the same plan.
 */
import type { Forecast } from '#domain/forecast/forecast.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import { venueRateMicros } from '#domain/money/rate-card.ts';
import type { Targets } from '#domain/campaigns/targeting.ts';
import type { Estimate } from '#domain/campaigns/changes/stored-campaign.ts';

export type Forecasts = { ask(plan: Plan): Promise<Forecast> };

/** Requests the forecast of a plan. Warnings point at the fields of a campaign's body. */
export async function estimatePlan(forecasts: Forecasts, plan: Plan): Promise<Estimate> {
  const { warnings, ...forecast } = await forecasts.ask(plan);
  return {
    forecast,
    rateMicros: forecast.rateMicros > 0 ? forecast.rateMicros : targetedRate(plan.targets),
    warnings: warnings.map(({ path, code, detail }) => ({
      pointer: /^\/(budget|schedule)/.test(path) ? path : `/targets${path}`,
      code,
      detail,
    })),
  };
}

/** The rate if no screen matches yet: the mean over the venue types of the targets. */
function targetedRate({ venueTypes }: Targets): number {
  const rates = venueTypes.length === 0 ? [venueRateMicros('')] : venueTypes.map(venueRateMicros);
  return Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length);
}
