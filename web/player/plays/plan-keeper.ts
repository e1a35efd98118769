/**
 * Keeps the plan for a time without the server: asks for more while the server answers, and has on the device what a
 * restart would lose.
 */
import { type BackOff, waitMs } from '../connection/back-off.ts';
import type { Fill, Slot, SlotRequest, Withdrawal } from '../connection/protocol.ts';
import { Plan } from './plan.ts';
import type { Store } from './store.ts';

const BACK_OFF: BackOff = { firstMs: 2_000, longestMs: 60_000 };

type PlanKeeperOptions = {
  kept: Fill[];
  store: Store;
  /** Server time. */
  now: () => number;
  /** Asks the server; undefined when it does not answer. */
  ask: (request: SlotRequest) => Promise<readonly Slot[] | undefined>;
  /** Whether a fill of a slot at that time may still be started. */
  mayStart: (startsAt: number) => boolean;
};

export class PlanKeeper {
  readonly #options: PlanKeeperOptions;
  readonly #plan: Plan;
  #attempt = 0;
  /** By the steady clock. */
  #askAt = 0;
  #isAsking = false;

  constructor(options: PlanKeeperOptions) {
    this.#options = options;
    this.#plan = new Plan(options.kept);
  }

  get fills(): readonly Fill[] {
    return this.#plan.fills;
  }

  /** Takes the planned fill for a slot at `at`. One that was called settled is dropped. */
  async take(at: number): Promise<Fill | undefined> {
    let fill = this.#plan.take(at);
    while (fill && !this.#options.mayStart(fill.starts_at)) fill = this.#plan.take(at);
    await this.#keep();
    return fill;
  }

  /** Takes out the fills that a withdrawal names. */
  withdraw(what: Withdrawal): Fill[] {
    const gone = this.#plan.withdraw(what);
    if (gone.length > 0) void this.#keep();
    return gone;
  }

  /** The server is there again: it may be asked at once. */
  welcomed(): void {
    this.#attempt = this.#askAt = 0;
  }

  /** While the server answers: throws away what has passed, and asks for more where the screen shows ads at all. */
  async extend({ showsAds }: { showsAds: boolean }): Promise<void> {
    if (this.#isAsking || performance.now() < this.#askAt) return;
    const { now, ask } = this.#options;
    const hasDropped = this.#plan.dropPassed(now());
    const request = this.#plan.request(now());
    if (!request || !showsAds) return void (hasDropped && this.#keep());
    this.#isAsking = true;
    const slots = await ask(request);
    this.#isAsking = false;
    const added = slots ? this.#plan.add(request, slots) : 0;
    this.#attempt = added > 0 ? 0 : this.#attempt + 1;
    this.#askAt = added > 0 ? 0 : performance.now() + waitMs(BACK_OFF, this.#attempt, Math.random());
    if (added > 0 || hasDropped) await this.#keep();
  }

  async #keep(): Promise<void> {
    // A full disk: the plan of this run is in memory.
    await this.#options.store.write('plan', this.#plan.fills).catch(() => undefined);
  }
}
