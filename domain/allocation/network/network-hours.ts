/**
 * When campaigns may run and places are open, by quarters of an hour of a network: flights, the hours of rules, and
 * opening hours.
 */
import { categoriesInForce, categoryNumber, hasCategory, type Restriction } from '../../law/restriction.ts';
import { checkFlight, type FlightRule, isOpen, type OpeningHours, zoneChanges } from '../../screens/schedule.ts';
import type { Milliseconds } from '../../unit.ts';

const BUCKET_MINUTES = 15;
const MINUTE_MS = 60_000;
const BUCKET_MS = BUCKET_MINUTES * MINUTE_MS;
const BUCKETS_PER_WEEK = 7 * 96;

type Clock = { buckets: number; offsetsOf(zone: string): Int16Array };

/** Offsets of zones by quarter. */
export function createClock(fromMs: Milliseconds, buckets: number): Clock {
  const known = new Map<string, Int16Array>();
  return {
    buckets,
    offsetsOf(zone) {
      const before = known.get(zone);
      if (before !== undefined) return before;
      const offsets = new Int16Array(buckets);
      for (const change of zoneChanges(zone, fromMs, fromMs + buckets * BUCKET_MS)) {
        offsets.fill(change.offsetMinutes, Math.max(0, Math.ceil((change.fromMs - fromMs) / BUCKET_MS)));
      }
      known.set(zone, offsets);
      return offsets;
    },
  };
}

/**
 * The campaigns whose flights run in a quarter at an offset, as bits. The middle of the quarter decides where a daypart
 * begins or ends inside it. Equal rules are checked once.
 */
export function createRunning(
  campaigns: readonly { flight: FlightRule }[],
  fromMs: Milliseconds,
): (bucket: number, offsetMinutes: number) => Uint32Array {
  const length = (campaigns.length + 31) >>> 5;
  const byRule = new Map<string, { rule: FlightRule; words: Uint32Array }>();
  campaigns.forEach(({ flight }, number) => {
    const key = JSON.stringify([
      flight.startsOn,
      flight.endsOn,
      flight.days,
      flight.daypart?.startMinute,
      flight.daypart?.endMinute,
    ]);
    let entry = byRule.get(key);
    if (entry === undefined) byRule.set(key, (entry = { rule: flight, words: new Uint32Array(length) }));
    entry.words[number >>> 5]! |= 1 << (number & 31);
  });
  const rules = [...byRule.values()];
  const known = new Map<number, Uint32Array>();
  return (bucket, offsetMinutes) => {
    // Flights depend on the local time only, so quarters of different zones with the same local time share an entry.
    const localMs = fromMs + bucket * BUCKET_MS + BUCKET_MS / 2 + offsetMinutes * MINUTE_MS;
    const before = known.get(localMs);
    if (before !== undefined) return before;
    const words = new Uint32Array(length);
    for (const { rule, words: members } of rules) {
      if (checkFlight(rule, 0, localMs) === 'ok')
        for (let word = 0; word < length; word++) words[word]! |= members[word]!;
    }
    known.set(localMs, words);
    return words;
  };
}

type Timed = { timed?: readonly Restriction[] };

/** The campaigns of a group, without categories that rules forbid in this quarter. */
export function createAllowed(
  campaigns: readonly { category: string }[],
  fromMs: Milliseconds,
): (group: { place: Timed; words: Uint32Array }, bucket: number, offsetMinutes: number) => Uint32Array {
  const numbers = campaigns.map(({ category }) => categoryNumber(category));
  return ({ place: { timed = [] }, words }, bucket, offsetMinutes) => {
    const forbidden = timed.length === 0 ? 0 : categoriesInForce(timed, offsetMinutes, fromMs + bucket * BUCKET_MS);
    if (forbidden === 0) return words;
    const left = words.slice();
    for (const [number, category] of numbers.entries())
      if (hasCategory(forbidden, category)) left[number >>> 5]! &= ~(1 << (number & 31));
    return left;
  };
}

/** How many minutes a place is open in each quarter, cached by hours and zone. */
export function createOpenMinutes(
  clock: Clock,
  fromMs: Milliseconds,
): (place: { hours: OpeningHours | undefined; timezone: string }) => Uint8Array {
  const always = new Uint8Array(clock.buckets).fill(BUCKET_MINUTES);
  const known = new Map<string, Uint8Array>();
  const weeks = new Map<string, Uint8Array>();
  return ({ hours, timezone }) => {
    if (hours === undefined) return always;
    const name = JSON.stringify(hours);
    const key = `${timezone} ${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const week = weeks.get(name) ?? openMinutesOfWeek(hours);
    weeks.set(name, week);
    const offsets = clock.offsetsOf(timezone);
    const minutes = Uint8Array.from(
      { length: clock.buckets },
      (_, bucket) => week[(fromMs / BUCKET_MS + bucket + offsets[bucket]! / BUCKET_MINUTES) % BUCKETS_PER_WEEK]!,
    );
    known.set(key, minutes);
    return minutes;
  };
}

/** Open minutes by quarter of a local week. It begins on a Thursday, because 1970-01-01 was one. */
function openMinutesOfWeek(hours: OpeningHours): Uint8Array {
  const minutes = new Uint8Array(BUCKETS_PER_WEEK);
  for (let minute = 0; minute < BUCKETS_PER_WEEK * BUCKET_MINUTES; minute++)
    if (isOpen(hours, 0, minute * MINUTE_MS)) minutes[Math.floor(minute / BUCKET_MINUTES)]!++;
  return minutes;
}
