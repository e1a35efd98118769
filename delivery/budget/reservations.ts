/**
 * What this process may still spend, per campaign: money granted and not issued yet, in two parts. The open part moves
 * in with each grant. A block is a run of issue numbers that was written to the issue log before its first use; it
 * carries money, and its fills spend no more than that, so that after a crash the log says at most how much is in doubt.
 *
 * Nothing can be taken once the process has not been heard by the authority for too long (`fillUntilMs`): by then its
 * money may be counted as in doubt.
 *
 * Pure: the log and the authority are reached through `openBlock` and the list of wants, the clock is passed in.
 */
import type { Index } from '#domain/id.ts';
import { blockSize } from '#domain/money/budget.ts';
import type { Money } from '#domain/plays/decision-journal.ts';
import type { Micros } from '#domain/unit.ts';

/** A block about to be used: numbers `first` .. `first + count - 1` and the money that they share. */
export type Block = { campaign: Index<'campaign'>; first: number; count: number; micros: Micros };

/** Writes a block where it survives this process. False: it could not be written, and must not be used. */
export type OpenBlock = (block: Block) => boolean;

/** No money or no log: nothing was taken. Issue numbers start at 1. */
export const NOT_TAKEN = 0;

export class Reservations {
  /** Granted and in no block, in micros, by the campaign's integer. */
  openMicros = new Float64Array(256);
  /** Left in the current block, in micros. */
  blockMicros = new Float64Array(256);
  /** 1: the authority had nothing left when it was last asked. */
  exhausted = new Uint8Array(256);
  /** Below this a new grant is wanted. */
  lowMicros = new Float64Array(256);
  /** The largest reservation asked for so far: what a grant must at least cover. */
  needMicros = new Float64Array(256);
  #nextNumber = new Float64Array(256);
  #blockEnd = new Float64Array(256);
  #wanted = new Uint8Array(256);
  readonly #wants: number[] = [];
  /** While true, what is taken is for an offline plan: all plans of a campaign together have a room of their own. */
  planning = false;
  /** What plans may still reserve here, and what they reserved that the authority does not know yet. */
  planRoomMicros = new Float64Array(256);
  planUntoldMicros = new Float64Array(256);
  /** Campaigns whose room for plans was too small, to be asked about. */
  readonly planMisses = new Set<Index<'campaign'>>();
  /** 1: something was taken since `takeIdle` looked. */
  #used = new Uint8Array(256);
  #idleRounds = new Uint16Array(256);
  /** How often nothing could be taken although the money was there: nobody hears this process, or its log cannot be written. */
  refusals = 0;
  readonly #openBlock: OpenBlock;
  readonly #monotonicMs: () => number;
  /** On the monotonic clock: nothing is taken from then on. */
  fillUntilMs = Infinity;

  /** @param monotonicMs a clock that no step of the wall clock moves; without one nothing ever runs out. */
  constructor(openBlock: OpenBlock, monotonicMs: () => number = () => 0) {
    this.#openBlock = openBlock;
    this.#monotonicMs = monotonicMs;
  }

  /** Makes room for campaigns 0 .. size - 1. */
  reserveRoom(size: number): void {
    if (size <= this.openMicros.length) return;
    const length = Math.max(size, this.openMicros.length * 2);
    this.openMicros = grown(this.openMicros, length);
    this.blockMicros = grown(this.blockMicros, length);
    this.lowMicros = grown(this.lowMicros, length);
    this.needMicros = grown(this.needMicros, length);
    this.#nextNumber = grown(this.#nextNumber, length);
    this.#blockEnd = grown(this.#blockEnd, length);
    this.exhausted = grown(this.exhausted, length);
    this.#wanted = grown(this.#wanted, length);
    this.#used = grown(this.#used, length);
    this.planRoomMicros = grown(this.planRoomMicros, length);
    this.planUntoldMicros = grown(this.planUntoldMicros, length);
    this.#idleRounds = grown(this.#idleRounds, length);
  }

  /** Micros that fills of this campaign may still reserve here; while planning, those of plans. */
  available(campaign: Index<'campaign'>): number {
    const held = this.held(campaign);
    return this.planning ? Math.min(held, this.planRoomMicros[campaign]!) : held;
  }

  /** Micros that are held and not issued, those in a block too. */
  held(campaign: Index<'campaign'>): number {
    return this.openMicros[campaign]! + this.blockMicros[campaign]!;
  }

  /** Campaigns that hold anything. */
  holders(): number[] {
    return Array.from(this.openMicros.keys()).filter(campaign => this.held(campaign) > 0);
  }

  /** Asks for a grant that covers at least one play of `costMicros`. Repeats cost nothing. */
  want(campaign: Index<'campaign'>, costMicros: Micros): void {
    if (this.planning && this.held(campaign) >= costMicros) return void this.planMisses.add(campaign); // more money would not help
    this.#wantMore(campaign, costMicros);
  }

  #wantMore(campaign: Index<'campaign'>, costMicros: Micros): void {
    if (costMicros > this.needMicros[campaign]!) this.needMicros[campaign] = costMicros;
    if (this.#wanted[campaign] === 1) return;
    this.#wanted[campaign] = 1;
    this.#wants.push(campaign);
  }

  /** Whether any campaign wants a grant that nobody has taken up yet. */
  hasWants(): boolean {
    return this.#wants.length > 0;
  }

