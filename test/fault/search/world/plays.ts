/** Every play of a simulated world and what was promised of it, which no single process knows. */
import type { PlayFacts } from '#domain/plays/play.ts';
import type { Batch } from '../../../../ingest/queue/batch.ts';
import { SECOND } from '../virtual-time.ts';

/** What a play without a sensor costs, and what one with a sensor costs at most. */
export const COST = 2;
export const COST_MAX = 4;
/** How long an ad lasts: the shortest that the rules allow. */
export const SHOW_MS = 6 * SECOND;

export type Fill = { playId: string; facts: PlayFacts };
/** A process of delivery in one of its lives: what it keeps, it keeps as long as it lives. */
export type Life = string;
export type Play = Fill & {
  /** When its acknowledgement was sent first, whether or not it was heard; 0: never. */
  ackedAt: number;
  /** The Redis time at which a life that acknowledged it had added it first. */
  addedAt: number;
  /** The batches that it is in: which life stored each, and the Redis time at which it was added. */
  batches: Map<string, { life: Life; addedAt: number }>;
};

type Remaining = { batches: ReadonlySet<string>; lives: ReadonlySet<Life>; hasRow: (play: Play) => boolean };

/** What nobody in the world knows as a whole: every play, and what was promised of it. */
export class Plays {
  readonly #all = new Map<string, Play>();
  /** Ids of batches that Redis has. */
  batches = new Set<string>();
  /** By how much the clocks of Redis's servers are apart. */
  readonly #skewMs: number;

  constructor(skewMs: number) {
    this.#skewMs = skewMs;
  }

  issued(fill: Fill): void {
    this.#all.set(fill.playId, { ...fill, ackedAt: 0, addedAt: Infinity, batches: new Map() });
  }

  stored(batch: Batch, life: Life, addedAt: number): void {
    this.batches.add(batch.id);
    for (const { playId } of batch.plays) {
      this.of(playId).batches.set(batch.id, { life, addedAt });
    }
  }

  /** A batch that was stored by a process which died before it said so promises nothing. */
  acknowledged(playId: string, { life, now }: { life: Life; now: number }): void {
    const play = this.of(playId);
    play.ackedAt ||= now;
    for (const batch of play.batches.values())
      if (batch.life === life) play.addedAt = Math.min(play.addedAt, batch.addedAt);
  }

  of(playId: string): Play {
    return this.#all.get(playId)!;
  }

  values(): Iterable<Play> {
    return this.#all.values();
  }

  /** How many are in a batch. */
  storedCount(): number {
    let count = 0;
    for (const { batches } of this.#all.values()) if (batches.size > 0) count++;
    return count;
  }

  /**
   * Whether each play that was promised and has no row is still known as of that moment: to a batch that Redis has, or
   * to a process that stored one and lives. What is kept there is the processes' own business.
   */
  survive({ batches, lives, hasRow }: Remaining): boolean {
    for (const play of this.#all.values()) {
      if (play.ackedAt === 0 || hasRow(play)) continue;
      if (
        ![...play.batches].some(
          ([batch, { life, addedAt }]) =>
            addedAt <= play.ackedAt + this.#skewMs && (batches.has(batch) || lives.has(life)),
        )
      )
        return false;
    }
    return true;
  }
}

type PlayNumbers = { campaign: number; epoch: number; issueNumber: number };

export const nameOf = ({ campaign, epoch, issueNumber }: PlayNumbers): string => `${campaign}:${epoch}:${issueNumber}`;
