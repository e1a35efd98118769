/**
 * The money that this process may still spend, per campaign: granted and not issued yet, in two parts. Each grant adds
 * to the open part. A block is a run of issue numbers that was written to the issue log before its first use; it
 * carries money, and its fills spend no more than that, so that after a crash the log gives the maximum in doubt.
 *
 * Nothing can be taken once the authority has not heard from the process for too long (`fillUntilMs`): by then its
 * money may be counted as in doubt.
 *
 * Pure: it reaches the log and the authority through `openBlock` and the list of requests, and the clock is passed in.
 */
import type { Handle, Index } from '#domain/id.ts';
import { blockSize } from '#domain/money/budget.ts';
import type { Money } from '#domain/plays/decision-journal.ts';
import type { Micros } from '#domain/unit.ts';
import type { CampaignTable } from './campaign-table.ts';
import type { Rows } from './columns/rows.ts';

/** A block about to be used: numbers `first` .. `first + count - 1` and the money that they share. */
export type Block = { campaign: Handle<'campaign'>; first: number; count: number; micros: Micros };

/** Writes a block so that it survives this process. False: it could not be written, and must not be used. */
export type OpenBlock = (block: Block) => boolean;

/** No money or no log: nothing was taken. Issue numbers start at 1. */
export const NOT_TAKEN = 0;

/**
 * The row of a campaign's money: one cache line, since it is read of every candidate that is looked at. `OPEN` was
 * granted and is in no block, `BLOCK` is left in the current block; `USED` is 1 when something was taken since
 * `takeIdle` looked, `EXHAUSTED` when the authority had nothing left when it was last asked.
 */
const WIDTH = 8;
const OPEN = 0;
const BLOCK = 1;
const PLAN_ROOM = 2;
/** Below this a new grant is requested. */
const LOW = 3;
const NEXT_NUMBER = 4;
const BLOCK_END = 5;
const USED = 6;
const EXHAUSTED = 7;

/**
 * The row of requests, which decisions rarely read. `NEED`: the largest requested reservation so far, which a grant
 * must at least cover. `WANTED`: 1 when it wants a grant. `PLAN_UNTOLD`: what plans reserved that the authority does
 * not know yet. `IDLE_ROUNDS`: calls of `takeIdle` since something was taken.
 */
const REQUEST_WIDTH = 4;
const NEED = 0;
const WANTED = 1;
const PLAN_UNTOLD = 2;
const IDLE_ROUNDS = 3;

export type ReservationsOptions = {
  /** The campaigns: a campaign with an integer there has a row here. */
  campaigns: CampaignTable;
  openBlock: OpenBlock;
  /** A monotonic clock; without one nothing ever expires. */
  monotonicMs?: () => number;
};

export class Reservations {
  readonly #campaigns: CampaignTable;
  readonly #rows: Rows;
  readonly #requests: Rows;
  readonly #wants: number[] = [];
  /** While true, money is taken for an offline playlist: all playlists of a campaign share a separate limit. */
  planning = false;
  /** Campaigns whose limit for offline playlists was too small; the authority is asked about them. */
  readonly planMisses = new Set<Index<'campaign'>>();
  /**
   * How often nothing could be taken although the money was there: the authority has not heard from this process, or
   * its log cannot be written.
   */
  refusals = 0;
  readonly #openBlock: OpenBlock;
  readonly #monotonicMs: () => number;
  /** On the monotonic clock: nothing is taken from then on. */
  fillUntilMs = Infinity;

  constructor({ campaigns, openBlock, monotonicMs = () => 0 }: ReservationsOptions) {
    this.#campaigns = campaigns;
    this.#rows = campaigns.rows(WIDTH);
    this.#requests = campaigns.rows(REQUEST_WIDTH);
    this.#openBlock = openBlock;
    this.#monotonicMs = monotonicMs;
  }

  /** Micros that fills of this campaign may still reserve here; while planning, for offline playlists. */
  available(campaign: Index<'campaign'>): number {
    const held = this.held(campaign);
    return this.planning ? Math.min(held, this.planRoomMicros(campaign)) : held;
  }

  /** Held and unissued micros, including those in a block. */
  held(campaign: Index<'campaign'>): number {
    const { values } = this.#rows;
    return values[campaign * WIDTH + OPEN]! + values[campaign * WIDTH + BLOCK]!;
  }

