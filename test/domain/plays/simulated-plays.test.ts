/**
 * The plays of simulated screens in the sandbox: they keep every rule that real screens keep, and the even curve. Pure
 * rules, driven by random networks.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pricedPlacesOf } from '#domain/allocation/play-prices.ts';
import { parseOpeningHours, type OpeningHours } from '#domain/screens/schedule.ts';
import {
  simulatePlays,
  type SimulatedCampaign,
  type SimulatedPlay,
  type SimulatedScreen,
} from '#domain/plays/simulated-plays.ts';
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import { parseDaypart } from '#domain/time/daypart.ts';
import type { Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONDAY = Date.UTC(2037, 8, 7);
const DAY_OF_MONDAY = MONDAY / DAY_MS;

function screen(
  own: Handle<'screen'>,
  { adRatio = 0.5, hours, ...changes }: Partial<SimulatedScreen> & { hours?: OpeningHours } = {},
): SimulatedScreen {
  const [place] = pricedPlacesOf([
    {
      type: 'entertainment.bars',
      city: 'Berlin',
      lat: 52.52,
      lng: 13.4,
      timezone: 'UTC',
      opening_hours: null,
      daily_visitors: 400,
      dwell_minutes: 45,
      audience_max: null,
      screens_near: 1,
      blocked_categories: [],
      orientation: 'landscape',
      sandbox: true,
      ad_share: 1,
      sensor: false,
    },
  ]);
  return { ...place!, handle: own, venue: handle('venue', 1), adRatio, ...(hours && { hours }), ...changes };
}

function campaign(own: Handle<'campaign'>, changes: Partial<SimulatedCampaign> = {}): SimulatedCampaign {
  return {
    handle: own,
    sandbox: true,
    category: 'travel_and_tourism',
    targets: parseTargets({}) as Targets,
    orientations: ['landscape'],
    flight: { startsOn: DAY_OF_MONDAY, endsOn: DAY_OF_MONDAY + 6 },
    creatives: [{ handle: handle('creative', 7), durationMs: 10_000, orientation: 'landscape', weight: 1 }],
    budgetMicros: 50_000_000,
    spentMicros: 0,
    usableMicros: 50_000_000,
    frequencyPerHourMax: null,
    ...changes,
  };
}

const simulate = (
  screens: SimulatedScreen[],
  campaigns: SimulatedCampaign[],
  { fromMs = MONDAY, toMs = MONDAY + DAY_MS, playsEnough = 1_000_000 } = {},
) => simulatePlays({ screens, campaigns, fromMs, toMs, playsEnough });
const costOf = (plays: readonly SimulatedPlay[], handle: number) =>
  plays.filter(play => play.campaign === handle).reduce((sum, play) => sum + play.costMicros, 0);

describe('a daypart', () => {
  const localMinutes = (plays: readonly SimulatedPlay[], offsetMinutes: number) =>
    plays.map(play => (play.startsAt + offsetMinutes * 60_000 - MONDAY) / 60_000);

  test.each([
    ['within one hour', 'UTC', 0, '12:15', '12:45'],
    ['that begins at half past', 'UTC', 0, '12:30', '14:00'],
    ['that ends at half past', 'UTC', 0, '12:00', '13:30'],
    ['at odd minutes', 'UTC', 0, '12:07', '12:13'],
    ['over midnight from half past', 'UTC', 0, '22:30', '23:50'],
    ['in a zone of half an hour', 'Asia/Kolkata', 330, '12:00', '13:00'],
    ['in a zone of three quarters', 'Asia/Kathmandu', 345, '12:00', '12:30'],
  ])('%s plays from its first minute to its last', (_name, timezone, offsetMinutes, start, end) => {
    const daypart = parseDaypart(start, end)!;
    const flight = { startsOn: DAY_OF_MONDAY, endsOn: DAY_OF_MONDAY, daypart };
    const rich = { budgetMicros: 1e12, usableMicros: 1e12 };
    const { plays } = simulate(
      [screen(handle('screen', 1), { timezone })],
      [campaign(handle('campaign', 1), { flight, ...rich })],
      { fromMs: MONDAY - DAY_MS, toMs: MONDAY + 2 * DAY_MS },
    );
    const minutes = localMinutes(plays, offsetMinutes);
    expect(minutes[0]).toBe(daypart.startMinute);
    // A play of 10 s in every 20 s, but none over the end of an hour (UTC), whose rest is taken by nobody.
    expect(minutes.at(-1)).toBeGreaterThanOrEqual(daypart.endMinute - 1);
    expect(minutes.at(-1)).toBeLessThan(daypart.endMinute);
    expect(plays.length).toBe((daypart.endMinute - daypart.startMinute) * 3);
  });

  test('of one campaign plays after another had its part of the hour', () => {
    const flight = (start: string, end: string) => ({
      startsOn: DAY_OF_MONDAY,
      endsOn: DAY_OF_MONDAY,
      daypart: parseDaypart(start, end)!,
    });
    const rich = { budgetMicros: 1e12, usableMicros: 1e12 };
    const { plays } = simulate(
      [screen(handle('screen', 1))],
      [
        campaign(handle('campaign', 1), { flight: flight('12:05', '12:10'), ...rich }),
        campaign(handle('campaign', 2), { flight: flight('12:40', '12:50'), ...rich }),
      ],
    );
    expect([1, 2].map(own => plays.filter(play => play.campaign === own).length)).toEqual([15, 30]);
  });

  test('plays from the minute at which the venue opens', () => {
    const hours = parseOpeningHours({ mon: [{ start: '12:10', end: '12:20' }] }) as OpeningHours;
    const { plays } = simulate(
      [screen(handle('screen', 1), { hours })],
      [campaign(handle('campaign', 1), { budgetMicros: 1e12, usableMicros: 1e12 })],
    );
    expect(plays.map(play => (play.startsAt - MONDAY) / 60_000)).toEqual(
      Array.from({ length: 30 }, (_, index) => expect.closeTo(730 + index / 3, 6)),
    );
  });
});

describe('simulated plays', () => {
  test('stay within the time, the ad ratio and the budget, and never overlap on a screen, for any input', () => {
    const arbitrary = fc.record({
      ratios: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
      usable: fc.array(fc.integer({ min: 0, max: 30_000_000 }), { minLength: 1, maxLength: 4 }),
      fromMs: fc.integer({ min: MONDAY, max: MONDAY + 3 * DAY_MS }),
      hours: fc.integer({ min: 1, max: 30 }),
      durationMs: fc.integer({ min: 6_000, max: 20_000 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ ratios, usable, fromMs, hours, durationMs }) => {
        const toMs = fromMs + hours * HOUR_MS;
        const campaigns = usable.map((usableMicros, index) =>
          campaign(handle('campaign', index + 1), {
            usableMicros,
            creatives: [{ handle: handle('creative', 7), durationMs, orientation: 'landscape', weight: 1 }],
          }),
        );
        const { plays, reachedMs } = simulate(
          ratios.map((adRatio, index) => screen(handle('screen', index + 1), { adRatio })),
          campaigns,
          { fromMs, toMs },
        );
        expect(reachedMs).toBe(toMs);
        for (const { handle, usableMicros } of campaigns)
          expect(costOf(plays, handle)).toBeLessThanOrEqual(usableMicros);
        for (const [index, adRatio] of ratios.entries()) {
          const own = plays
            .filter(play => play.screen === index + 1)
            .sort((one, other) => one.startsAt - other.startsAt);
          for (const [at, play] of own.entries()) {
            expect(play.startsAt).toBeGreaterThanOrEqual(at === 0 ? fromMs : own[at - 1]!.startsAt + durationMs);
            expect(play.startsAt + durationMs).toBeLessThanOrEqual(toMs);
          }
          expect(own.length * durationMs).toBeLessThanOrEqual((hours + 1) * (adRatio * HOUR_MS + durationMs));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('follow the even curve: a day of seven spends a seventh, and the last day the rest', () => {
    const day = simulate(
      [screen(handle('screen', 1), { adRatio: 1 }), screen(handle('screen', 2), { adRatio: 1 })],
      [campaign(handle('campaign', 1))],
    );
    expect(costOf(day.plays, 1) / 50_000_000).toBeCloseTo(1 / 7, 2);
    const week = simulate(
      [screen(handle('screen', 1), { adRatio: 1 }), screen(handle('screen', 2), { adRatio: 1 })],
      [campaign(handle('campaign', 1))],
      { toMs: MONDAY + 7 * DAY_MS },
    );
    expect(costOf(week.plays, 1) / 50_000_000).toBeGreaterThan(0.99);
  });

  test('keep to opening hours, daypart, days, places, orientation, blocked categories and frequency', () => {
    const hours = parseOpeningHours({ mon: [{ start: '18:00', end: '23:00' }] }) as OpeningHours;
    const open = simulate([screen(handle('screen', 1), { hours, adRatio: 1 })], [campaign(handle('campaign', 1))], {
      toMs: MONDAY + 2 * DAY_MS,
    });
    expect(new Set(open.plays.map(play => new Date(play.startsAt).toISOString().slice(0, 13)))).toEqual(
      new Set([18, 19, 20, 21, 22].map(hour => `2037-09-07T${hour}`)),
    );
    const evening = campaign(handle('campaign', 1), {
      flight: {
        startsOn: DAY_OF_MONDAY,
        endsOn: DAY_OF_MONDAY + 6,
        daypart: { startMinute: 1_200, endMinute: 1_320 },
        days: 0b10,
      },
    });
    const parts = simulate([screen(handle('screen', 1))], [evening], { toMs: MONDAY + 4 * DAY_MS });
    expect(new Set(parts.plays.map(play => new Date(play.startsAt).toISOString().slice(0, 13)))).toEqual(
      new Set(['2037-09-08T20', '2037-09-08T21']),
    );
    for (const other of [
      campaign(handle('campaign', 1), { targets: parseTargets({ cities: ['Lisbon'] }) as Targets }),
      campaign(handle('campaign', 1), { orientations: ['portrait'] }),
      campaign(handle('campaign', 1), { sandbox: false }),
    ])
      expect(simulate([screen(handle('screen', 1))], [other]).plays).toEqual([]);
    expect(
      simulate(
        [screen(handle('screen', 1), { blockedCategories: ['travel_and_tourism'] })],
        [campaign(handle('campaign', 1))],
      ).plays,
    ).toEqual([]);
    const capped = simulate(
      [screen(handle('screen', 1))],
      [campaign(handle('campaign', 1), { frequencyPerHourMax: 2 })],
    ).plays;
    expect(capped).toHaveLength(48);
  });

  test('share creatives by weight, and give slots to the campaign furthest behind', () => {
    const creatives = [
      { handle: handle('creative', 7), durationMs: 10_000, orientation: 'landscape' as const, weight: 3 },
      { handle: handle('creative', 8), durationMs: 10_000, orientation: 'landscape' as const, weight: 1 },
    ];
    const { plays } = simulate(
      [screen(handle('screen', 1), { adRatio: 1 })],
      [campaign(handle('campaign', 1), { creatives })],
    );
    const share = plays.filter(play => play.creative === 7).length / plays.length;
    expect(share).toBeCloseTo(0.75, 1);
    const both = simulate(
      [screen(handle('screen', 1), { adRatio: 1 })],
      [
        campaign(handle('campaign', 1)),
        campaign(handle('campaign', 2), { budgetMicros: 25_000_000, usableMicros: 25_000_000 }),
      ],
    ).plays;
    expect(costOf(both, 1) / costOf(both, 2)).toBeCloseTo(2, 0);
  });

  test('end after the hour with enough plays, and the next step continues from there', () => {
    const first = simulate([screen(handle('screen', 1), { adRatio: 1 })], [campaign(handle('campaign', 1))], {
      playsEnough: 1,
    });
    expect(first.reachedMs).toBe(MONDAY + HOUR_MS);
    expect(first.plays.length).toBeGreaterThan(0);
    const next = simulate(
      [screen(handle('screen', 1), { adRatio: 1 })],
      [campaign(handle('campaign', 1), { spentMicros: costOf(first.plays, 1) })],
      { fromMs: first.reachedMs, playsEnough: 1 },
    );
    expect(next.plays.every(play => play.startsAt >= first.reachedMs)).toBe(true);
  });
});
