/**
 * Hands budgets to the authority in tranches. `handed` is raised and committed in Postgres before Redis gets it, and
 * Redis gets the total: a crash between the two leaves money unused until the total is sent again, and never money used
 * twice.
 */
import type { Handle } from '#domain/id.ts';
import { faultPoint } from '#runtime/fault.ts';
import { listHanded, raiseHanded, readHanded, type HandedRow } from '#sql/campaigns/budgets.ts';
import type { JobContext } from '../schedule.ts';

/**
 * Campaigns of one transaction: thousands of new ones are served within a second or two, and a row is locked for
 * milliseconds.
 */
const ROUND_CAMPAIGNS_MAX = 500;
/** Totals per round trip. */
const TELL_AT_ONCE_MAX = 500;

/** Removes the campaigns that ran short from the list and hands each its next tranche. */
export async function handBudgets({ sql, authority }: JobContext): Promise<number> {
  const wanted = await authority.takeWanted(ROUND_CAMPAIGNS_MAX);
  if (wanted.length === 0) return 0;
  const { handed, busy } = await raiseHanded(sql, wanted);
  faultPoint('workers.after_hand_commit');
  await tell(handed, authority);
  await authority.wantHandAll(busy);
  return wanted.length - busy.length;
}

/**
 * Sends the authority the first tranche of a campaign, right after its approval was committed, or the first slots get
 * `no_lease`. If that fails, delivery asks for one.
 */
export async function tellFirstTranche(
  { sql, authority, log }: Pick<JobContext, 'sql' | 'authority' | 'log'>,
  campaign: Handle<'campaign'>,
): Promise<void> {
  try {
    await tell(await readHanded(sql, campaign), authority);
  } catch (error) {
    log.debug({ err: error }, 'the first tranche could not be told; delivery asks for it');
  }
}

/** Sends the authority the totals of all campaigns that may still be counted. Returns 0: there is no backlog. */
export async function retellHanded({ sql, authority }: JobContext): Promise<number> {
  const campaigns = await listHanded(sql);
  for (let at = 0; at < campaigns.length; at += TELL_AT_ONCE_MAX)
    await tell(campaigns.slice(at, at + TELL_AT_ONCE_MAX), authority);
  return 0;
}

async function tell(campaigns: readonly HandedRow[], authority: JobContext['authority']): Promise<void> {
  await authority.handAll(campaigns.map(row => ({ campaign: row.handle, totalMicros: row.handed_micros })));
}
