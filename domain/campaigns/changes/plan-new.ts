/** Plans a new campaign: its row, its creatives, and everything that is written together with them. */
import { firstReview } from '../review.ts';
import { targetsJson } from '../targeting.ts';
import { diffOfNew } from '../../access/audit-diff.ts';
import { formatId, type Handle } from '../../id.ts';
import type { Milliseconds } from '../../unit.ts';
import { formatDate } from '../../time/calendar.ts';
import { planLimit, type CampaignPlan } from './plan-move.ts';
import { boundTo, type NamedCreative } from './refuse-change.ts';
import { givenSettings, pickSettings } from './settings.ts';
import {
  estimateColumns,
  moneyOrNull,
  type CampaignFields,
  type CampaignRow,
  type Estimate,
  type StoredCampaign,
} from './stored-campaign.ts';

export type NewCampaign = {
  /** Reserved beforehand, so that the ledger entry and the answer can name the campaign. */
  handle: Handle<'campaign'>;
  workspace: Handle<'workspace'>;
  sandbox: boolean;
  fields: CampaignFields;
  /** The creatives that the fields name. */
  creatives: readonly NamedCreative[];
  /** Undefined without a budget or days. */
  estimate: Estimate | undefined;
  /** Whether the workspace's agency wants to approve its campaigns, and whether the caller may approve for it. */
  isApproved: boolean;
  actsForAgency: boolean;
  now: Milliseconds;
};

/** A campaign in its stored form, with everything written together with it. */
export type NewPlan = StoredCampaign & Required<Pick<CampaignPlan, 'audits' | 'event'>> & Pick<CampaignPlan, 'entry'>;

/** Unless it is a draft, its budget is reserved on the wallet and it waits for review. */
export function planNew(campaign: NewCampaign): NewPlan {
  const { handle, fields, creatives } = campaign;
  const { budgetMicros, isDraft } = fields;
  const blank = rowOf(campaign);
  const limit = isDraft || budgetMicros === null ? undefined : planLimit({ ...blank, status: 'draft' }, budgetMicros);
  const row = { ...blank, ...limit?.columns };
  const { name, status } = row;
  return {
    row,
    bindings: boundTo(creatives, fields.bindings),
    entry: limit?.entry,
    audits: [{ action: 'campaign.created', diff: diffOfNew({ ...auditedFields(fields), status }) }],
    event: { type: 'campaign.created', payload: { object: { id: formatId('campaign', handle), name, status } } },
  };
}

function rowOf({ fields, estimate, ...campaign }: NewCampaign): CampaignRow {
  const { schedule, isDraft } = fields;
  return {
    handle: campaign.handle,
    workspace_handle: campaign.workspace,
    name: fields.name,
    category: fields.category,
    status: isDraft ? 'draft' : 'pending_review',
    sandbox: campaign.sandbox,
    currency: fields.currency,
    budget_micros: fields.budgetMicros,
    handed_micros: 0,
    take_back_micros: 0,
    returned_micros: 0,
    charged_micros: 0,
    charged_plays: 0,
    taken_out_plays: 0,
    budget_edits: 0,
    paced_from: null,
    paced_base_micros: 0,
    ended_at: null,
    deleted_at: null,
    starts: schedule && formatDate(schedule.startsOn),
    ends: schedule && formatDate(schedule.endsOn),
    targets: targetsJson(fields.targets),
    ...pickSettings(fields),
    ...(estimate ? estimateColumns(estimate) : { rate_micros: null, forecast: null }),
    foreseen_micros: estimate?.forecast.costMicros ?? null,
    rejection: null,
    review_waits_for: isDraft ? null : firstReview(campaign),
    review_at: null,
    created_at: new Date(campaign.now),
  };
}

/** The fields of a new campaign in the audit log. */
function auditedFields({ schedule, ...fields }: CampaignFields): Record<string, unknown> {
  return {
    name: fields.name,
    category: fields.category,
    budget: moneyOrNull(fields.budgetMicros, fields.currency),
    schedule: schedule && { starts: formatDate(schedule.startsOn), ends: formatDate(schedule.endsOn) },
    targets: targetsJson(fields.targets),
    creatives: fields.bindings.map(binding => formatId('creative', binding.creative)),
    ...givenSettings(fields),
  };
}
