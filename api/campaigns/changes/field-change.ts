/**
 * The fields of a PATCH of a campaign: differences are written with an audit entry, and reviewed fields are checked
 * again.
 */
import { assignments, jsonb } from '#sql/postgres.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, refuse, refuseField } from '#domain/refusal.ts';
import { creativeFault, isPublicPage, nextReview, REJECTIONS } from '#domain/campaigns/review.ts';
import { formatDate } from '#domain/time/calendar.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { parseTargets, targetsJson, type Targets } from '#domain/campaigns/targeting.ts';
import { Rollback, type Unit } from '#books/unit-of-work.ts';
import { diffOfChange, type Diff } from '../../audit/diff.ts';
import { money } from '../../wire/shapes.ts';
import type { ChangedFields } from '../rows/fields.ts';
import { moneyOrNull, scheduleOf, spellFrequency, type BindingRow, type CampaignRow } from '../rows/record.ts';
import { bindingsOf, estimateColumns, writeBindings } from '../rows/store.ts';
import { keepEarlier } from './sponsor-change.ts';
import type { Estimate } from '../rows/supply.ts';

export function targetsOf(row: CampaignRow): Targets {
  const targets = parseTargets(row.targets);
  if (isRefusal(targets)) throw new Error(`the targets of campaign ${row.handle} cannot be read`);
  return targets;
}

export function isReviewed({ status }: CampaignRow): boolean {
  return status === 'live' || status === 'paused';
}

/** A change of these is reviewed again while the campaign is in review. */
const REVIEWED = ['category', 'targets', 'creatives', 'landing_url', 'political'];

/** Writes the fields that differ, with their audit entry. Returns the old and new values. */
export async function changeFields(
  unit: Unit,
  row: CampaignRow,
  { fields, estimate }: { fields: ChangedFields; estimate: Estimate | undefined },
): Promise<Diff> {
  const { tx } = unit;
  const bindings = await bindingsOf(tx, row.handle);
  const diff = diffOf(row, bindings, fields);
  if (Object.keys(diff).length === 0) return diff;
  const { name, category, schedule, targets, landingUrl, perHourMax, brandLift, political } = fields;
  const columns = {
    ...(diff['name'] && { name }),
    ...(diff['category'] && { category }),
    ...(diff['schedule'] &&
      schedule && { starts_on: formatDate(schedule.startsOn), ends_on: formatDate(schedule.endsOn) }),
    ...(diff['targets'] && targets && { targets: jsonb(tx, targetsJson(targets)) }),
    ...(diff['landing_url'] && { landing_url: landingUrl }),
    ...(diff['frequency'] && { frequency_per_hour_max: perHourMax }),
    ...(diff['brand_lift'] && { brand_lift: brandLift }),
    ...(diff['political'] && { political: political ? jsonb(tx, political) : null }),
    ...(estimate && estimateColumns(tx, estimate)),
    ...(row.review_waits_for !== null &&
      REVIEWED.some(field => diff[field]) && {
        review_waits_for: nextReview(row.review_waits_for, 'edit') ?? 'rules',
        review_at: null,
      }),
  };
  if (Object.keys(columns).length > 0)
    await tx`update campaigns set ${assignments(tx, columns)} where handle = ${row.handle}`;
  if (diff['political']) await keepEarlier(unit, row);
  if (diff['creatives'] && fields.bindings) {
    await tx`delete from campaign_creatives where campaign_handle = ${row.handle}`;
    await writeBindings(tx, row.handle, fields.bindings);
  }
  if (isReviewed(row)) await checkRunning(unit, row, { fields, diff });
  unit.audit({
    workspace: row.workspace_handle,
    action: 'campaign.updated',
    entityType: 'campaign',
    entityHandle: row.handle,
    diff,
  });
  unit.changed('campaign', row.handle);
  row.name = name ?? row.name;
  return diff;
}

/** The differences in the format of the API, for the audit. */
function diffOf(row: CampaignRow, bindings: readonly BindingRow[], fields: ChangedFields): Diff {
  const bindingsJson = (list: readonly { creative: Handle<'creative'>; weight: number }[]) =>
    list
      .map(({ creative, weight }) => ({ id: formatId('creative', creative), weight }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  const before = {
    name: row.name,
    category: row.category,
    budget: moneyOrNull(row.budget_micros, row.currency),
    schedule: scheduleOf(row),
    targets: targetsJson(targetsOf(row)),
    creatives: bindingsJson(bindings),
    landing_url: row.landing_url,
    frequency: spellFrequency(row.frequency_per_hour_max),
    brand_lift: row.brand_lift,
    political: row.political,
  };
  return diffOfChange(before, {
    name: fields.name,
    category: fields.category,
    budget: fields.budgetMicros === undefined ? undefined : money(fields.budgetMicros, row.currency),
    schedule: fields.schedule && {
      starts: formatDate(fields.schedule.startsOn),
      ends: formatDate(fields.schedule.endsOn),
    },
    targets: fields.targets && targetsJson(fields.targets),
    creatives: fields.bindings && bindingsJson(fields.bindings),
    landing_url: fields.landingUrl,
    frequency: fields.perHourMax === undefined ? undefined : spellFrequency(fields.perHourMax),
    brand_lift: fields.brandLift,
    political: fields.political,
  });
}

/**
 * Checks an edit of a campaign that has passed review against those review rules that the edit touches.
 *
 * @throws Rollback with the refusal
 */
async function checkRunning(
  { tx }: Unit,
  row: CampaignRow,
  { fields, diff }: { fields: ChangedFields; diff: Diff },
): Promise<void> {
  if (diff['landing_url'] && fields.landingUrl && !isPublicPage(fields.landingUrl))
    throw new Rollback(refuseField('/landing_url', 'not_public', REJECTIONS.landing_page));
  if (!diff['targets'] && !diff['creatives']) return;
  const creatives = await tx<{ orientation: Orientation; status: string }[]>`
    select c.orientation, c.status from campaign_creatives b join creatives c on c.handle = b.creative_handle
    where b.campaign_handle = ${row.handle}`;
  const fault = creativeFault(creatives, (fields.targets ?? targetsOf(row)).orientations ?? []);
  if (fault === 'creative_orientation')
    throw new Rollback(
      refuseField(diff['creatives'] ? '/creatives' : '/targets/orientations', fault, REJECTIONS.creative_orientation),
    );
  // If only targets change, a creative that is not ready yet is not a fault of this edit.
  if (fault && diff['creatives']) throw new Rollback(refuse('creative_not_ready', REJECTIONS.creative_not_ready));
}
