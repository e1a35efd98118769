/**
 * A plan as one buffer, which the worker writes to Redis and each delivery process swaps in. Campaigns are identified
 * by handle and segments by the key of their set (`segment-key.ts`), because the two processes number both differently.
 * Only segments with a shortlist are in it.
 *
 * Layout, little endian: a header of 40 bytes (magic, version, planned hours, checksum of all that follows it, zero,
 * planned at in ms, counts of campaigns, segments and shortlist entries, zero); doubles: handles, segment keys; floats:
 * targets, how far ahead each is and may be, what is left, attainable shares; integers: shortlist offsets,
 * shortlist campaigns. A buffer is the whole plan or it is refused.
 */
import { assert } from '../assertion.ts';
import { HOURS_PLANNED } from './horizon/periods.ts';
import type { DeliveryPlan } from './plan.ts';
import type { Milliseconds } from '../unit.ts';

export type PublishedPlan = {
  plannedAtMs: Milliseconds;
  /** By campaign number of this plan. */
  handles: Float64Array;
  /** See `DeliveryPlan`; rounded to single precision. */
  target: Float64Array;
  ahead: Float64Array;
  lead: Float64Array;
  /** Micro-units of the budget that were not charged when the plan was made: what targets and leads are shares of. */
  left: Float64Array;
  attainable: Float64Array;
  /** By segment number of this plan: `keyNumber` of its set, its shortlist. */
  segmentKeys: Float64Array;
  shortlistStart: Int32Array;
  shortlistCampaign: Int32Array;
};

export type PlanFault = 'not_a_plan' | 'other_version' | 'wrong_length' | 'corrupt';

const PLAN_VERSION = 5;
const MAGIC = 0x4e4c_504d; // "MPLN"
const HEADER_BYTES = 40;
const CHECKED_FROM = 12;

/** Views of typed arrays have the byte order of the machine; every platform of our releases has this one. */
assert(new Uint8Array(new Uint32Array([1]).buffer)[0] === 1, 'plans are little endian');

type PublishedInput = {
  handles: Float64Array;
  left: Float64Array;
  segmentKeys: Float64Array;
  plannedAtMs: Milliseconds;
};

/**
 * The published part of a plan.
 * @param handles of campaigns by number,
 * @param left micro-units by campaign,
 * @param segmentKeys of all segments by number.
 */
export function publishPlan(
  plan: DeliveryPlan,
  { handles, left, segmentKeys, plannedAtMs }: PublishedInput,
): PublishedPlan {
  const { shortlists } = plan;
  const kept: number[] = [];
  segmentKeys.forEach((_, segment) => {
    if (shortlists.start[segment + 1]! > shortlists.start[segment]!) kept.push(segment);
  });
  const shortlistStart = new Int32Array(kept.length + 1);
  kept.forEach(
    (segment, place) =>
      (shortlistStart[place + 1] =
        shortlistStart[place]! + shortlists.start[segment + 1]! - shortlists.start[segment]!),
  );
  return {
    plannedAtMs,
    handles,
    target: plan.target,
    ahead: plan.ahead,
    lead: plan.lead,
    left,
    attainable: plan.attainable,
    segmentKeys: Float64Array.from(kept, segment => segmentKeys[segment]!),
    shortlistStart,
    // Lists of omitted segments are empty, so the entries stay unchanged.
    shortlistCampaign: shortlists.campaign,
  };
}

/** Encodes a plan. @throws Bug when its arrays do not belong together. */
export function encodePlan(plan: PublishedPlan): Uint8Array {
  const campaigns = plan.handles.length;
  const segments = plan.segmentKeys.length;
  const entries = plan.shortlistCampaign.length;
  assert(plan.target.length === HOURS_PLANNED * campaigns, 'targets do not match the campaigns');
  assert(
    plan.attainable.length === campaigns &&
      plan.ahead.length === campaigns &&
      plan.lead.length === campaigns &&
      plan.left.length === campaigns,
    'shares do not match the campaigns',
  );
  assert(
    plan.shortlistStart.length === segments + 1 && plan.shortlistStart[segments] === entries,
    'shortlists do not match the segments',
  );
  const bytes = new Uint8Array(lengthOf(campaigns, segments, entries));
  const header = new DataView(bytes.buffer);
  header.setUint32(0, MAGIC, true);
  header.setUint16(4, PLAN_VERSION, true);
  header.setUint16(6, HOURS_PLANNED, true);
  header.setFloat64(16, plan.plannedAtMs, true);
  header.setUint32(24, campaigns, true);
  header.setUint32(28, segments, true);
  header.setUint32(32, entries, true);
  const parts = sections(bytes.buffer, campaigns, segments, entries);
  parts.handles.set(plan.handles);
  parts.segmentKeys.set(plan.segmentKeys);
  parts.target.set(plan.target);
  parts.ahead.set(plan.ahead);
  parts.lead.set(plan.lead);
  parts.left.set(plan.left);
  parts.attainable.set(plan.attainable);
  parts.shortlistStart.set(plan.shortlistStart);
  parts.shortlistCampaign.set(plan.shortlistCampaign);
  header.setUint32(8, checksum(bytes), true);
  return bytes;
}

