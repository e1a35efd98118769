import { mayMove, type CampaignState } from '#domain/campaign.ts';
import { lockLife } from '#sql/campaign-life.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#sql/unit-of-work.ts';
import { finishCampaign } from '../campaign-moves.ts';
import type { JobContext } from '../schedule.ts';

/**
 * Sets campaigns to finished: when their schedule has ended everywhere on Earth, or when what is left of the budget does
 * not pay for one more play. Plays that are still on their way are counted and charged all the same; the rest goes back.
 */
const ROUND_CAMPAIGNS_MAX = 100;
/** A budget is looked at more closely when this many average plays, or fewer, are neither charged nor returned. */
const NEARLY_SPENT_PLAYS = 20;

type Candidate = { handle: number; workspace_handle: number; status: CampaignState; schedule_ended: boolean; play_micros: number };
type FinishReason = 'schedule_ended' | 'budget_spent';

/** Finishes what has come to its end. Answers how many campaigns that were. */
export async function finishCampaigns(context: JobContext): Promise<number> {
  let finished = 0;
  for (const candidate of await readCandidates(context)) {
    const reason = candidate.schedule_ended ? 'schedule_ended' : await isSpent(candidate, context) ? 'budget_spent' : undefined;
    if (reason !== undefined && await finish(candidate.handle, reason, context)) finished += 1;
  }
  return finished;
}

/**
 * A day ends last 12 hours behind UTC, so a schedule has ended everywhere at noon UTC of the day after its last; two
 * hours more cover a fill that may still be started. A daypart over midnight belongs to the day it began on.
 */
async function readCandidates({ sql, now }: JobContext): Promise<Candidate[]> {
  return sql<Candidate[]>`
    select * from (
      select handle, workspace_handle, status, handed_micros - take_back_micros = budget_micros as all_handed,
        budget_micros + take_back_micros - charged_micros - returned_micros as left_micros,
        (ends_on + 1)::timestamp + interval '14 hours'
          + case when targets->'daypart'->>'end' <= targets->'daypart'->>'start' then interval '1 day' else interval '0' end
          <= (${now()}::timestamptz at time zone 'UTC') as schedule_ended,
        case when charged_plays = 0 then 0 else charged_micros / charged_plays end as play_micros
      from campaigns where status in ('live', 'paused') and deleted_at is null
    ) as running
    where schedule_ended or (all_handed and play_micros > 0 and left_micros < ${NEARLY_SPENT_PLAYS} * play_micros)
    order by handle limit ${ROUND_CAMPAIGNS_MAX}`;
}

/** What one play costs differs by venue; the campaign's own mean stands for it. */
async function isSpent({ handle, play_micros }: Candidate, { authority }: JobContext): Promise<boolean> {
  const { handed, free, open, inDoubt } = await authority.amounts(handle);
  return handed > 0 && free + open + inDoubt < play_micros;
}

async function finish(handle: number, reason: FinishReason, { sql, now }: JobContext): Promise<boolean> {
  return inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: now() }, async unit => {
    const row = await lockLife(unit.tx, handle);
    if (!row || row.deleted_at !== null || !mayMove(row.status as CampaignState, 'finish')) return false;
    await finishCampaign(unit, row, reason);
    return true;
  });
}
