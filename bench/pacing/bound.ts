/**
 * The most that any rule could deliver if it knew every slot beforehand: the maximum flow on the supply that really
 * came. Campaigns are admitted in descending order of price, so that of all largest flows it is the one with the
 * highest revenue. Frequency and separation are capacities of edges and categories. No rule that decides slot by slot
 * can exceed it. Beside it: what the policy of overload would give to one who knew every slot.
 */
import { OVERLOAD_DEFAULT, shareOverload } from '../../domain/allocation/flow/overload.ts';
import { admitDemand, openSupplyFlow, pushSupply, servedBy } from '../../domain/allocation/flow/supply-flow.ts';
import { slotsPerCampaign, type World } from './world/world.ts';

export type Bound = { impressions: number; revenue: number; supply: number };

export function boundOf(world: World): Bound {
  const { goal, price } = world;
  const { flow, supply } = openRealFlow(world);
  const byPrice = Array.from(goal.keys())
    .filter(campaign => goal[campaign]! > 0)
    .sort((a, b) => price[b]! - price[a]!);
  for (const campaign of byPrice) {
    admitDemand(flow, campaign, goal[campaign]!);
    pushSupply(flow);
  }
  let impressions = 0;
  let revenue = 0;
  for (const campaign of byPrice) {
    impressions += servedBy(flow, campaign);
    revenue += servedBy(flow, campaign) * price[campaign]!;
  }
  return { impressions, revenue, supply: supply.reduce((sum, one) => sum + one, 0) };
}

/** Impressions by campaign under the operator's policy with full knowledge from the beginning. */
export function sharedByPolicy(world: World): Float64Array {
  const { goal, price } = world;
  const wanted = { demand: goal, price, done: new Float64Array(goal.length) };
  return shareOverload(openRealFlow(world).flow, wanted, OVERLOAD_DEFAULT);
}

/** The flow on the actual supply, with no campaign admitted yet. */
function openRealFlow(world: World) {
  const { graph, goal } = world;
  const { supply, edgeMax, categoryMax } = realSupply(world);
  const limits = {
    supply,
    edgeMax: Float64Array.from(graph.edgeSegment, segment => edgeMax[segment]!),
    separation: world.options.separation ? { category: world.category, categoryMax } : null,
  };
  return { flow: openSupplyFlow(graph, limits, campaign => goal[campaign]! > 0), supply };
}

/** Actual impressions by segment, and the parts available to one campaign and one category. */
function realSupply({ options, graph, hours, screens, groupOf, segmentOf, requests }: World) {
  const supply = new Float64Array(graph.segments);
  const edgeMax = new Float64Array(graph.segments);
  const categoryMax = new Float64Array(graph.segments);
  const slots = new Int32Array(screens.length);
  for (let hour = 0; hour < hours; hour++) {
    slots.fill(0);
    for (let at = requests.start[hour * 60]!; at < requests.start[hour * 60 + 60]!; at++)
      slots[requests.screen[at]!]!++;
    screens.forEach(({ impressions }, screen) => {
      const count = slots[screen]!;
      const segment = segmentOf[groupOf[screen]! * hours + hour]!;
      supply[segment]! += count * impressions;
      edgeMax[segment]! += slotsPerCampaign(count, options) * impressions;
      categoryMax[segment]! += Math.ceil(count / 2) * impressions;
    });
  }
  return { supply, edgeMax, categoryMax };
}
