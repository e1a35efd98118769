/**
 * SHALE (Bharadwaj et al., KDD 2012): shares of segments for campaigns, as near to even as supply allows. The share of
 * campaign j in segment i is u_i theta_j (1 + (alpha_j - beta_i) / V_j), between 0 and the cap u_i: theta_j is its
 * demand over its eligible supply, V_j the cost of its unevenness, alpha_j grows until its demand is met or its price
 * forbids more, beta_i grows until the segment is not overbooked. Coordinate steps on the two sides converge; the
 * alphas of the last plan are a start from which a handful of steps suffice.
 *
 * Stage two turns the duals into shares that fit exactly, in the two passes that the paper says it deploys: first no
 * campaign exceeds its alpha, so prices hold; then the rest goes to short campaigns.
 */
import type { Index } from '../id.ts';
import type { AllocationGraph } from './flow/graph.ts';
import { COST_MAX } from './lead.ts';
import { type Evaluation, findRoot } from './root.ts';

export type ShaleProblem = {
  graph: AllocationGraph;
  /** Impressions by segment. */
  supply: Float64Array;
  /** The share of segment i that one campaign may take, 0..1. */
  capShare: Float64Array;
  /** Impressions wanted by campaign; 0 excludes it. */
  demand: Float64Array;
  /** Price per impression by campaign, any unit. */
  price: Float64Array;
  /** The relative cost of a campaign's distance from its even share, V_j, up to `COST_MAX`; undefined: 1 for all. */
  unevenness?: Float64Array;
};

export type ShalePlan = {
  /** Share of its segment by edge, 0..1; the shares of a segment add up to at most 1. */
  share: Float64Array;
  /** Dual of each campaign's demand, the warm start of the next plan. */
  alpha: Float64Array;
};

/** Rounds from nothing (its paper: 10 are within 2% of the optimum), and from the duals of the last plan. */
export const ROUNDS_COLD = 10;
export const ROUNDS_WARM = 5;

/**
 * The penalty of a campaign is 2 + 8 x its price over the mean price. Its alpha never exceeds it, which limits how far
 * it displaces the even shares of others.
 */
const PENALTY_BASE = 2;
const PENALTY_PER_PRICE = 8;
/** Larger than every useful alpha: even a share of a ten-thousandth reaches its cap there. */
const ZETA_MAX = 4096;
const ZETA_MIN = -COST_MAX - 1;
/** A share's error, and the part of an impression that a campaign's demand may be missed by. */
const SHARE_TOLERANCE = 1e-7;
const DEMAND_TOLERANCE = 1e-5;

/** `most` is the limit of one campaign in a segment, in impressions; `theta` is divided by V_j, which is `uneven`. */
type State = ShaleProblem & {
  uneven: Float64Array;
  most: Float64Array;
  theta: Float64Array;
  penalty: Float64Array;
  alpha: Float64Array;
  beta: Float64Array;
  eligible: Float64Array;
};

/**
 * Shares for all edges.
 * @param warm alphas of the last plan by campaign, or undefined for a cold start
 */
export function solveShale(problem: ShaleProblem, rounds: number, warm?: Float64Array): ShalePlan {
  const state = prepare(problem, warm);
  const { graph } = problem;
  for (let round = 0; round < rounds; round++) {
    for (let segment = 0; segment < graph.segments; segment++) settleSegment(state, segment);
    for (let campaign = 0; campaign < graph.campaigns; campaign++) settleCampaign(state, campaign);
  }
  for (let segment = 0; segment < graph.segments; segment++) settleSegment(state, segment);
  return { share: handOut(state), alpha: state.alpha };
}

/** Eligible impressions of each campaign, at most its cap share of a segment. */
export function eligibleSupply({
  graph,
  supply,
  capShare,
}: Pick<ShaleProblem, 'graph' | 'supply' | 'capShare'>): Float64Array {
  const eligible = new Float64Array(graph.campaigns);
  for (let edge = 0; edge < graph.edgeCampaign.length; edge++) {
    const segment = graph.edgeSegment[edge]!;
    eligible[graph.edgeCampaign[edge]!]! += supply[segment]! * capShare[segment]!;
  }
  return eligible;
}

