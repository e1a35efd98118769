/**
 * Delivery itself as a rule of the simulation: the engine over its index, screens and reservations, following the plans
 * that the workers make from the same places and campaigns. Only time, the wallet that grants come from, and the
 * screens are the simulation's. A screen's city is the name of its group, so that the world's reach of campaigns is
 * exact.
 */
import {
  compileNetwork,
  type Network,
  type NetworkCampaign,
  type NetworkPlace,
} from '../../domain/allocation/network/network.ts';
import { type BookedCampaign, planNetwork, worthOf } from '../../domain/allocation/network/network-plan.ts';
import {
  createSupplyRatio,
  observeHour,
  supplyFactors,
  type SupplyRatio,
} from '../../domain/allocation/flow/supply-ratio.ts';
import type { Handle } from '../../domain/id.ts';
import { grantSizeMicros } from '../../domain/money/budget.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { type FlightRule, type OpeningHours, parseOpeningHours } from '../../domain/screens/schedule.ts';
import { parseTargets, type Targets } from '../../domain/campaigns/targeting.ts';
import { Reservations } from '../../delivery/decision/reservations.ts';
import { CandidateIndex } from '../../delivery/decision/candidate-index.ts';
import { Engine, FILLED } from '../../delivery/decision/engine.ts';
import { ScreenTable } from '../../delivery/decision/screen-table.ts';
import { fillParts } from '../../delivery/protocol/fill-writer.ts';
import { VIDEO_PROFILES } from '../../domain/campaigns/rendition.ts';
import { handle } from '../../test/support/handle.ts';
import type { RuleState, Rule } from './replay.ts';
import { AVAILABILITY } from './world/requests.ts';
import { type SeededWorld, type World } from './world/world.ts';

/** Hour 0 of the world: 4 October 2024, in UTC. */
const FIRST_DAY = 20_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 1_440;
const CREATIVE_MS = 15_000;
/** The workers plan every minute at most; the simulation's world changes by the hour. */
const PLAN_HOURS = 24 * 7;
const BUCKETS_PER_HOUR = 4;
const PARTS = fillParts({
  campaignId: 'cmp_1',
  creativeId: 'cre_1',
  kind: 'video',
  url: 'http://localhost/a.mp4',
  durationMs: CREATIVE_MS,
  scanBase: 'http://localhost/s/',
});
const FILES = VIDEO_PROFILES.map(() => ({ parts: PARTS, asset: undefined }));
/**
 * Steps of list upkeep at each simulated minute. Delivery's timer does as many, about a millisecond's, twenty times a
 * second.
 */
const REFRESH_STEPS = 50_000;

type Booked = NetworkCampaign & BookedCampaign;

/** @param world the state's world, with the separation by owner that the engine keeps */
export function engine(state: RuleState, world: SeededWorld): Rule {
  const { remaining } = state;
  const table = openStage(world);
  const { index, screens, reservations } = table;
  const decider = new Engine({ index, screens, reservations });
  const wallet = openWallet(world, table);
  const supply = openSupply(world, state);
  const booked = new Set<number>();
  let warm: Map<Handle<'campaign'>, number> | undefined;
  let atMs = FIRST_DAY * DAY_MS;
  const slot = { screen: 0, atMs, maxDurationMs: CREATIVE_MS };
  return {
    onHour: hour => {
      atMs = FIRST_DAY * DAY_MS + hour * HOUR_MS;
      for (let campaign = 0; campaign < world.goal.length; campaign++) {
        if (booked.has(campaign) || world.goal[campaign]! <= 0 || world.knownFrom[campaign]! > hour) continue;
        booked.add(campaign);
        table.book(campaign);
      }
      const campaigns = [...booked].map(campaign =>
        campaignOf(world, campaign, {
          spent: world.goal[campaign]! - remaining[campaign]!,
          unitMicros: table.unitMicros,
        }),
      );
      const stage = { places: supply.places, campaigns, buckets: PLAN_HOURS * BUCKETS_PER_HOUR, worthOf };
      const factors = supply.factorsAt(hour);
      const [network, past] = [atMs, atMs - PLAN_HOURS * HOUR_MS].map(from =>
        expectedOf(world, compileNetwork({ ...stage, atMs: from }), factors),
      ) as [Network, Network];
      const plan = planNetwork({ network, past, campaigns, atMs, ...(warm && { warm }) });
      warm = new Map(Array.from(plan.handles, (handle, at) => [handle as Handle<'campaign'>, plan.alpha[at]!]));
      index.followPlan(plan, 1);
    },
    onMinute: minute => {
      atMs = FIRST_DAY * DAY_MS + minute * MINUTE_MS;
      decider.refresh(atMs, REFRESH_STEPS);
    },
    pick: (_cell, screen) => {
      slot.screen = screen;
      slot.atMs = atMs;
      let answer = decider.decide(slot);
      // In delivery a grant takes a few milliseconds, and the first slots after an edit may go without.
      for (let tries = 0; answer !== FILLED && wallet.grant() && tries < 3; tries++) answer = decider.decide(slot);
      wallet.grant();
      return answer === FILLED ? table.campaignAt(decider.fill.campaign) : -1;
    },
  };
}

