import { move } from 'piscina';
import { compileNetwork } from '#domain/allocation/network.ts';
import { planNetwork } from '#domain/allocation/network-plan.ts';
import { campaignsOf, placesOf } from '#domain/allocation/network-rows.ts';
import { decodePlan, encodePlan } from '#domain/allocation/plan-codec.ts';

/** What a plan is made from. `before` is the last one, to start from; its buffer is moved here, not copied. */
export type PlanQuestion = {
  places: Parameters<typeof placesOf>[0];
  campaigns: Parameters<typeof campaignsOf>[0];
  atMs: number;
  before: Uint8Array | undefined;
};

/** A week. */
const BUCKETS = 7 * 96;

/** Makes the plan in a thread of its own: seconds of work for a large network. Answers its bytes (a Uint8Array, moved). */
export default function plan({ places, campaigns: rows, atMs, before }: PlanQuestion): unknown {
  const campaigns = campaignsOf(rows);
  const network = compileNetwork({ places: placesOf(places), campaigns, atMs, buckets: BUCKETS });
  const last = before === undefined ? undefined : decodePlan(before);
  const warm = last === undefined || typeof last === 'string' ? undefined : new Map(Array.from(last.handles, (handle, index) => [handle, last.alpha[index]!]));
  const factor = new Float64Array(network.groups.length).fill(1);
  return move(encodePlan(planNetwork({ network, campaigns, atMs, factor, ...(warm && { warm }) })));
}
