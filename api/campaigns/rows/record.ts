/**
 * A campaign's row in Postgres, and how the API writes it out: short in lists, whole in the answer to one campaign.
 * `store.ts` reads the rows.
 */
import type { CampaignState, CampaignStatus } from '#domain/campaigns/campaign.ts';
import { moneyOf, refundPendingMicros } from '#domain/campaigns/campaign-money.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { ReviewWait } from '#domain/campaigns/review.ts';
import type { Political } from '#domain/law/political.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import type { TargetsJson } from '#domain/campaigns/targeting.ts';
import { money } from '../../wire/shapes.ts';
import { evenCurveOf, expectedSpend } from '#domain/campaigns/even-spend.ts';
import type { Campaign } from '../schema/record.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type CampaignRow = {
  handle: Handle<'campaign'>;
  workspace_handle: Handle<'workspace'>;
  name: string;
  /** A draft may have none, nor a budget, days, a rate and a forecast. */
  category: string | null;
  status: CampaignState;
  sandbox: boolean;
  currency: string;
  budget_micros: Micros | null;
  handed_micros: Micros;
  take_back_micros: Micros;
  returned_micros: Micros;
  charged_micros: Micros;
  charged_plays: number;
  taken_out_plays: number;
  budget_edits: number;
  paced_from: Date | null;
  paced_base_micros: Micros;
  ended_at: Date | null;
  deleted_at: Date | null;
  starts: string | null;
  ends: string | null;
  targets: TargetsJson;
  landing_url: string | null;
  brand_lift: boolean;
  frequency_per_hour_max: number | null;
  political: Political | null;
  rate_micros: Micros | null;
  forecast: Campaign['forecast'];
  /** See `domain/campaigns/foreseen.ts`. */
  foreseen_micros: Micros | null;
  rejection: { code: string; detail: string } | null;
  review_waits_for: ReviewWait | null;
  created_at: Date;
};

export type BindingRow = { creative: Handle<'creative'>; weight: number; status: string; orientation: Orientation };

/** One version of a campaign. Another version is another object. */
export type StoredCampaign = { readonly row: CampaignRow; readonly bindings: readonly BindingRow[] };

/** A campaign as lists show it at a moment. */
export function listedCampaign(row: CampaignRow, now: Milliseconds) {
  return { ...commonFields(row), expected_spend: money(expectedSpend(row, evenCurveOf(row), now), row.currency) };
}

function commonFields(row: CampaignRow) {
  return {
    id: formatId('campaign', row.handle),
    name: row.name,
    category: row.category,
    status: statusOf(row),
    budget: moneyOrNull(row.budget_micros, row.currency),
    spent: money(row.charged_micros, row.currency),
    starts: row.starts === null ? null : `${row.starts}T00:00:00Z`,
    ends: row.ends === null ? null : `${row.ends}T23:59:59Z`,
    created_at: row.created_at.toISOString(),
    deleted_at: row.deleted_at?.toISOString() ?? null,
  };
}

/** The status as the API shows it. A deleted campaign can still be read, because plays, scans and invoices name it. */
function statusOf(row: CampaignRow): CampaignStatus {
  return row.deleted_at === null ? row.status : 'deleted';
}

/** A campaign with everything that Postgres stores about it. */
export function campaignRecord({ row, bindings }: StoredCampaign): Campaign {
  return {
    ...commonFields(row),
    schedule: scheduleOf(row),
    targets: row.targets,
    landing_url: row.landing_url,
    brand_lift: row.brand_lift,
    frequency: spellFrequency(row.frequency_per_hour_max),
    political: row.political,
    rate: row.rate_micros === null ? null : { ...money(row.rate_micros, row.currency), unit: 'impression' },
    forecast: row.forecast,
    creatives: bindings.map(({ creative, weight, status }) => ({ id: formatId('creative', creative), weight, status })),
    review: row.review_waits_for === null ? null : { waiting_for: row.review_waits_for },
    rejection: row.rejection,
    refund_pending: money(refundPendingMicros(moneyOf(row)), row.currency),
  };
}

/** An amount that a draft may lack. */
export function moneyOrNull(micros: Micros | null, currency: string): Campaign['budget'] {
  return micros === null ? null : money(micros, currency);
}

/** The days of a campaign; null for a draft that has none. */
export function scheduleOf({ starts, ends }: Pick<CampaignRow, 'starts' | 'ends'>): Campaign['schedule'] {
  return starts === null || ends === null ? null : { starts, ends };
}

/** The frequency cap per screen, in the format of the API. */
export function spellFrequency(perHourMax: number | null): { max_per_hour: number } | null {
  return perHourMax === null ? null : { max_per_hour: perHourMax };
}