/** The world's screens, each at a venue of its own. */
function putScreens(screens: ScreenTable, world: World): void {
  world.screens.forEach((one, screen) => {
    const hours = hoursOf(one);
    screens.putVenue({
      handle: handle('venue', screen + 1),
      type: one.type,
      cityFolded: cityOf(world, screen),
      lat: 0,
      lng: 0,
      timezone: zoneOf(one.zone),
      hours,
      dailyVisitors: one.people,
      dwellMinutes: openMinutes(one),
      audienceMax: Infinity,
      screensNear: 1,
      blockedCategories: [],
    });
    screens.putScreen({
      handle: handle('screen', screen + 1),
      venue: handle('venue', screen + 1),
      orientation: 'landscape',
      adRatio: 1,
      sensor: false,
      sandbox: false,
      blockedCategories: [],
    });
  });
}

type Stage = {
  index: CandidateIndex;
  screens: ScreenTable;
  reservations: Reservations;
  /** What one of the world's impressions costs; 1 where they are money already. */
  unitMicros: number;
  book(campaign: number): void;
  campaignAt(integer: number): number;
};

function openStage(world: World): Stage {
  const screens = new ScreenTable();
  const index = new CandidateIndex({ screens, baseMs: FIRST_DAY * DAY_MS });
  const reservations = new Reservations({ campaigns: index.campaigns, openBlock: () => true });
  putScreens(screens, world);
  const campaigns: number[] = [];
  const unitMicros = world.options.rated ? 1 : screens.venueAt(0).rateMicros;
  world.screens.forEach(({ impressions }, screen) => {
    if (screens.venueAt(screen).costOf(CREATIVE_MS, false) !== impressions * unitMicros)
      throw new Error('a play costs something else in the engine than in the world');
  });
  return {
    index,
    screens,
    reservations,
    unitMicros,
    book(campaign) {
      const facts = campaignOf(world, campaign, { spent: 0, unitMicros });
      const integer = index.put({
        handle: facts.handle,
        workspace: world.options.separation ? handle('workspace', campaign + 1) : handle('workspace', 1),
        status: 'live',
        sandbox: false,
        category: facts.category,
        budgetMicros: facts.budgetMicros,
        chargedMicros: 0,
        targets: facts.targets,
        flight: facts.flight,
        frequencyPerHourMax: world.options.frequencyMax,
        creatives: [
          {
            handle: handle('creative', campaign + 1),
            orientation: 'landscape',
            durationMs: CREATIVE_MS,
            weight: 1,
            ready: true,
            files: FILES,
            credit: 0,
          },
        ],
      });
      campaigns[integer] = campaign;
    },
    campaignAt: integer => campaigns[integer]!,
  };
}

/** Answers what reservations want from what the budgets have left, in grants as large as delivery asks for. */
function openWallet(world: World, { reservations, unitMicros, campaignAt }: Stage): { grant(): boolean } {
  const free = world.goal.map(impressions => impressions * unitMicros);
  return {
    grant() {
      let granted = false;
      for (const integer of reservations.takeWants()) {
        const campaign = campaignAt(integer);
        const micros = Math.min(
          free[campaign]!,
          grantSizeMicros(world.goal[campaign]! * unitMicros, reservations.needMicros(integer)),
        );
        free[campaign]! -= micros;
        if (micros > 0) reservations.add(integer, micros);
        reservations.setExhausted(integer, free[campaign]! <= 0);
        reservations.settled(integer);
        granted ||= micros > 0;
      }
      return granted;
    },
  };
}

