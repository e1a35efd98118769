/**
 * A hold on a campaign's grants, taken before its budget is cut. While it lasts, the authority in Redis (which hands
 * out budget to delivery processes, see docs/counting.md) grants nothing more to the campaign, so what is spent and
 * reserved cannot rise between the check of a cut and its commit.
 */
import { randomUUID } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Authority } from '#authority/authority.ts';
import type { Amounts } from '#authority/budget.ts';
import type { CampaignRow } from '../rows/record.ts';
import type { Micros } from '#domain/unit.ts';

/** How long a hold lasts if nobody ends it. Meanwhile delivery spends only what it has leased already. */
const HOLD_MS = 10_000;
/** How long the transaction may wait for its locks. The rest of the hold is for its last statements and the commit. */
const LOCKS_MS_MAX = 5_000;
/** A budget is cut without a hold, or the hold may end too soon. Nothing was written; the change may be tried again. */
export const NEEDS_HOLD = 'needs_hold';

/** One hold. Its amounts stay an upper bound of spend and reservations until it ends. */
export class BudgetHold {
  readonly name = randomUUID();
  /** The time of the monotonic clock, read before the authority was asked. */
  #takenAtMs = -Infinity;
  #amounts: Amounts | undefined;

  async take({ authority }: { authority: Authority }, campaign: Handle<'campaign'>): Promise<void> {
    this.#takenAtMs = performance.now();
    this.#amounts = await authority.hold(campaign, this.name, HOLD_MS);
  }

  /**
   * The campaign's amounts when the hold was taken.
   *
   * @throws Fault `needs_hold` when the hold may end before the commit
   */
  amounts(): Amounts {
    if (this.#amounts === undefined || performance.now() - this.#takenAtMs > LOCKS_MS_MAX) throw needsHold();
    return this.#amounts;
  }
}

export function needsHold(): Fault {
  return new Fault(NEEDS_HOLD, 'the budget of a campaign is cut without a hold on its grants', { retryable: true });
}

/** Whether a new budget is lower while some of the old one is already handed to delivery. */
export function isCut(row: CampaignRow, budgetMicros: Micros | undefined): boolean {
  return (
    budgetMicros !== undefined &&
    row.status !== 'draft' &&
    budgetMicros < (row.budget_micros ?? 0) &&
    row.handed_micros > 0
  );
}

/** The spend of a locked campaign, and its reservations for plays that may still be reported. */
export function committedMicros(row: CampaignRow, { handed, spent, open, inDoubt }: Amounts): Micros {
  // An authority that does not know the campaign may have lost its data. Then everything that was handed out counts as
  // committed.
  return handed === 0 ? row.handed_micros - row.returned_micros : Math.max(row.charged_micros, spent + open + inDoubt);
}
