/**
 * Open fills of offline playlists by screen: at most 240 each, so that a screen that never reports keeps a bounded
 * amount of money reserved. The slot handler opens them, reports end them.
 */
import type { Handle } from '#domain/id.ts';
import type { PlayFacts } from '#domain/plays/play.ts';
import type { Milliseconds } from '#domain/unit.ts';

const PLAN_FILLS_MAX = 240;

export class PlanFills {
  /** By screen and fill: when its slot begins, and until when it may be started. */
  readonly #byScreen = new Map<Handle<'screen'>, Map<string, { startsAt: number; expiresAtMs: Milliseconds }>>();

  /** How many are open, of all screens. */
  get size(): number {
    let size = 0;
    for (const open of this.#byScreen.values()) size += open.size;
    return size;
  }

  /** How many planned fills a screen (handle) may still get. */
  roomFor(screen: Handle<'screen'>, nowMs: Milliseconds): number {
    const open = this.#byScreen.get(screen);
    if (open === undefined) return PLAN_FILLS_MAX;
    if (open.size >= PLAN_FILLS_MAX)
      for (const [key, { expiresAtMs }] of open) if (expiresAtMs < nowMs) open.delete(key);
    return PLAN_FILLS_MAX - open.size;
  }

  opened(facts: PlayFacts, expiresAtMs: Milliseconds): void {
    let open = this.#byScreen.get(facts.screen);
    if (open === undefined) this.#byScreen.set(facts.screen, (open = new Map()));
    open.set(keyOf(facts), { startsAt: facts.startsAt, expiresAtMs });
  }

  /** The play was reported or handed back. */
  ended(facts: PlayFacts): void {
    if (!facts.plan) return;
    const open = this.#byScreen.get(facts.screen);
    if (open?.delete(keyOf(facts)) && open.size === 0) this.#byScreen.delete(facts.screen);
  }

  /** The screen will never play a fill whose slot began before `toMs`. */
  settled(screen: Handle<'screen'>, toMs: Milliseconds): void {
    const open = this.#byScreen.get(screen);
    if (open === undefined) return;
    for (const [key, { startsAt }] of open) if (startsAt < toMs) open.delete(key);
    if (open.size === 0) this.#byScreen.delete(screen);
  }
}

function keyOf({ campaign, epoch, issueNumber }: PlayFacts): string {
  return `${campaign}:${epoch}:${issueNumber}`;
}
