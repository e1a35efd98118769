/**
 * A hold on a campaign's grants, taken before its budget is cut. While it lasts, the authority in Redis (which hands
 * out budget to delivery processes, see docs/counting.md) grants nothing more to the campaign, so what is spent and
 * reserved cannot rise between the check of a cut and its commit.
 */
import { randomUUID } from 'node:crypto';
import type { CampaignRow } from '#domain/campaigns/changes/stored-campaign.ts';
import type { Handle } from '#domain/id.ts';
import type { Authority } from '#authority/authority.ts';
import type { Amounts } from '#authority/budget.ts';
import type { Micros } from '#domain/unit.ts';

/** How long a hold lasts if nobody ends it. Meanwhile delivery spends only what it has leased already. */
const HOLD_MS = 10_000;
/** How long the transaction may wait for its locks. The rest of the hold is for its last statements and the commit. */
const LOCKS_MS_MAX = 5_000;
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
   * The spend of a locked campaign, and its reservations for plays that may still be reported. Undefined if the hold
   * may end before the commit.
   */
  committedMicros(row: CampaignRow): Micros | undefined {
    if (this.#amounts === undefined || performance.now() - this.#takenAtMs > LOCKS_MS_MAX) return undefined;
    const { handed, spent, open, inDoubt } = this.#amounts;
    // An authority that does not know the campaign may have lost its data. Then everything that was handed out counts
    // as committed.
    return handed === 0
      ? row.handed_micros - row.returned_micros
      : Math.max(row.charged_micros, spent + open + inDoubt);
  }
}