function prepare(problem: ShaleProblem, warm: Float64Array | undefined): State {
  const { graph, demand, price } = problem;
  const eligible = eligibleSupply(problem);
  const theta = new Float64Array(graph.campaigns);
  const uneven = problem.unevenness ?? new Float64Array(graph.campaigns).fill(1);
  const penalty = new Float64Array(graph.campaigns);
  const alpha = new Float64Array(graph.campaigns);
  let sum = 0;
  let count = 0;
  for (let campaign = 0; campaign < graph.campaigns; campaign++) {
    if (demand[campaign]! <= 0 || eligible[campaign]! <= 0) continue;
    sum += price[campaign]!;
    count++;
  }
  const mean = sum > 0 ? sum / count : 1;
  for (let campaign = 0; campaign < graph.campaigns; campaign++) {
    if (demand[campaign]! <= 0 || eligible[campaign]! <= 0) continue;
    theta[campaign] = Math.min(1, demand[campaign]! / eligible[campaign]!) / uneven[campaign]!;
    penalty[campaign] = PENALTY_BASE + (PENALTY_PER_PRICE * price[campaign]!) / mean;
    alpha[campaign] = Math.min(penalty[campaign]!, warm?.[campaign] ?? 0);
  }
  const most = problem.supply.map((impressions, segment) => impressions * problem.capShare[segment]!);
  return { ...problem, uneven, most, theta, penalty, alpha, beta: new Float64Array(graph.segments), eligible };
}

/** Raises beta until the segment's shares sum to 1; 0 if they never do. */
function settleSegment(state: State, segment: number): void {
  const { graph, supply, capShare, theta, uneven, alpha, beta } = state;
  if (supply[segment]! <= 0) return;
  const first = graph.edgeStart[segment]!;
  const last = graph.edgeStart[segment + 1]!;
  const cap = capShare[segment]!;
  let reach = 0;
  // The sum falls as beta rises, so the root is sought in -beta.
  const evaluate = (x: number, at: Evaluation) => {
    let value = 0;
    let slope = 0;
    for (let edge = first; edge < last; edge++) {
      const campaign = graph.edgeCampaign[edge]!;
      const even = theta[campaign]!;
      const share = even * (uneven[campaign]! + alpha[campaign]! + x);
      if (share >= 1) value += cap;
      else if (share > 0) {
        value += cap * share;
        slope += cap * even;
      }
    }
    at.value = value;
    at.slope = slope;
  };
  for (let edge = first; edge < last; edge++) {
    const campaign = graph.edgeCampaign[edge]!;
    reach = Math.max(reach, uneven[campaign]! + alpha[campaign]!);
  }
  beta[segment] =
    -findRoot(evaluate, { wanted: 1, low: -reach, high: 0, start: -beta[segment]!, tolerance: SHARE_TOLERANCE }) || 0;
}

/** Moves alpha to meet the campaign's demand, between 0 and its penalty. */
function settleCampaign(state: State, campaign: Index<'campaign'>): void {
  const { graph, most, theta, uneven, alpha, beta, demand, eligible, penalty } = state;
  const { campaignSegment } = graph;
  const even = theta[campaign]!;
  if (even <= 0) return;
  const first = graph.campaignStart[campaign]!;
  const last = graph.campaignStart[campaign + 1]!;
  const evaluate = (x: number, at: Evaluation) => {
    let value = 0;
    let slope = 0;
    for (let place = first; place < last; place++) {
      const segment = campaignSegment[place]!;
      const share = even * (uneven[campaign]! + x - beta[segment]!);
      if (share <= 0) continue;
      if (share >= 1) value += most[segment]!;
      else {
        value += most[segment]! * share;
        slope += most[segment]! * even;
      }
    }
    at.value = value;
    at.slope = slope;
  };
  const wanted = Math.min(demand[campaign]!, eligible[campaign]!);
  alpha[campaign] = findRoot(evaluate, {
    wanted,
    low: 0,
    high: penalty[campaign]!,
    start: alpha[campaign]!,
    tolerance: wanted * DEMAND_TOLERANCE,
  });
}

