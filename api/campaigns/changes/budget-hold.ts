import { randomUUID } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { Fault } from '#runtime/fault-error.ts';
import type { Authority } from '#authority/authority.ts';
import type { Amounts } from '#authority/budget.ts';
import type { CampaignRow } from '../record.ts';

/** A hold that nobody ends costs a campaign so long without grants, while its nodes play from their leases. */
const HOLD_MS = 10_000;
/** For the transaction to wait for its locks; the rest is for its last statements and the commit. */
const LOCKS_MS_MAX = 5_000;
/** A cut is asked for and no hold stands behind it, or not for long enough: nothing was written, and it may be tried again. */
export const NEEDS_HOLD = 'needs_hold';

/**
 * What stands behind a cut of a budget: the authority grants nothing from before the transaction until after its commit, so
 * that what was spent and out as the hold was taken is the most that there can be.
 */
export class BudgetHold {
  readonly name = randomUUID();
  /** Monotonic, from before the call. */
  #takenAtMs = -Infinity;
  #held: Amounts | undefined;

  async take({ authority }: { authority: Authority }, campaign: Handle<'campaign'>): Promise<void> {
    this.#takenAtMs = performance.now();
    this.#held = await authority.hold(campaign, this.name, HOLD_MS);
  }

  /** What the authority said. @throws Fault `needs_hold` when the hold may end before the commit */
  amounts(): Amounts {
    if (this.#held === undefined || performance.now() - this.#takenAtMs > LOCKS_MS_MAX) throw needsHold();
    return this.#held;
  }
}

export function needsHold(): Fault {
  return new Fault(NEEDS_HOLD, 'the budget of a campaign is cut without a hold on its grants', { retryable: true });
}

/** Whether a new budget takes away from what may be out. */
export function isCut(row: CampaignRow, budgetMicros: number | undefined): boolean {
  return (
    budgetMicros !== undefined && row.status !== 'draft' && budgetMicros < row.budget_micros && row.handed_micros > 0
  );
}

/** What is spent, or reserved for plays on their way, of a locked campaign. */
export function outOf(row: CampaignRow, { handed, spent, open, inDoubt }: Amounts): number {
  // An authority that knows nothing of the campaign may have lost it: then all that was handed counts as out.
  return handed === 0 ? row.handed_micros - row.returned_micros : Math.max(row.charged_micros, spent + open + inDoubt);
}
