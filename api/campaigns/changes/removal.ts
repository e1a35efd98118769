/** DELETE of a campaign: it is paused, its budget is released, and it leaves the lists, all in one transaction. */
import type { Handle } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import { removeCampaign } from '#sql/campaigns/units.ts';
import type { Caller } from '../../authentication/caller.ts';
import { withReply } from '../../idempotency/idempotency.ts';
import { refundNow, type RefundDependencies } from './refund.ts';

/** Soft-deletes a campaign; a live one is paused first. It leaves the lists and can still be read. */
export async function deleteCampaign(
  dependencies: RefundDependencies,
  caller: Caller,
  handle: Handle<'campaign'>,
): Promise<undefined | Refusal> {
  const { sql, now } = dependencies;
  const call = { ...withReply(caller, () => undefined), now: new Date(now()) };
  const removed = await removeCampaign(sql, call, handle);
  if (isRefusal(removed)) return removed;
  if (removed.isOwing) await refundNow(dependencies, { campaign: handle, hold: '' });
  return undefined;
}
