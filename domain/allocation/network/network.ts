/**
 * Compiles screens and campaigns for the plan and the forecast: screens that no rule distinguishes become one group,
 * time becomes quarters of an hour of UTC (every offset of a zone is a multiple of one), and cells of group and quarter
 * with the same eligible campaigns become one segment of the graph.
 */
import { assert } from '../../assertion.ts';
import type { Handle } from '../../id.ts';
import type { FlightRule, OpeningHours } from '../../screens/schedule.ts';
import type { Orientation } from '../../screens/screen.ts';
import type { Restriction } from '../../law/restriction.ts';
import { hourOfWeek, HOURS_PER_WEEK } from '../../time/calendar.ts';
import { matchesPlace, type Targets } from '../../campaigns/targeting.ts';
import { type AllocationGraph, createGraph } from '../flow/graph.ts';
import { createAllowed, createClock, createOpenMinutes, createRunning } from './network-hours.ts';
import { emptyKey, keyNumber, toggleHandle } from './segment-key.ts';
import type { Milliseconds } from '../../unit.ts';

/** Equal screens of one venue. */
export type NetworkPlace = {
  sandbox: boolean;
  cityFolded: string;
  venueType: string;
  lat: number | null;
  lng: number | null;
  timezone: string;
  hours: OpeningHours | undefined;
  orientation: Orientation;
  /** Canonical, of venue and screen, with those that rules forbid at all hours. */
  blockedCategories: readonly string[];
  /** Rules for some hours only; absent: none. */
  timed?: readonly Restriction[];
  /** Impressions that their ads reach in an open minute: people present x share of ads x 4 slots of 15 s. */
  impressionsPerMinute: number;
  /** Impressions by local hour of the week, relative to that mean; absent: equal. */
  audienceShape?: Float32Array;
};

export type NetworkCampaign = {
  handle: Handle<'campaign'>;
  sandbox: boolean;
  category: string;
  targets: Targets;
  flight: FlightRule;
  /** The campaign has a ready creative for screens of these. */
  orientations: readonly Orientation[];
};

/**
 * Screens of all venues that no rule distinguishes. `place` is the first of them; `perMinute` is the sum of all, in
 * impressions or their value.
 */
type NetworkGroup = {
  place: NetworkPlace;
  perMinute: number;
  /** The expected share of that, by local hour of the week; undefined: all. */
  week: Float64Array | undefined;
  words: Uint32Array;
};

export type Network = {
  graph: AllocationGraph;
  groups: readonly NetworkGroup[];
  /** By place: its group; -1 without impressions. */
  groupOf: Int32Array;
  /** Quarters of an hour from `fromMs`, a multiple of 15 minutes. */
  fromMs: Milliseconds;
  buckets: number;
  /**
   * By cell (group x buckets + bucket): its segment, 0 without supply, and the expected impressions (or their value)
   * from opening hours and ad ratios.
   */
  segmentOf: Int32Array;
  supply: Float64Array;
  /** By segment: the name of its set, `keyNumber`. */
  segmentKeys: Float64Array;
};

export const BUCKET_MS = 900_000;
export const BUCKETS_PER_HOUR = 4;
const BUCKETS_PER_DAY = 96;
const MINUTE_MS = 60_000;
/** 32 days: a forecast of a month, which is what memory allows at 5,000 groups. The plan needs a week and a day. */
const BUCKETS_MAX = 32 * 96;

/** The expected share of the promise of opening hours and ad ratios. */
export type Expectation<Place extends NetworkPlace> = {
  /** Part by local hour of the week, Monday 00:00 first. */
  partsOf(place: Place): Float32Array;
  /** The supply factor by days ahead. */
  trendAt(daysAhead: number): number;
};

