/**
 * The delivery plan as a decision reads it: campaigns by the integers of this process, segments by the keys of their
 * sets of campaigns.
 */
import type { PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { AHEAD_MAX } from '#domain/allocation/lead.ts';
import type { Handle } from '#domain/id.ts';
import { type Bits, emptyBits, setBit } from './columns/bits.ts';

/**
 * What the plan says of one segment: whom it gives part of it, and how far ahead of its target anybody may run, with
 * what it is held back by.
 */
export type SegmentAdvice = { planned: ReadonlySet<number>; leadMax: number };

const NOBODY: ReadonlySet<number> = new Set();

export type PlanViewOptions = {
  plan: PublishedPlan | undefined;
  /** Integers by the plan's numbers; -1 for a campaign that is not known here. */
  campaigns: Int32Array;
  /** The share of the network, and so of every lead, that this process has: 0..1. */
  part: number;
  /** The view of the plan before. */
  before: PlanView | undefined;
};

export class PlanView {
  /** Raised by each plan that was taken in; 0 is no plan. */
  readonly version: number;
  /** Raised when other campaigns are in it than in the one before: keys of segments are to be made again. */
  readonly setVersion: number;
  /** Campaigns that are in it. */
  readonly members: Bits = emptyBits();
  readonly #plan: PublishedPlan | undefined;
  readonly #campaigns: Int32Array;
  readonly #part: number;
  readonly #segmentOfKey = new Map<number, number>();

  constructor({ plan, campaigns, part, before }: PlanViewOptions) {
    this.#plan = plan;
    this.#campaigns = campaigns;
    this.#part = part;
    for (const campaign of campaigns) if (campaign >= 0) setBit(this.members, campaign);
    plan?.segmentKeys.forEach((key, segment) => this.#segmentOfKey.set(key, segment));
    this.version = before === undefined ? 0 : before.version + 1;
    const isSame =
      before !== undefined &&
      before.version > 0 &&
      before.#campaigns.length === campaigns.length &&
      before.#campaigns.every((campaign, number) => campaign === campaigns[number]);
    this.setVersion = before === undefined ? 0 : before.setVersion + (isSame ? 0 : 1);
  }

  /** The handles of its campaigns that are known here. */
  handles(): Handle<'campaign'>[] {
    const handles = Array.from(this.#plan?.handles ?? []) as Handle<'campaign'>[];
    return handles.filter((_, number) => this.#campaigns[number]! >= 0);
  }

  /** What it says of the segment with this key. */
  adviceFor(key: number): SegmentAdvice {
    const plan = this.#plan;
    const segment = plan === undefined ? undefined : this.#segmentOfKey.get(key);
    const leadMax = AHEAD_MAX * this.#part;
    if (plan === undefined || segment === undefined) return { planned: NOBODY, leadMax };
    const planned = new Set<number>();
    for (let entry = plan.shortlistStart[segment]!; entry < plan.shortlistStart[segment + 1]!; entry++) {
      const campaign = this.#campaigns[plan.shortlistCampaign[entry]!]!;
      if (campaign >= 0) planned.add(campaign);
    }
    return { planned, leadMax };
  }
}

export const NO_PLAN = new PlanView({ plan: undefined, campaigns: new Int32Array(0), part: 1, before: undefined });
