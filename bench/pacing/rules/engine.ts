/**
 * Delivery itself as a rule of the simulation: the engine over its index, screens and reservations, following the plans
 * that the workers make from the same places and campaigns. Only time, the wallet that grants come from, and the
 * screens are the simulation's.
 */
import { grantSizeMicros } from '../../../domain/money/budget.ts';
import { Reservations } from '../../../delivery/decision/reservations.ts';
import { CandidateIndex } from '../../../delivery/decision/candidate-index.ts';
import { Engine, FILLED } from '../../../delivery/decision/engine.ts';
import { ScreenTable } from '../../../delivery/decision/screen-table.ts';
import { fillParts } from '../../../delivery/protocol/fill-writer.ts';
import { VIDEO_PROFILES } from '../../../domain/campaigns/rendition.ts';
import { handle } from '../../../test/support/handle.ts';
import type { RuleState, Rule } from '../replay.ts';
import { type SeededWorld, type World } from '../world/world.ts';
import { campaignOf, cityOf, DAY_MS, FIRST_DAY, HOUR_MS, hoursOf, openMinutes, zoneOf } from './bookings.ts';
import { openPlans } from './plans.ts';

const MINUTE_MS = 60_000;
const CREATIVE_MS = 15_000;
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

/** @param world the state's world, with the separation by owner that the engine keeps */
export function engine(state: RuleState, world: SeededWorld): Rule {
  const table = openStage(world);
  const { index, screens, reservations, unitMicros } = table;
  const decider = new Engine({ index, screens, reservations });
  const wallet = openWallet(world, table);
  const plans = openPlans(world, state, unitMicros);
  const booked = new Set<number>();
  let attainable = new Map<number, number>();
  let atMs = FIRST_DAY * DAY_MS;
  const slot = { screen: 0, atMs, maxDurationMs: CREATIVE_MS };
  return {
    onHour: hour => {
      atMs = FIRST_DAY * DAY_MS + hour * HOUR_MS;
      for (let campaign = 0; campaign < world.goal.length; campaign++) {
        if (booked.has(campaign) || world.goal[campaign]! <= 0 || world.knownFrom[campaign]! > hour) continue;
        booked.add(campaign);
        table.book(campaign);
        plans.book(campaign, campaignOf(world, campaign, unitMicros));
      }
      const plan = plans.planAt(hour);
      index.followPlan(plan, 1);
      attainable = new Map(Array.from(plan.handles, (one, at) => [one, plan.attainable[at]!]));
    },
    promises: campaign => attainable.get(handle('campaign', campaign + 1))!,
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
      restrictions: [],
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
  /** The price of one of the world's impressions; 1 if they are already money. */
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
      const facts = campaignOf(world, campaign, unitMicros);
      const integer = index.put({
        handle: facts.handle,
        workspace: facts.workspace,
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

/** Grants the requests of reservations from the rest of the budgets, in the grant sizes of delivery. */
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
