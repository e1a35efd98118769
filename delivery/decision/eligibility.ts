/**
 * What holds for a group during one quarter of an hour: whether the venues are open, and which candidates' flights run.
 * Offsets of zones change on quarters only, so within one nothing changes but what has a minute of its own; for that each
 * candidate and the opening hours carry 15 bits, one per minute.
 */
import { REASON_NUMBER } from '#domain/decision.ts';
import { curveShare } from '#domain/pacing.ts';
import { checkFlight, type FlightRule, isOpen, zoneChanges } from '#domain/schedule.ts';
import { membersOf } from './bits.ts';
import { type CandidateIndex, type Group, PAUSED } from './candidate-index.ts';

const QUARTER_MS = 900_000;
export const MINUTE_MS = 60_000;
const MINUTES = 15;
const ALL_MINUTES = (1 << MINUTES) - 1;
/** 48 hours of an offline plan, and the quarters around them. */
const SEGMENTS_MAX = 200;
/** Offsets are looked up this far ahead and again a day before that ends. */
const ZONE_HORIZON_MS = 60 * 86_400_000;
const DAY_MS = 86_400_000;

/** Candidates of one group in one quarter, in ascending order of their integers. */
export type Segment = {
  startMs: number;
  openMinutes: number;
  candidates: Int32Array;
  minutes: Uint16Array;
  /** The even curve of each candidate at the quarter's start, and its growth per ms. */
  share: Float64Array;
  sharePerMs: Float64Array;
  /** The largest number of a reason among those whose flight does not run. */
  reason: number;
};

/** Offsets of zones by time, filled on demand. */
export class ZoneOffsets {
  private readonly known = new Map<string, { fromMs: number; untilMs: number; changes: { fromMs: number; offsetMinutes: number }[] }>();

  /** Minutes to add to UTC for local time in the zone. */
  at(zone: string, atMs: number): number {
    let entry = this.known.get(zone);
    if (entry === undefined || atMs < entry.fromMs || atMs >= entry.untilMs) {
      const fromMs = atMs - DAY_MS;
      const untilMs = atMs + ZONE_HORIZON_MS;
      entry = { fromMs, untilMs, changes: zoneChanges(zone, fromMs, untilMs) };
      this.known.set(zone, entry);
    }
    let offsetMinutes = entry.changes[0]!.offsetMinutes;
    for (const change of entry.changes) if (change.fromMs <= atMs) offsetMinutes = change.offsetMinutes;
    return offsetMinutes;
  }
}

/** The group's segment of the quarter that holds `atMs`. */
export function segmentAt(index: CandidateIndex, group: Group, { atMs, zones }: { atMs: number; zones: ZoneOffsets }): Segment {
  const quarter = Math.floor(atMs / QUARTER_MS);
  const known = group.segments.get(quarter);
  if (known !== undefined) return known;
  if (group.segments.size >= SEGMENTS_MAX) for (const oldest of group.segments.keys()) {
    group.segments.delete(oldest);
    break;
  }
  const made = buildSegment(index, group, { startMs: quarter * QUARTER_MS, zones });
  group.segments.set(quarter, made);
  return made;
}

function buildSegment(index: CandidateIndex, group: Group, { startMs, zones }: { startMs: number; zones: ZoneOffsets }): Segment {
  const offset = zones.at(group.venue.timezone, startMs);
  const offsetMs = offset * MINUTE_MS;
  const members = membersOf(group.bits);
  const minutes = new Uint16Array(members.length);
  const share = new Float64Array(members.length);
  const sharePerMs = new Float64Array(members.length);
  let reason = group.reason;
  let kept = 0;
  for (const campaign of members) {
    const { flight } = index.facts[campaign]!;
    const running = runningMinutes(flight, offset, startMs);
    if (running !== ALL_MINUTES) {
      const check = checkFlight(flight, offset, startMs);
      if (check !== 'ok') reason = Math.max(reason, REASON_NUMBER[check]);
    }
    if (running === 0) continue;
    const curve = index.curves[campaign]!;
    const base = index.baseMs + offsetMs;
    const before = curveShare(curve, base, startMs + offsetMs);
    members[kept] = campaign;
    minutes[kept] = running;
    share[kept] = before;
    sharePerMs[kept] = (curveShare(curve, base, startMs + offsetMs + QUARTER_MS) - before) / QUARTER_MS;
    kept++;
  }
  return {
    startMs,
    openMinutes: minuteMask(minute => isOpen(group.venue.hours, offset, startMs + minute * MINUTE_MS)),
    candidates: members.slice(0, kept),
    minutes: minutes.slice(0, kept),
    share: share.slice(0, kept),
    sharePerMs: sharePerMs.slice(0, kept),
    reason,
  };
}

/** A flight can begin or end within a quarter only if its daypart does. */
function runningMinutes(flight: FlightRule, offset: number, startMs: number): number {
  const { daypart } = flight;
  if (daypart === undefined || (daypart.startMinute % MINUTES === 0 && daypart.endMinute % MINUTES === 0)) {
    return checkFlight(flight, offset, startMs) === 'ok' ? ALL_MINUTES : 0;
  }
  return minuteMask(minute => checkFlight(flight, offset, startMs + minute * MINUTE_MS) === 'ok');
}

function minuteMask(holds: (minute: number) => boolean): number {
  let mask = 0;
  for (let minute = 0; minute < MINUTES; minute++) if (holds(minute)) mask |= 1 << minute;
  return mask;
}

/** Why a candidate cannot be shown at all just now, as a reason's number, or -1: status and creatives. `gone` answers 0. */
export function standingReason(index: CandidateIndex, campaign: number, { side, limitMs, maxMs }: { side: number; limitMs: number; maxMs: number }): number {
  const state = index.state[campaign]!;
  if (state === PAUSED) return REASON_NUMBER.paused;
  if (state === 0) return REASON_NUMBER.no_campaign;
  if (index.hasReady[campaign] === 0) return REASON_NUMBER.creative_not_ready;
  const shortest = index.shortestMs[campaign * 2 + side]!;
  if (shortest === 0 || shortest > maxMs) return REASON_NUMBER.format;
  return shortest > limitMs ? REASON_NUMBER.ad_ratio : -1;
}
