/**
 * The engine and a plan made from the same network: bars in Berlin and gyms in Lisbon, ten screens each, in virtual
 * time from a Monday midnight on. A play of 6 s at the bars costs what the table of venues says.
 */
import { describe, expect, test } from 'vitest';
import { VIDEO_PROFILES } from '#domain/campaigns/rendition.ts';
import { compileNetwork, type Network, type NetworkCampaign } from '#domain/allocation/network/network.ts';
import { TARGET_TIMES } from '#domain/allocation/horizon/horizon-plan.ts';
import { type BookedCampaign, planNetwork, worthOf } from '#domain/allocation/network/network-plan.ts';
import { placesOf } from '#domain/allocation/network/network-rows.ts';
import { decodePlan, encodePlan, type PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { reasonOf } from '#domain/plays/decision.ts';
import { parseTargets, type Targets } from '#domain/campaigns/targeting.ts';
import { Reservations } from '../../../delivery/decision/reservations.ts';
import { CandidateIndex } from '../../../delivery/decision/candidate-index.ts';
import { Engine, FILLED } from '../../../delivery/decision/engine.ts';
import { ScreenTable } from '../../../delivery/decision/screen-table.ts';
import type { Handle } from '../../../domain/id.ts';
import { handle } from '../../support/handle.ts';

const START_MS = Date.UTC(2026, 2, 2);
const HOUR_MS = 3_600_000;
const SCREENS = 10;
const SLOT_MS = 6_000;
const FILES = VIDEO_PROFILES.map(() => ({
  parts: { json: new Uint8Array(0), msgpack: new Uint8Array(0), scanBaseBytes: 0 },
  asset: undefined,
}));
const VENUES = [
  { type: 'entertainment.bars', city: 'berlin' },
  { type: 'health_and_beauty.gyms', city: 'lisbon' },
] as const;

type Booking = {
  cities?: string[];
  budgetMicros: number;
  spentMicros?: number;
  days?: number;
  daypart?: { start: string; end: string };
};

class PlannedNetwork {
  readonly screens = new ScreenTable();
  readonly index = new CandidateIndex({ screens: this.screens, baseMs: START_MS });
  readonly spent: number[];
  readonly reasons = new Map<string, number>();
  readonly cities: Map<string, number>[];
  readonly #reservations = new Reservations({ campaigns: this.index.campaigns, openBlock: () => true });
  readonly engine: Engine;
  readonly #campaigns: (NetworkCampaign & BookedCampaign)[];

  constructor(bookings: readonly Booking[]) {
    this.engine = new Engine({ index: this.index, screens: this.screens, reservations: this.#reservations });
    VENUES.forEach(({ type, city }, at) => {
      this.screens.putVenue({
        handle: handle('venue', at + 1),
        type,
        cityFolded: city,
        lat: 0,
        lng: 0,
        timezone: 'UTC',
        hours: undefined,
        dailyVisitors: 1_440,
        dwellMinutes: 10,
        audienceMax: 100,
        screensNear: 1,
        blockedCategories: [],
        restrictions: [],
      });
      for (let screen = 0; screen < SCREENS; screen++) {
        this.screens.putScreen({
          handle: handle('screen', at * SCREENS + screen + 1),
          venue: handle('venue', at + 1),
          orientation: 'landscape',
          adRatio: 1,
          sensor: false,
          sandbox: false,
          blockedCategories: [],
        });
      }
    });
    this.#campaigns = bookings.map((booking, at) => campaignOf(booking, handle('campaign', at + 1)));
    this.spent = bookings.map(({ spentMicros = 0 }) => spentMicros);
    this.cities = bookings.map(() => new Map<string, number>());
    for (const { handle: own, targets, flight, budgetMicros, spentMicros } of this.#campaigns) {
      const campaign = this.index.put({
        handle: own,
        workspace: handle('workspace', 1),
        status: 'live',
        sandbox: false,
        category: 'technology',
        budgetMicros,
        chargedMicros: spentMicros,
        targets,
        flight,
        frequencyPerHourMax: 0,
        creatives: [
          {
            handle: handle('creative', own),
            orientation: 'landscape',
            durationMs: SLOT_MS,
            weight: 1,
            ready: true,
            files: FILES,
            credit: 0,
          },
        ],
      });
      this.#reservations.drain(campaign);
      this.#reservations.add(campaign, budgetMicros - spentMicros);
    }
  }

  plan(atMs: number): PublishedPlan {
    const places = placesOf(
      VENUES.map(({ type, city }) => ({
        type,
        city,
        lat: 0,
        lng: 0,
        timezone: 'UTC',
        opening_hours: null,
        daily_visitors: 1_440,
        dwell_minutes: 10,
        audience_max: null,
        screens_near: 1,
        blocked_categories: [],
        orientation: 'landscape',
        sandbox: false,
        ad_share: SCREENS,
      })),
    );
    const [network, past] = [atMs, atMs - 7 * 86_400_000].map(from =>
      compileNetwork({ places, campaigns: this.#campaigns, atMs: from, buckets: 7 * 96, worthOf }),
    ) as [Network, Network];
    const campaigns = this.#campaigns.map((campaign, at) => ({ ...campaign, spentMicros: this.spent[at]! }));
    return decodePlan(encodePlan(planNetwork({ network, past, campaigns, atMs }))) as PublishedPlan;
  }

  /** The campaign's creative becomes ready, or is so no more. */
  setReady(campaign: number, ready: boolean): void {
    const facts = this.index.facts[campaign]!;
    this.index.put({ ...facts, creatives: facts.creatives.map(creative => ({ ...creative, ready })) });
  }

  /** A new plan, as a process with this part of the screens takes it in. */
  replan(atMs: number, part = 1): void {
    this.index.followPlan(this.plan(atMs), part);
  }

  /** Every screen asks slot after slot. */
  run(fromMs: number, toMs: number): void {
    for (let atMs = fromMs; atMs < toMs; atMs += SLOT_MS)
      for (let screen = 0; screen < this.screens.size; screen++) this.ask(screen, atMs);
  }

  ask(screen: number, atMs: number): number {
    const answer = this.engine.decide({ screen, atMs, maxDurationMs: SLOT_MS });
    if (answer !== FILLED) {
      const reason = reasonOf(answer);
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
      return -1;
    }
    const { campaign, costMicros } = this.engine.fill;
    const { city } = VENUES[this.screens.venues.indexOf(this.screens.venueAt(screen))]!;
    this.spent[campaign]! += costMicros;
    this.cities[campaign]!.set(city, (this.cities[campaign]!.get(city) ?? 0) + 1);
    return campaign;
  }
}

function campaignOf(
  { cities = [], budgetMicros, spentMicros = 0, days = 7, daypart }: Booking,
  handle: Handle<'campaign'>,
): NetworkCampaign & BookedCampaign {
  const targets = parseTargets({ cities, ...(daypart && { daypart }) }) as Targets;
  const startsOn = Math.floor(START_MS / 86_400_000);
  return {
    handle,
    sandbox: false,
    category: 'technology',
    targets,
    flight: { startsOn, endsOn: startsOn + days - 1, ...(targets.daypart && { daypart: targets.daypart }) },
    orientations: ['landscape'],
    sinceMs: START_MS,
    budgetMicros,
    spentMicros,
  };
}

const EUR = 1_000_000;

describe('by plan', () => {
  test('a campaign spends as evenly as its flight requires, and slots that no campaign needs stay idle', () => {
    const network = new PlannedNetwork([{ budgetMicros: 168 * EUR }]);
    for (let hour = 0; hour < 6; hour++) {
      network.replan(START_MS + hour * HOUR_MS);
      network.run(START_MS + hour * HOUR_MS, START_MS + (hour + 1) * HOUR_MS);
      // One euro an hour, and ahead of that by a hundredth of the budget and two minutes at most.
      expect(network.spent[0]! / EUR).toBeGreaterThan((hour + 1) * 0.95);
      expect(network.spent[0]! / EUR).toBeLessThan((hour + 1) * 1.02 + 1.68 + 0.2);
    }
    expect(network.reasons.get('paced_out')).toBeGreaterThan(1_000);
  });

  test('a campaign with alternatives leaves the slots to one without', () => {
    // The bars take 122 euros an hour, 2,900 a day. The first campaign can play in both cities, the second wants nearly
    // all of the bars.
    const network = new PlannedNetwork([
      { budgetMicros: 1_100 * EUR, days: 1 },
      { cities: ['Berlin'], budgetMicros: 2_700 * EUR, days: 1 },
    ]);
    for (let hour = 0; hour < 3; hour++) {
      network.replan(START_MS + hour * HOUR_MS);
      network.run(START_MS + hour * HOUR_MS, START_MS + (hour + 1) * HOUR_MS);
    }
    const [wide, narrow] = network.cities as [Map<string, number>, Map<string, number>];
    expect(narrow.get('lisbon')).toBeUndefined();
    expect(wide.get('lisbon')!).toBeGreaterThan((wide.get('berlin') ?? 0) * 2);
  });

  test('the quick pass over recent candidates picks the same campaign as the full pass', () => {
    const bookings: Booking[] = [
      { budgetMicros: 900 * EUR },
      { cities: ['Berlin'], budgetMicros: 700 * EUR, days: 2 },
      { cities: ['Lisbon'], budgetMicros: 3 * EUR },
      { cities: ['Berlin'], budgetMicros: EUR / 2, days: 1 },
      { budgetMicros: 2_000 * EUR, spentMicros: 900 * EUR },
      { cities: ['Lisbon'], budgetMicros: 300 * EUR, daypart: { start: '00:30', end: '01:10' } },
    ];
    const [quick, thorough] = [new PlannedNetwork(bookings), new PlannedNetwork(bookings)];
    Object.assign(thorough.engine, { furthestListed: () => -1 });
    const picks = [quick, thorough].map(network => {
      const picked: number[] = [];
      for (let minute = 0; minute < 90; minute++) {
        // first with more supply than targets, then with less
        if (minute % 10 === 0) network.replan(START_MS + minute * 60_000, minute < 30 ? 0.1 : 1);
        for (let slot = 0; slot < 10; slot++)
          for (let screen = 0; screen < network.screens.size; screen++)
            picked.push(network.ask(screen, START_MS + minute * 60_000 + slot * SLOT_MS));
      }
      return picked;
    });
    expect(picks[0]).toEqual(picks[1]);
    // the one that is far ahead of its curve waits
    expect([...new Set(picks[0])].toSorted((a, b) => a - b)).toEqual([-1, 0, 1, 2, 3, 5]);
  });

  test('spend ahead of one plan counts towards the next, and a backlog does not', () => {
    const network = new PlannedNetwork([
      { cities: ['Berlin'], budgetMicros: 1_680 * EUR },
      { cities: ['Lisbon'], budgetMicros: 1_680 * EUR },
    ]);
    network.replan(START_MS);
    for (let atMs = START_MS; atMs < START_MS + 60_000; atMs += SLOT_MS)
      for (let screen = 0; screen < SCREENS; screen++) network.ask(screen, atMs);
    network.replan(START_MS + 60_000);
    const { target } = network.plan(START_MS + 60_000);
    const left = 1_680 * EUR - network.spent[0]!;
    expect(network.index.progress(0) * left).toBeCloseTo((target[0]! * 2) / 60, -3);
    expect(network.index.progress(1)).toBe(0);
  });

  test('the rest of a budget is taken from the plan, however old the facts are', () => {
    const network = new PlannedNetwork([{ cities: ['Berlin'], budgetMicros: 100_000 * EUR }]);
    network.spent[0] = 96_000 * EUR;
    network.replan(START_MS);
    expect(1 / network.index.goalInverse(0)).toBeCloseTo(4_000 * EUR, -3);
    network.index.put({ ...network.index.facts[0]!, budgetMicros: 101_000 * EUR });
    expect(1 / network.index.goalInverse(0)).toBeCloseTo(5_000 * EUR, -3);
  });

  test('lists are ready in advance: for this quarter hour under a new plan, and for the next in the last minutes', () => {
    const network = new PlannedNetwork([{ cities: ['Berlin'], budgetMicros: 1_680 * EUR }]);
    network.replan(START_MS);
    network.ask(0, START_MS);
    const readied = (atMs: number) => {
      while (network.engine.refresh(atMs, 10));
      const { segments } = network.index.groups.of(0);
      return [...segments].map(([startMs, { planVersion }]) => ({
        startMs,
        isCurrent: planVersion === network.index.plan.version,
      }));
    };
    network.replan(START_MS + 60_000);
    expect(readied(START_MS + 60_000)).toEqual([{ startMs: START_MS, isCurrent: true }]);
    expect(readied(START_MS + 11 * 60_000)).toEqual([
      { startMs: START_MS, isCurrent: true },
      { startMs: START_MS + 15 * 60_000, isCurrent: true },
    ]);
    network.replan(START_MS + 12 * 60_000);
    expect(readied(START_MS + 12 * 60_000).map(({ isCurrent }) => isCurrent)).toEqual([true, true]);
  });

  test('a campaign whose creative becomes ready is chosen by plan at once, even if lists were made before', () => {
    const winners = (areListsMade: boolean) => {
      const network = new PlannedNetwork([
        { budgetMicros: 1_000 * EUR, days: 1 },
        { cities: ['Berlin'], budgetMicros: 1_000 * EUR, days: 1 },
      ]);
      network.setReady(1, false);
      network.replan(START_MS);
      network.index.groups.of(0);
      if (areListsMade) while (network.engine.refresh(START_MS, 10));
      network.setReady(1, true);
      return Array.from({ length: 400 }, (_, slot) => network.ask(0, START_MS + slot * SLOT_MS));
    };
    expect(winners(true)).toEqual(winners(false));
  });

  test('a campaign follows itself if it is clearly further behind, and otherwise takes turns', () => {
    const winnersOf = (daysOfOther: number) => {
      const network = new PlannedNetwork([
        { cities: ['Berlin'], budgetMicros: 1_000 * EUR, days: 1 },
        { cities: ['Berlin'], budgetMicros: 1_000 * EUR, days: daysOfOther },
      ]);
      network.replan(START_MS);
      return Array.from({ length: 400 }, (_, slot) => network.ask(0, START_MS + slot * SLOT_MS)).filter(
        winner => winner === 0,
      ).length;
    };
    expect(winnersOf(1)).toBeGreaterThan(180);
    expect(winnersOf(1)).toBeLessThan(220);
    expect(winnersOf(3)).toBeGreaterThan(260);
  });

  test('no slot stays idle if demand exceeds supply', () => {
    const network = new PlannedNetwork([
      { cities: ['Berlin'], budgetMicros: 100_000 * EUR, days: 2 },
      { cities: ['Berlin'], budgetMicros: 50_000 * EUR, days: 2 },
    ]);
    network.replan(START_MS);
    for (let atMs = START_MS; atMs < START_MS + HOUR_MS; atMs += SLOT_MS)
      for (let screen = 0; screen < SCREENS; screen++) expect(network.ask(screen, atMs)).toBeGreaterThanOrEqual(0);
  });

  test('a small budget plays at once: twenty plays are never too far ahead', () => {
    const network = new PlannedNetwork([{ cities: ['Berlin'], budgetMicros: EUR / 2 }]);
    network.replan(START_MS);
    let fills = 0;
    for (let slot = 0; slot < 60; slot++) if (network.ask(0, START_MS + slot * SLOT_MS) >= 0) fills++;
    expect(fills).toBeGreaterThanOrEqual(20);
    expect(fills).toBeLessThan(30);
  });

  test('a campaign without a plan yet plays at once', () => {
    const network = new PlannedNetwork([{ budgetMicros: 168 * EUR }, { budgetMicros: 168 * EUR }]);
    const plan = network.plan(START_MS);
    network.index.followPlan({ ...plan, handles: plan.handles.map(handle => (handle === 2 ? 999 : handle)) }, 1);
    const winners = Array.from({ length: 40 }, (_, slot) =>
      network.ask(slot % SCREENS, START_MS + 60_000 + slot * SLOT_MS),
    );
    expect(winners).toContain(1);
  });

  test('a process with a quarter of the screens follows a quarter of each target', () => {
    const network = new PlannedNetwork([{ budgetMicros: 1_680 * EUR }]);
    network.replan(START_MS, 0.25);
    network.run(START_MS, START_MS + HOUR_MS);
    expect(network.spent[0]! / EUR).toBeGreaterThan(2.4);
    // A quarter of the lead of a hundredth, too; targets are a part above what is due.
    expect(network.spent[0]! / EUR).toBeLessThan(2.5 * TARGET_TIMES.calm * 1.1 + 16.8 / 4);
  });

  test('a campaign accumulates no backlog outside its daypart', () => {
    const network = new PlannedNetwork([{ budgetMicros: 70 * EUR, daypart: { start: '02:00', end: '12:00' } }]);
    const spent = [0, 1, 2].map(hour => {
      network.replan(START_MS + hour * HOUR_MS);
      network.run(START_MS + hour * HOUR_MS, START_MS + (hour + 1) * HOUR_MS);
      return network.spent[0]!;
    });
    expect(spent.slice(0, 2)).toEqual([0, 0]);
    // One euro an hour of the ten; the lead and the two minutes come on top.
    expect(network.spent[0]! / EUR).toBeGreaterThan(0.9);
    expect(network.spent[0]! / EUR).toBeLessThan(2);
  });
});
