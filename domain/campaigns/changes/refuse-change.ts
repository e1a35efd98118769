/** A wanted change of a campaign, and the reasons to refuse it. */
import { isReserved, parseSchedule, refuseMissing, type Binding, type CampaignEvent } from '../campaign.ts';
import { CORRECTIONS_MAX, needsSponsor, SPONSOR_REQUIRED, type EarlierPolitical } from '../political.ts';
import { creativeFault, isPublicPage, REJECTIONS } from '../review.ts';
import type { Diff } from '../../access/audit-diff.ts';
import type { Handle } from '../../id.ts';
import { ceilToMinor, formatAmount } from '../../money/money.ts';
import { isRefusal, refuse, refuseField, refuseFields, type Refusal } from '../../refusal.ts';
import type { Orientation } from '../../screens/screen.ts';
import type { Micros, Milliseconds } from '../../unit.ts';
import {
  scheduleOf,
  targetsOf,
  type BindingRow,
  type CampaignRow,
  type ChangedFields,
  type StoredCampaign,
  type Estimate,
} from './stored-campaign.ts';

/** A locked campaign, and the earlier versions of its political notice. */
export type LockedCampaign = StoredCampaign & { readonly earlier: readonly EarlierPolitical[] };

/** A parsed PATCH: fields, the state asked for, and whether the caller may approve for the agency. */
export type WantedChange = { fields: ChangedFields; status: string | undefined; actsForAgency: boolean };

/** A creative that a campaign names, with what the campaign must know of it. */
export type NamedCreative = { handle: Handle<'creative'>; status: string; has_file: boolean; orientation: Orientation };

/** The creatives as the campaign has them, with the weights that it gives them. */
export function boundTo(creatives: readonly NamedCreative[], bindings: readonly Binding[]): BindingRow[] {
  const weightOf = new Map(bindings.map(({ creative, weight }) => [creative, weight]));
  return creatives.map(({ handle: creative, status, orientation }) => {
    return { creative, weight: weightOf.get(creative) ?? 1, status, orientation };
  });
}

export type ChangeContext = {
  now: Date;
  /** The new rate and forecast, if the change affects them or submits the campaign. */
  estimate: Estimate | undefined;
  /** The locked creatives that the change names. Those that may not be bound to the campaign are missing. */
  creatives: readonly NamedCreative[];
  /** Whether the workspace's agency wants to approve its campaigns. */
  isApproved: boolean;
  /** What is spent and reserved, while the authority holds back grants; undefined without a hold. */
  committedMicros: Micros | undefined;
};

/** The change lacks a premise that is prepared before the campaign is locked: a hold on its grants, or a forecast. */
export type MissingPremise = 'needs_hold' | 'needs_forecast';

/** The wanted change beside the campaign: the move that it makes, the campaign with its fields, and what differs. */
export type Edit = WantedChange & {
  event: CampaignEvent | undefined;
  edited: StoredCampaign;
  diff: Diff;
  isCorrected: boolean;
};

/** Whether no money is reserved for it yet: a draft, or a rejected campaign. */
export function isUnbooked({ status }: CampaignRow): boolean {
  return status === 'draft' || status === 'rejected';
}

/** Whether it has passed its review, and has not ended. */
function isReviewed({ status }: CampaignRow): boolean {
  return status === 'live' || status === 'paused';
}

export function refuseDeleted({ deleted_at: deletedAt }: CampaignRow): Refusal | undefined {
  return deletedAt === null ? undefined : refuse('state_conflict', 'A campaign that was deleted changes no more.');
}

/**
 * Refuses creatives that may not be bound to a campaign. For a submission it is enough that the files are uploaded: the
 * review waits until they were checked.
 */
export function refuseCreatives(
  creatives: readonly NamedCreative[],
  { bindings, isDraft }: { bindings: readonly Binding[]; isDraft: boolean },
): Refusal | undefined {
  const found = new Map(creatives.map(creative => [creative.handle, creative]));
  const faultsOf = (isFault: (creative: NamedCreative | undefined) => boolean, code: string, detail: string) =>
    bindings.flatMap(({ creative }, index) =>
      isFault(found.get(creative)) ? [{ pointer: `/creatives/${index}`, code, detail }] : [],
    );
  const absent = faultsOf(
    creative => creative === undefined,
    'unknown_creative',
    'is not a creative of this workspace',
  );
  if (absent.length > 0) return refuseFields(absent);
  const isUnready = (creative: NamedCreative | undefined) =>
    creative?.status !== 'ready' && !(creative?.status === 'awaiting_upload' && creative.has_file);
  const unready = isDraft ? [] : faultsOf(isUnready, 'creative_not_ready', 'has no accepted file yet');
  return unready.length > 0
    ? refuse('creative_not_ready', 'Upload the file of every creative first, or create a draft.', unready)
    : undefined;
}

/** Refuses a change of a deleted campaign, and creatives that it may not have. */
export function refuseUnbindable(row: CampaignRow, { bindings }: ChangedFields, { creatives }: ChangeContext) {
  return refuseDeleted(row) ?? (bindings && refuseCreatives(creatives, { bindings, isDraft: isUnbooked(row) }));
}

