/**
 * The time of screens in the authority: a play has a place that no other play of its screen has. The real scripts in a
 * Redis of two shards, by examples and compared with the rule in `domain/plays/screen-time.ts`.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_PLACE, placeAmong } from '#domain/plays/screen-time.ts';
import { createAuthority, type Authority } from '#authority/authority.ts';
import type { Redis } from '../../../sql/redis.ts';
import type { TimedPlay } from '#authority/screen-time.ts';
import { beginAuthority } from '../../support/engines/databases.ts';
import { emptyRedis, openFreshRedis } from '../../support/engines/redis.ts';
import { handles, handle } from '../../support/handle.ts';

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

const HOUR = 14_400;
/** An hour in November 2026, in ticks. */
const NOON = 498_660 * HOUR;
const take = (...plays: TimedPlay[]): Promise<boolean[]> => authority.screenTime.take(plays);
const play = (start: number, tag: number, fields: Partial<TimedPlay> = {}): TimedPlay => ({
  screen: handle('screen', 7),
  start: NOON + start,
  ticks: 38,
  tag,
  ...fields,
});
const keysOf = async (): Promise<string[]> => (await redis.keys('*:s7:*')).sort();

describe('a play', () => {
  test('has its time, and so it has when it is asked for again, in the same call or a later one', async () => {
    expect(await take(play(0, 1), play(0, 1))).toEqual([true, true]);
    expect(await take(play(0, 1))).toEqual([true]);
    expect(await redis.getBuffer(`{plays:1}:s7:h${NOON / HOUR}`)).toHaveLength(6);
  });

  test('has none that another one has, on its own screen; on others it has', async () => {
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

  test('of a clock that was set back by 3 s between two is moved behind the one before, and so are the next ones until there is a gap', async () => {
    const starts = Array.from({ length: 30 }, (_, index) => index * 40 - (index >= 10 ? 12 : 0));
    expect(await take(...starts.map((start, index) => play(start, index)))).toEqual(starts.map(() => true));
  });

  test('that is told again just behind its own end takes no second time', async () => {
    expect(await take(play(1_000, 1, { ticks: 8 }), play(1_008, 2, { ticks: 4 }))).toEqual([true, true]);
    expect(await take(play(1_018, 1, { ticks: 8 }), play(1_015, 2, { ticks: 4 }))).toEqual([true, true]);
    expect(await redis.getBuffer(`{plays:1}:s7:h${NOON / HOUR}`)).toHaveLength(12);
  });

  test('of no length takes none', async () => {
    expect(await take(play(0, 1, { ticks: 0 }), play(0, 2, { ticks: 0 }))).toEqual([true, true]);
    expect(await keysOf()).toEqual([]);
  });

  test('that reaches over the end of an hour keeps out the first of the next, and the other way round', async () => {
    expect(await take(play(HOUR - 10, 1), play(HOUR, 2), play(HOUR + 28, 3))).toEqual([true, false, true]);
    expect(await take(play(2 * HOUR + 5, 4), play(2 * HOUR - 10, 5), play(2 * HOUR - 33, 6))).toEqual([
      true,
      false,
      true,
    ]);
    // known, though told a little otherwise
    expect(await take(play(HOUR - 8, 1), play(2 * HOUR - 30, 6))).toEqual([true, true]);
  });

  test('has none in an hour that is full, also when its pages are gone', async () => {
    const plays = Array.from({ length: 400 }, (_, index) => play(index * 36, index, { ticks: 36 }));
    expect((await take(...plays)).filter(Boolean)).toHaveLength(400);
    for (const key of await redis.keys('*:s7:h*')) await redis.unlink(key);
    const again = await take(...plays.map(each => ({ ...each, tag: each.tag + 1_000 })));
    expect(again.filter(Boolean)).toHaveLength(Math.floor((14_400 + 20 + 255 - 14_400) / 36));
  });
});

test('the answers are those of the rule, whatever is asked for in whatever order and in however many calls', async () => {
  const timed = fc.record({
    screen: fc.constantFrom(...handles('screen', 1, 2, 3)),
    start: fc.integer({ min: -200, max: 400 }).map(at => NOON + at),
    ticks: fc.integer({ min: 1, max: 80 }),
    tag: fc.integer({ min: 0, max: 40 }),
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(timed, { minLength: 1, maxLength: 15 }), { minLength: 1, maxLength: 4 }),
      async calls => {
        const model = new Model();
        const first = 10 * ++runs; // screens of its own
        for (const plays of calls)
          expect(
            await take(...plays.map(each => ({ ...each, screen: handle('screen', each.screen + first) }))),
          ).toEqual(plays.map(each => model.take(each)));
        expect(model.overlaps()).toBe(0);
      },
    ),
    { numRuns: 100, endOnFailure: true },
  );
});

/** The rule over plain lists. */
class Model {
  readonly #records: (TimedPlay & { place: number })[] = [];

  take({ screen, start, ticks, tag }: TimedPlay): boolean {
    const near = this.#records.filter(
      ({ screen: own, place, ticks: length }) =>
        own === screen && place < start + ticks + 20 && place + length > start - 20,
    );
    if (near.some(record => record.tag === tag)) return true;
    const place = placeAmong(
      {
        starts: Float64Array.from(near, each => each.place),
        ends: Float64Array.from(near, each => each.place + each.ticks),
        count: near.length,
      },
      start,
      ticks,
    );
    if (place !== NO_PLACE) this.#records.push({ screen, start, ticks, tag, place });
    return place !== NO_PLACE;
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

describe('what is kept', () => {
  test('ends: pages after three days, sums of hours after nine', async () => {
    await take(play(0, 1));
    const [day, hour] = await keysOf();
    expect([day, hour]).toEqual([`{plays:1}:s7:d${Math.floor(NOON / HOUR / 24)}`, `{plays:1}:s7:h${NOON / HOUR}`]);
    expect(await redis.ttl(hour!)).toBeGreaterThan(72 * 3_600);
    expect(await redis.ttl(day!)).toBe(9 * 86_400);
    await redis.expire(hour!, 60);
    await take(play(100, 2));
    expect(await redis.ttl(hour!)).toBeLessThanOrEqual(60); // from the first play on
  });

  test('of a screen that shows an ad every 30 s for 14 hours a day is under 45 kB', async () => {
    for (let day = 0; day < 3; day++)
      await take(...Array.from({ length: 1_680 }, (_, index) => play(day * 24 * HOUR + index * 120, index)));
    const used = await Promise.all((await keysOf()).map(key => redis.memory('USAGE', key)));
    expect(used.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)).toBeLessThan(45_000);
  });

  test('is built again from counted plays as it was, and knows each of them', async () => {
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