/** Stage two. Campaigns in order of eligible supply, the least choice first. */
function handOut(state: State): Float64Array {
  const { graph, supply, demand, alpha, eligible, theta } = state;
  const order = Array.from({ length: graph.campaigns }, (_, campaign) => campaign)
    .filter(campaign => theta[campaign]! > 0)
    .sort((a, b) => eligible[a]! - eligible[b]! || a - b);
  const share = new Float64Array(graph.edgeCampaign.length);
  /** Remaining impressions of each segment. */
  const left = supply.slice();
  const zeta = new Float64Array(graph.campaigns);
  const got = new Float64Array(graph.campaigns);
  for (const campaign of order) {
    const turn = { left, campaign, need: demand[campaign]!, low: ZETA_MIN, high: alpha[campaign]!, above: -Infinity };
    zeta[campaign] = solveZeta(state, turn);
    got[campaign] = take(state, turn, { zeta: zeta[campaign], share });
  }
  for (const campaign of order) {
    const need = demand[campaign]! - got[campaign]!;
    // A second search is not worth half an impression.
    if (need <= 0.5) continue;
    const turn = { left, campaign, need, low: zeta[campaign]!, high: ZETA_MAX, above: zeta[campaign]! };
    take(state, turn, { zeta: solveZeta(state, turn), share });
  }
  return share;
}

/**
 * The turn of one campaign: finds a zeta between `low` and `high` at which it takes `need`, beyond its amount at the
 * zeta `above` (-Infinity: nothing yet) and at most the rest.
 */
type CampaignTurn = {
  left: Float64Array;
  campaign: Index<'campaign'>;
  need: number;
  low: number;
  high: number;
  above: number;
};

function solveZeta(
  { graph, most, theta, uneven, beta }: State,
  { left, campaign, need, low, high, above }: CampaignTurn,
): number {
  const { campaignSegment } = graph;
  const even = theta[campaign]!;
  const first = graph.campaignStart[campaign]!;
  const last = graph.campaignStart[campaign + 1]!;
  const evaluate = (zeta: number, at: Evaluation) => {
    let value = 0;
    let slope = 0;
    for (let place = first; place < last; place++) {
      const segment = campaignSegment[place]!;
      const rest = left[segment]!;
      if (rest <= 0) continue;
      const free = even * (uneven[campaign]! + zeta - beta[segment]!);
      if (free <= 0) continue;
      const before = even * (uneven[campaign]! + above - beta[segment]!);
      const asked = most[segment]! * ((free >= 1 ? 1 : free) - (before <= 0 ? 0 : before >= 1 ? 1 : before));
      if (asked >= rest) value += rest;
      else {
        value += asked;
        if (free < 1) slope += most[segment]! * even;
      }
    }
    at.value = value;
    at.slope = slope;
  };
  return findRoot(evaluate, {
    wanted: need,
    low,
    high,
    start: above > -Infinity ? above : high,
    tolerance: need * DEMAND_TOLERANCE,
  });
}

/** Takes from the rest, adds to the shares and returns the impressions. */
function take(
  { graph, supply, most, theta, uneven, beta }: State,
  { left, campaign, above }: CampaignTurn,
  { zeta, share }: { zeta: number; share: Float64Array },
): number {
  const even = theta[campaign]!;
  let got = 0;
  for (let place = graph.campaignStart[campaign]!; place < graph.campaignStart[campaign + 1]!; place++) {
    const segment = graph.campaignSegment[place]!;
    const base = uneven[campaign]! - beta[segment]!;
    const asked = shareAt(even, base + zeta) - shareAt(even, base + above);
    const part = Math.min(left[segment]!, most[segment]! * asked);
    if (part <= 0) continue;
    left[segment]! -= part;
    share[graph.campaignEdge[place]!]! += part / supply[segment]!;
    got += part;
  }
  return got;
}

/** The requested part of a campaign's limit, 0..1. */
function shareAt(even: number, times: number): number {
  return Math.min(1, Math.max(0, even * times));
}
