/**
 * A day of a network, split by `day-split.ts`: the slots of each place by hour, and the demand of its campaigns on the
 * day, in money.
 */
import { compileCurve, curveShare } from '../../campaigns/pacing.ts';
import type { Micros, Milliseconds } from '../../unit.ts';
import type { BookedCampaign } from '../network/network-plan.ts';
import { BUCKETS_PER_HOUR, compileNetwork, type NetworkCampaign, type NetworkPlace } from '../network/network.ts';
import { type DaySlots, HOURS } from './day-graph.ts';
import { type DayCampaigns, type DaySplit, splitDay } from './day-split.ts';

/** `spentMicros` is the spend before the day. */
export type CampaignOfDay = NetworkCampaign &
  BookedCampaign & {
    deliveredMicros: Micros;
    /** Hours of the day, as bits (`live-hours.ts`). */
    live: number;
    unbooked: number;
    /** 0: no cap. */
    frequencyPerHourMax: number;
  };

export type NetworkDay<Place extends NetworkPlace> = {
  places: readonly Place[];
  campaigns: readonly CampaignOfDay[];
  /** By place x 24 hours, in micros. */
  slots: DaySlots;
  /** When the day begins, a midnight of UTC. */
  dayMs: Milliseconds;
};

const DAY_MS = 86_400_000;
/** Flows count in units of about one impression's price: their tolerances are meant for impressions. */
const UNIT_MICROS = 5_000;

/** In micros, rounded so that `bound` stays the sum of the others. */
export function splitNetworkDay<Place extends NetworkPlace>({
  places,
  campaigns,
  slots,
  dayMs,
}: NetworkDay<Place>): DaySplit {
  const network = compileNetwork({
    // Requested slots are known, so neither opening hours nor venue figures are needed.
    places: places.map(place => ({ ...place, hours: undefined, impressionsPerMinute: 1 })),
    campaigns,
    atMs: dayMs,
    buckets: HOURS * BUCKETS_PER_HOUR,
  });
  const bySegment = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(network.graph.segments * HOURS);
    for (let place = 0; place < places.length; place++) {
      for (let hour = 0; hour < HOURS; hour++) {
        // The slots of an hour are assumed to be evenly spread: a daypart may end in the middle.
        const quarter = values[place * HOURS + hour]! / UNIT_MICROS / BUCKETS_PER_HOUR;
        if (quarter <= 0) continue;
        const first = (network.groupOf[place]! * HOURS + hour) * BUCKETS_PER_HOUR;
        for (let at = first; at < first + BUCKETS_PER_HOUR; at++)
          sums[network.segmentOf[at]! * HOURS + hour]! += quarter;
      }
    }
    return sums;
  };
  const split = splitDay({
    graph: network.graph,
    slots: {
      played: bySegment(slots.played),
      open: bySegment(slots.open),
      capped: bySegment(slots.capped),
      barred: bySegment(slots.barred),
      once: bySegment(slots.once),
    },
    campaigns: campaignsOf(campaigns, dayMs),
  });
  return inMicros(split);
}

function campaignsOf(campaigns: readonly CampaignOfDay[], dayMs: Milliseconds): DayCampaigns {
  return {
    wanted: Float64Array.from(campaigns, campaign => wantedMicros(campaign, dayMs) / UNIT_MICROS),
    delivered: Float64Array.from(campaigns, ({ deliveredMicros }) => deliveredMicros / UNIT_MICROS),
    live: Int32Array.from(campaigns, ({ live }) => live),
    unbooked: Int32Array.from(campaigns, ({ unbooked }) => unbooked),
    frequencyPerHourMax: Int32Array.from(campaigns, ({ frequencyPerHourMax }) => frequencyPerHourMax),
  };
}

/** The amount due by its even curve at the end of the day less the spend before it, or its delivery if that is more. */
export function wantedMicros(
  { flight, sinceMs, baseMicros = 0, budgetMicros, spentMicros, deliveredMicros }: CampaignOfDay,
  dayMs: Milliseconds,
): Micros {
  const endMs = dayMs + DAY_MS;
  // A campaign resumed since then has a new curve: on the day it followed the curve from the start of its flight.
  const [fromMs, base] = sinceMs < endMs ? [sinceMs, baseMicros] : [flight.startsOn * DAY_MS, 0];
  const due = base + (budgetMicros - base) * curveShare(compileCurve(flight), fromMs, endMs);
  return Math.max(deliveredMicros, due - spentMicros, 0);
}

function inMicros(split: DaySplit): DaySplit {
  const round = (units: number): Micros => Math.round(units * UNIT_MICROS);
  const parts = {
    delivered: round(split.delivered),
    idle: round(split.idle),
    misallocated: round(split.misallocated),
    capped: round(split.capped),
    lateBooked: round(split.lateBooked),
  };
  return { ...parts, bound: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}