/** Refuses the change of the fields, then of the budget, then of the state. */
export function refuseEdit(
  { row, earlier }: LockedCampaign,
  { fields, status, event, edited, diff, isCorrected }: Edit,
  { now, estimate, committedMicros }: ChangeContext,
): Refusal | MissingPremise | undefined {
  const refused =
    refuseState(row, fields, status) ??
    refuseSponsor(row, fields, event) ??
    (event === 'submit' ? refuseSubmission(edited, fields, now.getTime()) : undefined);
  if (refused) return refused;
  if (event === 'submit' && !estimate) return 'needs_forecast';
  const refusedEdit = (isCorrected ? refuseCorrections(earlier) : undefined) ?? refuseUnreviewed(edited, diff);
  if (refusedEdit) return refusedEdit;
  if (isCut(row, edited.row.budget_micros)) {
    if (committedMicros === undefined) return 'needs_hold';
    const refusedCut = refuseCut(edited.row, committedMicros);
    if (refusedCut) return refusedCut;
  }
  const isStarted = event === 'resume' || event === 'submit';
  return isStarted && !edited.bindings.some(binding => binding.status === 'ready')
    ? refuse('creative_not_ready', 'No creative of this campaign can run.')
    : undefined;
}

/**
 * Refuses changes that the campaign's state does not allow. An ended campaign can only be renamed and its sponsor
 * corrected, unless it was rejected and may be submitted again: it has spent nothing and all of its money was returned.
 */
function refuseState(row: CampaignRow, fields: ChangedFields, status: string | undefined): Refusal | undefined {
  const others = Object.keys(fields).filter(field => field !== 'name' && field !== 'political');
  const isResubmittable =
    row.status === 'rejected' && row.charged_micros === 0 && row.take_back_micros === row.returned_micros;
  if (row.ended_at !== null && !isResubmittable && (others.length > 0 || status !== undefined))
    return refuse('state_conflict', `A campaign that is ${row.status} can only be renamed, and its sponsor corrected.`);
  if (isReviewed(row) && fields.category !== undefined && fields.category !== row.category)
    return refuse('state_conflict', `A campaign that is ${row.status} keeps the category that it was approved with.`);
  return undefined;
}

/** Refuses a political category without a sponsor, except in a draft, and removing the sponsor of a public notice. */
function refuseSponsor(row: CampaignRow, fields: ChangedFields, event: CampaignEvent | undefined): Refusal | undefined {
  const { category = row.category, political = row.political } = fields;
  // A campaign with a curve has been live, and its notice public.
  if (row.political !== null && political === null && row.paced_from !== null)
    return refuse('state_conflict', 'A political campaign that has been live keeps its sponsor: correct it instead.');
  const isSubmitted = event === 'submit';
  const isNamed = isSubmitted || fields.category !== undefined || fields.political !== undefined;
  return (isSubmitted || !isUnbooked(row)) && isNamed && needsSponsor(category) && political === null
    ? refuseFields([SPONSOR_REQUIRED])
    : undefined;
}

/** Refuses to submit a campaign that lacks a field, or whose schedule has ended. */
function refuseSubmission(
  { row, bindings }: StoredCampaign,
  fields: ChangedFields,
  now: Milliseconds,
): Refusal | undefined {
  const schedule = scheduleOf(row);
  const missing = refuseMissing({
    category: row.category !== null,
    budget: row.budget_micros !== null,
    creatives: bindings.length > 0,
    schedule: schedule !== null,
  });
  if (missing) return missing;
  return !fields.schedule && isRefusal(parseSchedule(schedule, now))
    ? refuse('state_conflict', 'The schedule of this draft has ended.')
    : undefined;
}

/** Refuses one correction of a public sponsor too many. */
function refuseCorrections(earlier: readonly unknown[]): Refusal | undefined {
  return earlier.length < CORRECTIONS_MAX
    ? undefined
    : refuse('state_conflict', `The sponsor was corrected ${CORRECTIONS_MAX} times: it stays as it is.`);
}

/** Checks an edit of a campaign that has passed review against those review rules that the edit touches. */
function refuseUnreviewed({ row, bindings }: StoredCampaign, diff: Diff): Refusal | undefined {
  if (!isReviewed(row)) return undefined;
  if (diff['landing_url'] && row.landing_url !== null && !isPublicPage(row.landing_url))
    return refuseField('/landing_url', 'not_public', REJECTIONS.landing_page);
  if (!diff['targets'] && !diff['creatives']) return undefined;
  const fault = creativeFault(bindings, targetsOf(row).orientations ?? []);
  if (fault === 'creative_orientation')
    return refuseField(
      diff['creatives'] ? '/creatives' : '/targets/orientations',
      fault,
      REJECTIONS.creative_orientation,
    );
  // If only targets change, a creative that is not ready yet is not a fault of this edit.
  return fault && diff['creatives'] ? refuse('creative_not_ready', REJECTIONS.creative_not_ready) : undefined;
}

/** Whether a new budget is lower while some of the old one is already handed to delivery. */
export function isCut(row: CampaignRow, budgetMicros: Micros | null): boolean {
  return (
    budgetMicros !== null && isReserved(row.status) && budgetMicros < (row.budget_micros ?? 0) && row.handed_micros > 0
  );
}

/** Refuses a budget below what is spent and reserved. */
function refuseCut(
  { budget_micros: budgetMicros, currency }: CampaignRow,
  committedMicros: Micros,
): Refusal | undefined {
  return budgetMicros === null || budgetMicros >= committedMicros
    ? undefined
    : refuse(
        'state_conflict',
        `The budget cannot go below ${formatAmount(ceilToMinor(committedMicros, currency), currency)} ${currency}: so much is spent, or reserved for plays on their way. Pause the campaign to let fewer go out.`,
      );
}
