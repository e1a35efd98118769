/**
 * What this process may still spend, per campaign: money granted and not issued yet, in two parts. The open part moves
 * in with each grant. A block is a run of issue numbers that was written to the issue log before its first use; it
 * carries money, and its fills spend no more than that, so that after a crash the log says at most how much is in doubt.
 *
 * Pure: the log and the authority are reached through `openBlock` and the list of wants.
 */
import { blockSize } from '#domain/budget.ts';

/** A block about to be used: numbers `first` .. `first + count - 1` and the money that they share. */
export type Block = { campaign: number; first: number; count: number; micros: number };

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
  private nextNumber = new Float64Array(256);
  private blockEnd = new Float64Array(256);
  private wanted = new Uint8Array(256);
  private readonly wants: number[] = [];
  private readonly openBlock: OpenBlock;

  constructor(openBlock: OpenBlock) {
    this.openBlock = openBlock;
  }

  /** Makes room for campaigns 0 .. size - 1. */
  reserveRoom(size: number): void {
    if (size <= this.openMicros.length) return;
    const length = Math.max(size, this.openMicros.length * 2);
    this.openMicros = grown(this.openMicros, length);
    this.blockMicros = grown(this.blockMicros, length);
    this.lowMicros = grown(this.lowMicros, length);
    this.needMicros = grown(this.needMicros, length);
    this.nextNumber = grown(this.nextNumber, length);
    this.blockEnd = grown(this.blockEnd, length);
    this.exhausted = grown(this.exhausted, length);
    this.wanted = grown(this.wanted, length);
  }

  /** Micros that fills of this campaign may still reserve here. */
  available(campaign: number): number {
    return this.openMicros[campaign]! + this.blockMicros[campaign]!;
  }

  /** Asks for a grant that covers at least one play of `costMicros`. Repeats cost nothing. */
  want(campaign: number, costMicros: number): void {
    if (costMicros > this.needMicros[campaign]!) this.needMicros[campaign] = costMicros;
    if (this.wanted[campaign] === 1) return;
    this.wanted[campaign] = 1;
    this.wants.push(campaign);
  }

  /** The campaigns that want a grant since the last call; each stays wanted until `settled`. */
  takeWants(): number[] {
    return this.wants.splice(0);
  }

  /** The want of a campaign was answered: it may be asked for again. */
  settled(campaign: number): void {
    this.wanted[campaign] = 0;
  }

  /** A grant arrived. */
  add(campaign: number, micros: number): void {
    this.openMicros[campaign]! += micros;
  }

  /** Takes `costMicros` and answers the issue number (1 and up) of the play, or `NOT_TAKEN`. */
  take(campaign: number, costMicros: number): number {
    const number = this.nextNumber[campaign]!;
    if (number >= this.blockEnd[campaign]! || this.blockMicros[campaign]! < costMicros) {
      if (!this.startBlock(campaign, costMicros)) return NOT_TAKEN;
    }
    this.blockMicros[campaign]! -= costMicros;
    if (this.available(campaign) < this.lowMicros[campaign]!) this.want(campaign, costMicros);
    return this.nextNumber[campaign]!++;
  }

  /** Takes back all that was not issued, for the authority, and answers it in micros. Nothing can be taken afterwards. */
  drain(campaign: number): number {
    const left = this.available(campaign);
    this.openMicros[campaign] = 0;
    this.blockMicros[campaign] = 0;
    this.blockEnd[campaign] = 0;
    return left;
  }

  private startBlock(campaign: number, costMicros: number): boolean {
    const held = this.available(campaign);
    const count = blockSize(held, costMicros);
    if (count === 0) return false;
    const first = Math.max(1, this.nextNumber[campaign]!);
    const micros = Math.min(held, count * costMicros);
    if (!this.openBlock({ campaign, first, count, micros })) return false;
    this.openMicros[campaign] = held - micros;
    this.blockMicros[campaign] = micros;
    this.nextNumber[campaign] = first;
    this.blockEnd[campaign] = first + count;
    return true;
  }
}

function grown<T extends Float64Array | Uint8Array>(values: T, length: number): T {
  const larger = new (values.constructor as new (length: number) => T)(length);
  larger.set(values);
  return larger;
}
