/** DELETE of a campaign: it is paused, its budget is released, and it leaves the lists, all in one transaction. */
import type { Handle } from '#domain/id.ts';
import { changeLimit, moneyOf } from '#domain/campaigns/campaign-money.ts';
import type { Refusal } from '#domain/refusal.ts';
import { writeLimit } from '#books/campaign-life.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import type { Caller } from '../../authentication/caller.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import { moveToState } from './move.ts';
import { refundNow, type RefundDependencies } from './refund.ts';
import { lockCampaign } from '../rows/store.ts';

/**
 * Soft-deletes a campaign; a live one is paused first. It leaves the lists and can still be read. Plays that are still
 * reported are counted and charged, and the rest of the money is refunded as they end.
 */
export async function deleteCampaign(
  dependencies: RefundDependencies,
  caller: Caller,
  handle: Handle<'campaign'>,
): Promise<undefined | Refusal> {
  const { sql, now } = dependencies;
  let isOwing = false;
  const refusal = await inUnitOfWork(sql, { ...caller, now: new Date(now()) }, async unit => {
    const row = await lockCampaign(unit.tx, caller, handle);
    if (!row) return refuseAbsent();
    if (row.deleted_at !== null) return undefined; // a repeat
    const entity = { workspace: row.workspace_handle, entityType: 'campaign', entityHandle: handle };
    if (row.status === 'live')
      row.status = await moveToState(unit, { ...row, workspace: row.workspace_handle }, 'pause');
    // The refund that is due comes before `ended_at`: from then on, a constraint of the table allows nothing more to be
    // handed out than will be taken back.
    await writeLimit(unit, handle, changeLimit(moneyOf(row), 0));
    await unit.tx`update campaigns set deleted_at = ${unit.now}, ended_at = coalesce(ended_at, ${unit.now})
      where handle = ${handle}`;
    unit.audit({
      ...entity,
      action: 'campaign.deleted',
      diff: { deleted_at: { from: null, to: unit.now.toISOString() } },
    });
    unit.changed('campaign', handle);
    isOwing = row.handed_micros > 0;
    return undefined;
  });
  if (isOwing) await refundNow(dependencies, { campaign: handle, hold: '' });
  return refusal;
}
