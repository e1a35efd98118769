/**
 * Asks on days of a generated past what plans would get, when only the days before are known. Each answer is compared
 * with what the same bookings leave of the supply that really came: booked campaigns are served first, then the plan,
 * by the flow that the delivery plan is made with, and at most up to its budget.
 */
import {
  admitDemand,
  flowOnEdge,
  openSupplyFlow,
  pushEvenly,
  pushSupply,
  servedBy,
} from '../../domain/allocation/flow/supply-flow.ts';
import { type AllocationGraph, createGraph } from '../../domain/allocation/flow/graph.ts';
import { daysOf, repeatForecasts } from '../../domain/forecast/backtest.ts';
import { calibrateBands, sizeClassOf } from '../../domain/forecast/band.ts';
import { type BookedCampaign, type Bookings, compileBookings, flightHours } from '../../domain/forecast/bookings.ts';
import { compileSupply, type ForecastSupply, HORIZON_DAYS, HORIZON_HOURS } from '#domain/forecast/supply/supply.ts';
import { type Forecast, forecastPlan } from '../../domain/forecast/forecast.ts';
import type { Plan } from '#domain/forecast/plan-supply.ts';
import { prepareForecasts } from '#domain/forecast/preparation.ts';
import { fitSupply } from '#domain/forecast/supply/supply-model.ts';
import { matchesPlace } from '../../domain/campaigns/targeting.ts';
import { createRandom, type Random } from '../pacing/world/random.ts';
import { drawTargets, FIRST_DAY, makeWorld, type World, type WorldOptions } from './world.ts';

export type Outcome = { size: number; forecast: Forecast; delivered: number; budgetBound: boolean };

/** The history of a fit in production (workers/campaigns/supply-history.ts). */
const KNOWN_DAYS = 84;
/** Flights of two weeks overlap little, so the errors of a network are as many draws as the days allow. */
const EVERY_DAYS = 10;
const QUESTIONS = 40;
/** More impressions than any supply. */
const WITHOUT_END = 1e12;
const FLIGHTS = [7, 14];
const DAY_MS = 86_400_000;
/** Time in pieces of four hours, in which all dayparts of this world begin and end. */
const EDGES_MAX = 30_000;

export function backtest(options: WorldOptions): Outcome[] {
  const world = makeWorld(options);
  const random = createRandom(options.seed * 7919 + 1);
  const outcomes: Outcome[] = [];
  for (let day = KNOWN_DAYS; day + HORIZON_DAYS <= options.days; day += EVERY_DAYS) {
    const { prepared, campaigns, model, atMs } = prepareOn(world, day, random);
    const plans = Array.from({ length: QUESTIONS }, (_, question) => {
      const plan = drawPlan(random, { world, day });
      const open = forecastPlan(prepared, { ...plan, budgetMicros: 1e15 });
      // Half of the budgets are more than there is to buy, half are less.
      return {
        ...plan,
        budgetMicros: Math.max(
          1,
          Math.round(open.impressions * open.rateMicros * (question % 2 === 0 ? 2.5 : 0.3 + 0.6 * random.unit())),
        ),
      };
    });
    const delivered = deliveredOf({
      world,
      day,
      plans,
      campaigns,
      supply: compileSupply({ places: world.places(day), model, atMs }),
    });
    plans.forEach((plan, question) => {
      const forecast = forecastPlan(prepared, plan);
      if (forecast.impressions === 0) return;
      outcomes.push({
        size: sizeClassOf(forecast.screensEligible),
        forecast,
        delivered: delivered[question]!,
        budgetBound: question % 2 === 1,
      });
    });
  }
  return outcomes;
}

/** All that production knows on a day, and nothing more. */
function prepareOn(world: World, day: number, random: Random) {
  const history = daysOf(world.history, day - KNOWN_DAYS, day);
  const model = fitSupply({ history, audience: [], scans: [] });
  const bands = calibrateBands([...repeatForecasts({ history, screens: world.screensOn(day) })].flat());
  const atMs = (FIRST_DAY + day) * DAY_MS;
  const campaigns = world.bookings(random, day);
  return {
    prepared: prepareForecasts({ places: world.places(day), campaigns, model, bands, atMs, edgesMax: EDGES_MAX }),
    campaigns,
    model,
    atMs,
  };
}

function drawPlan(random: Random, { world, day }: { world: World; day: number }): Plan {
  const startsOn = FIRST_DAY + day;
  return {
    sandbox: false,
    targets: drawTargets(random, world.options),
    startsOn,
    endsOn: startsOn + FLIGHTS[random.integer(FLIGHTS.length)]! - 1,
    budgetMicros: 0,
  };
}

