/**
 * Hands budgets to the authority in tranches. `handed` is raised and committed in Postgres before Redis gets it, and
 * Redis gets the total: a crash between the two leaves money unused until the total is sent again, and never money used
 * twice.
 */
import type { Handle } from '#domain/id.ts';
import { trancheMicros } from '#domain/money/budget.ts';
import { faultPoint } from '#runtime/fault.ts';
import type { JobContext } from '../schedule.ts';
import type { Micros } from '#domain/unit.ts';

/**
 * Campaigns of one transaction: thousands of new ones are served within a second or two, and a row is locked for
 * milliseconds.
 */
const ROUND_CAMPAIGNS_MAX = 500;
/** Totals per round trip. */
const TELL_AT_ONCE_MAX = 500;

type HandedRow = { handle: Handle<'campaign'>; handed_micros: Micros };
type HandableRow = HandedRow & { budget_micros: Micros; take_back_micros: Micros };
type Want = { campaign: Handle<'campaign'>; wantMicros: Micros };

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
 * Raises the totals in one transaction. A campaign whose row is locked by another transaction is left for the next
 * round.
 */
async function raiseHanded(
  sql: JobContext['sql'],
  wanted: readonly Want[],
): Promise<{ handed: HandedRow[]; busy: Want[] }> {
  const wants = new Map(wanted.map(({ campaign, wantMicros }) => [campaign, wantMicros]));
  return sql.begin(async tx => {
    const live = await tx<
      { handle: Handle<'campaign'> }[]
    >`select handle from campaigns where handle in ${tx([...wants.keys()])} and status = 'live' and deleted_at is null`;
    if (live.length === 0) return { handed: [], busy: [] };
    const rows = await tx<HandableRow[]>`
      select handle, budget_micros, handed_micros, take_back_micros from campaigns
      where handle in ${tx(live.map(row => row.handle))} and status = 'live' and deleted_at is null order by handle
      for update skip locked`;
    const handed = rows.map(row => {
      // Money taken back, or to be taken back, does not count as handed.
      const tranche = trancheMicros({
        budgetMicros: row.budget_micros,
        handedMicros: row.handed_micros - row.take_back_micros,
        wantMicros: wants.get(row.handle)!,
      });
      return { handle: row.handle, handed_micros: row.handed_micros + tranche, tranche };
    });
    const raised = handed.filter(row => row.tranche > 0);
    if (raised.length > 0) {
      await tx`
        update campaigns set handed_micros = raised.total
        from unnest(${raised.map(row => row.handle)}::bigint[],
          ${raised.map(row => row.handed_micros)}::bigint[]) as raised (handle, total)
        where campaigns.handle = raised.handle`;
    }
    const locked = new Set(rows.map(row => row.handle));
    return {
      handed,
      busy: live
        .filter(row => !locked.has(row.handle))
        .map(row => ({ campaign: row.handle, wantMicros: wants.get(row.handle)! })),
    };
  });
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
    await tell(
      await sql<HandedRow[]>`select handle, handed_micros from campaigns where handle = ${campaign}`,
      authority,
    );
  } catch (error) {
    log.debug({ err: error }, 'the first tranche could not be told; delivery asks for it');
  }
}

/** Sends the authority the totals of all campaigns that may still be counted. Returns 0: there is no backlog. */
export async function retellHanded({ sql, authority }: JobContext): Promise<number> {
  const campaigns = await sql<HandedRow[]>`
    select handle, handed_micros from campaigns
    where status in ('live', 'paused') and deleted_at is null and handed_micros > 0`;
  for (let at = 0; at < campaigns.length; at += TELL_AT_ONCE_MAX)
    await tell(campaigns.slice(at, at + TELL_AT_ONCE_MAX), authority);
  return 0;
}

async function tell(campaigns: readonly HandedRow[], authority: JobContext['authority']): Promise<void> {
  await authority.handAll(campaigns.map(row => ({ campaign: row.handle, totalMicros: row.handed_micros })));
}