/** Places as the workers know them, with the world's wrong forecast, and what was seen of it by the plan's groups. */
function openSupply(
  world: SeededWorld,
  state: RuleState,
): { places: NetworkPlace[]; factorsAt(hour: number): Float64Array } {
  const places = world.screens.map((one, screen): NetworkPlace => ({
    sandbox: false,
    cityFolded: cityOf(world, screen),
    venueType: one.type,
    lat: 0,
    lng: 0,
    timezone: zoneOf(one.zone),
    hours: hoursOf(one),
    orientation: 'landscape',
    blockedCategories: [],
    impressionsPerMinute: (one.slotsPerHour * one.people * AVAILABILITY * world.forecastError[screen]!) / 60,
  }));
  // By the world's groups: the plan's are parts of them by opening hours, which say nothing about how many slots come.
  const ratio: SupplyRatio = createSupplyRatio(world.groups);
  return {
    places,
    factorsAt(hour) {
      const column = (cells: Float64Array) =>
        Float64Array.from({ length: world.groups }, (_, group) => cells[group * world.hours + hour - 1]!);
      if (hour > 0) observeHour(ratio, column(state.seen), column(world.forecast));
      return supplyFactors(ratio);
    },
  };
}

/**
 * A network with what is expected of it: the forecast times what was seen of it so far. Flights go by local days, and
 * the last ones end hours after the world in its western zones: no slot comes there, nor before its beginning.
 */
function expectedOf({ hours }: World, network: Network, factors: Float64Array): Network {
  const first = (FIRST_DAY * DAY_MS - network.fromMs) / (HOUR_MS / BUCKETS_PER_HOUR);
  const end = first + hours * BUCKETS_PER_HOUR;
  network.groups.forEach(({ place }, group) => {
    const factor = factors[Number(place.cityFolded.slice(1))]!;
    for (let bucket = 0; bucket < network.buckets; bucket++)
      network.supply[group * network.buckets + bucket]! *= bucket < first || bucket >= end ? 0 : factor;
  });
  return network;
}

function campaignOf(
  world: World,
  campaign: number,
  { spent, unitMicros }: { spent: number; unitMicros: number },
): Booked {
  const booking = world.bookings[campaign]!;
  const flight: FlightRule = {
    startsOn: FIRST_DAY + booking.startDay,
    endsOn: FIRST_DAY + booking.endDay - 1,
    ...(booking.fromHour !== 0 || booking.toHour !== 24
      ? { daypart: { startMinute: booking.fromHour * 60, endMinute: booking.toHour * 60 } }
      : {}),
  };
  return {
    handle: handle('campaign', campaign + 1),
    sandbox: false,
    category: `category ${booking.category}`,
    targets: targetsOf(world, campaign),
    flight,
    orientations: ['landscape'],
    sinceMs: (FIRST_DAY + booking.startDay) * DAY_MS,
    budgetMicros: world.goal[campaign]! * unitMicros,
    spentMicros: spent * unitMicros,
  };
}

function targetsOf(world: World, campaign: number): Targets {
  const cities = new Set(
    world.screens.flatMap((_, screen) =>
      world.bookings[campaign]!.fits[screen] === true ? [cityOf(world, screen)] : [],
    ),
  );
  return { ...(parseTargets({}) as Targets), citiesFolded: [...cities] }; // without fields nothing is refused
}

const cityOf = (world: World, screen: number): string => `g${world.groupOf[screen]!}`;

/** The zone with this many hours from UTC; the names of these count westward (tz database, `etcetera`). */
function zoneOf(hours: number): string {
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

type Hours = { opens: number; closes: number };

function hoursOf({ opens, closes }: Hours): OpeningHours | undefined {
  if (opens === 0 && closes === 24) return undefined;
  const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  const range = [{ start: clock(opens), end: clock(closes) }];
  const hours = parseOpeningHours(
    Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(day => [day, range])),
  );
  if (isRefusal(hours)) throw new Error(`the hours ${opens} to ${closes} are refused`);
  return hours;
}

const openMinutes = ({ opens, closes }: Hours): number => ((closes - opens + 24) % 24) * 60 || MINUTES_PER_DAY;
