/**
 * The player's offline plan and the time it has played. Pure functions of the player, on a screen that answers as the
 * test says; neither a browser nor an engine is needed.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Plan } from '../../../web/player/plays/plan.ts';
import { isComplete, playedMs, VisibleTime } from '../../../web/player/plays/played-time.ts';
import type { Fill, Slot, SlotRequest } from '../../../sdk/typescript/src/screen/index.ts';

const NOW = 1_700_000_000_000;
const MINUTE_MS = 60_000;

const fill = (play_id: string, starts_at: number, fields: Partial<Fill> = {}): Fill => ({
  play_id,
  campaign_id: 'cmp_1',
  creative_id: 'cre_1',
  kind: 'video',
  url: '/v.mp4',
  duration_ms: 6_000,
  scan_url: '',
  starts_at,
  expires_at: starts_at + 48 * 60 * MINUTE_MS,
  ...fields,
});

/** A plan on a screen that answers a request as told, or not at all. */
function openPlan(kept: readonly Fill[] = []) {
  let planned = kept;
  let answer: (request: SlotRequest) => readonly Slot[] | undefined = () => undefined;
  const asked: SlotRequest[] = [];
  const plan = new Plan({
    get planned() {
      return planned;
    },
    slots(request = {}) {
      asked.push(request);
      const slots = answer(request);
      planned = planned.concat((slots ?? []).filter(slot => 'play_id' in slot));
      return Promise.resolve(slots);
    },
    async take(taken) {
      this.drop(taken);
    },
    drop(gone) {
      planned = planned.filter(one => one !== gone);
    },
  });
  return {
    plan,
    asked,
    answers: (how: typeof answer) => (answer = how),
    extend: (showsAds = true, hasRoom = true) => plan.extend({ now: NOW, showsAds, hasRoom }),
    ids: () => plan.fills.map(one => one.play_id),
  };
}

