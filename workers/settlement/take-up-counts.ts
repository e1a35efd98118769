/**
 * Sets the number of counted plays of campaigns for which the authority has none, or too low a number: they ran under a
 * version without one, perhaps in parallel during an upgrade. The charged plays are that number once no play was
 * counted since a moment before which all is charged; until then no range of such a campaign is final. A later round
 * finds that moment if nothing was counted since the first one.
 */
import { listMoney } from '#sql/campaigns/budgets.ts';
import type { JobContext } from '../schedule.ts';

const CAMPAIGNS_AT_ONCE = 1_000;

/** Checks every campaign that was ever handed money. Returns 0: the next round is only useful after a while. */
export async function takeUpCounts({ sql, authority, playQueue, playGroups, log }: JobContext): Promise<number> {
  // First the stream, then unsettled groups: a group moves from one to the other in one step.
  const asOf = await playQueue.asOf();
  const chargedBefore = Math.min(asOf, (await playGroups.oldestUnsettled()) ?? asOf);
  const found = { takenUp: 0, unknown: 0 };
  for (let after = 0; ;) {
    const page = await listMoney(sql, { after, count: CAMPAIGNS_AT_ONCE });
    const counts = await authority.counts.ofAll(page.map(({ handle }) => handle));
    const { takenUp, unknown } = await authority.counts.takeUp(
      page
        .map(row => ({ campaign: row.handle, chargedPlays: row.charged_plays }))
        .filter(({ chargedPlays }, at) => (counts[at]!.plays ?? -1) < chargedPlays),
      chargedBefore,
    );
    found.takenUp += takenUp;
    found.unknown += unknown;
    if (page.length < CAMPAIGNS_AT_ONCE) break;
    after = page.at(-1)!.handle;
  }
  if (found.takenUp + found.unknown > 0)
    log.warn(
      found,
      'the number of counted plays of campaigns was not known, or too low: it is taken up from what is charged',
    );
  return 0;
}
