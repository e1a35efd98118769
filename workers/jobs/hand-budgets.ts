import { trancheMicros } from '#domain/budget.ts';
import { faultPoint } from '#runtime/fault.ts';
import type { JobContext } from '../schedule.ts';

/**
 * Hands budgets to the authority in tranches. `handed` is raised and committed in Postgres before Redis is told, and Redis
 * is told the total: a crash between the two leaves money unused until the total is told again, and never money used
 * twice.
 */
const ROUND_CAMPAIGNS_MAX = 100;
/** So that telling the totals of very many campaigns stays a few round trips at a time. */
const TELL_AT_ONCE_MAX = 50;

type Handed = { handle: number; handed_micros: number; charged_micros: number };

/** Takes the campaigns that ran short off the list and hands each its next tranche. */
export async function handBudgets({ sql, authority, log }: JobContext): Promise<number> {
  const wanted = await authority.takeWanted(ROUND_CAMPAIGNS_MAX);
  for (const { campaign, wantMicros } of wanted) {
    const handed = await sql.begin(async tx => {
      const [row] = await tx<(Handed & { budget_micros: number })[]>`
        select handle, budget_micros, handed_micros, charged_micros from campaigns
        where handle = ${campaign} and status = 'live' and deleted_at is null for update`;
      if (!row) return undefined;
      const tranche = trancheMicros({ budgetMicros: row.budget_micros, handedMicros: row.handed_micros, wantMicros });
      if (tranche > 0) await tx`update campaigns set handed_micros = handed_micros + ${tranche} where handle = ${campaign}`;
      return { ...row, handed_micros: row.handed_micros + tranche };
    });
    faultPoint('workers.after_hand_commit');
    if (handed === undefined) log.debug({ campaign }, 'a campaign that is not live asked for money');
    else await tell(handed, { authority, log });
  }
  return wanted.length;
}

/** Tells the authority the totals of all campaigns that may still be counted. Answers 0: there is no backlog of it. */
export async function retellHanded({ sql, authority, log }: JobContext): Promise<number> {
  const campaigns = await sql<Handed[]>`
    select handle, handed_micros, charged_micros from campaigns
    where status in ('live', 'paused') and deleted_at is null and handed_micros > 0`;
  for (let at = 0; at < campaigns.length; at += TELL_AT_ONCE_MAX) {
    await Promise.all(campaigns.slice(at, at + TELL_AT_ONCE_MAX).map(campaign => tell(campaign, { authority, log })));
  }
  return 0;
}

/**
 * An authority that knows nothing of a campaign with charges has lost its data: told the total, it would let what was
 * spent be spent again. Such a campaign waits for the authority to be rebuilt.
 */
async function tell({ handle, handed_micros, charged_micros }: Handed, { authority, log }: Pick<JobContext, 'authority' | 'log'>): Promise<void> {
  if (charged_micros > 0 && (await authority.amounts(handle)).handed === 0) {
    log.error({ campaign: handle }, 'the authority has lost a campaign; nothing is handed to it');
    return;
  }
  await authority.hand(handle, handed_micros);
}
