/**
 * The time of a screen taken by counted plays, in the shard of the screen and of the stream of its plays:
 *
 * s<screen>:h<hour> string: plays of that hour (since 1970, UTC) in the order of their time, 6 bytes each
 * (screen-time.lua) s<screen>:d<day> string: ticks taken in each hour of that day, 2 bytes each
 */
import { NO_HANDLE, type Handle } from '#domain/id.ts';
import { queueScript, type Redis } from '#sql/redis.ts';
import type { Sharded } from '#sql/redis-shards.ts';
import { shardOf, writeUInt64 } from './authority-keys.ts';
import { inPipelines } from './shard-calls.ts';

/** In ticks of a quarter of a second; `tag` distinguishes the play from others on its screen (`domain/screen-time`). */
export type ShownPlay = { screen: Handle<'screen'>; start: number; ticks: number; tag: number };
/** A play that requests its time, with the first and the last hour of its possible time, for any reported start. */
export type TimedPlay = ShownPlay & { firstHour: number; lastHour: number };
/** The taken time of one hour, in ticks. */
export type TakenHour = { screen: Handle<'screen'>; hour: number; ticks: number };

export type ScreenTime = {
  /**
   * Takes the time of these plays, each screen's in the given order; repeating is allowed. Returns for each whether it
   * has its time; otherwise another play has it. @throws Fault `authority_lost`
   */
  take(plays: readonly TimedPlay[]): Promise<boolean[]>;
  /** Part of a rebuild: the counted plays, whole screens at a time, ordered by start. */
  rebuild(plays: readonly ShownPlay[]): Promise<void>;
  /** Part of a rebuild: the taken time by hour of the last days, whole screens at a time. */
  rebuildHours(hours: readonly TakenHour[]): Promise<void>;
};

/** Plays per call, which takes some milliseconds. Redis serves no other client meanwhile. */
const PLAYS_AT_ONCE = 500;
/** Hours of screens read per call: two for plays of live slots, fifty for those of an offline playlist. */
const HOURS_AT_ONCE = 1_000;
const WRITES_AT_ONCE = 1_000;
const PLAY_BYTES = 32;
const HOUR_TICKS = 14_400;
const DAY_HOURS = 24;
/**
 * A play is charged until 48 hours after its slot, in which it may begin 15 minutes late; a day more for an ingest that
 * is behind.
 */
const PAGE_KEPT_S = (48 + 1 + 24) * 3_600;
/**
 * A play of an offline playlist until 7 days after its slot, in which it may begin 48 hours late; its pages are kept as
 * long.
 */
const DAY_KEPT_S = 9 * 86_400;

/** The calls over one connection. */
export function createScreenTime(redis: Redis): ScreenTime {
  const handleOf = ({ screen }: { screen: Handle<'screen'> }): Handle<'screen'> => screen;
  return {
    async take(plays) {
      const pages = pagesOf(plays, redis);
      const replies = await inPipelines<Page, string>(redis, pages, {
        handleOf: page => page.plays[0]!.screen,
        send: (pipeline, keys, page) =>
          queueScript(pipeline, 'screen-time', {
            keys: [keys.record],
            args: [packPlays(page.plays), PAGE_KEPT_S, DAY_KEPT_S],
          }),
      });
      const answers: boolean[] = Array.from({ length: plays.length });
      for (const [index, { places }] of pages.entries())
        for (const [at, place] of places.entries()) answers[place] = replies[index]![at] === 't';
      return answers;
    },
    async rebuild(plays) {
      await inPipelines(redis, hoursOf(plays), {
        handleOf,
        pageMax: WRITES_AT_ONCE,
        send: (pipeline, keys, { screen, hour, records }) =>
          pipeline.set(keys.screenHour(screen, hour), Buffer.from(records), 'EX', PAGE_KEPT_S),
      });
    },
    async rebuildHours(hours) {
      await inPipelines(redis, daysOf(hours), {
        handleOf,
        pageMax: WRITES_AT_ONCE,
        send: (pipeline, keys, { screen, day, bytes }) =>
          pipeline.set(keys.screenDay(screen, day), bytes, 'EX', DAY_KEPT_S),
      });
    },
  };
}

