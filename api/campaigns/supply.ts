import type { Plan } from '#domain/forecast/forecast.ts';
import { venueRateMicros } from '#domain/money/rate-card.ts';
import type { Targets } from '#domain/campaigns/targeting.ts';
import type { ForecastDesk } from '../forecasts/desk.ts';
import type { CampaignWarning } from './schema.ts';

/** What a campaign is expected to reach: the answer of `POST /forecasts` to the same plan. */
export type Estimate = {
  forecast: { impressionsLow: number; impressionsHigh: number; scanRateEst: number; screensEligible: number };
  rateMicros: number;
  warnings: CampaignWarning[];
};

/** The forecast of a plan, its mean rate, and what in the plan may not be meant. */
export async function estimatePlan(forecasts: ForecastDesk, plan: Plan): Promise<Estimate> {
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

/** Where no screen matches yet, the campaign's rate is the mean of the venue types that it asks for. */
function targetedRate({ venueTypes }: Targets): number {
  const rates = venueTypes.length === 0 ? [venueRateMicros('')] : venueTypes.map(venueRateMicros);
  return Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length);
}
