/** A day seen afterwards: the bound, and what kept delivery from it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_DAY, dayGraphOf, HOURS } from '../../../domain/allocation/hindsight/day-graph.ts';
import { type DaySeen, splitDay } from '../../../domain/allocation/hindsight/day-split.ts';
import { liveHours } from '../../../domain/allocation/hindsight/live-hours.ts';
import { type CampaignOfDay, splitNetworkDay, wantedMicros } from '../../../domain/allocation/hindsight/network-day.ts';
import { parseTargets, type Targets } from '../../../domain/campaigns/targeting.ts';
import { handle } from '../../support/handle.ts';
import { placeOf } from './place.ts';
import { graphOf } from './graphs.ts';

type Slots = { played?: number; open?: number; capped?: number; barred?: number; once?: number };
/** Slots by segment and hour; campaigns may play in the segments of `rows` that name them. */
type LittleDay = {
  rows: number[][];
  slots: Record<number, Slots>[];
  campaigns: { wanted: number; delivered?: number; live?: number; unbooked?: number; cap?: number }[];
};
const before = (hour: number) => (1 << hour) - 1;
const from = (hour: number) => ALL_DAY & ~before(hour);

function dayOf({ rows, slots, campaigns }: LittleDay): DaySeen {
  const cells = (valueOf: (slots: Slots) => number | undefined) =>
    Float64Array.from(
      { length: rows.length * HOURS },
      (_, cell) => valueOf(slots[Math.floor(cell / HOURS)]![cell % HOURS] ?? {}) ?? 0,
    );
  return {
    graph: graphOf({ campaigns: campaigns.length, rows }),
    slots: {
      played: cells(one => one.played),
      open: cells(one => one.open),
      capped: cells(one => one.capped),
      barred: cells(one => one.barred),
      once: cells(one => one.once),
    },
    campaigns: {
      wanted: Float64Array.from(campaigns, one => one.wanted),
      delivered: Float64Array.from(campaigns, one => one.delivered ?? 0),
      live: Int32Array.from(campaigns, one => one.live ?? ALL_DAY),
      unbooked: Int32Array.from(campaigns, one => one.unbooked ?? 0),
      frequencyPerHourMax: Int32Array.from(campaigns, one => one.cap ?? 0),
    },
  };
}

const NOTHING = { idle: 0, misallocated: 0, capped: 0, lateBooked: 0 };

