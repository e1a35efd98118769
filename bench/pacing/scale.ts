/**
 * A plan as large as the goal asks for: 10,000 campaigns, 2,000,000 edges and a week in quarters of an hour, with the
 * same skew of budgets and prices as the small worlds. Demand is close to what fits, or more than that if asked for:
 * then the policy of overload shares it. Segments are drawn, not derived from screens: the plan's work depends on the
 * graph alone.
 */
import { createGraph } from '../../domain/allocation/flow/graph.ts';
import { type DeliveryPlan, planDelivery, type PlanInput } from '../../domain/allocation/plan.ts';
import { createRandom, type Random } from './world/random.ts';

export type ScaleOptions = {
  campaigns: number;
  segments: number;
  edges: number;
  groups: number;
  hours: number;
  seed: number;
  /** Demand over supply. */
  load: number;
};

export const SCALE: ScaleOptions = {
  campaigns: 10_000,
  segments: 40_000,
  edges: 2_000_000,
  groups: 2_000,
  hours: 168,
  seed: 1,
  load: 0.85,
};

const BUCKETS_PER_HOUR = 4;

export function makeScaleInput({ campaigns, segments, edges, groups, hours, seed, load }: ScaleOptions): PlanInput {
  const random = createRandom(seed);
  const graph = createGraph(campaigns, ...drawRows({ campaigns, segments, edges }, random));
  const buckets = hours * BUCKETS_PER_HOUR;
  const segmentOf = new Int32Array(groups * buckets);
  const supply = new Float64Array(groups * buckets);
  for (let cell = 0; cell < segmentOf.length; cell++) {
    // A segment lasts some hours on a group, then the next change point comes.
    segmentOf[cell] = cell % 16 === 0 || cell % buckets === 0 ? random.integer(segments) : segmentOf[cell - 1]!;
    supply[cell] = 100 * random.logNormal(0.8);
  }
  const eligible = new Float64Array(campaigns);
  const bySegment = new Float64Array(segments);
  for (let cell = 0; cell < supply.length; cell++) bySegment[segmentOf[cell]!]! += supply[cell]!;
  for (let edge = 0; edge < graph.edgeCampaign.length; edge++)
    eligible[graph.edgeCampaign[edge]!]! += bySegment[graph.edgeSegment[edge]!]!;
  const weight = Float64Array.from({ length: campaigns }, (_, campaign) => random.logNormal(1) * eligible[campaign]!);
  const scale = (load * supply.reduce((sum, one) => sum + one, 0)) / weight.reduce((sum, one) => sum + one, 0);
  const goal = weight.map((one, campaign) => Math.min(0.9 * eligible[campaign]!, one * scale));
  return {
    graph,
    forecast: {
      groups,
      buckets,
      bucketFrom: 0,
      bucketsPerHour: BUCKETS_PER_HOUR,
      segmentOf,
      supply,
      supplyPerCampaign: null,
      factor: new Float64Array(groups).fill(1),
    },
    campaigns: {
      goal,
      remaining: goal.slice(),
      price: Float64Array.from({ length: campaigns }, () => random.logNormal(0.5)),
      seenEligible: new Float64Array(campaigns),
    },
  };
}

type DrawRowsOptions = { campaigns: number; segments: number; edges: number };

/** Rows of equal length of different campaigns, each drawn as often as it is broad (log-normal). */
function drawRows({ campaigns, segments, edges }: DrawRowsOptions, random: Random): [Int32Array, Int32Array] {
  const broader = new Float64Array(campaigns + 1);
  for (let campaign = 0; campaign < campaigns; campaign++)
    broader[campaign + 1] = broader[campaign]! + random.logNormal(0.8);
  const length = Math.round(edges / segments);
  const start = Int32Array.from({ length: segments + 1 }, (_, segment) => segment * length);
  const list = new Int32Array(segments * length);
  for (let segment = 0; segment < segments; segment++) {
    const row = new Set<number>();
    while (row.size < length) row.add(placeOf(broader, random.unit() * broader[campaigns]!));
    list.set(Int32Array.from(row).sort(), segment * length);
  }
  return [start, list];
}

/** The index of the step, in a rising list of steps, that a value falls on. */
function placeOf(stairs: Float64Array, value: number): number {
  let low = 0;
  let high = stairs.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (stairs[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Milliseconds of a plan, by the clock and of CPU time (for a machine that is not idle). */
export function timePlan(input: PlanInput): { tookMs: number; cpuMs: number; edges: number; plan: DeliveryPlan } {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const plan = planDelivery(input);
  const tookMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { tookMs, cpuMs: (user + system) / 1_000, edges: input.graph.edgeCampaign.length, plan };
}