  /** Whether the authority had nothing left when it was last asked. */
  isExhausted(campaign: Index<'campaign'>): boolean {
    return this.#rows.values[campaign * WIDTH + EXHAUSTED] === 1;
  }

  setExhausted(campaign: Index<'campaign'>, isExhausted: boolean): void {
    this.#rows.values[campaign * WIDTH + EXHAUSTED] = isExhausted ? 1 : 0;
  }

  /** A new grant is wanted when less than this is held. */
  setLow(campaign: Index<'campaign'>, micros: Micros): void {
    this.#rows.values[campaign * WIDTH + LOW] = micros;
  }

  /** The largest reservation asked for so far: what a grant must at least cover. */
  needMicros(campaign: Index<'campaign'>): Micros {
    return this.#requests.values[campaign * REQUEST_WIDTH + NEED]!;
  }

  /** The amount that offline playlists may still reserve here. */
  planRoomMicros(campaign: Index<'campaign'>): Micros {
    return this.#rows.values[campaign * WIDTH + PLAN_ROOM]!;
  }

  setPlanRoom(campaign: Index<'campaign'>, micros: Micros): void {
    this.#rows.values[campaign * WIDTH + PLAN_ROOM] = micros;
  }

  /** Reservations of offline playlists that the authority does not know yet. */
  planUntoldMicros(campaign: Index<'campaign'>): Micros {
    return this.#requests.values[campaign * REQUEST_WIDTH + PLAN_UNTOLD]!;
  }

  /** The authority has learned of these reservations. */
  planTold(campaign: Index<'campaign'>, micros: Micros): void {
    const at = campaign * REQUEST_WIDTH + PLAN_UNTOLD;
    this.#requests.values[at] = Math.max(0, this.#requests.values[at]! - micros);
  }

  /** Campaigns that hold anything. */
  holders(): number[] {
    const holders: number[] = [];
    for (let campaign = 0; campaign < this.#campaigns.size; campaign++)
      if (this.held(campaign) > 0) holders.push(campaign);
    return holders;
  }

  /** Asks for a grant that covers at least one play of `costMicros`. Repeats cost nothing. */
  want(campaign: Index<'campaign'>, costMicros: Micros): void {
    // more money would not help
    if (this.planning && this.held(campaign) >= costMicros) return void this.planMisses.add(campaign);
    this.#wantMore(campaign, costMicros);
  }

  #wantMore(campaign: Index<'campaign'>, costMicros: Micros): void {
    const { values } = this.#requests;
    const row = campaign * REQUEST_WIDTH;
    if (costMicros > values[row + NEED]!) values[row + NEED] = costMicros;
    if (values[row + WANTED] === 1) return;
    values[row + WANTED] = 1;
    this.#wants.push(campaign);
  }

  /** Whether any campaign has a request for a grant that was not handled yet. */
  hasWants(): boolean {
    return this.#wants.length > 0;
  }

  /** The campaigns with a request since the last call; each stays requested until `settled`. */
  takeWants(): number[] {
    return this.#wants.splice(0);
  }

  /** The request of a campaign was answered: it may request again. */
  settled(campaign: Index<'campaign'>): void {
    this.#requests.values[campaign * REQUEST_WIDTH + WANTED] = 0;
  }

  /** A grant arrived. */
  add(campaign: Index<'campaign'>, micros: Micros): void {
    this.#rows.values[campaign * WIDTH + OPEN]! += micros;
  }