/** Plays of one call, their places in the list that it was made from, and how many hours of screens it reads. */
type Page = { plays: TimedPlay[]; places: number[]; hours: number };

/** A screen's plays stay adjacent and in order, so that a call reads each screen once. */
function pagesOf(plays: readonly TimedPlay[], sharded: Sharded): Page[] {
  const byScreen = new Map<Handle<'screen'>, number[]>();
  for (const [place, { screen }] of plays.entries()) {
    const places = byScreen.get(screen);
    if (places) places.push(place);
    else byScreen.set(screen, [place]);
  }
  const pages: Page[] = [];
  // The last page of each shard.
  const open = new Map<number, Page>();
  for (const [screen, places] of byScreen) {
    const shard = shardOf(screen, sharded);
    const hours = hoursRead(places.map(place => plays[place]!));
    let page = open.get(shard);
    if (page !== undefined && page.hours + hours > HOURS_AT_ONCE) page = undefined;
    for (const place of places) {
      if (page === undefined || page.plays.length === PLAYS_AT_ONCE) {
        pages.push((page = { plays: [], places: [], hours: 0 }));
        open.set(shard, page);
      }
      page.plays.push(plays[place]!);
      page.places.push(place);
    }
    if (page !== undefined) page.hours += hours;
  }
  return pages;
}

/** The maximum number of hours read of a screen for these plays. */
function hoursRead(plays: readonly TimedPlay[]): number {
  let [first, last] = [Infinity, -Infinity];
  for (const { firstHour, lastHour } of plays) [first, last] = [Math.min(first, firstHour), Math.max(last, lastHour)];
  return last - first + 1;
}

function packPlays(plays: readonly TimedPlay[]): Buffer {
  const bytes = Buffer.allocUnsafe(plays.length * PLAY_BYTES);
  let at = 0;
  for (const { screen, start, ticks, tag, firstHour, lastHour } of plays) {
    writeUInt64(bytes, screen, at);
    writeUInt64(bytes, start, at + 8);
    bytes.writeUInt32BE(ticks, at + 16);
    bytes.writeUInt32BE(tag, at + 20);
    bytes.writeUInt32BE(firstHour, at + 24);
    bytes.writeUInt32BE(lastHour, at + 28);
    at += PLAY_BYTES;
  }
  return bytes;
}

/**
 * The pages of hours in the script's format. The moved positions of plays are lost, so a play that would begin within
 * another one begins after it: records never overlap.
 */
function hoursOf(plays: readonly ShownPlay[]): { screen: Handle<'screen'>; hour: number; records: number[] }[] {
  const hours: { screen: Handle<'screen'>; hour: number; records: number[] }[] = [];
  let screen: Handle<'screen'> = NO_HANDLE;
  let end = 0;
  for (const play of plays) {
    if (play.screen !== screen) [screen, end] = [play.screen, 0];
    const start = Math.max(play.start, end);
    const hour = Math.floor(start / HOUR_TICKS);
    let page = hours.at(-1);
    if (page?.screen !== screen || page.hour !== hour) hours.push((page = { screen, hour, records: [] }));
    const placed = (start - hour * HOUR_TICKS) * 256 + play.ticks;
    page.records.push(
      placed >>> 16,
      (placed >>> 8) & 255,
      placed & 255,
      play.tag >>> 16,
      (play.tag >>> 8) & 255,
      play.tag & 255,
    );
    end = start + play.ticks;
  }
  return hours;
}

function daysOf(hours: readonly TakenHour[]): { screen: Handle<'screen'>; day: number; bytes: Buffer }[] {
  const days: { screen: Handle<'screen'>; day: number; bytes: Buffer }[] = [];
  for (const { screen, hour, ticks } of hours) {
    const day = Math.floor(hour / DAY_HOURS);
    let last = days.at(-1);
    if (last?.screen !== screen || last.day !== day)
      days.push((last = { screen, day, bytes: Buffer.alloc(2 * DAY_HOURS) }));
    last.bytes.writeUInt16BE(Math.min(ticks, 2 ** 16 - 1), 2 * (hour % DAY_HOURS));
  }
  return days;
}
