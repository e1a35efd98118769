/**
 * The ad time that a screen holds by process, in the shard of the screen, next to its time (`screen-time`):
 *
 * s<screen>:held   hash: by process `<s held>:<when all of it has lapsed, ms>`; ends when the last of them has lapsed
 */
import type { Handle } from '#domain/id.ts';
import { shardOf, writeUInt32, writeUInt64 } from './authority-keys.ts';
import { queueScript, type Redis } from '#sql/redis.ts';
import { inPipelines } from './shard-calls.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The ad time that a process has issued to a screen without a report so far. */
export type HeldByScreen = { screen: Handle<'screen'>; heldMs: Milliseconds; endsAtMs: Milliseconds };
/** `shownTicks`: quarters of a second of plays that count, of today (UTC) and the two days before. */
export type ScreenStanding = { elsewhereMs: Milliseconds; shownTicks: number };

export type HeldTimes = {
  /**
   * Writes what these screens hold of this process's fills; returns, in the given order, what is known of others.
   * @throws Fault `authority_lost`
   */
  tell(process: string, screens: readonly HeldByScreen[]): Promise<ScreenStanding[]>;
};

/** Screens per call, which takes a millisecond or two. Redis serves no other client meanwhile. */
const SCREENS_AT_ONCE = 200;
const SCREEN_BYTES = 20;
const MS_PER_SECOND = 1_000;

/** The calls over one connection. */
export function createHeldTimes(redis: Redis): HeldTimes {
  return {
    async tell(process, screens) {
      const pages = pagesOf(screens, redis);
      const replies = await inPipelines<Page, number[]>(redis, pages, {
        handleOf: page => page.screens[0]!.screen,
        send: (pipeline, keys, page) =>
          queueScript(pipeline, 'held-time', { keys: [keys.record], args: [process, pack(page.screens)] }),
      });
      const answers: ScreenStanding[] = Array.from({ length: screens.length });
      for (const [index, { places }] of pages.entries()) {
        for (const [at, place] of places.entries())
          answers[place] = {
            elsewhereMs: replies[index]![at * 2]! * MS_PER_SECOND,
            shownTicks: replies[index]![at * 2 + 1]!,
          };
      }
      return answers;
    },
  };
}

/** Screens of one call, and their positions in the original list. */
type Page = { screens: HeldByScreen[]; places: number[] };

function pagesOf(screens: readonly HeldByScreen[], redis: Redis): Page[] {
  const pages: Page[] = [];
  const open: (Page | undefined)[] = [];
  for (const [place, each] of screens.entries()) {
    const shard = shardOf(each.screen, redis);
    let page = open[shard];
    if (page === undefined || page.screens.length === SCREENS_AT_ONCE)
      pages.push((page = open[shard] = { screens: [], places: [] }));
    page.screens.push(each);
    page.places.push(place);
  }
  return pages;
}

function pack(screens: readonly HeldByScreen[]): Buffer {
  const bytes = Buffer.allocUnsafe(screens.length * SCREEN_BYTES);
  let at = 0;
  for (const { screen, heldMs, endsAtMs } of screens) {
    writeUInt64(bytes, screen, at);
    writeUInt32(bytes, Math.ceil(heldMs / MS_PER_SECOND), at + 8);
    writeUInt64(bytes, endsAtMs, at + 12);
    at += SCREEN_BYTES;
  }
  return bytes;
}
