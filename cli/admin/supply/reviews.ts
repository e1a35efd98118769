/**
 * `admin review`: decides on campaigns that wait for a decision of the operator, such as those of restricted
 * categories, and takes out those that should never have gone live. Also whether campaigns of a client wait for its
 * agency.
 */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { planApproval, planRejection, type CampaignPlan } from '#domain/campaigns/changes/plan-move.ts';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import { decideReview } from '#sql/campaigns/units.ts';
import { type RejectionCode, REJECTIONS, rejectionOf } from '#domain/campaigns/review.ts';
import { formatId, type Handle } from '#domain/id.ts';
import type { Refusal } from '#domain/refusal.ts';
import { changeSetting } from '#sql/workspaces/operator.ts';
import type { Postgres } from '#sql/postgres.ts';
import { OPERATOR, wanted } from '../../operator.ts';
import { idOf } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

export const APPROVALS = ['none', 'agency', 'inherit'] as const;
export type Approval = (typeof APPROVALS)[number];

export function declareReviewCommands(program: CommandUnknownOpts, run: Runner): void {
  const review = program.command('review').description('campaigns in review');
  review
    .command('approve')
    .description('approve a campaign')
    .argument('<campaign>', 'id of the campaign', idOf('campaign'))
    .action(run(({ sql }, campaign) => approveReview(sql, new Date(), campaign)));
  review
    .command('reject')
    .description('reject a campaign in review, live or paused')
    .argument('<campaign>', 'id of the campaign', idOf('campaign'))
    .addOption(
      new Option('--reason <code>', 'reason for the advertiser')
        .choices(Object.keys(REJECTIONS) as RejectionCode[])
        .default('policy' as const),
    )
    .action(run(({ sql }, campaign, { reason }) => rejectReview(sql, new Date(), { campaign, reason })));
}

/** Approves a campaign in review, regardless of the reviewer it waits for. @throws UsageError if it is not in review */
export async function approveReview(sql: Postgres, now: Date, campaign: Handle<'campaign'>): Promise<Result> {
  return decide(sql, now, { campaign, plan: planApproval, status: 'live' });
}

/**
 * Rejects a campaign in review, live or paused, and returns its unspent budget.
 * @throws UsageError in another state
 */
export async function rejectReview(
  sql: Postgres,
  now: Date,
  { campaign, reason = 'policy' }: { campaign: Handle<'campaign'>; reason?: RejectionCode },
): Promise<Result> {
  const rejection = rejectionOf(reason);
  return {
    ...(await decide(sql, now, { campaign, plan: (row, at) => planRejection(row, at, rejection), status: 'rejected' })),
    rejection,
  };
}

type Decision = {
  campaign: Handle<'campaign'>;
  plan: (row: CampaignRow, at: Date) => CampaignPlan | Refusal;
  status: string;
};

async function decide(sql: Postgres, now: Date, { campaign, plan, status }: Decision): Promise<Result> {
  const id = formatId('campaign', campaign);
  const refusal = await decideReview(
    sql,
    { actor: OPERATOR, now },
    { handle: campaign, plan, conclude: () => undefined },
  );
  wanted(refusal, `There is no campaign ${id}`);
  return { id, status };
}

/**
 * Sets whether campaigns of a client wait for its agency. For an agency, it sets this for all its clients without a
 * setting of their own.
 */
export async function setApproval(
  sql: Postgres,
  now: Date,
  { workspace, approval }: { workspace: Handle<'workspace'>; approval: Approval },
): Promise<Result> {
  const stored = approval === 'inherit' ? null : approval;
  const id = formatId('workspace', workspace);
  const set = await changeSetting(sql, { actor: OPERATOR, now }, { workspace, name: 'approval', value: stored });
  wanted(set, `There is no workspace ${id}`);
  return { id, approval };
}
