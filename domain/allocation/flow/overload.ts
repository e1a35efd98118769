/**
 * How much each campaign gets if supply does not serve all demand. Two rules, in this order:
 *
 * 1. **A floor, fair by share.** The share of their goals that campaigns end with is raised for all at once, from
 *    nothing up to the policy's floor. A campaign that can get no more stays there, and the others continue. So the
 *    least served campaign gets as much as possible, then the next, and so on (max-min fairness: Bertsekas and
 *    Gallager, Data Networks, 1992, 6.5.2). Campaigns that earn less than nine in ten others have their own floor.
 * 2. **Then revenue.** The rest goes to the most expensive first; among equal prices it is shared by the same rule
 *    again, so the order of the campaigns has no effect. Of all plans that keep the floors none earns more.
 *
 * A goal counts only up to the supply available at its booking: the floor is a share of that, and among equal prices
 * all reach it before any exceeds it. So a late booking that is too large falls short, and not earlier ones whose
 * forecast promised a fit. All these promises can be kept at the same time.
 *
 * A floor of 1 means only fairness, a floor of 0 only revenue.
 *
 * The amounts that sets of campaigns can get form a polymatroid, and the rules are a concave function of each
 * campaign's amount, so they are met exactly by decomposition (Groenevelt, European Journal of Operational Research 54,
 * 1991): the total is shared as if every campaign could have every impression. If a flow serves that, it is the result.
 * If not, its minimum cut separates campaigns that compete for too little from the others; the total of both parts is
 * then known, and each part is shared separately. A part is final when its flow is served, so few flows are needed, and
 * each continues from the previous one. With separation, when campaigns of a category share its limit, the rules are
 * met approximately.
 */
import { closeAtCut, isAtRisk, pushEvenly, pushSupply, servedBy, setDemand, type SupplyFlow } from './supply-flow.ts';

/**
 * How an operator wants overload shared: the share of its goal that a campaign gets before price counts, 0..1.
 * `leastFloor` is that of those who earn less than nine in ten others.
 */
export type OverloadPolicy = { floor: number; leastFloor: number };

/**
 * On tuning seeds at a load of 1.05 nine campaigns in ten end with three quarters of their goals, and revenue is within
 * two hundredths of all that could be earned (bench/notes.md). With one floor for all it cannot be.
 */
export const OVERLOAD_DEFAULT: OverloadPolicy = { floor: 0.8, leastFloor: 0.2 };

/** By campaign. */
type OverloadDemand = {
  /** Impressions wanted. */
  demand: Float64Array;
  /** Per impression, any one unit. */
  price: Float64Array;
  /** The share of the goal already delivered, 0..1. */
  done: Float64Array;
  /** The share of the goal that was available at the booking, 0..1; undefined: all of it. */
  foreseen?: Float64Array | undefined;
};

/** The share of campaigns that may have the lower floor. */
const LEAST_PART = 0.1;
/**
 * The shortfall that is tolerated, as a share of total demand. Finding the last impressions takes as many searches of
 * the graph as finding the others.
 */
const LACKING_MAX = 1e-5;
/** The maximum number of splits; in networks of 10,000 campaigns a few are enough. */
const SPLITS_MAX = 100;
/** Passes over the edges before each search. Each takes a fraction of one, and more than this find little. */
const EVEN_PASSES = 4;
/** Sums of doubles differ by less: in impressions, and relative to them. */
const ROUNDING = { impressions: 1e-6, part: 1e-9 };
/** Halvings until a level is known to a billionth. */
const LEVEL_STEPS = 30;

/** Campaigns that share a total. */
type Part = { campaigns: readonly number[]; impressions: number };

/**
 * Impressions by campaign.
 * @param flow with all of the demand admitted, or none of it yet
 * @param lackingMax the tolerated shortfall, as a share of total demand
 */
export function shareOverload(
  flow: SupplyFlow,
  wanted: OverloadDemand,
  policy: OverloadPolicy,
  lackingMax = LACKING_MAX,
): Float64Array {
  const sharing = new Sharing(wanted, policy);
  const all = Array.from(wanted.demand.keys()).filter(campaign => wanted.demand[campaign]! > 0);
  const total = all.reduce((sum, one) => sum + wanted.demand[one]!, 0);
  const servedOf = () => all.reduce((sum, campaign) => sum + servedBy(flow, campaign), 0);
  let parts: Part[] = [{ campaigns: all, impressions: total }];
  const given = new Float64Array(wanted.demand.length);
  let most = 0;
  for (let split = 0; split < SPLITS_MAX && parts.length > 0; split++) {
    const shared = parts.map(part => sharing.share(part));
    for (const amounts of shared) amounts.forEach((amount, campaign) => setDemand(flow, campaign, amount));
    for (let pass = 0; pass < EVEN_PASSES; pass++) pushEvenly(flow);
    const lacking = shared.map(amounts => lackingOf(flow, amounts)).reduce((sum, one) => sum + one, 0);
    pushSupply(flow, lacking - lackingMax * total);
    most = Math.max(most, servedOf());
    const tooLittle = shared.filter(amounts => lackingOf(flow, amounts) > lackingMax * total);
    if (tooLittle.length === 0) break;
    shared.forEach(amounts => amounts.forEach((amount, campaign) => (given[campaign] = amount)));
    // A campaign that is bound to more than its amount does not compete.
    const competes = (campaign: number): boolean =>
      isAtRisk(flow, campaign) &&
      servedBy(flow, campaign) <= given[campaign]! * (1 + ROUNDING.part) + ROUNDING.impressions;
    parts = tooLittle.flatMap(amounts => partsAtCut(flow, amounts, competes));
    closeAtCut(flow, competes);
  }
  // If a category may not have all of a segment, parts can keep such amounts from each other.
  if (servedOf() < most - lackingMax * total) {
    for (const campaign of all) setDemand(flow, campaign, wanted.demand[campaign]!);
    pushSupply(flow);
  }
  return wanted.demand.map((impressions, campaign) => (impressions > 0 ? servedBy(flow, campaign) : 0));
}

