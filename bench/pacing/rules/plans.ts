/**
 * The plans that delivery follows in the simulation, made as the workers make them: every hour, from the places and
 * campaigns that are booked, with what was seen of the supply so far. A network is compiled when a campaign was booked,
 * for all days of the world at once: compiling it for each plan took two thirds of the time of a simulation.
 */
import { compileNetwork, type Network, type NetworkPlace } from '../../../domain/allocation/network/network.ts';
import { frequencyCapsOf } from '../../../domain/allocation/network/frequency-caps.ts';
import { planNetwork, worthOf } from '../../../domain/allocation/network/network-plan.ts';
import { createSupplyRatio, observeHour, supplyFactors } from '../../../domain/allocation/flow/supply-ratio.ts';
import type { FrequencyCaps } from '../../../domain/allocation/flow/promise.ts';
import type { PublishedPlan } from '../../../domain/allocation/plan-codec.ts';
import type { RuleState } from '../replay.ts';
import { openLatelyShare, usualShareOf } from '../usual-share.ts';
import { AVAILABILITY } from '../world/requests.ts';
import type { SeededWorld } from '../world/world.ts';
import { type Booked, cityOf, DAY_MS, FIRST_DAY, HOUR_MS, hoursOf, zoneOf } from './bookings.ts';

const BUCKETS_PER_HOUR = 4;
/** Flights go by local days: in the western time zones the last ones end this many hours after the world. */
const HOURS_AFTER = 24;

/** @param unitMicros the price of one of the world's impressions */
export function openPlans(world: SeededWorld, state: RuleState, unitMicros: number) {
  const { groups, hours, goal, forecast } = world;
  const places = placesOf(world);
  // By the world's groups: the plan's are parts of them by opening hours, which say nothing about how many slots come.
  const ratio = createSupplyRatio(groups);
  let campaigns: { number: number; facts: Booked }[] = [];
  const usualShare = usualShareOf(world.options);
  const lately = openLatelyShare(state, usualShare);
  let latelyShare = usualShare;
  let network: Network | undefined;
  let caps: FrequencyCaps | undefined;
  const column = (cells: Float64Array, hour: number) =>
    Float64Array.from({ length: groups }, (_, group) => cells[group * hours + hour]!);
  return {
    book(number: number, facts: Booked): void {
      campaigns = [...campaigns, { number, facts }];
      network = undefined;
    },
    planAt(hour: number): PublishedPlan {
      if (hour > 0) {
        observeHour(ratio, column(state.seen, hour - 1), column(forecast, hour - 1));
        latelyShare = lately.observeHour();
      }
      if (network === undefined) {
        network = compileNetwork({
          places,
          campaigns: campaigns.map(({ facts }) => facts),
          atMs: FIRST_DAY * DAY_MS,
          buckets: (hours + HOURS_AFTER) * BUCKETS_PER_HOUR,
          worthOf,
        });
        caps = frequencyCapsOf({
          network,
          places,
          worthOf,
          campaigns: campaigns.map(() => ({ frequencyPerHourMax: world.options.frequencyMax })),
        });
      }
      const expected = expectedOf(network, supplyFactors(ratio), hours);
      return planNetwork({
        network: expected,
        past: expected,
        caps,
        campaigns: campaigns.map(({ number, facts }) => ({
          ...facts,
          spentMicros: (goal[number]! - state.remaining[number]!) * unitMicros,
        })),
        atMs: FIRST_DAY * DAY_MS + hour * HOUR_MS,
        usualShare,
        latelyShare,
      });
    },
  };
}

/** Places as the workers know them, with the world's wrong forecast. */
function placesOf(world: SeededWorld): (NetworkPlace & { slotsPerHour: number })[] {
  return world.screens.map((one, screen) => ({
    sandbox: false,
    cityFolded: cityOf(world, screen),
    venueType: one.type,
    lat: 0,
    lng: 0,
    timezone: zoneOf(one.zone),
    hours: hoursOf(one),
    orientation: 'landscape',
    blockedCategories: [],
    slotsPerHour: one.slotsPerHour * AVAILABILITY,
    impressionsPerMinute: (one.slotsPerHour * one.people * AVAILABILITY * world.forecastError[screen]!) / 60,
  }));
}

/** The expected supply of a network: the forecast times the seen ratio so far. No slot comes after the world's end. */
function expectedOf(network: Network, factors: Float64Array, hours: number): Network {
  const { groups, buckets } = network;
  const supply = new Float64Array(network.supply.length);
  groups.forEach(({ place }, group) => {
    const factor = factors[Number(place.cityFolded.slice(1))]!;
    for (let cell = group * buckets; cell < group * buckets + hours * BUCKETS_PER_HOUR; cell++)
      supply[cell] = network.supply[cell]! * factor;
  });
  return { ...network, supply };
}
