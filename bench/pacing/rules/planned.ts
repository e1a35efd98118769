/**
 * Our rule without delivery around it: every hour a plan from the forecast, corrected by the supply that was seen, and
 * every slot for the campaign that is furthest behind its plan.
 */
import {
  advancePacer,
  type Candidates,
  createPacer,
  followPlan,
  pickCampaign,
} from '../../../domain/allocation/pick.ts';
import { type DeliveryPlan, planDelivery } from '../../../domain/allocation/plan.ts';
import { createSupplyRatio, observeHour, supplyFactors } from '../../../domain/allocation/flow/supply-ratio.ts';
import type { RuleState, Rule } from '../replay.ts';
import { openLatelyShare, usualShareOf } from '../usual-share.ts';

export function planned(state: RuleState): Rule {
  const { world, remaining, seen } = state;
  const { graph, goal, hours, groups, segmentOf } = world;
  const pacer = createPacer(graph.campaigns);
  const inverses = Float64Array.from(goal, impressions => (impressions > 0 ? 1 / impressions : 0));
  pacer.goalInverse.set(inverses);
  const ratio = createSupplyRatio(groups);
  const seenEligible = new Float64Array(graph.campaigns);
  const constrained = world.options.separation || world.options.frequencyMax > 0;
  const days = Float64Array.from(world.bookings, ({ startDay, endDay }) => endDay - startDay);
  const usualShare = usualShareOf(world.options);
  const lately = openLatelyShare(state, usualShare);
  let latelyShare = usualShare;
  let plan: DeliveryPlan | undefined;
  const learn = (hour: number) => {
    latelyShare = lately.observeHour();
    const column = (cells: Float64Array) =>
      Float64Array.from({ length: groups }, (_, group) => cells[group * hours + hour]!);
    observeHour(ratio, column(seen), column(world.forecast));
    for (let group = 0; group < groups; group++) {
      const segment = segmentOf[group * hours + hour]!;
      for (let edge = graph.edgeStart[segment]!; edge < graph.edgeStart[segment + 1]!; edge++)
        seenEligible[graph.edgeCampaign[edge]!]! += seen[group * hours + hour]!;
    }
  };
  const shortlist: Candidates = { list: new Int32Array(0), start: 0, end: 0 };
  const candidates: Candidates = { list: graph.edgeCampaign, start: 0, end: 0 };
  const segmentAt = { shortlist, candidates };
  return {
    onHour: hour => {
      if (hour > 0) learn(hour - 1);
      const known = remaining.map((impressions, campaign) => (world.knownFrom[campaign]! <= hour ? impressions : 0));
      plan = planDelivery({
        graph,
        forecast: {
          groups,
          buckets: hours,
          bucketFrom: hour,
          bucketsPerHour: 1,
          segmentOf,
          supply: world.forecast,
          supplyPerCampaign: constrained ? world.forecastPerCampaign : null,
          factor: supplyFactors(ratio),
        },
        usualShare,
        latelyShare,
        campaigns: { goal, remaining: known, price: world.price, days, foreseen: world.foreseen, seenEligible },
        ...(world.options.separation && { separation: { category: world.category, share: 0.5 } }),
      });
      shortlist.list = plan.shortlists.campaign;
      // Before it is booked a campaign may not play.
      for (let campaign = 0; campaign < graph.campaigns; campaign++)
        pacer.goalInverse[campaign] = world.knownFrom[campaign]! <= hour ? inverses[campaign]! : 0;
      followPlan(pacer, plan);
    },
    onMinute: minute => advancePacer(pacer, ((minute % 60) + 1) / 60),
    pick: cell => {
      const segment = segmentOf[cell]!;
      shortlist.start = plan!.shortlists.start[segment]!;
      shortlist.end = plan!.shortlists.start[segment + 1]!;
      candidates.start = graph.edgeStart[segment]!;
      candidates.end = graph.edgeStart[segment + 1]!;
      return pickCampaign(pacer, segmentAt, state.mayPlay);
    },
    promises: campaign => plan!.attainable[campaign]!,
    onServed: (campaign, impressions) => {
      pacer.done[campaign]! += impressions;
    },
  };
}
