/**
 * Campaigns that wait for a decision of the operator, such as those of restricted categories. What `admin review` does
 * in a terminal happens here for a person with a key: the owner of the campaign reads in their audit that the operator
 * decided, the operator reads in its own who did.
 */
import { planApproval, planRejection, type CampaignPlan } from '#domain/campaigns/changes/plan-move.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import { tellFirstTranche } from '#workers/budgets/hand-budgets.ts';
import { decideReview } from '#sql/campaigns/units.ts';
import { listWaiting, type BoundCreative, type ReviewRow } from '#sql/operator/reviews.ts';
import { rejectionOf, type Rejection } from '#domain/campaigns/review.ts';
import { parseCategory } from '#domain/campaigns/taxonomy.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { POLITICAL_CATEGORY } from '#domain/campaigns/political.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { Authority } from '#authority/authority.ts';
import type { Log } from '#runtime/log.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Caller } from '../authentication/caller.ts';
import { creativeRecord } from '../creatives/record.ts';
import { listed, type List, type Page } from '../lists/paging.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { money } from '../wire/shapes.ts';
import { asOperator } from '../authentication/as-operator.ts';
import type { DecidedReview, RejectBody, ReviewRecord } from './schema.ts';

export type ReviewDependencies = { sql: Postgres; authority: Authority; log: Log; urls: { public: string } };

/** Lists the campaigns that wait. */
export async function listReviews(
  dependencies: ReviewDependencies,
  caller: Caller,
  { page, isCounted }: { page: Page; isCounted: boolean },
): Promise<List<ReviewRecord>> {
  const { creatives, ...found } = await listWaiting(dependencies.sql, caller.sandbox, { page, isCounted });
  const recordOf = (row: ReviewRow): ReviewRecord =>
    reviewRecord(row, { creatives: creatives.filter(({ campaign }) => campaign === row.handle), dependencies });
  return listed(found, page, { recordOf });
}

type Shown = { creatives: readonly BoundCreative[]; dependencies: ReviewDependencies };

function reviewRecord(row: ReviewRow, { creatives, dependencies }: Shown): ReviewRecord {
  return {
    campaign_id: formatId('campaign', row.handle),
    name: row.name,
    workspace: { id: formatId('workspace', row.workspace), name: row.workspace_name },
    category: row.category,
    category_rule: parseCategory(row.political === null ? row.category : POLITICAL_CATEGORY)?.reason ?? '',
    budget: money(row.budget_micros, row.currency),
    schedule: { starts: row.starts, ends: row.ends },
    targets: row.targets,
    landing_url: row.landing_url,
    political: row.political,
    creatives: creatives.map(creative => {
      const shown = creativeRecord(creative, { file: null, audio: null }, dependencies);
      const { id, name, kind, duration_ms, status, url, poster_url } = shown;
      return { id, name, kind, duration_ms, status, url, poster_url, orientation: creative.orientation };
    }),
    created_at: row.created_at.toISOString(),
  };
}

type DecideOptions = { campaign: Handle<'campaign'>; now: Date };

/** Approves a campaign in review, regardless of the reviewer it waits for. */
export async function approveReview(
  dependencies: ReviewDependencies,
  caller: Caller,
  options: DecideOptions,
): Promise<DecidedReview | Refusal> {
  const decided = await decide(dependencies, caller, { ...options, action: 'review.approved', plan: planApproval });
  if (!isRefusal(decided)) await tellFirstTranche(dependencies, options.campaign);
  return decided;
}

/** Rejects a campaign in review, live or paused, and returns its unspent budget. */
export function rejectReview(
  dependencies: ReviewDependencies,
  caller: Caller,
  { body: { reason, detail }, ...options }: DecideOptions & { body: RejectBody },
): Promise<DecidedReview | Refusal> {
  const rejection = rejectionOf(reason, detail);
  const plan = (row: CampaignRow, at: Date) => planRejection(row, at, rejection);
  return decide(dependencies, caller, { ...options, action: 'review.rejected', plan, rejection });
}

type Decision = DecideOptions & {
  action: string;
  plan: (row: CampaignRow, at: Date) => CampaignPlan | Refusal;
  rejection?: Rejection;
};

async function decide(
  { sql }: ReviewDependencies,
  caller: Caller,
  { campaign, now, action, plan, rejection }: Decision,
): Promise<DecidedReview | Refusal> {
  const { actor, workspace, sandbox } = caller;
  const status = rejection === undefined ? 'live' : 'rejected';
  return decideReview<DecidedReview>(sql, asOperator(caller, now), {
    handle: campaign,
    plan: row => (row.sandbox === sandbox ? plan(row, now) : refuseAbsent()),
    conclude(unit, row) {
      const diff = {
        status: { from: row.status, to: status },
        ...(rejection && { rejection: { from: null, to: rejection } }),
      };
      unit.audit({ workspace, actor, action, entityType: 'campaign', entityHandle: campaign, diff });
      return { campaign_id: formatId('campaign', campaign), status, rejection: rejection ?? null };
    },
  });
}