  /** Takes `costMicros` and returns the issue number (1 and up) of the play, or `NOT_TAKEN`. */
  take(campaign: Index<'campaign'>, costMicros: Micros): number {
    if (this.#monotonicMs() > this.fillUntilMs) return this.#refuse();
    const { values } = this.#rows;
    const row = campaign * WIDTH;
    if (this.planning && values[row + PLAN_ROOM]! < costMicros) return NOT_TAKEN;
    if (values[row + NEXT_NUMBER]! >= values[row + BLOCK_END]! || values[row + BLOCK]! < costMicros) {
      if (!this.#startBlock(campaign, costMicros)) return this.#refuse();
    }
    values[row + USED] = 1;
    values[row + BLOCK]! -= costMicros;
    if (this.planning) {
      values[row + PLAN_ROOM]! -= costMicros;
      this.#requests.values[campaign * REQUEST_WIDTH + PLAN_UNTOLD]! += costMicros;
    }
    if (values[row + OPEN]! + values[row + BLOCK]! < values[row + LOW]!) this.#wantMore(campaign, costMicros);
    return values[row + NEXT_NUMBER]!++;
  }

  /** The money of a campaign. */
  moneyOf(campaign: Index<'campaign'>): Money {
    return {
      held: this.held(campaign),
      exhausted: this.isExhausted(campaign),
      planRoom: this.planRoomMicros(campaign),
    };
  }

  /** A copy of the money of all campaigns. */
  copyMoney(): (campaign: Index<'campaign'>) => Money {
    const values = this.#rows.values.slice();
    return campaign => {
      const row = campaign * WIDTH;
      return {
        held: values[row + OPEN]! + values[row + BLOCK]!,
        exhausted: values[row + EXHAUSTED] === 1,
        planRoom: values[row + PLAN_ROOM]!,
      };
    };
  }

  /** Sets a campaign's money to that of another process. */
  restore(campaign: Index<'campaign'>, { held, exhausted, planRoom }: Money): void {
    this.drain(campaign);
    this.add(campaign, held);
    this.setExhausted(campaign, exhausted);
    this.setPlanRoom(campaign, planRoom);
  }

  /** Takes back all unissued money for the authority, and returns it in micros. Nothing can be taken afterwards. */
  drain(campaign: Index<'campaign'>): number {
    const left = this.held(campaign);
    const { values } = this.#rows;
    values[campaign * WIDTH + OPEN] = 0;
    values[campaign * WIDTH + BLOCK] = 0;
    values[campaign * WIDTH + BLOCK_END] = 0;
    return left;
  }

  /** Whether a request is unanswered. */
  isWanted(campaign: Index<'campaign'>): boolean {
    return this.#requests.values[campaign * REQUEST_WIDTH + WANTED] === 1;
  }

  /**
   * Campaigns whose money was not touched in the last `rounds` calls, or at once if `isOver`. A campaign with a pending
   * grant is skipped: the new money could not be distinguished from the old.
   */
  takeIdle(rounds: number, isOver: (campaign: Index<'campaign'>) => boolean): number[] {
    const idle: number[] = [];
    const { values } = this.#rows;
    const { values: requests } = this.#requests;
    for (let campaign = 0; campaign < this.#campaigns.size; campaign++) {
      if (this.held(campaign) === 0) continue;
      const request = campaign * REQUEST_WIDTH;
      requests[request + IDLE_ROUNDS] =
        values[campaign * WIDTH + USED] === 1 ? 0 : requests[request + IDLE_ROUNDS]! + 1;
      values[campaign * WIDTH + USED] = 0;
      if (requests[request + WANTED] === 0 && (requests[request + IDLE_ROUNDS]! >= rounds || isOver(campaign)))
        idle.push(campaign);
    }
    return idle;
  }

  /** Another epoch begins with its grants: numbers start again, and all earlier money is no longer held. */
  startEpoch(granted: ReadonlyMap<Index<'campaign'>, number>): void {
    for (const field of [OPEN, BLOCK, NEXT_NUMBER, BLOCK_END]) this.#rows.fill(field, 0);
    for (const field of [WANTED, IDLE_ROUNDS, PLAN_UNTOLD]) this.#requests.fill(field, 0);
    this.#wants.length = 0;
    for (const [campaign, micros] of granted) this.add(campaign, micros);
  }

  #refuse(): number {
    this.refusals++;
    return NOT_TAKEN;
  }

  #startBlock(campaign: Index<'campaign'>, costMicros: Micros): boolean {
    const held = this.held(campaign);
    const count = blockSize(held, costMicros);
    if (count === 0) return false;
    const { values } = this.#rows;
    const row = campaign * WIDTH;
    const first = Math.max(1, values[row + NEXT_NUMBER]!);
    const micros = Math.min(held, count * costMicros);
    if (!this.#openBlock({ campaign: this.#campaigns.handleAt(campaign), first, count, micros })) return false;
    values[row + OPEN] = held - micros;
    values[row + BLOCK] = micros;
    values[row + NEXT_NUMBER] = first;
    values[row + BLOCK_END] = first + count;
    return true;
  }
}