describe('the offline playlist', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  test('is requested from the end of the last answer, for an hour, and then for an ad each half hour of two days', async () => {
    const { plan, asked, answers, extend } = openPlan();
    answers(({ at, count }) =>
      Array.from({ length: count! }, (_, index) => fill(`${at}-${index}`, at! + index * 6_000)),
    );
    for (let times = 0; times < 200; times++) await extend();
    expect(plan.fills).toHaveLength(240);
    const [near, far] = [asked.slice(0, 8), asked.slice(8)];
    expect(near[0]).toEqual({ at: NOW, count: 20, maxDurationMs: 15_000, plan: true, withinMs: 2_000 });
    expect(near.map(({ at, count }) => [at! - NOW, count])).toEqual([
      ...Array.from({ length: 7 }, (_, index) => [index * 20 * 6_000, 20]),
      [7 * 20 * 6_000, 7],
    ]);
    expect(far.map(({ at, count }) => [(at! - NOW) / MINUTE_MS, count])).toEqual(
      Array.from({ length: 93 }, (_, index) => [60 + 30 * index, 1]),
    );
  });

  test('ends with the next hour on a device without room for the files of two days', async () => {
    const { plan, answers, extend } = openPlan();
    answers(({ at, count }) =>
      Array.from({ length: count! }, (_, index) => fill(`${at}-${index}`, at! + index * 6_000)),
    );
    for (let times = 0; times < 200; times++) await extend(true, false);
    expect(plan.fills).toHaveLength(147);
  });

  test('continues after a restart where it ended', async () => {
    const near = Array.from({ length: 20 }, (_, index) => fill(`near-${index}`, NOW + index * 6_000));
    const { asked, answers, extend } = openPlan([...near, fill('far', NOW + 120 * MINUTE_MS)]);
    answers(({ at }) => [fill(`${at}`, at!)]);
    await extend();
    expect(asked.map(({ at }) => at)).toEqual([NOW + 20 * 6_000]);
    answers(({ at, count }) => (count === 1 ? [fill(`${at}`, at!)] : [{ no_fill: 'ad_ratio' }]));
    await extend();
    expect(asked.at(-1)).toMatchObject({ at: NOW + 150 * MINUTE_MS + 6_000, count: 1 });
  });

  test('reaches two days ahead if the next hour has no ads, as in a closed venue', async () => {
    const { plan, answers, extend } = openPlan();
    answers(({ at, count }) => (count === 1 ? [fill(`${at}`, at!)] : [{ no_fill: 'screen_closed' }]));
    for (let times = 0; times < 200; times++) await extend();
    expect(plan.fills.at(-1)!.starts_at).toBe(NOW + 47 * 60 * MINUTE_MS);
    expect(plan.fills).toHaveLength(93);
  });

  test('counts an unfilled slot with its whole length, and an answer without any fill not at all', async () => {
    const { asked, answers, extend } = openPlan();
    answers(() => [{ no_fill: 'ad_ratio' }, fill('a', NOW + 15_000), { no_fill: 'ad_ratio' }]);
    await extend();
    answers(() => [{ no_fill: 'no_lease' }]);
    await extend();
    vi.advanceTimersByTime(MINUTE_MS);
    await extend();
    const near = asked.filter(({ at }) => at! < NOW + 60 * MINUTE_MS);
    expect(near.slice(1).map(({ at }) => at)).toEqual(Array(2).fill(NOW + 15_000 + 6_000 + 15_000));
  });

  test('is requested less and less often without fills, at once after a welcome, and not on a screen without ads', async () => {
    const { plan, asked, extend } = openPlan();
    await extend(false);
    expect(asked).toEqual([]);
    await extend();
    await extend();
    expect(asked).toHaveLength(1);
    plan.welcomed();
    await extend();
    expect(asked).toHaveLength(2);
    for (let second = 0; second < 600; second++) {
      vi.advanceTimersByTime(1_000);
      await extend();
    }
    expect(asked.length).toBeGreaterThan(8);
    expect(asked.length).toBeLessThan(25);
  });

  test('returns each fill once, not before its slot and not after its end', async () => {
    const { plan, ids } = openPlan([
      fill('gone', NOW - MINUTE_MS, { expires_at: NOW }),
      fill('a', NOW + 4_000),
      fill('b', NOW + 4_001),
    ]);
    expect((await plan.take(NOW))?.play_id).toBe('a');
    expect(await plan.take(NOW)).toBeUndefined();
    expect((await plan.take(NOW + 1))?.play_id).toBe('b');
    expect(ids()).toEqual([]);
  });

  test('never gives a fill 15 minutes after its slot, as to a screen that was off when its daypart ended', async () => {
    const { plan, ids } = openPlan([
      fill('breakfast', NOW - 6 * 60 * MINUTE_MS),
      fill('late', NOW - 15 * MINUTE_MS),
      fill('in time', NOW - 15 * MINUTE_MS + 1),
    ]);
    expect((await plan.take(NOW))?.play_id).toBe('in time');
    expect(ids()).toEqual([]);
  });

  test('drops fills that the server has replaced, except the one on screen', async () => {
    const { plan, extend, ids } = openPlan([
      fill('shown', NOW - 2 * MINUTE_MS),
      fill('a', NOW - MINUTE_MS - 1),
      fill('b', NOW - MINUTE_MS),
      fill('c', NOW),
    ]);
    expect((await plan.take(NOW))?.play_id).toBe('shown');
    await extend(false);
    expect(ids()).toEqual(['b', 'c']);
  });
});

describe('the time played', () => {
  test('of a film is the time that its element has played', () => {
    const ranges = [
      [0, 2.5],
      [3, 6.04],
    ] as const;
    expect(playedMs({ length: 2, start: index => ranges[index]![0], end: index => ranges[index]![1] })).toBe(5_540);
    expect([isComplete(5_500, 6_000), isComplete(5_499, 6_000)]).toEqual([true, false]);
  });

  test('of a still is the time for which it was visible', () => {
    const time = new VisibleTime();
    time.note(1_000, true);
    time.note(3_000, false);
    time.note(9_000, true);
    expect(time.at(10_000)).toBe(3_000);
  });
});
