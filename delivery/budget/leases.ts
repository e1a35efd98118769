/**
 * Gets money from the authority ahead of need, and brings back what idles. Reservations say which campaigns want some;
 * each want becomes one grant with a rising number, many of them in one round trip. An answer that was lost is asked for
 * again under the same number, so nothing is granted twice. Where the authority runs short the workers are asked to hand
 * over more, and the grant is tried again soon.
 */
import { grantSizeMicros, planRoomMicros } from '#domain/money/budget.ts';
import type { Log } from '#runtime/log.ts';
import type { Authority, Grant, PlanUse } from '#authority/authority.ts';
import type { IssuedPlay } from '#authority/epochs.ts';
import type { CandidateIndex } from '../decision/candidate-index.ts';
import type { CurrentEpoch } from './epoch-keeper.ts';
import type { Reservations } from './reservations.ts';

/** Wants are collected this often: what a slot misses is there for the next one. */
const COLLECT_MS = 5;
/** Grants of one round trip: a few milliseconds of Redis. */
const BATCH_MAX = 250;
const BATCHES_IN_FLIGHT_MAX = 4;
const RETRY_FIRST_MS = 50;
const RETRY_MS_MAX = 500;
/** A campaign at its end is asked about again this often: money comes back when plays cost less than was reserved. */
const EXHAUSTED_MS = 1_000;
/** Rounds of the renewal (5 s each) without a play after which a lease goes back: five minutes. */
const IDLE_ROUNDS = 60;

export type LeaseCounts = { grants: number; short: number; failed: number; givenBack: number };

export type Leases = {
  counts: Readonly<LeaseCounts>;
  /** Leases for the campaigns that hold one now, under an epoch that is about to begin. Answers the micros by campaign. */
  grantAhead(epoch: number): Promise<Map<number, number>>;
  /** Asks the authority for what is wanted now; the timer does so every few milliseconds. */
  collect(): void;
  /** How many campaigns wait for an answer or for their next try. */
  waiting(): number;
  /** How many grants brought money under this epoch, by shard of the authority. */
  received(): readonly number[];
  /** What is held and not issued, by handle, in micros. What is on its way back is not among it. */
  unissued(): Map<number, number>;
  /** Another epoch has begun with these grants: what is under way belongs to the old one and is forgotten. */
  restart(granted: ReadonlyMap<number, number>): void;
  /** Gives back what campaigns hold that are over or idle. */
  giveBackIdle(): Promise<void>;
  /** These plays have their names: those of offline plans are in what the authority knows to be reserved for plans. */
  named(names: ReadonlyMap<number, readonly IssuedPlay[]>): void;
  /** Asks again how much plans may reserve, for campaigns that had too little. */
  refreshPlans(): Promise<void>;
  /** Stops asking; resolves when no answer is awaited any more. */
  stop(): Promise<void>;
};

/** The last call for one campaign: an unanswered one is repeated as it was. */
type Call = { number: number; wantMicros: number; answered: boolean; retryMs: number };
type Gift = { number: number; micros: number };
type Asked = { campaign: number; call: Call; handle: number; budgetMicros: number };
type Parts = {
  authority: Authority;
  current: CurrentEpoch;
  index: CandidateIndex;
  reservations: Reservations;
  log: Log;
  onEpochClosed: () => void;
  processes: () => number;
  onMoney?: (campaign: number) => void;
  onRestart?: () => void;
};

/**
 * `onEpochClosed` is called when the authority says that the epoch has ended; `processes` is how many live. `onMoney` is told
 * whose money has changed other than by a play, `onRestart` that all of it has.
 */
export function startLeases(parts: Parts): Leases {
  const desk = new LeaseDesk(parts);
  desk.start();
  return desk;
}

