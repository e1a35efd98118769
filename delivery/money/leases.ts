/**
 * Gets money from the authority ahead of need, and returns idle money. Reservations name the campaigns that need money;
 * each request becomes one grant with a rising number, many of them in one round trip. A request whose answer was lost
 * is repeated under the same number, so nothing is granted twice. If the authority runs short, the workers are asked to
 * hand over more, and the grant is retried soon.
 */
import type { Index, Handle } from '#domain/id.ts';
import { grantSizeMicros, planRoomMicros } from '#domain/money/budget.ts';
import type { Log } from '#runtime/log.ts';
import type { Authority } from '#authority/authority.ts';
import type { Grant, GrantCounts, PlanUse } from '#authority/budget.ts';
import type { IssuedPlay } from '#authority/epochs.ts';
import type { CandidateIndex } from '../decision/candidate-index.ts';
import type { CurrentEpoch } from './current-epoch.ts';
import type { Reservations } from '../decision/reservations.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** Requests are collected this often, so that a campaign without money for one slot has some for the next. */
const COLLECT_MS = 5;
/** Grants of one round trip: writing this many delays slots by about a millisecond. */
const BATCH_MAX = 50;
const BATCHES_IN_FLIGHT_MAX = 8;
const RETRY_FIRST_MS = 50;
const RETRY_MS_MAX = 500;
/** A campaign at its end is asked about this often: money comes back when plays cost less than reserved. */
const EXHAUSTED_MS = 1_000;
/** Rounds of the renewal (5 s each) without a play after which a lease goes back: five minutes. */
const IDLE_ROUNDS = 60;

export type LeaseCounts = { grants: number; short: number; failed: number; givenBack: number };

/** The last call for one campaign: an unanswered one is repeated unchanged. */
type Call = { number: number; wantMicros: Micros; answered: boolean; retryMs: Milliseconds };
/** Money on its way back to the authority, under its own number. */
type Return = { number: number; micros: Micros };
type GrantRequest = { campaign: Index<'campaign'>; call: Call; handle: Handle<'campaign'>; budgetMicros: Micros };

export type LeasesDependencies = {
  authority: Authority;
  current: CurrentEpoch;
  index: CandidateIndex;
  reservations: Reservations;
  log: Log;
  /** Called when a campaign's money changes other than by a play. */
  onMoney?: (campaign: Index<'campaign'>) => void;
  /** Called when all money changes, because another epoch began. */
  onRestart?: () => void;
};

export class Leases {
  readonly counts: LeaseCounts = { grants: 0, short: 0, failed: 0, givenBack: 0 };
  readonly #dependencies: LeasesDependencies;
  #calls = new Map<Index<'campaign'>, Call>();
  #returns = new Map<Index<'campaign'>, Return>();
  #returnNumber = 0;
  #receivedGrants: GrantCounts = [];
  #queue: number[] = [];
  readonly #retries = new Set<NodeJS.Timeout>();
  readonly #inFlight = new Set<Promise<void>>();
  #asking = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: LeasesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Starts requesting grants. */
  start(): void {
    this.#timer = setInterval(() => this.collect(), COLLECT_MS);
  }

  /**
   * Leases for the campaigns that hold one now, under an epoch that is about to begin. Returns the micros by campaign.
   */
  async grantAhead(epoch: number): Promise<Map<Index<'campaign'>, number>> {
    const { authority, index, reservations } = this.#dependencies;
    const granted = new Map<Index<'campaign'>, number>();
    let calls: { campaign: Handle<'campaign'>; index: number; number: number; wantMicros: Micros }[] = [];
    const ask = async (): Promise<void> => {
      const replies = await authority.grantAll(epoch, calls);
      for (const [at, reply] of replies.entries()) granted.set(calls[at]!.index, reply.grantedMicros);
      calls = [];
    };
    for (let campaign = 0; campaign < index.campaigns.size; campaign++) {
      const facts = index.facts[campaign];
      if (facts?.status !== 'live' || reservations.available(campaign) === 0) continue;
      const wantMicros = grantSizeMicros(facts.budgetMicros, reservations.needMicros(campaign));
      calls.push({ campaign: facts.handle, index: campaign, number: FIRST_NUMBER, wantMicros });
      if (calls.length === BATCH_MAX) await ask();
    }
    await ask();
    return granted;
  }

  /** How many campaigns wait for an answer or for their next try. */
  waiting(): number {
    return this.#queue.length + this.#retries.size + this.#asking;
  }

  /** How many grants brought money under this epoch. */
  received(): readonly number[] {
    return this.#receivedGrants;
  }

