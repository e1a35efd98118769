/**
 * Plans a PATCH of a campaign: from the campaign as it is, the wanted change and what else was read, either the refusal
 * or everything that is written. Fields come first, then the budget, then the state. A change that changes nothing
 * writes nothing.
 */
import { patchedStatus } from '../campaign.ts';
import { orientationsOf } from '../creative.ts';
import { evenCurveOf } from '../even-spend.ts';
import { foreseenAfterEdit, foreseenAfterPause } from '../foreseen.ts';
import { firstReview, nextReview, type ReviewWait } from '../review.ts';
import { targetsJson } from '../targeting.ts';
import { diffOfChange } from '../../access/audit-diff.ts';
import { formatId } from '../../id.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { stableJson } from '../../signing/stable-json.ts';
import { formatDate } from '../../time/calendar.ts';
import type { Micros } from '../../unit.ts';
import { planLimit, planMove, type CampaignPlan } from './plan-move.ts';
import {
  boundTo,
  isUnbooked,
  refuseEdit,
  refuseUnbindable,
  type ChangeContext,
  type Edit,
  type LockedCampaign,
  type MissingPremise,
  type WantedChange,
} from './refuse-change.ts';
import { pickSettings, settingsJson } from './settings.ts';
import {
  estimateColumns,
  moneyOrNull,
  scheduleOf,
  targetsOf,
  type BindingRow,
  type CampaignRow,
  type ChangedFields,
  type StoredCampaign,
} from './stored-campaign.ts';

export type ChangePlan = CampaignPlan & { after: StoredCampaign };

/** Fields of which each makes another plan. */
const PLAN_FIELDS = ['targets', 'schedule', 'category', 'frequency'];
/** A change of these is reviewed again while the campaign is in review. */
const REVIEWED = ['category', 'targets', 'creatives', 'landing_url', 'political'];

/** Plans a wanted change. */
export function planChange(
  before: LockedCampaign,
  wanted: WantedChange,
  context: ChangeContext,
): ChangePlan | Refusal | MissingPremise {
  const { row } = before;
  const { fields, status } = wanted;
  const refused = refuseUnbindable(row, fields, context);
  if (refused) return refused;
  const event = status === undefined ? undefined : patchedStatus(row.status, status);
  if (isRefusal(event)) return event;
  const edited = editedBy(before, fields, context);
  const diff = diffOfChange(auditedOf(before), auditedOf(edited));
  const isCorrected = diff['political'] !== undefined && row.political !== null && row.paced_from !== null;
  const edit = { ...wanted, event, edited, diff, isCorrected };
  return refuseEdit(before, edit, context) ?? planEdit(before, edit, context);
}

/** The campaign with the new values of its fields. */
function editedBy({ row, bindings }: StoredCampaign, fields: ChangedFields, { creatives }: ChangeContext) {
  const { schedule, targets } = fields;
  return {
    row: {
      ...row,
      name: fields.name ?? row.name,
      category: fields.category ?? row.category,
      budget_micros: fields.budgetMicros ?? row.budget_micros,
      ...(schedule && { starts: formatDate(schedule.startsOn), ends: formatDate(schedule.endsOn) }),
      targets: targets ? targetsJson(targets) : row.targets,
      ...pickSettings(fields),
    },
    bindings: fields.bindings ? boundTo(creatives, fields.bindings) : bindings,
  };
}