/** Impressions by campaign. */
type Amounts = ReadonlyMap<number, number>;

function lackingOf(flow: SupplyFlow, amounts: Amounts): number {
  let lacking = 0;
  for (const [campaign, amount] of amounts) lacking += Math.max(0, amount - servedBy(flow, campaign));
  return lacking;
}

/** Campaigns that compete for too little keep their served amount, and the others get the rest. */
function partsAtCut(flow: SupplyFlow, amounts: Amounts, competes: (campaign: number) => boolean): Part[] {
  const campaigns = [...amounts.keys()];
  const behind = campaigns.filter(competes);
  const before = campaigns.filter(campaign => !competes(campaign));
  const served = behind.reduce((sum, campaign) => sum + servedBy(flow, campaign), 0);
  const parts = [
    { campaigns: behind, impressions: served },
    { campaigns: before, impressions: sumOf(amounts) - served },
  ];
  return parts.filter(part => part.campaigns.length > 0);
}

/** Shares by the policy, as if every campaign could have any impression. */
class Sharing {
  readonly #wanted: OverloadDemand;
  /** The levels of a campaign as shares of its goal: its floor, and the levels served after all floors, in order. */
  readonly #floor: Float64Array;
  readonly #levels: readonly Float64Array[];

  constructor(wanted: OverloadDemand, policy: OverloadPolicy) {
    const { demand, foreseen } = wanted;
    const goal = new Float64Array(demand.length).fill(1);
    this.#wanted = wanted;
    this.#floor = floorsOf(wanted, policy).map((floor, campaign) => floor * (foreseen?.[campaign] ?? 1));
    this.#levels = foreseen === undefined ? [goal] : [foreseen, goal];
  }

  /** Impressions by campaign. */
  share({ campaigns, impressions }: Part): Map<number, number> {
    const floor = (level: number) => (campaign: number) => this.#amountAt(campaign, level * this.#floor[campaign]!);
    const { amounts, isFull } = fill(campaigns, floor, impressions);
    if (!isFull) return amounts;
    let left = impressions - sumOf(amounts);
    for (const band of bandsOf(campaigns, this.#wanted.price)) {
      let from = this.#floor;
      for (const to of this.#levels) {
        const [low, high] = [from, to];
        const has = band.reduce((sum, campaign) => sum + amounts.get(campaign)!, 0);
        const above = (level: number) => (campaign: number) =>
          this.#amountAt(campaign, low[campaign]! + level * (high[campaign]! - low[campaign]!));
        const filled = fill(band, above, has + left);
        filled.amounts.forEach((amount, campaign) => amounts.set(campaign, amount));
        left -= sumOf(filled.amounts) - has;
        if (!filled.isFull) return amounts;
        from = to;
      }
    }
    return amounts;
  }

  /** The amount that brings a campaign to a share of its goal. */
  #amountAt(campaign: number, level: number): number {
    const done = this.#wanted.done[campaign]!;
    const part = done >= 1 ? 1 : Math.min(1, Math.max(0, (level - done) / (1 - done)));
    return part * this.#wanted.demand[campaign]!;
  }
}

/** Amounts at the highest level, 0..1, whose sum fits the total; full: at 1. */
function fill(
  campaigns: readonly number[],
  amountAt: (level: number) => (campaign: number) => number,
  impressions: number,
): { amounts: Map<number, number>; isFull: boolean } {
  const amounts = (level: number) => new Map(campaigns.map(campaign => [campaign, amountAt(level)(campaign)]));
  const sumAt = (level: number) => campaigns.reduce((sum, campaign) => sum + amountAt(level)(campaign), 0);
  if (sumAt(1) <= impressions) return { amounts: amounts(1), isFull: true };
  let [low, high] = [0, 1];
  for (let step = 0; step < LEVEL_STEPS; step++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) <= impressions) low = middle;
    else high = middle;
  }
  return { amounts: amounts(low), isFull: false };
}

function sumOf(amounts: Amounts): number {
  let sum = 0;
  for (const amount of amounts.values()) sum += amount;
  return sum;
}

/** Campaigns grouped by price, the most expensive first. */
function bandsOf(campaigns: readonly number[], price: Float64Array): number[][] {
  const bands = new Map<number, number[]>();
  for (const campaign of campaigns) {
    const band = bands.get(price[campaign]!);
    if (band === undefined) bands.set(price[campaign]!, [campaign]);
    else band.push(campaign);
  }
  return [...bands].sort(([a], [b]) => b - a).map(([, band]) => band);
}

/** At equal prices no campaign has the lower floor, because the order of campaigns must not decide. */
function floorsOf({ demand, price }: OverloadDemand, { floor, leastFloor }: OverloadPolicy): Float64Array {
  const prices = price.filter((_, campaign) => demand[campaign]! > 0).sort();
  const least = prices[Math.floor(LEAST_PART * prices.length)] ?? 0;
  return price.map(one => (one < least ? Math.min(floor, leastFloor) : floor));
}
