/**
 * The time of screens in the authority: a play has a place that no other play of its screen has. The real scripts in a
 * Redis of two shards, by examples and compared with the rule in `domain/plays/screen-time.ts`.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_TICKS as HOUR, NO_PLACE, placeAmong, SHIFT_TICKS_MAX } from '#domain/plays/screen-time.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import type { Redis } from '../../sql/redis.ts';
import type { TimedPlay } from '#authority/screen-time.ts';
import { beginAuthority } from '../support/engines/databases.ts';
import { emptyRedis, openFreshRedis } from '../support/engines/redis.ts';
import { handle } from '../support/handle.ts';

let redis: Redis;
let authority: Authority;

beforeAll(async () => {
  redis = await openFreshRedis({ shards: 2 });
  authority = createAuthority(redis);
});
beforeEach(async () => {
  await emptyRedis(redis);
});
afterAll(() => redis.disconnect());

/** An hour in November 2026, in ticks, and the midnight before. */
const NOON = 498_660 * HOUR;
const MIDNIGHT = NOON - 12 * HOUR;
const take = (...plays: TimedPlay[]): Promise<boolean[]> => authority.screenTime.take(plays);
const play = (start: number, tag: number, fields: Partial<TimedPlay> = {}): TimedPlay => ({
  screen: handle('screen', 7),
  start: NOON + start,
  ticks: 38,
  tag,
  firstHour: Math.floor((NOON + start) / HOUR) - 1,
  lastHour: Math.floor((NOON + start) / HOUR),
  ...fields,
});
/** Of an offline plan: it may be started within two days. */
const planned = (start: number, tag: number): TimedPlay => {
  const { firstHour } = play(start, tag);
  return play(start, tag, { firstHour, lastHour: firstHour + 49 });
};
const keysOf = async (): Promise<string[]> => (await redis.keys('*:s7:*')).sort();

describe('a play', () => {
  test('gets its time, and the same time when asked again in the same or a later call', async () => {
    expect(await take(play(0, 1), play(0, 1))).toEqual([true, true]);
    expect(await take(play(0, 1))).toEqual([true]);
    expect(await redis.getBuffer(`{plays:1}:s7:h${NOON / HOUR}`)).toHaveLength(6);
  });

  test('gets no time that another play on the same screen has; on other screens it may', async () => {
    expect(
      await take(
        play(0, 1),
        play(0, 2),
        play(0, 3, { screen: handle('screen', 8) }),
        play(0, 4, { screen: handle('screen', 9) }),
      ),
    ).toEqual([true, false, true, true]);
    // 4.25 s, 4.5 s and 14 s after the first
    expect(await take(play(17, 5), play(18, 6), play(56, 7))).toEqual([false, true, true]);
  });

  test('is moved behind the previous play if the clock was set back by 3 s, and so are the next ones until there is a gap', async () => {
    const starts = Array.from({ length: 30 }, (_, index) => index * 40 - (index >= 10 ? 12 : 0));
    expect(await take(...starts.map((start, index) => play(start, index)))).toEqual(starts.map(() => true));
  });

  test('reported again just after its own end takes no second time', async () => {
    expect(await take(play(1_000, 1, { ticks: 8 }), play(1_008, 2, { ticks: 4 }))).toEqual([true, true]);
    expect(await take(play(1_018, 1, { ticks: 8 }), play(1_015, 2, { ticks: 4 }))).toEqual([true, true]);
    expect(await redis.getBuffer(`{plays:1}:s7:h${NOON / HOUR}`)).toHaveLength(12);
  });

  test('reported again a little earlier takes no second time before the end of an hour', async () => {
    expect(await take(play(HOUR - 68, 3, { ticks: 40 }), play(HOUR + 2, 1, { ticks: 8 }))).toEqual([true, true]);
    const again = play(HOUR - 8, 1, { ticks: 8, lastHour: NOON / HOUR + 1 });
    expect(await take(again, play(HOUR - 28, 2, { ticks: 30 }))).toEqual([true, true]);
  });

  test('gets its time once, however often it is reported with another start', async () => {
    const starts = Array.from({ length: 45 }, (_, index) => index * 80);
    expect(await take(...starts.map(start => play(start, 1)))).toEqual(starts.map(() => true));
    expect(await take(...starts.map(start => play(start, 1)))).toEqual(starts.map(() => true));
    expect(await redis.getBuffer(`{plays:1}:s7:h${NOON / HOUR}`)).toHaveLength(6);
    const day = await redis.getBuffer(`{plays:1}:s7:d${MIDNIGHT / HOUR / 24}`);
    expect(day!.readUInt16BE(2 * 12)).toBe(38);
    // and one of an offline plan, days later
    expect(await take(planned(100, 2), { ...planned(100, 2), start: NOON + 40 * HOUR })).toEqual([true, true]);
    expect(await redis.getBuffer(`{plays:1}:s7:h${NOON / HOUR + 40}`)).toBeNull();
  });

  test('of no length takes none', async () => {
    expect(await take(play(0, 1, { ticks: 0 }), play(0, 2, { ticks: 0 }))).toEqual([true, true]);
    expect(await keysOf()).toEqual([]);
  });

  test('across the end of an hour blocks the first play of the next hour, and the other way round', async () => {
    expect(await take(play(HOUR - 10, 1), play(HOUR, 2), play(HOUR + 28, 3))).toEqual([true, false, true]);
    expect(await take(play(2 * HOUR + 5, 4), play(2 * HOUR - 10, 5), play(2 * HOUR - 33, 6))).toEqual([
      true,
      false,
      true,
    ]);
    // known, though told a little otherwise
    expect(await take(play(HOUR - 8, 1), play(2 * HOUR - 30, 6))).toEqual([true, true]);
  });

  test('gets no time in a full hour, even after its pages have expired', async () => {
    const plays = Array.from({ length: 400 }, (_, index) => play(index * 36, index, { ticks: 36 }));
    expect((await take(...plays)).filter(Boolean)).toHaveLength(400);
    for (const key of await redis.keys('*:s7:h*')) await redis.unlink(key);
    const again = await take(...plays.map(each => ({ ...each, tag: each.tag + 1_000 })));
    expect(again.filter(Boolean)).toHaveLength(Math.floor((14_400 + 20 + 255 - 14_400) / 36));
  });
});

