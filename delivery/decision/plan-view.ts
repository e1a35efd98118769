/**
 * The delivery plan for decisions: campaigns by the integers of this process, segments by the keys of their sets of
 * campaigns.
 */
import type { PublishedPlan } from '#domain/allocation/plan-codec.ts';
import { AHEAD_MAX } from '#domain/allocation/lead.ts';
import type { Handle } from '#domain/id.ts';
import { type Bits, emptyBits, setBit } from './columns/bits.ts';

/**
 * The plan for one segment: the campaigns with a share of it, and how far ahead of its target any campaign may run,
 * including its hold-back.
 */
export type SegmentAdvice = { planned: ReadonlySet<number>; leadMax: number };

const NOBODY: ReadonlySet<number> = new Set();
const NO_KEYS = new Float64Array(0);

export type PlanViewOptions = {
  plan: PublishedPlan | undefined;
  /** Integers by the plan's numbers; -1 for a campaign unknown here. */
  campaigns: Int32Array;
  /** This process's share of the network, and so of every lead: 0..1. */
  part: number;
  /** The view of the previous plan. */
  before: PlanView | undefined;
};

export class PlanView {
  /** Raised by each new plan; 0 is no plan. */
  readonly version: number;
  /** Raised if the plan has other campaigns than the previous one: keys of segments must be made again. */
  readonly setVersion: number;
  /** Campaigns that are in it. */
  readonly members: Bits = emptyBits();
  readonly #plan: PublishedPlan | undefined;
  readonly #campaigns: Int32Array;
  readonly #part: number;
  readonly #segmentOfKey: ReadonlyMap<number, number>;

  constructor({ plan, campaigns, part, before }: PlanViewOptions) {
    this.#plan = plan;
    this.#campaigns = campaigns;
    this.#part = part;
    for (let number = 0; number < campaigns.length; number += 1)
      if (campaigns[number]! >= 0) setBit(this.members, campaigns[number]!);
    const keys = plan?.segmentKeys ?? NO_KEYS;
    // Segments rarely change between plans, and a map of ten thousand takes milliseconds to make.
    this.#segmentOfKey =
      before !== undefined && areEqual(before.#plan?.segmentKeys ?? NO_KEYS, keys)
        ? before.#segmentOfKey
        : segmentsByKey(keys);
    this.version = before === undefined ? 0 : before.version + 1;
    const isSame = before !== undefined && before.version > 0 && areEqual(before.#campaigns, campaigns);
    this.setVersion = before === undefined ? 0 : before.setVersion + (isSame ? 0 : 1);
  }

  /** The handles of its campaigns that are known here. */
  handles(): Handle<'campaign'>[] {
    const handles = Array.from(this.#plan?.handles ?? []) as Handle<'campaign'>[];
    return handles.filter((_, number) => this.#campaigns[number]! >= 0);
  }

  /** The plan for the segment with this key. */
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

function segmentsByKey(keys: Float64Array): ReadonlyMap<number, number> {
  const segments = new Map<number, number>();
  for (let segment = 0; segment < keys.length; segment += 1) segments.set(keys[segment]!, segment);
  return segments;
}

function areEqual(some: Float64Array | Int32Array, others: Float64Array | Int32Array): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false;
  return true;
}

export const NO_PLAN = new PlanView({ plan: undefined, campaigns: new Int32Array(0), part: 1, before: undefined });
