/**
 * Logs refused plays with their reasons, so that a play id can be searched for. A screen may send anything, so the
 * lines are bounded: plays beyond the limit are counted in the next line, and by `delivery_refused_plays_total`.
 */
import { formatId, type Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import type { RefusedPlay } from '../protocol/outbound.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Ten lines of two kB a second: 2 GB a day under a permanent attack. */
const LINES_PER_SECOND_MAX = 10;
const PLAYS_PER_LINE_MAX = 10;
/** A play id from a screen may be any text. */
const PLAY_ID_SHOWN = 104;

export class RefusalLog {
  readonly #log: Log;
  #second = 0;
  #lines = 0;
  #unlogged = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param screen handle of the screen that reported them */
  note(screen: Handle<'screen'>, refused: readonly RefusedPlay[], nowMs: Milliseconds): void {
    if (refused.length === 0) return;
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#lines = 0;
    }
    if (this.#lines++ >= LINES_PER_SECOND_MAX) return void (this.#unlogged += refused.length);
    const logged = refused
      .slice(0, PLAYS_PER_LINE_MAX)
      .map(({ play_id, reason }) => ({ play_id: play_id.slice(0, PLAY_ID_SHOWN), reason }));
    this.#log.info(
      { screen_id: formatId('screen', screen), plays: logged, unsaid: this.#unlogged + refused.length - logged.length },
      'plays were refused',
    );
    this.#unlogged = 0;
  }
}