const DAYS: [name: string, day: LittleDay, split: Partial<typeof NOTHING> & { bound: number; delivered: number }][] = [
  [
    'all that was wanted was delivered, whatever was left idle',
    { rows: [[0]], slots: [{ 8: { played: 7, open: 20 } }], campaigns: [{ wanted: 7, delivered: 7 }] },
    { bound: 7, delivered: 7 },
  ],
  [
    'slots that nobody got while a campaign fell short are idle',
    { rows: [[0]], slots: [{ 8: { played: 7, open: 2 } }], campaigns: [{ wanted: 10, delivered: 7 }] },
    { bound: 9, delivered: 7, idle: 2 },
  ],
  [
    'slots of others are misallocated where those could have played elsewhere',
    {
      rows: [[0, 1], [1]],
      slots: [{ 8: { played: 6 } }, { 8: { open: 4 } }],
      campaigns: [{ wanted: 6 }, { wanted: 6, delivered: 6 }],
    },
    { bound: 10, delivered: 6, misallocated: 4 },
  ],
  [
    'the same with other slots idle for the one that fell short is both',
    {
      rows: [[0, 1], [1]],
      slots: [{ 8: { played: 6, open: 1 } }, { 8: { open: 4 } }],
      campaigns: [{ wanted: 6 }, { wanted: 6, delivered: 6 }],
    },
    { bound: 11, delivered: 6, idle: 1, misallocated: 4 },
  ],
  [
    'slots that caps kept from all who could have played are capped',
    {
      rows: [[0]],
      slots: [{ 8: { played: 3, capped: 5, once: 1 } }],
      campaigns: [{ wanted: 6, delivered: 3, cap: 3 }],
    },
    { bound: 6, delivered: 3, capped: 3 },
  ],
  [
    'slots of others are capped, not misallocated, where the cap forbids them anyway',
    {
      rows: [[0, 1], [1]],
      slots: [{ 8: { played: 6, once: 1 } }, { 8: { open: 4, once: 1 } }],
      campaigns: [
        { wanted: 4, delivered: 2, cap: 2 },
        { wanted: 4, delivered: 4 },
      ],
    },
    { bound: 8, delivered: 6, capped: 2 },
  ],
  [
    'slots that passed before a campaign was booked are late booked',
    {
      rows: [[0]],
      slots: [{ 8: { barred: 5 }, 20: { played: 2 } }],
      campaigns: [{ wanted: 6, delivered: 2, live: from(12), unbooked: before(12) }],
    },
    { bound: 6, delivered: 2, lateBooked: 4 },
  ],
  [
    'a campaign that was booked late loses nothing where all slots after that were too few',
    {
      rows: [[0, 1]],
      slots: [{ 8: { played: 3 }, 20: { played: 3, open: 1 } }],
      campaigns: [
        { wanted: 6, delivered: 2, live: from(12), unbooked: before(12) },
        { wanted: 4, delivered: 4 },
      ],
    },
    { bound: 7, delivered: 6, idle: 1 },
  ],
  [
    'nobody else could have had what was open before the campaign was booked',
    {
      rows: [[0, 1]],
      slots: [{ 8: { open: 3 }, 20: { played: 3 } }],
      campaigns: [{ wanted: 6, delivered: 3, live: from(12), unbooked: before(12) }, { wanted: 0 }],
    },
    { bound: 6, delivered: 3, lateBooked: 3 },
  ],
  [
    'a campaign that was paused lost nothing in those hours',
    {
      rows: [[0]],
      slots: [{ 8: { barred: 5 }, 20: { played: 2 } }],
      campaigns: [{ wanted: 6, delivered: 2, live: from(12) }],
    },
    { bound: 2, delivered: 2 },
  ],
  [
    'what was delivered where nobody could have played by what is known now is no loss',
    { rows: [[]], slots: [{ 8: { played: 4 } }], campaigns: [{ wanted: 9, delivered: 4 }] },
    { bound: 4, delivered: 4 },
  ],
];

describe('the day', () => {
  test.each(DAYS)('%s', (_name, day, split) => {
    const found = Object.entries(splitDay(dayOf(day))).map(([part, amount]) => [part, Math.round(amount * 1e6) / 1e6]);
    expect(Object.fromEntries(found)).toEqual({ ...NOTHING, ...split });
  });

  test('has no row for hours without a slot, whoever could have played in them', () => {
    const { graph, slots, campaigns } = dayOf({
      rows: [[0]],
      slots: [{ 20: { open: 3 } }],
      campaigns: [{ wanted: 6, live: from(12), unbooked: before(12) }],
    });
    expect(dayGraphOf(graph, slots, campaigns).graph.segments).toBe(1);
  });

  const amount = fc.integer({ min: 0, max: 20 });
  const worlds = fc
    .record({
      rows: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      campaigns: fc.array(
        fc.record({
          wanted: amount,
          live: fc.constantFrom(ALL_DAY, from(9), from(12), 0),
          late: fc.boolean(),
          cap: fc.constantFrom(0, 1, 3),
        }),
        { minLength: 4, maxLength: 4 },
      ),
      open: fc.array(amount, { minLength: 12, maxLength: 12 }),
    })
    .map(({ rows, campaigns, open }): LittleDay => ({
      rows,
      slots: rows.map((_, row) =>
        Object.fromEntries(
          [8, 10, 20].map((hour, at) => {
            const slots = open[row * 3 + at]!;
            return [hour, { open: slots, capped: slots >> 1, barred: slots >> 2, once: 1 }];
          }),
        ),
      ),
      campaigns: campaigns.map(({ late, live, ...one }) => ({ ...one, live, unbooked: late ? ALL_DAY & ~live : 0 })),
    }));

  test('is split into parts that are never negative and add up to the bound', () => {
    fc.assert(
      fc.property(worlds, world => {
        const { bound, ...parts } = splitDay(dayOf(world));
        for (const part of Object.values(parts)) expect(part).toBeGreaterThanOrEqual(0);
        expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(bound, 6);
        expect(bound).toBeLessThanOrEqual(world.campaigns.reduce((sum, { wanted }) => sum + wanted, 0) + 1e-6);
      }),
    );
  });
});

