/**
 * Returns money that campaigns may no longer spend. The edit, deletion or end of a campaign has committed the amount in
 * Postgres. The authority gets that total, returns free money and owes the rest; returned money is refunded on the
 * ledger. Every number is a total, so each step may be repeated and may be lost.
 *
 * The workers do it for all campaigns, round after round. The api does it for one campaign right after an edit.
 */
import type { Handle } from '#domain/id.ts';
import { faultPoint } from '#runtime/fault.ts';
import type { Authority } from '#authority/authority.ts';
import { findDebt, listDebts, type DebtRow } from '#sql/campaigns/budgets.ts';
import { refundCampaign } from '#sql/campaigns/units.ts';
import type { Postgres } from '#sql/postgres.ts';

export type TakeBackDependencies = { sql: Postgres; authority: Authority; now: () => Date };

const PAGE_CAMPAIGNS_MAX = 500;
/** Calls to Redis at a time. */
const AT_ONCE_MAX = 50;

/** Sends the authority every debt and refunds returned money. Returns 0: owed money waits for plays to end. */
export async function takeBack(dependencies: TakeBackDependencies): Promise<number> {
  let after = 0;
  for (;;) {
    const debts = await listDebts(dependencies.sql, { after, count: PAGE_CAMPAIGNS_MAX });
    for (let at = 0; at < debts.length; at += AT_ONCE_MAX)
      await Promise.all(debts.slice(at, at + AT_ONCE_MAX).map(row => returnMoney(dependencies, row, '')));
    if (debts.length < PAGE_CAMPAIGNS_MAX) return 0;
    after = debts.at(-1)!.handle;
  }
}

/**
 * The same for one campaign right after its edit was committed, so that free money is in the wallet when the caller
 * gets its answer. Ends the hold of this name.
 */
export async function takeBackNow(
  dependencies: TakeBackDependencies,
  { campaign, hold }: { campaign: Handle<'campaign'>; hold: string },
): Promise<void> {
  const row = await findDebt(dependencies.sql, campaign);
  if (row) await returnMoney(dependencies, row, hold);
}

async function returnMoney({ sql, authority, now }: TakeBackDependencies, row: DebtRow, hold: string): Promise<void> {
  const { handle, handed_micros, take_back_micros } = row;
  // The total first: committed money unknown to the authority could not be returned.
  await authority.hand(handle, handed_micros);
  const returned = await authority.takeBack(handle, take_back_micros, hold);
  faultPoint('workers.after_take_back');
  if (returned <= row.returned_micros) return;
  await refundCampaign(sql, now(), { handle, returnedMicros: returned });
}