type DeliveredOfOptions = {
  world: World;
  day: number;
  plans: readonly Plan[];
  campaigns: readonly BookedCampaign[];
  supply: ForecastSupply;
};

/** What each plan alone gets of the actual supply: bookings first, then the plan, at most its budget. */
function deliveredOf({ world, day, plans, campaigns, supply }: DeliveredOfOptions): number[] {
  const booked = compileBookings(supply, campaigns, EDGES_MAX);
  const graph = withPlans(booked, { supply, plans });
  const came = realSupply(world, day, { supply, pieces: booked.pieces, pieceOf: booked.pieceOf });
  const flow = openSupplyFlow(graph, { supply: came, edgeMax: null, separation: null }, () => true);
  booked.demand.forEach((impressions, campaign) => admitDemand(flow, campaign, impressions));
  pushEvenly(flow);
  pushSupply(flow);
  const { room } = flow.network;
  const afterBookings = room.slice();
  return plans.map((plan, question) => {
    const campaign = booked.graph.campaigns + question;
    room.set(afterBookings);
    admitDemand(flow, campaign, WITHOUT_END);
    pushSupply(flow);
    let cost = 0;
    for (let place = graph.campaignStart[campaign]!; place < graph.campaignStart[campaign + 1]!; place++) {
      cost +=
        flowOnEdge(flow, graph.campaignEdge[place]!) *
        supply.rateMicros[Math.floor(graph.campaignSegment[place]! / booked.pieces)]!;
    }
    return servedBy(flow, campaign) * Math.min(1, cost > 0 ? plan.budgetMicros / cost : 1);
  });
}

/** The graph of the bookings with the plans as campaigns behind them. */
function withPlans(
  { graph, pieces, pieceOf }: Bookings,
  { supply, plans }: { supply: ForecastSupply; plans: readonly Plan[] },
): AllocationGraph {
  const rows = Array.from({ length: graph.segments }, (_, segment) => [
    ...graph.edgeCampaign.subarray(graph.edgeStart[segment], graph.edgeStart[segment + 1]),
  ]);
  plans.forEach(({ targets, startsOn, endsOn }, question) => {
    const hours = flightHours(
      { startsOn, endsOn, ...(targets.daypart && { daypart: targets.daypart }) },
      supply.firstDay,
    );
    const own = new Set([...pieceOf].filter((_, hour) => hours[hour]! > 0));
    supply.kinds.forEach((kind, number) => {
      if (matchesPlace(targets, kind))
        for (const piece of own) rows[number * pieces + piece]!.push(graph.campaigns + question);
    });
  });
  const start = new Int32Array(rows.length + 1);
  rows.forEach((row, segment) => (start[segment + 1] = start[segment]! + row.length));
  return createGraph(graph.campaigns + plans.length, start, Int32Array.from(rows.flat()));
}

type RealSupplyOptions = { supply: ForecastSupply; pieces: number; pieceOf: Int32Array };

function realSupply({ history }: World, day: number, { supply, pieces, pieceOf }: RealSupplyOptions): Float64Array {
  const came = new Float64Array(supply.kinds.length * pieces);
  supply.kinds.forEach((kind, number) => {
    const place = history.classes.findIndex(
      one => one.cityFolded === kind.cityFolded && one.venueType === kind.venueType,
    );
    for (let hour = supply.nowHour[number]!; hour < HORIZON_HOURS; hour++) {
      const at = (supply.firstDay - FIRST_DAY) * 24 + hour;
      if (at < history.days * 24 && at >= day * 24)
        came[number * pieces + pieceOf[hour]!]! += history.seen[place * history.days * 24 + at]!;
    }
  });
  return came;
}

export type Coverage = { size: number; asked: number; covered: number; width: number };

/** Coverage and mean width (of the forecast) by size class. */
export function coverageOf(outcomes: readonly Outcome[]): Coverage[] {
  return [0, 1, 2].map(size => {
    const own = outcomes.filter(one => one.size === size);
    const covered = own.filter(
      ({ forecast, delivered }) => delivered >= forecast.impressionsLow && delivered <= forecast.impressionsHigh,
    ).length;
    const width = own.reduce(
      (sum, { forecast }) =>
        sum + (forecast.impressionsHigh - forecast.impressionsLow) / Math.max(1, forecast.impressions),
      0,
    );
    return { size, asked: own.length, covered: covered / own.length, width: width / own.length };
  });
}