test('answers and taken times match the rule for any calls in any order, with repeats', async () => {
  const lengths = [1, 22, 38, 78, 255];
  const told = fc.record({
    screen: fc.constantFrom(1, 2),
    start: fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -400, max: 600 })),
    tag: fc.integer({ min: 0, max: 40 }),
  });
  /** A play that was told before, a little earlier or later now, or much. */
  const again = fc.record({
    which: fc.nat(1_000),
    by: fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -300, max: 300 })),
  });
  const call = fc.array(fc.oneof({ weight: 3, arbitrary: told }, { weight: 2, arbitrary: again }), {
    minLength: 1,
    maxLength: 15,
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 5 }), async calls => {
      const model = new Model();
      const first = 10 * ++runs; // screens of its own
      const asked: TimedPlay[] = [];
      for (const plays of calls) {
        const from = asked.length;
        for (const each of plays) {
          const known = 'which' in each ? asked[each.which % Math.max(1, asked.length)] : undefined;
          if ('which' in each && known !== undefined) asked.push({ ...known, start: known.start + each.by });
          if ('tag' in each)
            asked.push({
              screen: handle('screen', first + each.screen),
              start: MIDNIGHT + each.start,
              ticks: lengths[each.tag % lengths.length]!,
              tag: each.tag,
              firstHour: MIDNIGHT / HOUR - 1,
              lastHour: MIDNIGHT / HOUR,
            });
        }
        const timed = asked.slice(from);
        if (timed.length === 0) continue;
        expect(await take(...timed)).toEqual(timed.map(each => model.take(each)));
      }
      for (const screen of [first + 1, first + 2]) expect(await takenOn(screen)).toEqual(model.takenOn(screen));
      expect(model.overlaps()).toBe(0);
    }),
    { numRuns: 150, endOnFailure: true },
  );
});

/** Start, ticks and tag of each record of a screen, and the sums of its hours. */
type TakenTime = { records: [start: number, ticks: number, tag: number][]; hours: Record<number, number> };

async function takenOn(screen: number): Promise<TakenTime> {
  const taken: TakenTime = { records: [], hours: {} };
  for (const key of await redis.keys(`*:s${screen}:*`)) {
    const [kind, number] = [key.at(key.lastIndexOf(':') + 1), Number(key.slice(key.lastIndexOf(':') + 2))];
    const bytes = (await redis.getBuffer(key))!;
    if (kind === 'h')
      for (let at = 0; at < bytes.length; at += 6)
        taken.records.push([
          number * HOUR + (bytes.readUIntBE(at, 3) >>> 8),
          bytes[at + 2]!,
          bytes.readUIntBE(at + 3, 3),
        ]);
    else
      for (let hour = 0; 2 * hour < bytes.length; hour++)
        if (bytes.readUInt16BE(2 * hour) > 0) taken.hours[24 * number + hour] = bytes.readUInt16BE(2 * hour);
  }
  taken.records.sort(([one], [other]) => one - other);
  return taken;
}

/** The rule over plain lists. */
class Model {
  readonly #records: (TimedPlay & { place: number })[] = [];