export type NetworkOptions<Place extends NetworkPlace> = {
  places: readonly Place[];
  campaigns: readonly NetworkCampaign[];
  /** The first quarter contains this moment. */
  atMs: Milliseconds;
  buckets: number;
  /** Absent: the whole promise. */
  expected?: Expectation<Place>;
  /**
   * The weight of an impression at a place; absent: 1. The plan counts money, because budgets are money and venues have
   * rates.
   */
  worthOf?: (place: Place) => number;
};

/** Compiles a network. Deterministic; in the order of `campaigns`, whose index is the graph's campaign number. */
export function compileNetwork<Place extends NetworkPlace>({
  places,
  campaigns,
  atMs,
  buckets,
  expected,
  worthOf = () => 1,
}: NetworkOptions<Place>): Network {
  assert(buckets >= 1 && buckets <= BUCKETS_MAX, `${buckets} quarters are not 1 .. ${BUCKETS_MAX}`);
  const fromMs = Math.floor(atMs / BUCKET_MS) * BUCKET_MS;
  const { groups, groupOf } = groupPlaces(places, campaigns, { expected, worthOf });
  const clock = createClock(fromMs, buckets);
  const running = createRunning(campaigns, fromMs);
  const openMinutes = createOpenMinutes(clock, fromMs);
  const allowed = createAllowed(campaigns, fromMs);
  const segmentOf = new Int32Array(groups.length * buckets);
  const supply = new Float64Array(groups.length * buckets);
  const sets = createSets(campaigns);
  const trend = Float64Array.from({ length: buckets }, (_, bucket) => expected?.trendAt(bucket / BUCKETS_PER_DAY) ?? 1);
  groups.forEach((group, number) => {
    const offsets = clock.offsetsOf(group.place.timezone);
    const open = openMinutes(group.place);
    const words = new Uint32Array(group.words.length);
    let segment = -1;
    for (let bucket = 0; bucket < buckets; bucket++) {
      if (open[bucket] === 0) continue;
      const here = allowed(group, bucket, offsets[bucket]!);
      const changed = intersect(words, here, running(bucket, offsets[bucket]!));
      if (changed || segment < 0) segment = sets.segmentOf(words);
      segmentOf[number * buckets + bucket] = segment;
      const perMinute =
        group.week === undefined
          ? group.perMinute
          : group.week[localHourOfWeek(fromMs + bucket * BUCKET_MS, offsets[bucket]!)]! * trend[bucket]!;
      supply[number * buckets + bucket] = perMinute * open[bucket]!;
    }
  });
  return { graph: sets.graph(), groups, groupOf, fromMs, buckets, segmentOf, supply, segmentKeys: sets.keys() };
}

/** Whether a campaign's targets, book, category and creatives allow a place at any hour. */
export function allowsPlace(
  { sandbox, category, targets, orientations }: NetworkCampaign,
  place: NetworkPlace,
): boolean {
  return (
    sandbox === place.sandbox &&
    orientations.includes(place.orientation) &&
    !place.blockedCategories.includes(category) &&
    matchesPlace(targets, place)
  );
}

// ---- groups

function groupPlaces<Place extends NetworkPlace>(
  places: readonly Place[],
  campaigns: readonly NetworkCampaign[],
  { expected, worthOf }: { expected: Expectation<Place> | undefined; worthOf: (place: Place) => number },
): { groups: NetworkGroup[]; groupOf: Int32Array } {
  const numbers = new Map<string, number>();
  const groups: NetworkGroup[] = [];
  const groupOf = new Int32Array(places.length).fill(-1);
  const wordsOf = createMatcher(campaigns);
  for (const [number, place] of places.entries()) {
    if (place.impressionsPerMinute <= 0) continue;
    const words = wordsOf(place);
    const key = `${place.sandbox ? 1 : 0} ${place.orientation} ${place.timezone} ${JSON.stringify(place.hours ?? null)} ${timesOf(place)} ${words.join()}`;
    const known = numbers.get(key);
    const at =
      known ?? groups.push({ place, perMinute: 0, week: expected && new Float64Array(HOURS_PER_WEEK), words }) - 1;
    if (known === undefined) numbers.set(key, at);
    groupOf[number] = at;
    const group = groups[at]!;
    const perMinute = place.impressionsPerMinute * worthOf(place);
    group.perMinute += perMinute;
    expected?.partsOf(place).forEach((part, hour) => (group.week![hour]! += perMinute * part));
  }
  return { groups, groupOf };
}

