/**
 * Targets of a network that is too large to say who plays when (`horizon/`): SHALE spreads what each campaign is to
 * have over its segments, as evenly as supply allows, and the next two hours have their part of it, drawn a little to
 * the campaign's curve.
 */
import { type CampaignDemand, wholeSupply } from './demand.ts';
import type { Attainable } from './flow/attainable.ts';
import type { AllocationGraph } from './flow/graph.ts';
import type { SupplyForecast } from './flow/remaining-supply.ts';
import { HOURS_PLANNED } from './horizon/periods.ts';
import { costsOfUnevenness, leadsOf } from './lead.ts';
import { ROUNDS_COLD, ROUNDS_WARM, type ShalePlan, type ShaleProblem, solveShale } from './shale.ts';

type EvenInput = Pick<ShaleProblem, 'graph' | 'supply' | 'capShare'> & {
  forecast: SupplyForecast;
  campaigns: CampaignDemand;
  /** By campaign: what it wants within the horizon, and what it is eligible for there. */
  demand: Float64Array;
  ahead: Float64Array;
  /** What it can get in all, as a share of its goal, caps aside. */
  reach: Float64Array;
  found: Attainable;
  /** What neither is booked nor will be, as a share of all supply to come (`spareShare`). */
  spare: number;
  /** Duals of the last plan, 0 for a new campaign; undefined for a cold start. */
  warm: Float64Array | undefined;
};

/**
 * A hundredth more than needed is planned, so that rounding and refused plays do not leave the end of a budget unspent.
 */
const AIM = 1.01;
/**
 * How much of its distance from the long curve a campaign corrects in an hour. SHALE alone would keep a lead for ever,
 * because it spreads what remains evenly over the future. A safe campaign that is ahead returns to its curve quickly,
 * one at risk slowly. Where not all demand fits it keeps its lead, and catches up more slowly because what it gets is
 * taken from others at risk.
 *
 * `behind` is of a campaign of mean cost (`lead.ts`); of others it grows with the square of the cost, up to all of the
 * distance. Where not all can be on their curves, one who knew every slot would keep the dear ones exactly there, let
 * the cheap ones wait for days and serve them last (a linear programme, bench/notes/pacing.md).
 */
const PULL = {
  safe: { ahead: 1, behind: 0.5 },
  atRisk: { ahead: 0.4, behind: 0.5 },
  overload: { ahead: 0, behind: 0.2 },
};

/** Targets hour by hour, the shares of segments that they come from, leads and duals. */
export function planEvenly(input: EvenInput): ShalePlan & { target: Float64Array; lead: Float64Array } {
  const { graph, forecast, supply, capShare, campaigns, demand, ahead, reach, found, spare, warm } = input;
  const cost = costsOfUnevenness(campaigns);
  const { share, alpha } = solveShale(
    {
      graph,
      supply,
      capShare,
      demand: demand.map((impressions, campaign) => Math.min(impressions, AIM * found.impressions[campaign]!)),
      price: campaigns.price,
      unevenness: cost,
    },
    warm ? ROUNDS_WARM : ROUNDS_COLD,
    warm,
  );
  const { target, eligibleByHour } = nextHours(graph, forecast, share);
  const curve = longCurve(campaigns, eligibleByHour, ahead);
  pullToCurve(target, { curve, campaigns, reach, cost, worth: found.worth, fits: found.fits });
  return { target, share, alpha, lead: leadsOf({ worth: found.worth, cost, spare }) };
}

/** What the shares come to in each planned hour, and what each campaign is eligible for in it. */
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
 * The share (0..1) of all supply that a campaign is ever eligible for which is past at the start of the first planned
 * hour (row 0) and at the end of each hour: `curve[row * campaigns + j]`.
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
 * Moves the targets of both hours towards the curve, never below 0. One that the policy of overload gives less follows
 * the curve to that: else it would catch up to a goal that it cannot have, with slots of those that are to get more.
 * Campaigns to which SHALE gives nothing are left out.
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
