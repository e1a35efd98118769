/**
 * A campaign as it is stored, and the parsed fields of a booking. Creation and changes turn fields into rows, and the
 * API shows rows.
 */
import type { CampaignState, Binding } from '../campaign.ts';
import type { MoneyColumns } from '../campaign-money.ts';
import type { ReviewWait } from '../review.ts';
import { parseTargets, type Targets, type TargetsJson } from '../targeting.ts';
import type { Handle } from '../../id.ts';
import { decimalFromMicros } from '../../money/money.ts';
import { isRefusal } from '../../refusal.ts';
import type { Orientation } from '../../screens/screen.ts';
import type { Micros } from '../../unit.ts';
import type { CampaignSettings } from './settings.ts';

export type CampaignRow = MoneyColumns &
  CampaignSettings & {
    name: string;
    /** A draft may have none, nor a budget, days, a rate and a forecast. */
    category: string | null;
    status: CampaignState;
    charged_plays: number;
    taken_out_plays: number;
    paced_from: Date | null;
    paced_base_micros: Micros;
    deleted_at: Date | null;
    starts: string | null;
    ends: string | null;
    targets: TargetsJson;
    rate_micros: Micros | null;
    forecast: ReturnType<typeof forecastJson> | null;
    /** See `../foreseen.ts`. */
    foreseen_micros: Micros | null;
    rejection: { code: string; detail: string } | null;
    review_waits_for: ReviewWait | null;
    /** When the rules look at it again; null: at once. */
    review_at: Date | null;
    created_at: Date;
  };

export type BindingRow = { creative: Handle<'creative'>; weight: number; status: string; orientation: Orientation };

/** One version of a campaign. Another version is another object. */
export type StoredCampaign = { readonly row: CampaignRow; readonly bindings: readonly BindingRow[] };

/** Days since 1970-01-01, both included. */
type Schedule = { startsOn: number; endsOn: number };

/** A parsed campaign. Missing fields are null or an empty list: in a draft this may be any field except the name. */
export type CampaignFields = CampaignSettings & {
  name: string;
  category: string | null;
  budgetMicros: Micros | null;
  currency: string;
  schedule: Schedule | null;
  targets: Targets;
  bindings: Binding[];
  isDraft: boolean;
};

/** A parsed PATCH: only the fields that it names are present. A field that has a value never loses it. */
export type ChangedFields = Partial<
  CampaignSettings &
    Pick<CampaignFields, 'name' | 'targets' | 'bindings'> & {
      category: string;
      budgetMicros: Micros;
      schedule: Schedule;
    }
>;

/** The expected reach of a campaign, its mean rate, and warnings about the plan. */
export type Estimate = {
  forecast: {
    impressionsLow: number;
    impressionsHigh: number;
    scanRateEst: number;
    screensEligible: number;
    /** The expected spend of the budget. */
    costMicros: Micros;
  };
  rateMicros: Micros;
  warnings: { pointer: string; code: string; detail: string }[];
};

/** A forecast in the format of the API. */
function forecastJson({ forecast }: Estimate) {
  const { impressionsLow, impressionsHigh, scanRateEst, screensEligible } = forecast;
  return {
    impressions_low: impressionsLow,
    impressions_high: impressionsHigh,
    scan_rate_est: scanRateEst,
    screens_eligible: screensEligible,
  };
}

/** The columns that store a campaign's rate and forecast. */
export function estimateColumns(estimate: Estimate): Pick<CampaignRow, 'rate_micros' | 'forecast'> {
  return { rate_micros: estimate.rateMicros, forecast: forecastJson(estimate) };
}

/** The targets of a stored campaign. @throws Error if they are malformed, which the API never stores */
export function targetsOf({ handle, targets }: Pick<CampaignRow, 'handle' | 'targets'>): Targets {
  const parsed = parseTargets(targets);
  if (isRefusal(parsed)) throw new Error(`the targets of campaign ${handle} cannot be read`);
  return parsed;
}

/** An amount that a draft may lack, in the format of the API. */
export function moneyOrNull(micros: Micros | null, currency: string): { amount: number; currency: string } | null {
  return micros === null ? null : { amount: decimalFromMicros(micros), currency };
}

/** The days of a campaign; null for a draft that has none. */
export function scheduleOf({ starts, ends }: Pick<CampaignRow, 'starts' | 'ends'>) {
  return starts === null || ends === null ? null : { starts, ends };
}
