/** How the API writes a campaign out: short in lists, whole in the answer to one campaign. */
import type { CampaignStatus } from '#domain/campaigns/campaign.ts';
import { moneyOf, refundPendingMicros } from '#domain/campaigns/campaign-money.ts';
import { settingsJson } from '#domain/campaigns/changes/settings.ts';
import {
  moneyOrNull,
  scheduleOf,
  type CampaignRow,
  type StoredCampaign,
} from '#domain/campaigns/changes/stored-campaign.ts';
import { evenCurveOf, expectedSpend } from '#domain/campaigns/even-spend.ts';
import { formatId } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { money } from '../wire/shapes.ts';
import type { Campaign } from './schema/record.ts';

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
    ...settingsJson(row),
    rate: row.rate_micros === null ? null : { ...money(row.rate_micros, row.currency), unit: 'impression' },
    forecast: row.forecast,
    creatives: bindings.map(({ creative, weight, status }) => ({ id: formatId('creative', creative), weight, status })),
    review: row.review_waits_for === null ? null : { waiting_for: row.review_waits_for },
    rejection: row.rejection,
    refund_pending: money(refundPendingMicros(moneyOf(row)), row.currency),
  };
}