/** The fields in the format of the API, for the audit log. */
function auditedOf({ row, bindings }: StoredCampaign): Record<string, unknown> {
  return {
    name: row.name,
    category: row.category,
    budget: moneyOrNull(row.budget_micros, row.currency),
    schedule: scheduleOf(row),
    targets: targetsJson(targetsOf(row)),
    creatives: bindings
      .map(({ creative, weight }) => ({ id: formatId('creative', creative), weight }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    ...settingsJson(row),
  };
}

function planEdit(
  before: LockedCampaign,
  edit: Edit,
  { now, estimate, isApproved }: ChangeContext,
): ChangePlan | Refusal {
  const { row } = before;
  const { fields, event, edited, diff, isCorrected, actsForAgency } = edit;
  const isEdited = Object.keys(diff).length > 0;
  const isSubmitted = event === 'submit';
  const budgetMicros = edited.row.budget_micros;
  const isLimited = isSubmitted || (budgetMicros !== row.budget_micros && !isUnbooked(row));
  const limit = isLimited ? planLimit(row, budgetMicros ?? 0) : undefined;
  const submission = { ended_at: null, rejection: null, review_waits_for: firstReview({ isApproved, actsForAgency }) };
  const move =
    event && planMove(edited.row, event, { at: now, changed: diff, ...(isSubmitted && { columns: submission }) });
  if (isRefusal(move)) return move;
  const approved = approvedReview(row, edit);
  const after: CampaignRow = {
    ...(isEdited ? edited.row : row),
    ...(estimate && (isEdited || isSubmitted) && estimateColumns(estimate)),
    foreseen_micros: foreseenAfter(before, edit, { now, estimate }),
    ...(row.review_waits_for !== null &&
      REVIEWED.some(field => diff[field]) && {
        review_waits_for: nextReview(row.review_waits_for, 'edit') ?? 'rules',
        review_at: null,
      }),
    ...(approved && { review_waits_for: approved }),
    ...limit?.columns,
    ...move?.columns,
  };
  const waits = (wait: ReviewWait | null) => ({ waiting_for: wait });
  return {
    columns: {
      ...differencesOf(row, after),
      ...(isCorrected &&
        row.political && { political_earlier: [...before.earlier, { ...row.political, until: now.toISOString() }] }),
    },
    ...(diff['creatives'] && fields.bindings && { bindings: fields.bindings }),
    entry: limit?.entry,
    audits: [
      ...(isEdited ? [{ action: 'campaign.updated', diff }] : []),
      ...(move?.audits ?? []),
      ...(approved
        ? [
            {
              action: 'campaign.agency_approved',
              diff: { review: { from: waits(row.review_waits_for), to: waits(approved) } },
            },
          ]
        : []),
    ],
    ...(move?.event && { event: move.event }),
    isAnnounced: isEdited || move !== undefined,
    after: { row: after, bindings: edited.bindings },
  };
}

/** Who reviews a campaign after its agency has approved it; undefined if this change is no approval. */
function approvedReview({ review_waits_for: wait }: CampaignRow, { status, actsForAgency }: Edit) {
  return status === 'pending_review' && actsForAgency && wait !== null
    ? nextReview(wait, 'agency_approves')
    : undefined;
}

/** The promise of the campaign. A submitted draft is booked now, with the supply available now. */
function foreseenAfter(
  { row, bindings }: StoredCampaign,
  { event, edited, diff }: Edit,
  { now, estimate }: Pick<ChangeContext, 'now' | 'estimate'>,
): Micros | null {
  const forecastMicros = estimate?.forecast.costMicros;
  if (event === 'submit') return forecastMicros ?? row.foreseen_micros;
  const before = event === 'resume' ? foreseenAfterResume(row, now) : row.foreseen_micros;
  const screensOf = (bound: readonly BindingRow[]) => orientationsOf(bound).sort().join();
  const isOtherPlan =
    screensOf(bindings) !== screensOf(edited.bindings) || PLAN_FIELDS.some(field => diff[field] !== undefined);
  if (forecastMicros === undefined || !(isOtherPlan || diff['budget'])) return before;
  if (row.budget_micros === null) return forecastMicros; // a draft that had no budget
  return foreseenAfterEdit(before, {
    fromMicros: row.budget_micros,
    toMicros: edited.row.budget_micros ?? row.budget_micros,
    forecastMicros,
    isBudgetAlone: !isOtherPlan,
  });
}

function foreseenAfterResume(row: CampaignRow, now: Date): Micros | null {
  return row.paced_from === null
    ? row.foreseen_micros
    : foreseenAfterPause(row.foreseen_micros, {
        chargedMicros: row.charged_micros,
        baseMicros: row.paced_base_micros,
        pacedFromMs: row.paced_from.getTime(),
        curve: evenCurveOf(row),
        atMs: now.getTime(),
      });
}

/** The columns of `after` that differ. */
function differencesOf(before: CampaignRow, after: CampaignRow): Partial<CampaignRow> {
  const columns = Object.entries(after) as [keyof CampaignRow, unknown][];
  return Object.fromEntries(columns.filter(([column, value]) => stableJson(value) !== stableJson(before[column])));
}