/** The content of the rules of a place, without their names. */
export function timesOf({ timed = [] }: Pick<NetworkPlace, 'timed'>): string {
  return timed.length === 0 ? '' : JSON.stringify(timed.map(({ category, hours }) => [category, hours]));
}

function localHourOfWeek(atMs: Milliseconds, offsetMinutes: number): number {
  return hourOfWeek(0, Math.floor((atMs / MINUTE_MS + offsetMinutes) / 60));
}

/**
 * The campaigns that allow a place, as bits. Checks without the position are cached by their properties: a hundred
 * thousand screens are in a few hundred kinds of places. Only campaigns with areas check each place.
 */
function createMatcher(campaigns: readonly NetworkCampaign[]): (place: NetworkPlace) => Uint32Array {
  const length = (campaigns.length + 31) >>> 5;
  const located = campaigns.flatMap((campaign, number) => (campaign.targets.areas.length > 0 ? [number] : []));
  const anywhere = campaigns.map(campaign =>
    campaign.targets.areas.length === 0 ? campaign : { ...campaign, targets: { ...campaign.targets, areas: [] } },
  );
  const byKind = new Map<string, Uint32Array>();
  return place => {
    const kind = [place.sandbox, place.cityFolded, place.venueType, place.orientation, ...place.blockedCategories].join(
      '\n',
    );
    let words = byKind.get(kind);
    if (words === undefined) {
      words = new Uint32Array(length);
      for (const [number, campaign] of anywhere.entries())
        if (allowsPlace(campaign, place)) words[number >>> 5]! |= 1 << (number & 31);
      byKind.set(kind, words);
    }
    if (located.length === 0) return words;
    const here = words.slice();
    for (const number of located) {
      const isIn = ((here[number >>> 5]! >>> (number & 31)) & 1) === 1;
      if (isIn && !matchesPlace(campaigns[number]!.targets, place)) here[number >>> 5]! &= ~(1 << (number & 31));
    }
    return here;
  };
}

// ---- segments

/** Writes `a` and `b` into `into`; whether it changed. */
function intersect(into: Uint32Array, a: Uint32Array, b: Uint32Array): boolean {
  let changed = false;
  for (let word = 0; word < into.length; word++) {
    const both = (a[word]! & b[word]!) >>> 0;
    if (both === into[word]) continue;
    into[word] = both;
    changed = true;
  }
  return changed;
}

function createSets(campaigns: readonly NetworkCampaign[]) {
  const byKey = new Map<number, number>();
  const starts = [0];
  const members: number[] = [];
  const keys: number[] = [];
  return {
    /** The segment of a set of campaigns; a new one the first time. */
    segmentOf(words: Uint32Array): number {
      const key = emptyKey();
      const before = members.length;
      for (let word = 0; word < words.length; word++) {
        for (let bits = words[word]!; bits !== 0; bits &= bits - 1) {
          const campaign = word * 32 + 31 - Math.clz32(bits & -bits);
          toggleHandle(key, campaigns[campaign]!.handle);
          members.push(campaign);
        }
      }
      const name = keyNumber(key);
      const known = byKey.get(name);
      if (known !== undefined) {
        members.length = before;
        return known;
      }
      const segment = keys.push(name) - 1;
      byKey.set(name, segment);
      starts.push(members.length);
      return segment;
    },
    graph: () => createGraph(campaigns.length, Int32Array.from(starts), Int32Array.from(members)),
    keys: () => Float64Array.from(keys),
  };
}