  /** Held and unissued micros by handle, without returns in flight. */
  unissued(): Map<Handle<'campaign'>, number> {
    const { index, reservations } = this.#dependencies;
    return new Map(
      reservations.holders().map(campaign => [index.campaigns.handleAt(campaign), reservations.held(campaign)]),
    );
  }

  /** The sum of that, over all currencies. */
  unissuedMicros(): number {
    let sum = 0;
    for (const micros of this.unissued().values()) sum += micros;
    return sum;
  }

  /** Another epoch has begun with these grants: pending calls belong to the old one and are forgotten. */
  restart(granted: ReadonlyMap<Index<'campaign'>, number>): void {
    this.#receivedGrants = [];
    for (const [campaign, micros] of granted)
      this.#noteReceived(this.#dependencies.index.campaigns.handleAt(campaign), micros);
    this.#calls = new Map(
      Array.from(granted.keys(), campaign => [
        campaign,
        { number: FIRST_NUMBER, wantMicros: 0, answered: true, retryMs: RETRY_FIRST_MS },
      ]),
    );
    this.#returns = new Map();
    this.#queue = [];
    this.#clearRetries();
    this.#dependencies.reservations.startEpoch(granted);
    this.#dependencies.onRestart?.();
  }

  /** Returns the leases of ended and idle campaigns. */
  async giveBackIdle(): Promise<void> {
    const { authority, current, index, reservations, log } = this.#dependencies;
    const { epoch } = current;
    for (const campaign of reservations.takeIdle(IDLE_ROUNDS, idle => index.facts[idle]?.status !== 'live')) {
      // The money leaves this process before the call, and never comes back to it.
      if (this.#returns.has(campaign)) continue;
      const micros = reservations.drain(campaign);
      this.#dependencies.onMoney?.(campaign);
      current.issueLog.returned(index.campaigns.handleAt(campaign), micros);
      this.#returns.set(campaign, { number: ++this.#returnNumber, micros });
    }
    const returns = this.#returns;
    if (returns.size === 0) return;
    try {
      await authority.giveBackAll(
        epoch,
        Array.from(returns, ([campaign, { number, micros }]) => ({
          campaign: index.campaigns.handleAt(campaign),
          number,
          micros,
        })),
      );
      this.counts.givenBack += returns.size;
      returns.clear();
    } catch (error) {
      if (isEpochClosed(error)) return this.#dependencies.current.end();
      log.warn({ err: error, campaigns: returns.size }, 'idle leases could not be given back yet');
    }
  }

  /** The authority knows these plays by name: it counts those of offline playlists as reserved for plans. */
  named(names: ReadonlyMap<Handle<'campaign'>, readonly IssuedPlay[]>): void {
    const { index, reservations } = this.#dependencies;
    for (const [handle, plays] of names) {
      const campaign = index.campaigns.campaignIndex(handle);
      const micros = plays.reduce((sum, play) => sum + (play.plan ? play.reservationMicros : 0), 0);
      if (campaign !== undefined && micros > 0) reservations.planTold(campaign, micros);
    }
  }

  /** Asks again how much offline playlists may reserve, for campaigns that had too little. */
  async refreshPlans(): Promise<void> {
    const { authority, index, reservations } = this.#dependencies;
    const campaigns = [...reservations.planMisses].filter(campaign => index.facts[campaign] !== undefined);
    reservations.planMisses.clear();
    const uses = await authority.planUse(campaigns.map(campaign => index.campaigns.handleAt(campaign)));
    for (const [at, campaign] of campaigns.entries()) {
      this.#setPlanRoom(campaign, uses[at]!);
      this.#dependencies.onMoney?.(campaign);
    }
  }

  #setPlanRoom(campaign: Index<'campaign'>, { spentMicros, plannedMicros }: PlanUse): void {
    const { current, index, reservations } = this.#dependencies;
    const budgetMicros = index.facts[campaign]?.budgetMicros ?? 0;
    const untoldMicros = reservations.planUntoldMicros(campaign);
    const roomMicros = planRoomMicros({
      budgetMicros,
      spentMicros,
      plannedMicros,
      processes: current.liveEpochs,
      untoldMicros,
    });
    reservations.setPlanRoom(campaign, roomMicros);
  }

  /** Stops asking; resolves when no answer is awaited any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clearRetries();
    await Promise.all(this.#inFlight);
  }

  #noteReceived(handle: Handle<'campaign'>, micros: Micros): void {
    if (micros === 0) return;
    this.#dependencies.authority.noteGrant(this.#receivedGrants, handle);
  }

  #clearRetries(): void {
    for (const retry of this.#retries) clearTimeout(retry);
    this.#retries.clear();
  }

  /** Requests pending grants from the authority now; the timer does so every few milliseconds. */
  collect(): void {
    this.#queue.push(...this.#dependencies.reservations.takeWants());
    this.#askNext();
  }

  /** One batch is written at a time, so that slots are filled between two; each answer allows the next. */
  #askNext(): void {
    if (this.#inFlight.size === BATCHES_IN_FLIGHT_MAX || this.#queue.length === 0) return;
    const campaigns = this.#queue.splice(0, BATCH_MAX);
    this.#asking += campaigns.length;
    const asking = this.#ask(campaigns).finally(() => {
      this.#asking -= campaigns.length;
      this.#inFlight.delete(asking);
      if (this.#timer !== undefined) this.#askNext();
    });
    this.#inFlight.add(asking);
  }

  async #ask(campaigns: readonly Index<'campaign'>[]): Promise<void> {
    const { authority, current, log } = this.#dependencies;
    const calls = this.#calls;
    const asked = campaigns.flatMap(campaign => this.#callFor(campaign));
    if (asked.length === 0) return;
    try {
      const grants = await authority.grantAll(
        current.epoch,
        asked.map(({ handle, call }) => ({ campaign: handle, number: call.number, wantMicros: call.wantMicros })),
      );
      if (this.#calls !== calls) return; // they were for an ended epoch: its close frees the money
      const short = asked.filter((each, at) => !this.#take(each, grants[at]!));
      for (const { campaign } of asked) this.#dependencies.onMoney?.(campaign);
      const wants = asked.flatMap(({ handle }, at) =>
        grants[at]!.shortMicros > 0 ? [{ campaign: handle, wantMicros: grants[at]!.shortMicros }] : [],
      );
      this.counts.grants += asked.length;
      this.counts.short += short.length;
      // If it is lost, the next try asks again.
      authority.wantHandAll(wants).catch((error: unknown) => {
        log.debug({ err: error }, 'the workers could not be asked for money');
      });
    } catch (error) {
      if (this.#calls !== calls) return;
      if (isEpochClosed(error)) return this.#dependencies.current.end();
      this.counts.failed += asked.length;
      log.warn({ err: error, campaigns: asked.length }, 'no answer from the authority');
      for (const { campaign, call } of asked) this.#askAgain(campaign, call);
    }
  }

  /** Uses a grant; false if it does not pay for one play. */
  #take({ campaign, call, handle, budgetMicros }: GrantRequest, grant: Grant): boolean {
    const { reservations } = this.#dependencies;
    const { grantedMicros, usableMicros } = grant;
    this.#setPlanRoom(campaign, grant);
    call.answered = true;
    this.#noteReceived(handle, grantedMicros);
    reservations.add(campaign, grantedMicros);
    reservations.setLow(campaign, call.wantMicros / 2);
    if (reservations.available(campaign) >= reservations.needMicros(campaign)) {
      reservations.setExhausted(campaign, false);
      call.retryMs = RETRY_FIRST_MS;
      reservations.settled(campaign);
      return true;
    }
    reservations.setExhausted(campaign, usableMicros >= budgetMicros);
    if (reservations.isExhausted(campaign)) this.#later(EXHAUSTED_MS, () => reservations.settled(campaign));
    else this.#askAgain(campaign, call);
    return false;
  }

  #callFor(campaign: Index<'campaign'>): GrantRequest[] {
    const { index, reservations } = this.#dependencies;
    const facts = index.facts[campaign];
    if (facts === undefined) {
      reservations.settled(campaign); // gone: it is requested again if it comes back
      return [];
    }
    const last = this.#calls.get(campaign);
    const asked = { campaign, handle: facts.handle, budgetMicros: facts.budgetMicros };
    if (last !== undefined && !last.answered) return [{ ...asked, call: last }];
    const wantMicros = grantSizeMicros(facts.budgetMicros, reservations.needMicros(campaign));
    const call = {
      number: (last?.number ?? 0) + 1,
      wantMicros,
      answered: false,
      retryMs: last?.retryMs ?? RETRY_FIRST_MS,
    };
    this.#calls.set(campaign, call);
    return [{ ...asked, call }];
  }

  #askAgain(campaign: Index<'campaign'>, call: Call): void {
    const calls = this.#calls;
    this.#later(call.retryMs, () => {
      if (this.#calls === calls) this.#queue.push(campaign);
    });
    call.retryMs = Math.min(RETRY_MS_MAX, call.retryMs * 2);
  }

  #later(waitMs: Milliseconds, then: () => void): void {
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