class LeaseDesk implements Leases {
  readonly counts: LeaseCounts = { grants: 0, short: 0, failed: 0, givenBack: 0 };
  readonly #parts: Parts;
  #calls = new Map<number, Call>();
  #gifts = new Map<number, Gift>();
  #giftNumber = 0;
  #receivedGrants: number[] = [];
  #queue: number[] = [];
  readonly #retries = new Set<NodeJS.Timeout>();
  readonly #inFlight = new Set<Promise<void>>();
  #asking = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.collect(), COLLECT_MS);
  }

  async grantAhead(epoch: number): Promise<Map<number, number>> {
    const { authority, index, reservations } = this.#parts;
    const granted = new Map<number, number>();
    let calls: { campaign: number; index: number; number: number; wantMicros: number }[] = [];
    const ask = async (): Promise<void> => {
      const replies = await authority.grantAll(epoch, calls);
      for (const [at, reply] of replies.entries()) granted.set(calls[at]!.index, reply.grantedMicros);
      calls = [];
    };
    for (let campaign = 0; campaign < index.size; campaign++) {
      const facts = index.facts[campaign];
      if (facts?.status !== 'live' || reservations.available(campaign) === 0) continue;
      const wantMicros = grantSizeMicros(facts.budgetMicros, reservations.needMicros[campaign]!);
      calls.push({ campaign: facts.handle, index: campaign, number: FIRST_NUMBER, wantMicros });
      if (calls.length === BATCH_MAX) await ask();
    }
    await ask();
    return granted;
  }

  waiting(): number {
    return this.#queue.length + this.#retries.size + this.#asking;
  }

  received(): readonly number[] {
    return this.#receivedGrants;
  }

  unissued(): Map<number, number> {
    const { index, reservations } = this.#parts;
    return new Map(reservations.holders().map(campaign => [index.handles[campaign]!, reservations.held(campaign)]));
  }

  restart(granted: ReadonlyMap<number, number>): void {
    this.#receivedGrants = [];
    for (const [campaign, micros] of granted) this.#noteReceived(this.#parts.index.handles[campaign]!, micros);
    this.#calls = new Map(
      Array.from(granted.keys(), campaign => [
        campaign,
        { number: FIRST_NUMBER, wantMicros: 0, answered: true, retryMs: RETRY_FIRST_MS },
      ]),
    );
    this.#gifts = new Map();
    this.#queue = [];
    this.#clearRetries();
    this.#parts.reservations.startEpoch(granted);
    this.#parts.onRestart?.();
  }

  async giveBackIdle(): Promise<void> {
    const { authority, current, index, reservations, log } = this.#parts;
    const { epoch } = current;
    for (const campaign of reservations.takeIdle(IDLE_ROUNDS, idle => index.facts[idle]?.status !== 'live')) {
      // The money leaves this process before the call, and never comes back to it.
      if (this.#gifts.has(campaign)) continue;
      const micros = reservations.drain(campaign);
      this.#parts.onMoney?.(campaign);
      current.issueLog.returned(index.handles[campaign]!, micros);
      this.#gifts.set(campaign, { number: ++this.#giftNumber, micros });
    }
    const gifts = this.#gifts;
    if (gifts.size === 0) return;
    try {
      await authority.giveBackAll(
        epoch,
        Array.from(gifts, ([campaign, { number, micros }]) => ({ campaign: index.handles[campaign]!, number, micros })),
      );
      this.counts.givenBack += gifts.size;
      gifts.clear();
    } catch (error) {
      if (isEpochClosed(error)) return this.#parts.onEpochClosed();
      log.warn({ err: error, campaigns: gifts.size }, 'idle leases could not be given back yet');
    }
  }

  named(names: ReadonlyMap<number, readonly IssuedPlay[]>): void {
    const { index, reservations } = this.#parts;
    for (const [handle, plays] of names) {
      const campaign = index.campaignIndex(handle);
      const micros = plays.reduce((sum, play) => sum + (play.plan ? play.reservationMicros : 0), 0);
      if (campaign !== undefined && micros > 0)
        reservations.planUntoldMicros[campaign] = Math.max(0, reservations.planUntoldMicros[campaign]! - micros);
    }
  }

  async refreshPlans(): Promise<void> {
    const { authority, index, reservations } = this.#parts;
    const campaigns = [...reservations.planMisses].filter(campaign => index.facts[campaign] !== undefined);
    reservations.planMisses.clear();
    const uses = await authority.planUse(campaigns.map(campaign => index.handles[campaign]!));
    for (const [at, campaign] of campaigns.entries()) {
      this.#setPlanRoom(campaign, uses[at]!);
      this.#parts.onMoney?.(campaign);
    }
  }

  #setPlanRoom(campaign: number, { spentMicros, plannedMicros }: PlanUse): void {
    const { index, reservations, processes } = this.#parts;
    const budgetMicros = index.facts[campaign]?.budgetMicros ?? 0;
    const untoldMicros = reservations.planUntoldMicros[campaign]!;
    reservations.planRoomMicros[campaign] = planRoomMicros({
      budgetMicros,
      spentMicros,
      plannedMicros,
      processes: processes(),
      untoldMicros,
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clearRetries();
    await Promise.all(this.#inFlight);
  }

  #noteReceived(handle: number, micros: number): void {
    if (micros === 0) return;
    const shard = this.#parts.authority.shardOf(handle);
    this.#receivedGrants[shard] = (this.#receivedGrants[shard] ?? 0) + 1;
  }

  #clearRetries(): void {
    for (const retry of this.#retries) clearTimeout(retry);
    this.#retries.clear();
  }

  collect(): void {
    this.#queue.push(...this.#parts.reservations.takeWants());
    while (this.#inFlight.size < BATCHES_IN_FLIGHT_MAX && this.#queue.length > 0) {
      const campaigns = this.#queue.splice(0, BATCH_MAX);
      this.#asking += campaigns.length;
      const asking = this.#ask(campaigns).finally(() => {
        this.#asking -= campaigns.length;
        this.#inFlight.delete(asking);
      });
      this.#inFlight.add(asking);
    }
  }

  async #ask(campaigns: readonly number[]): Promise<void> {
    const { authority, current, log } = this.#parts;
    const calls = this.#calls;
    const asked = campaigns.flatMap(campaign => this.#callFor(campaign));
    if (asked.length === 0) return;
    try {
      const grants = await authority.grantAll(
        current.epoch,
        asked.map(({ handle, call }) => ({ campaign: handle, number: call.number, wantMicros: call.wantMicros })),
      );
      if (this.#calls !== calls) return; // of an epoch that is over: its close brings the money home
      const short = asked.filter((each, at) => !this.#take(each, grants[at]!));
      for (const { campaign } of asked) this.#parts.onMoney?.(campaign);
      const wants = asked.flatMap(({ handle }, at) =>
        grants[at]!.shortMicros > 0 ? [{ campaign: handle, wantMicros: grants[at]!.shortMicros }] : [],
      );
      this.counts.grants += asked.length;
      this.counts.short += short.length;
      // Lost, it is said again with the next try.
      authority.wantHandAll(wants).catch((error: unknown) => {
        log.debug({ err: error }, 'the workers could not be asked for money');
      });
    } catch (error) {
      if (this.#calls !== calls) return;
      if (isEpochClosed(error)) return this.#parts.onEpochClosed();
      this.counts.failed += asked.length;
      log.warn({ err: error, campaigns: asked.length }, 'no answer from the authority');
      for (const { campaign, call } of asked) this.#askAgain(campaign, call);
    }
  }

  /** Puts a grant to use; false when it does not pay for one play. */
  #take({ campaign, call, handle, budgetMicros }: Asked, grant: Grant): boolean {
    const { reservations } = this.#parts;
    const { grantedMicros, usableMicros } = grant;
    this.#setPlanRoom(campaign, grant);
    call.answered = true;
    this.#noteReceived(handle, grantedMicros);
    reservations.add(campaign, grantedMicros);
    reservations.lowMicros[campaign] = call.wantMicros / 2;
    if (reservations.available(campaign) >= reservations.needMicros[campaign]!) {
      reservations.exhausted[campaign] = 0;
      call.retryMs = RETRY_FIRST_MS;
      reservations.settled(campaign);
      return true;
    }
    reservations.exhausted[campaign] = usableMicros >= budgetMicros ? 1 : 0;
    if (reservations.exhausted[campaign] === 1) this.#later(EXHAUSTED_MS, () => reservations.settled(campaign));
    else this.#askAgain(campaign, call);
    return false;
  }

  #callFor(campaign: number): Asked[] {
    const { index, reservations } = this.#parts;
    const facts = index.facts[campaign];
    if (facts === undefined) {
      reservations.settled(campaign); // gone: it is wanted again should it come back
      return [];
    }
    const last = this.#calls.get(campaign);
    const asked = { campaign, handle: facts.handle, budgetMicros: facts.budgetMicros };
    if (last !== undefined && !last.answered) return [{ ...asked, call: last }];
    const wantMicros = grantSizeMicros(facts.budgetMicros, reservations.needMicros[campaign]!);
    const call = {
      number: (last?.number ?? 0) + 1,
      wantMicros,
      answered: false,
      retryMs: last?.retryMs ?? RETRY_FIRST_MS,
    };
    this.#calls.set(campaign, call);
    return [{ ...asked, call }];
  }

  #askAgain(campaign: number, call: Call): void {
    const calls = this.#calls;
    this.#later(call.retryMs, () => {
      if (this.#calls === calls) this.#queue.push(campaign);
    });
    call.retryMs = Math.min(RETRY_MS_MAX, call.retryMs * 2);
  }

  #later(waitMs: number, then: () => void): void {
    if (this.#timer === undefined) return;
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      then();
    }, waitMs);
    this.#retries.add(timer);
  }
}

const FIRST_NUMBER = 1;

function isEpochClosed(error: unknown): boolean {
  return (error as { code?: string }).code === 'epoch_closed';
}
