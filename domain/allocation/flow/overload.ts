/**
 * Who gets how much when supply does not serve all demand. Two rules, in this order:
 *
 * 1. **A floor, fair by share.** The share of their goals that campaigns end with is raised for all at once, from
 *    nothing up to the policy's floor. One that can get no more stays where it is, the others go on. So the least
 *    served gets as much as can be, then the next, and so on (max-min fairness by progressive filling: Bertsekas and
 *    Gallager, Data Networks, 1992, 6.5.2).
 * 2. **Then revenue.** The rest goes to the dearest first. Sets of impressions that can be served form a matroid and
 *    the value sits on the campaign, so of all plans that keep the floor none earns more. Among equal prices the rest
 *    is filled by share again, so the order of the campaigns decides nothing.
 *
 * A floor of 1 is fair alone, one of 0 is revenue alone. Flow that reached a campaign is never taken back from it
 * (`max-flow.ts`), which is why steps can be taken one after the other.
 */
import type { Index } from '../../id.ts';
import { admitDemand, pushSupply, servedBy, type SupplyFlow } from './supply-flow.ts';

/** How an operator wants overload shared: the share of its goal that every campaign gets before price counts, 0..1. */
export type OverloadPolicy = { floor: number };

/**
 * On tuning seeds at a load of 1.05 the highest revenue at which nine campaigns in ten end with three quarters of their
 * goals (bench/notes/pacing.md).
 */
export const OVERLOAD_DEFAULT: OverloadPolicy = { floor: 0.8 };

/** By campaign. */
type OverloadDemand = {
  /** Impressions wanted. */
  demand: Float64Array;
  /** Per impression, any one unit. */
  price: Float64Array;
  /** The share of the goal that was delivered before, 0..1. */
  done: Float64Array;
};

/** Steps in which the level of all goes from 0 to 1: what two equal campaigns get differs by no more than one step. */
const LEVEL_STEPS = 10;
/** Into how many bands prices are divided at most; within a band price does not matter. */
const PRICE_BANDS_MAX = 12;
/** Each step costs at least one search of the whole graph, so bands that are many are filled in few steps. */
const BAND_STEPS_MAX = 12;
/** A campaign that lacks less than this part of what it was admitted got it all. */
const ROUNDING = 1e-6;

/** Impressions by campaign. @param flow without any demand admitted */
export function shareOverload(flow: SupplyFlow, wanted: OverloadDemand, { floor }: OverloadPolicy): Float64Array {
  const filling = new Filling(flow, wanted);
  const all = Array.from(wanted.demand.keys()).filter(campaign => wanted.demand[campaign]! > 0);
  filling.raise(all, { to: floor, steps: Math.ceil(floor * LEVEL_STEPS) });
  const bands = bandsOf(all, wanted.price);
  const steps = Math.max(1, Math.floor(BAND_STEPS_MAX / bands.length));
  for (const band of bands) filling.raise(band, { from: floor, to: 1, steps });
  return wanted.demand.map((impressions, campaign) => (impressions > 0 ? servedBy(flow, campaign) : 0));
}

/** Campaigns of like price together, dearest first. */
function bandsOf(campaigns: readonly number[], price: Float64Array): number[][] {
  const prices = [...new Set(campaigns.map(campaign => price[campaign]!))].sort((a, b) => b - a);
  if (prices.length <= PRICE_BANDS_MAX) return prices.map(one => campaigns.filter(campaign => price[campaign] === one));
  const order = campaigns.toSorted((a, b) => price[b]! - price[a]! || a - b);
  const size = Math.ceil(order.length / PRICE_BANDS_MAX);
  return Array.from({ length: Math.ceil(order.length / size) }, (_, band) =>
    order.slice(band * size, (band + 1) * size),
  );
}

/** Raises the level of campaigns step by step. */
class Filling {
  readonly #flow: SupplyFlow;
  readonly #wanted: OverloadDemand;
  /** What each may take so far, as a share of its demand. */
  readonly #admitted: Float64Array;
  /** 1 where a campaign got less than it was admitted: it never gets more. */
  readonly #stuck: Uint8Array;

  constructor(flow: SupplyFlow, wanted: OverloadDemand) {
    this.#flow = flow;
    this.#wanted = wanted;
    this.#admitted = new Float64Array(wanted.demand.length);
    this.#stuck = new Uint8Array(wanted.demand.length);
  }

  raise(campaigns: readonly number[], { from = 0, to, steps }: { from?: number; to: number; steps: number }): void {
    for (let step = 1; step <= steps; step++) {
      const level = from + ((to - from) * step) / steps;
      const raised = campaigns.filter(campaign => this.#stuck[campaign] === 0 && this.#admit(campaign, level));
      if (raised.length === 0) continue;
      pushSupply(this.#flow);
      for (const campaign of raised) if (!this.#isServed(campaign)) this.#stuck[campaign] = 1;
    }
  }

  /** Lets a campaign take what brings it to a share of its goal; answers whether that is more than before. */
  #admit(campaign: Index<'campaign'>, level: number): boolean {
    const done = this.#wanted.done[campaign]!;
    const part = done >= 1 ? 1 : Math.max(0, (level - done) / (1 - done));
    const more = part - this.#admitted[campaign]!;
    if (more <= 0) return false;
    this.#admitted[campaign] = part;
    admitDemand(this.#flow, campaign, more * this.#wanted.demand[campaign]!);
    return true;
  }

  #isServed(campaign: Index<'campaign'>): boolean {
    const admitted = this.#admitted[campaign]! * this.#wanted.demand[campaign]!;
    return servedBy(this.#flow, campaign) >= admitted * (1 - ROUNDING) - ROUNDING;
  }
}
