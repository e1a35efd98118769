/**
 * Reports of plays that were refused, summed up by campaign, creative, screen, quarter of an hour and rule, so that
 * brands see what was not counted. They are evidence, not money: a process that is killed loses the last seconds of
 * them, and what is beyond the bound is in `delivery_refused_plays_total` alone.
 */
import type { PlayFacts, PlayRefusal } from '#domain/plays/play.ts';
import type { RefusedSum } from '#ingest/queue/decision-batch.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** A flood is a few rows: each of them stands for so long. */
const SUMMED_MS = 5_000;
/** Sums that wait, 300 bytes each. */
const SUMS_MAX = 1_000;
const BUCKET_MS = 15 * 60_000;

export class RefusedPlays {
  #sums = new Map<string, RefusedSum>();
  #takenAtMs = -Infinity;

  note({ campaign, creative, screen, venue, sandbox, startsAt }: PlayFacts, rule: PlayRefusal): void {
    const bucketMs = startsAt - (startsAt % BUCKET_MS);
    const name = `${campaign} ${creative} ${screen} ${venue} ${bucketMs} ${rule}`;
    const known = this.#sums.get(name);
    if (known !== undefined) known.plays++;
    else if (this.#sums.size < SUMS_MAX)
      this.#sums.set(name, { campaign, creative, screen, venue, sandbox, bucketMs, rule, plays: 1 });
  }

  /** What was refused since the last time; nothing while that is less than some seconds ago. */
  take(nowMs: Milliseconds): RefusedSum[] {
    if (this.#sums.size === 0 || nowMs - this.#takenAtMs < SUMMED_MS) return [];
    const taken = [...this.#sums.values()];
    this.#sums = new Map();
    this.#takenAtMs = nowMs;
    return taken;
  }
}
