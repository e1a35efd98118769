/**
 * The automatic review: campaigns that wait for the rules go live, are rejected with the reason, or then wait for an
 * operator. Each in its own transaction, under the lock of its row, so that several workers and an operator never
 * decide twice on one.
 */
import { nextReview, reviewCampaign, type Verdict } from '#domain/campaigns/review.ts';
import type { Handle } from '#domain/id.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { assert } from '#domain/assertion.ts';
import { lockLife } from '#books/campaign-life.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Unit } from '#books/unit-of-work.ts';
import { approveCampaign, rejectCampaign, tellFirstTranche } from './campaign-moves.ts';
import type { JobContext } from '../schedule.ts';

const ROUND_CAMPAIGNS_MAX = 50;
/** A campaign whose files are not ready yet is reviewed again after this time. */
const FILE_WAIT_MS = 2_000;

/** Reviews the campaigns that wait longest, and returns how many were decided. */
export async function reviewCampaigns(context: JobContext): Promise<number> {
  const { sql, now } = context;
  const at = now();
  const waiting = await sql<{ handle: Handle<'campaign'> }[]>`
    select handle from campaigns where review_waits_for = 'rules' and deleted_at is null
      and (review_at is null or review_at <= ${at})
    order by handle limit ${ROUND_CAMPAIGNS_MAX}`;
  let decided = 0;
  for (const { handle } of waiting) {
    const outcome = await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: at }, unit => reviewOne(unit, handle));
    if (outcome !== 'waits') decided += 1;
    if (outcome === 'live') await tellFirstTranche(context, handle);
  }
  return decided;
}

async function reviewOne(unit: Unit, campaign: Handle<'campaign'>): Promise<'live' | 'decided' | 'waits'> {
  const row = await lockLife(unit.tx, campaign);
  if (!row || row.deleted_at !== null || row.review_waits_for !== 'rules') return 'waits';
  const verdict = await judge(unit, campaign);
  switch (verdict.verdict) {
    case 'approve':
      await approveCampaign(unit, row);
      return 'live';
    case 'reject':
      await rejectCampaign(unit, row, verdict.rejection);
      return 'decided';
    case 'ask_operator': {
      const next = nextReview('rules', 'needs_operator');
      assert(next !== undefined, 'the rules cannot hand over to an operator');
      await unit.tx`update campaigns set review_waits_for = ${next} where handle = ${campaign}`;
      return 'decided';
    }
    case 'wait':
      await unit.tx`update campaigns set review_at = ${new Date(unit.now.getTime() + FILE_WAIT_MS)}
        where handle = ${campaign}`;
      return 'waits';
  }
}

async function judge({ tx }: Unit, campaign: Handle<'campaign'>): Promise<Verdict> {
  const [facts] = await tx<
    { category: string; landing_url: string | null; is_political: boolean; orientations: Orientation[] | null }[]
  >`
    select category, landing_url, political is not null as is_political, targets->'orientations' as orientations
    from campaigns where handle = ${campaign}`;
  const creatives = await tx<{ orientation: Orientation; status: string }[]>`
    select c.orientation, c.status from campaign_creatives b join creatives c on c.handle = b.creative_handle
    where b.campaign_handle = ${campaign}`;
  return reviewCampaign({
    category: facts!.category,
    landingUrl: facts!.landing_url,
    isPolitical: facts!.is_political,
    orientations: facts!.orientations ?? [],
    creatives,
  });
}
