/**
 * Refused reports of plays, summed by campaign, creative, screen, quarter hour and rule, so that brands see uncounted
 * plays. They are evidence, not money: a killed process loses the last seconds of them, and sums beyond the limit are
 * only in `delivery_refused_plays_total`.
 */
import type { PlayFacts, PlayRefusal } from '#domain/plays/play.ts';
import type { RefusedSum } from '#ingest/queue/decision-batch.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** A flood becomes a few rows: each covers this time. */
const SUMMED_MS = 5_000;
/** Pending sums, 300 bytes each. */
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

  /** The refusals since the last call; none if that was less than some seconds ago. */
  take(nowMs: Milliseconds): RefusedSum[] {
    if (this.#sums.size === 0 || nowMs - this.#takenAtMs < SUMMED_MS) return [];
    const taken = [...this.#sums.values()];
    this.#sums = new Map();
    this.#takenAtMs = nowMs;
    return taken;
  }
}
