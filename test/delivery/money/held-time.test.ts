/**
 * The ad time that a screen holds at one process: it grows with what is issued, and falls with what is reported or has
 * lapsed. Plain memory without engines, driven by examples and by random orders of calls.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HeldTime } from '../../../delivery/money/held-time.ts';
import { IssuedPlays } from '../../../delivery/money/issued-plays.ts';
import { handle } from '../../support/handle.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 20_000 * DAY + 9 * HOUR;
const WINDOW = 48 * HOUR;
const AD = 15_000;

/** Plays of slots at these times, numbered from 1, all on screen 3. */
function issuedAt(plays: IssuedPlays, startsAtMs: readonly number[], fields: object = {}): number[] {
  return startsAtMs.map((startsAt, index) => {
    const play = {
      campaign: handle('campaign', 7),
      epoch: 1,
      issueNumber: index + 1,
      startsAt,
      durationMs: AD,
      plan: false,
      ...fields,
    };
    plays.add(play, 3, 10, NOW);
    return plays.findAll(3, [{ campaign: handle('campaign', 7), epoch: 1, issueNumber: index + 1 }])[0]!;
  });
}

describe('the ad time that a screen holds', () => {
  test('grows with each issued play, and falls once with each report', () => {
    const plays = new IssuedPlays();
    const [first, second] = issuedAt(plays, [NOW, NOW, NOW]);
    expect(plays.held.of(3)).toBe(3 * AD);
    plays.reported([first!, first!]);
    plays.reported([first!, second!]);
    expect(plays.held.of(3)).toBe(AD);
    expect(plays.held.of(2)).toBe(0);
    expect(plays.held.of(5_000)).toBe(0);
    expect(plays.held.openedAtOf(3)).toBe(NOW);
  });

  test('excludes offline playlists, which have their own bound', () => {
    const plays = new IssuedPlays();
    plays.reported(issuedAt(plays, [NOW, NOW], { plan: true }).slice(1));
    expect(plays.held.of(3)).toBe(0);
  });

  test('falls by lapsed plays by the end of the day of their window, and a later report changes nothing', () => {
    const plays = new IssuedPlays();
    const [early, ahead] = issuedAt(plays, [NOW, NOW + 47 * HOUR]);
    plays.held.lapse(NOW);
    plays.held.lapse(NOW + WINDOW);
    expect(plays.held.of(3)).toBe(2 * AD);
    plays.held.lapse(NOW + WINDOW + DAY);
    expect(plays.held.of(3)).toBe(AD);
    plays.reported([early!]);
    expect(plays.held.of(3)).toBe(AD);
    expect(plays.held.endsAtOf(3)).toBe(NOW + 47 * HOUR + WINDOW);
    plays.reported([ahead!]);
    expect(plays.held.of(3)).toBe(0);
  });

  test('includes plays that the ring has forgotten, until they lapse', () => {
    const plays = new IssuedPlays({ playsMax: 1024 });
    const places = issuedAt(
      plays,
      Array.from({ length: 1_500 }, () => NOW),
    );
    plays.held.lapse(NOW);
    plays.reported(places);
    expect(plays.held.of(3)).toBe((1_500 - 1_024) * AD);
    plays.held.lapse(NOW + WINDOW + DAY);
    expect(plays.held.of(3)).toBe(0);
  });

  test('is the sum of open plays that have not lapsed, for any events in any order', () => {
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ open: fc.integer({ min: 0, max: 2_000 }), slotIn: fc.integer({ min: 0, max: 48 }) }),
      },
      { weight: 2, arbitrary: fc.record({ end: fc.nat() }) },
      fc.record({ hours: fc.integer({ min: 1, max: 60 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), steps => {
        const held = new HeldTime();
        let now = NOW;
        held.lapse(now);
        let open: { screen: number; durationMs: number; windowEndsAt: number }[] = [];
        for (const each of steps) {
          if ('open' in each) {
            const fill = { screen: each.open, durationMs: AD, windowEndsAt: now + each.slotIn * HOUR + WINDOW };
            held.opened(fill.screen, AD, fill.windowEndsAt, now);
            open.push(fill);
          } else if ('end' in each) {
            const [fill] = open.splice(each.end % Math.max(1, open.length), 1);
            if (fill !== undefined) held.ended(fill.screen, AD, fill.windowEndsAt);
          } else held.lapse((now += each.hours * HOUR));
          open = open.filter(({ windowEndsAt }) => Math.floor(windowEndsAt / DAY) >= Math.floor(now / DAY));
          for (const { screen } of open)
            expect(held.of(screen)).toBe(open.filter(fill => fill.screen === screen).length * AD);
        }
        const screens = new Set(open.map(({ screen }) => screen));
        expect(
          Array.from({ length: 2_000 }, (_, screen) => screen).filter(
            screen => held.of(screen) !== 0 && !screens.has(screen),
          ),
        ).toEqual([]);
      }),
    );
  });
});