describe('the hours of a campaign', () => {
  const DAY = 20_000 * 86_400_000;
  const at = (hour: number) => DAY + hour * 3_600_000;

  test('cover the whole day if nothing changed, and none if it is not live', () => {
    expect(liveHours({ isLiveNow: true, moves: [] }, DAY)).toEqual({ live: ALL_DAY, unbooked: 0 });
    expect(liveHours({ isLiveNow: false, moves: [] }, DAY)).toEqual({ live: 0, unbooked: 0 });
  });

  test('begin when it is approved, and earlier hours are not booked', () => {
    const moves = [{ atMs: at(9.5), isLive: true, isFirst: true }];
    expect(liveHours({ isLiveNow: true, moves }, DAY)).toEqual({ live: from(9), unbooked: before(9) });
  });

  test('leave out a pause, whatever happened on later days', () => {
    const moves = [
      { atMs: at(9.5), isLive: false, isFirst: false },
      { atMs: at(14), isLive: true, isFirst: false },
      { atMs: at(30), isLive: false, isFirst: false },
    ];
    const live = before(10) | from(14);
    expect(liveHours({ isLiveNow: false, moves }, DAY)).toEqual({ live, unbooked: 0 });
  });
});

describe('the day of a network', () => {
  const DAY = 20_000;
  const dayMs = DAY * 86_400_000;
  const place = placeOf({ impressionsPerMinute: 0 });
  const campaign: CampaignOfDay = {
    handle: handle('campaign', 1),
    sandbox: false,
    category: 'travel',
    targets: parseTargets({}) as Targets,
    orientations: ['landscape'],
    flight: { startsOn: DAY - 1, endsOn: DAY + 2 },
    sinceMs: dayMs - 86_400_000,
    budgetMicros: 4_000_000,
    spentMicros: 1_000_000,
    deliveredMicros: 400_000,
    live: ALL_DAY,
    unbooked: 0,
    frequencyPerHourMax: 0,
  };

  test('demands the even curve, at least the delivered plays, and no more than the budget', () => {
    expect(wantedMicros(campaign, dayMs)).toBe(1_000_000);
    expect(wantedMicros({ ...campaign, deliveredMicros: 1_200_000 }, dayMs)).toBe(1_200_000);
    expect(wantedMicros({ ...campaign, spentMicros: 2_500_000 }, dayMs)).toBe(400_000);
    const last = { ...campaign, flight: { startsOn: DAY - 1, endsOn: DAY }, spentMicros: 3_300_000 };
    expect(wantedMicros(last, dayMs)).toBe(700_000);
  });

  test('counts slots at each place and hour by the campaigns that may play there', () => {
    const places = [place, { ...place, cityFolded: 'paris' }];
    const slots = () => new Float64Array(2 * HOURS);
    const open = slots();
    open[8] = 300_000; // Berlin: the campaign may play there from 8 to 9
    open[9] = 300_000; // but not from 9 to 10
    open[HOURS + 8] = 300_000; // Paris
    const day = {
      places,
      dayMs,
      slots: { played: slots(), open, capped: slots(), barred: slots(), once: slots() },
      campaigns: [
        {
          ...campaign,
          targets: parseTargets({ cities: ['Berlin'] }) as Targets,
          flight: { ...campaign.flight, daypart: { startMinute: 480, endMinute: 540 } },
          deliveredMicros: 0,
        },
      ],
    };
    expect(splitNetworkDay(day)).toEqual({
      bound: 300_000,
      delivered: 0,
      idle: 300_000,
      misallocated: 0,
      capped: 0,
      lateBooked: 0,
    });
  });
});
