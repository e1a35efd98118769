/**
 * Targets of a network that is too large for a plan over time (`horizon/`): the flow that found what each campaign can
 * get spreads it over its segments nearly evenly. The next two hours get their share of it, moved slightly towards the
 * campaign's curve.
 */
import { type CampaignDemand, wholeSupply } from './demand.ts';
import type { Attainable } from './flow/attainable.ts';
import type { AllocationGraph } from './flow/graph.ts';
import type { SupplyForecast } from './flow/remaining-supply.ts';
import { HOURS_PLANNED } from './horizon/periods.ts';
import { costsOfUnevenness, leadsOf } from './lead.ts';
import { flowOnEdge } from './flow/supply-flow.ts';

type EvenInput = {
  graph: AllocationGraph;
  forecast: SupplyForecast;
  /** Impressions by segment. */
  supply: Float64Array;
  campaigns: CampaignDemand;
  /** By campaign: its eligible supply within the horizon. */
  ahead: Float64Array;
  /** What it can get in total without caps, as a share of its goal. */
  reach: Float64Array;
  found: Attainable;
  /** The share of future supply that is neither booked nor will be (`spareShare`). */
  spare: number;
};

export type EvenPlan = {
  target: Float64Array;
  lead: Float64Array;
  /** By edge: the part of its segment that the campaign should get. */
  share: Float64Array;
};

/** If not all demand fits, a hundredth more is planned, so that rounding and refused plays leave no slot idle. */
const AIM = 1.01;
/**
 * How much of its distance from the long curve a campaign corrects in an hour. The flow alone would keep a lead
 * forever, because it spreads what remains evenly over the future. A safe campaign that is ahead returns to its curve
 * quickly, one at risk slowly. If not all demand fits it keeps its lead, and catches up more slowly because what it
 * gets is taken from others at risk.
 *
 * `behind` is of a campaign of mean cost (`lead.ts`); of others it grows with the square of the cost, up to all of the
 * distance. If not all can be on their curves, a planner with full knowledge keeps expensive campaigns exactly there
 * and serves cheap ones last, after days of waiting (a linear program, bench/notes.md).
 */
const PULL = {
  safe: { ahead: 1, behind: 0.5 },
  atRisk: { ahead: 0.4, behind: 0.5 },
  overload: { ahead: 0, behind: 0.2 },
};

/** Targets hour by hour, the shares of segments that they come from, and leads. */
export function planEvenly(input: EvenInput): EvenPlan {
  const { graph, forecast, supply, campaigns, ahead, reach, found, spare } = input;
  const cost = costsOfUnevenness(campaigns);
  const aim = found.fits ? 1 : AIM;
  const share = Float64Array.from(graph.edgeSegment, (segment, edge) =>
    supply[segment]! > 0 ? (aim * flowOnEdge(found.flow, edge)) / supply[segment]! : 0,
  );
  const { target, eligibleByHour } = nextHours(graph, forecast, share);
  const curve = longCurve(campaigns, eligibleByHour, ahead);
  pullToCurve(target, { curve, campaigns, reach, cost, worth: found.worth, fits: found.fits });
  return { target, share, lead: leadsOf({ worth: found.worth, cost, spare }) };
}

/** The impressions of the shares in each planned hour, and the eligible supply of each campaign in it. */
function nextHours(
  graph: AllocationGraph,
  forecast: SupplyForecast,
  share: Float64Array,
): { target: Float64Array; eligibleByHour: Float64Array } {
  const target = new Float64Array(HOURS_PLANNED * graph.campaigns);
  const eligibleByHour = new Float64Array(HOURS_PLANNED * graph.campaigns);
  const { groups, buckets, bucketFrom, bucketsPerHour, segmentOf, supply, factor } = forecast;
  for (let hour = 0; hour < HOURS_PLANNED; hour++) {
    const row = hour * graph.campaigns;
    const first = Math.min(buckets, bucketFrom + hour * bucketsPerHour);
    const last = Math.min(buckets, first + bucketsPerHour);
    for (let group = 0; group < groups; group++) {
      for (let bucket = first; bucket < last; bucket++) {
        const cell = group * buckets + bucket;
        const impressions = supply[cell]! * factor[group]!;
        if (impressions <= 0) continue;
        const segment = segmentOf[cell]!;
        for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++) {
          const campaign = graph.edgeCampaign[edge]!;
          target[row + campaign]! += impressions * share[edge]!;
          eligibleByHour[row + campaign]! += impressions;
        }
      }
    }
  }
  return { target, eligibleByHour };
}

/**
 * The share (0..1) of all eligible supply of a campaign that is past at the start of the first planned hour (row 0) and
 * at the end of each hour: `curve[row * campaigns + j]`.
 */
function longCurve(campaigns: CampaignDemand, eligibleByHour: Float64Array, ahead: Float64Array): Float64Array {
  const count = ahead.length;
  const curve = new Float64Array((HOURS_PLANNED + 1) * count);
  wholeSupply(campaigns, ahead).forEach((whole, campaign) => {
    let passed = campaigns.seenEligible[campaign]!;
    for (let hour = 0; hour <= HOURS_PLANNED; hour++) {
      curve[hour * count + campaign] = whole > 0 ? Math.min(1, passed / whole) : 0;
      if (hour < HOURS_PLANNED) passed += eligibleByHour[hour * count + campaign]!;
    }
  });
  return curve;
}

type CurveInput = { curve: Float64Array; cost: Float64Array } & Pick<EvenInput, 'campaigns' | 'reach'> &
  Pick<Attainable, 'worth' | 'fits'>;

/**
 * Moves the targets of both hours towards the curve, never below 0. A campaign that the overload policy gives less
 * follows the curve up to that amount: otherwise it would chase an unreachable goal with the slots of others. Campaigns
 * that get nothing from the flow are excluded.
 */
function pullToCurve(target: Float64Array, { curve, campaigns, reach, cost, worth, fits }: CurveInput): void {
  const count = worth.length;
  for (let campaign = 0; campaign < count; campaign++) {
    const goal = campaigns.goal[campaign]!;
    const behind = curve[campaign]! * reach[campaign]! * goal - (goal - campaigns.remaining[campaign]!);
    const pull = worth[campaign]! <= 0 ? PULL.safe : fits ? PULL.atRisk : PULL.overload;
    // Near the end of a flight a lead is kept, because little time is left to make up for an outage.
    const change =
      behind * (behind > 0 ? Math.min(1, pull.behind * cost[campaign]! ** 2) : pull.ahead * (1 - curve[campaign]!));
    for (let hour = 0; hour < HOURS_PLANNED; hour++) {
      const place = hour * count + campaign;
      if (target[place]! > 0)
        target[place] = Math.max(0, Math.min(campaigns.remaining[campaign]!, target[place]! + change));
    }
  }
}