  /** The campaigns that want a grant since the last call; each stays wanted until `settled`. */
  takeWants(): number[] {
    return this.#wants.splice(0);
  }

  /** The want of a campaign was answered: it may be asked for again. */
  settled(campaign: Index<'campaign'>): void {
    this.#wanted[campaign] = 0;
  }

  /** A grant arrived. */
  add(campaign: Index<'campaign'>, micros: Micros): void {
    this.openMicros[campaign]! += micros;
  }

  /** Takes `costMicros` and answers the issue number (1 and up) of the play, or `NOT_TAKEN`. */
  take(campaign: Index<'campaign'>, costMicros: Micros): number {
    if (this.#monotonicMs() > this.fillUntilMs) return this.#refuse();
    if (this.planning && this.planRoomMicros[campaign]! < costMicros) return NOT_TAKEN;
    const number = this.#nextNumber[campaign]!;
    if (number >= this.#blockEnd[campaign]! || this.blockMicros[campaign]! < costMicros) {
      if (!this.#startBlock(campaign, costMicros)) return this.#refuse();
    }
    this.#used[campaign] = 1;
    this.blockMicros[campaign]! -= costMicros;
    if (this.planning) {
      this.planRoomMicros[campaign]! -= costMicros;
      this.planUntoldMicros[campaign]! += costMicros;
    }
    if (this.held(campaign) < this.lowMicros[campaign]!) this.#wantMore(campaign, costMicros);
    return this.#nextNumber[campaign]!++;
  }

  /** The money of a campaign. */
  moneyOf(campaign: Index<'campaign'>): Money {
    return {
      held: this.held(campaign),
      exhausted: this.exhausted[campaign] === 1,
      planRoom: this.planRoomMicros[campaign]!,
    };
  }

  /** The same of all campaigns now, to be asked later. */
  copyMoney(): (campaign: Index<'campaign'>) => Money {
    const [open, block, exhausted, planRoom] = [
      this.openMicros.slice(),
      this.blockMicros.slice(),
      this.exhausted.slice(),
      this.planRoomMicros.slice(),
    ];
    return campaign => ({
      held: open[campaign]! + block[campaign]!,
      exhausted: exhausted[campaign] === 1,
      planRoom: planRoom[campaign]!,
    });
  }

  /** Puts a campaign's money to what another process held. */
  restore(campaign: Index<'campaign'>, { held, exhausted, planRoom }: Money): void {
    this.drain(campaign);
    this.openMicros[campaign] = held;
    this.exhausted[campaign] = exhausted ? 1 : 0;
    this.planRoomMicros[campaign] = planRoom;
  }

  /** Takes back all that was not issued, for the authority, and answers it in micros. Nothing can be taken afterwards. */
  drain(campaign: Index<'campaign'>): number {
    const left = this.held(campaign);
    this.openMicros[campaign] = 0;
    this.blockMicros[campaign] = 0;
    this.#blockEnd[campaign] = 0;
    return left;
  }

  /** Whether a want is not answered yet. */
  isWanted(campaign: Index<'campaign'>): boolean {
    return this.#wanted[campaign] === 1;
  }

  /**
   * Campaigns that hold money of which nothing was taken in the last `rounds` calls, or at once where `isOver` says so. One
   * with a grant on its way is left out: what it brings could not be told from what was there.
   */
  takeIdle(rounds: number, isOver: (campaign: Index<'campaign'>) => boolean): number[] {
    const idle: number[] = [];
    for (let campaign = 0; campaign < this.openMicros.length; campaign++) {
      if (this.held(campaign) === 0) continue;
      this.#idleRounds[campaign] = this.#used[campaign] === 1 ? 0 : this.#idleRounds[campaign]! + 1;
      this.#used[campaign] = 0;
      if (this.#wanted[campaign] === 0 && (this.#idleRounds[campaign]! >= rounds || isOver(campaign)))
        idle.push(campaign);
    }
    return idle;
  }

  /** Another epoch begins, with what was granted to it: numbers start again, and all that was held before is not held any more. */
  startEpoch(granted: ReadonlyMap<Index<'campaign'>, number>): void {
    for (const values of [
      this.openMicros,
      this.blockMicros,
      this.#nextNumber,
      this.#blockEnd,
      this.#wanted,
      this.#idleRounds,
      this.planUntoldMicros,
    ])
      values.fill(0);
    this.#wants.length = 0;
    for (const [campaign, micros] of granted) this.openMicros[campaign] = micros;
  }

  #refuse(): number {
    this.refusals++;
    return NOT_TAKEN;
  }

  #startBlock(campaign: Index<'campaign'>, costMicros: Micros): boolean {
    const held = this.held(campaign);
    const count = blockSize(held, costMicros);
    if (count === 0) return false;
    const first = Math.max(1, this.#nextNumber[campaign]!);
    const micros = Math.min(held, count * costMicros);
    if (!this.#openBlock({ campaign, first, count, micros })) return false;
    this.openMicros[campaign] = held - micros;
    this.blockMicros[campaign] = micros;
    this.#nextNumber[campaign] = first;
    this.#blockEnd[campaign] = first + count;
    return true;
  }
}

function grown<T extends Float64Array | Uint16Array | Uint8Array>(values: T, length: number): T {
  const larger = new (values.constructor as new (length: number) => T)(length);
  larger.set(values);
  return larger;
}