/** Decodes a plan, or returns why the bytes are invalid. Nothing of an invalid buffer is used. */
export function decodePlan(input: Uint8Array): PublishedPlan | PlanFault {
  if (input.length < HEADER_BYTES) return 'not_a_plan';
  // A copy, because views need their alignment and the caller may reuse its buffer.
  const bytes = new Uint8Array(input); // not slice(), which of a Buffer is no copy
  const header = new DataView(bytes.buffer);
  if (header.getUint32(0, true) !== MAGIC) return 'not_a_plan';
  if (header.getUint16(4, true) !== PLAN_VERSION || header.getUint16(6, true) !== HOURS_PLANNED) return 'other_version';
  const campaigns = header.getUint32(24, true);
  const segments = header.getUint32(28, true);
  const entries = header.getUint32(32, true);
  if (bytes.length !== lengthOf(campaigns, segments, entries)) return 'wrong_length';
  if (header.getUint32(8, true) !== checksum(bytes)) return 'corrupt';
  const parts = sections(bytes.buffer, campaigns, segments, entries);
  const plan: PublishedPlan = {
    plannedAtMs: header.getFloat64(16, true),
    handles: parts.handles,
    target: new Float64Array(parts.target),
    ahead: new Float64Array(parts.ahead),
    lead: new Float64Array(parts.lead),
    left: new Float64Array(parts.left),
    attainable: new Float64Array(parts.attainable),
    segmentKeys: parts.segmentKeys,
    shortlistStart: parts.shortlistStart,
    shortlistCampaign: parts.shortlistCampaign,
  };
  return isSound(plan) ? plan : 'corrupt';
}

function sections(buffer: ArrayBuffer, campaigns: number, segments: number, entries: number) {
  let next = HEADER_BYTES;
  const place = (bytes: number) => {
    next += bytes;
    return next - bytes;
  };
  const doubles = (count: number) => new Float64Array(buffer, place(8 * count), count);
  const floats = (count: number) => new Float32Array(buffer, place(4 * count), count);
  const integers = (count: number) => new Int32Array(buffer, place(4 * count), count);
  return {
    handles: doubles(campaigns),
    segmentKeys: doubles(segments),
    target: floats(HOURS_PLANNED * campaigns),
    ahead: floats(campaigns),
    lead: floats(campaigns),
    left: floats(campaigns),
    attainable: floats(campaigns),
    shortlistStart: integers(segments + 1),
    shortlistCampaign: integers(entries),
  };
}

function lengthOf(campaigns: number, segments: number, entries: number): number {
  const floats = HOURS_PLANNED + 4;
  return HEADER_BYTES + campaigns * (8 + 4 * floats) + segments * 8 + 4 * (segments + 1) + 4 * entries;
}

/** Mixes in one word after the other; each step is a bijection, so any one changed word changes the sum. */
function checksum(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, CHECKED_FROM, (bytes.length - CHECKED_FROM) / 4);
  let sum = bytes.length;
  for (let at = 0; at < words.length; at += 1) {
    sum = Math.imul(sum ^ words[at]!, 0x85eb_ca6b);
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}

/**
 * The checksum only finds damaged bytes. This refuses wrongly written plans: indexes out of range and numbers that
 * cannot be compared.
 */
function isSound({
  plannedAtMs,
  handles,
  target,
  ahead,
  lead,
  left,
  attainable,
  segmentKeys,
  shortlistStart,
  shortlistCampaign,
}: PublishedPlan): boolean {
  if (!Number.isFinite(plannedAtMs) || shortlistStart[0] !== 0 || shortlistStart.at(-1) !== shortlistCampaign.length)
    return false;
  for (let segment = 1; segment < shortlistStart.length; segment++)
    if (shortlistStart[segment]! < shortlistStart[segment - 1]!) return false;
  return (
    areWithin(shortlistCampaign, 0, handles.length - 1) &&
    areWhole(handles) &&
    areWhole(segmentKeys) &&
    [target, ahead, lead, left, attainable].every(numbers => areWithin(numbers, 0, Number.MAX_VALUE))
  );
}

// Loops by number, here and in the checksum: a process reads a plan once a minute, so this code is rarely compiled, and
// a call for each of a hundred thousand numbers would delay its slots by several milliseconds.

function areWithin(numbers: Float64Array | Int32Array, least: number, most: number): boolean {
  for (let at = 0; at < numbers.length; at += 1) if (!(numbers[at]! >= least && numbers[at]! <= most)) return false;
  return true;
}

function areWhole(numbers: Float64Array): boolean {
  for (let at = 0; at < numbers.length; at += 1) if (!Number.isSafeInteger(numbers[at])) return false;
  return true;
}