  take({ screen, start, ticks, tag, ...hours }: TimedPlay): boolean {
    const own = this.#records.filter(record => record.screen === screen);
    if (own.some(record => record.tag === tag)) return true;
    const near = own.filter(
      ({ place, ticks: length }) => place < start + ticks + SHIFT_TICKS_MAX && place + length > start - SHIFT_TICKS_MAX,
    );
    const place = placeAmong(
      {
        starts: Float64Array.from(near, each => each.place),
        ends: Float64Array.from(near, each => each.place + each.ticks),
        count: near.length,
      },
      start,
      ticks,
    );
    if (place !== NO_PLACE) this.#records.push({ screen, start, ticks, tag, place, ...hours });
    return place !== NO_PLACE;
  }

  takenOn(screen: number): TakenTime {
    const own = this.#records.filter(record => record.screen === screen).sort((one, other) => one.place - other.place);
    const hours: Record<number, number> = {};
    for (const { place, ticks } of own) {
      const hour = Math.floor(place / HOUR);
      hours[hour] = (hours[hour] ?? 0) + ticks;
    }
    return { records: own.map(({ place, ticks, tag }) => [place, ticks, tag]), hours };
  }

  /** Pairs of plays of one screen that overlap. */
  overlaps(): number {
    return this.#records.filter((one, at) =>
      this.#records
        .slice(at + 1)
        .some(
          other =>
            one.screen === other.screen && one.place < other.place + other.ticks && other.place < one.place + one.ticks,
        ),
    ).length;
  }
}

describe('the stored data', () => {
  test('expires: pages after three days, sums of hours after nine', async () => {
    await take(play(0, 1));
    const [day, hour] = await keysOf();
    expect([day, hour]).toEqual([`{plays:1}:s7:d${Math.floor(NOON / HOUR / 24)}`, `{plays:1}:s7:h${NOON / HOUR}`]);
    expect(await redis.ttl(hour!)).toBeGreaterThan(72 * 3_600);
    expect(await redis.ttl(day!)).toBe(9 * 86_400);
    await redis.expire(hour!, 60);
    await take(play(100, 2));
    expect(await redis.ttl(hour!)).toBeLessThanOrEqual(60); // from the first play on
  });

  test('of an offline playlist expires later, since its plays may be reported for longer', async () => {
    await take(play(40, 2));
    await take(planned(0, 1));
    expect(await redis.ttl(`{plays:1}:s7:h${NOON / HOUR}`)).toBe(9 * 86_400);
    await take(play(80, 3));
    expect(await redis.ttl(`{plays:1}:s7:h${NOON / HOUR}`)).toBe(9 * 86_400);
  });

  test('of a day also expires if a rebuild moved a play into a page of that day', async () => {
    await authority.life.end();
    await authority.life.forget();
    const before = play(-1, 1, { ticks: 20 });
    await authority.screenTime.rebuild([before, play(0, 2)].map(each => ({ ...each, start: each.start - 12 * HOUR })));
    await beginAuthority(redis);
    await take(play(200 - 12 * HOUR, 3));
    expect(await redis.ttl(`{plays:1}:s7:d${MIDNIGHT / HOUR / 24}`)).toBe(9 * 86_400);
  });

  test('takes less than 45 kB for a screen that shows an ad every 30 s for 14 hours a day', async () => {
    for (let day = 0; day < 3; day++)
      await take(...Array.from({ length: 1_680 }, (_, index) => play(day * 24 * HOUR + index * 120, index)));
    const used = await Promise.all((await keysOf()).map(key => redis.memory('USAGE', key)));
    expect(used.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)).toBeLessThan(45_000);
  });

  test('is rebuilt identically from counted plays, with each of them', async () => {
    const plays = [
      play(0, 1),
      play(30, 2),
      play(5_000, 3),
      play(HOUR - 10, 4),
      play(HOUR + 400, 5),
      play(0, 6, { screen: handle('screen', 8) }),
    ];
    await take(...plays);
    const kept = async () =>
      Promise.all(
        (await keysOf()).map(async key => (await redis.getBuffer(key))!.toString('hex').replace(/(0000)*$/, '')),
      );
    const before = await kept();
    await authority.life.end();
    await authority.life.forget();
    expect(await keysOf()).toEqual([]);
    await authority.screenTime.rebuild(plays);
    const hour = NOON / HOUR;
    await authority.screenTime.rebuildHours([
      { screen: handle('screen', 7), hour, ticks: 152 },
      { screen: handle('screen', 7), hour: hour + 1, ticks: 38 },
      { screen: handle('screen', 8), hour, ticks: 38 },
    ]);
    expect(await kept()).toEqual(before);
    await expect(take(play(0, 1))).rejects.toThrow('rebuilt');
    await beginAuthority(redis);
    expect(await take(...plays, play(5, 7), play(0, 8, { screen: handle('screen', 8) }))).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
