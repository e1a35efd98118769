/**
 * The supply model, which is learned from history: which part of the slots that opening hours and ad ratios promise is
 * really requested (screens are offline, loops are long), how many people a play reaches compared with the venue's
 * figures, and how often a play is scanned. The promise itself comes from the screens of today, so a network that grows
 * needs no new history. Where a place has little history of its own, similar places count more.
 */
import { assert } from '../assertion.ts';
import { decodeBase64url, encodeBase64url } from '../base64url.ts';
import type { Handle } from '../id.ts';
import type { Orientation } from '../screens/screen.ts';

export type SupplyClass = { cityFolded: string; venueType: string; orientation: Orientation };

/**
 * Slots by class and local hour of the history: `place = class * days * 24 + hour`, hour 0 being the first of
 * `firstDay`.
 */
export type SupplyHistory = {
  classes: readonly SupplyClass[];
  /** Days since 1970-01-01. */
  firstDay: number;
  days: number;
  /** What opening hours and ad ratios promised, and what was really available. Any unit, the same in both. */
  promised: Float64Array;
  seen: Float64Array;
};

/**
 * Impressions by venue, hour of the day and source, recent hours weighing more; `estimated` is what the venue's figures
 * say of the same plays.
 */
export type AudienceRow = {
  venue: Handle<'venue'>;
  venueType: string;
  sensor: boolean;
  hour: number;
  impressions: number;
  estimated: number;
};
/** Scans and impressions by type of venue and category. */
export type ScanRow = { venueType: string; category: string; scans: number; impressions: number };

export type SupplyModel = {
  /**
   * Part of the promised slots by hour of the week at the venue, Monday 00:00 first, of a class or a class of classes.
   */
  shares: ReadonlyMap<string, Float32Array>;
  /** What a play reaches over the estimate, by hour of the day, of a venue and source or a type and source. */
  audience: ReadonlyMap<string, Float32Array>;
  /** Scans per impression by type and category, by type, and of all. */
  scanRates: ReadonlyMap<string, number>;
  /** By how much the promised slots of the network grow in a day, as a logarithm; 0 and more. */
  growthPerDay: number;
  /** By how much the seen part of the promise changes in a day, as a logarithm: the season. */
  driftPerDay: number;
};

export const HOURS_PER_WEEK = 168;
const HOURS_PER_DAY = 24;
/** Older weeks belong to another season than the coming one. */
const WEEKS_MAX = 8;
/** The share for a network without history: 3 to 5% of screens are offline at any moment, and loops leave gaps. */
const SHARE_UNKNOWN = 0.9;
/** The class above counts like so many weeks of a class's own history. */
const WEEKS_OF_PARENT = 2;
/**
 * The level is that of the last days; a day or two of outage must not move it, so the lowest and highest are left out.
 */
const LEVEL_DAYS = 14;
const LEVEL_TRIM = 0.15;
const DAYS_OF_PARENT = 3;
/**
 * Growth is measured between weeks over four weeks, and most of it is assumed to continue. 1% a day would double a
 * network in ten weeks.
 */
const GROWTH_DAYS = 28;
const GROWTH_KEPT = 0.8;
const DRIFT_KEPT = 0.7;
const GROWTH_MAX = 0.01;
/**
 * A larger share is an error in the count: screens may ask more often than their loops promise, but never twice as
 * often.
 */
const SHARE_MAX = 2;
/**
 * The type counts like so many impressions beside a venue's own hour, and the estimate like so many beside a type's.
 */
const IMPRESSIONS_OF_PARENT = 2_000;
/** Scans per impression where people wait or sit. No published average fits, so this is a careful default. */
const SCAN_RATE_UNKNOWN = 0.0005;
/** The level above counts like so many impressions, in which ten scans are expected at that rate. */
const SCAN_IMPRESSIONS_OF_PARENT = 20_000;

const NETWORK = '*';

export const EMPTY_MODEL: SupplyModel = {
  shares: new Map(),
  audience: new Map(),
  scanRates: new Map(),
  growthPerDay: 0,
  driftPerDay: 0,
};

/** Fits all parts. Deterministic. @throws Bug when arrays do not belong together */
export function fitSupply({
  history,
  audience,
  scans,
}: {
  history: SupplyHistory;
  audience: readonly AudienceRow[];
  scans: readonly ScanRow[];
}): SupplyModel {
  return {
    shares: fitShares(history),
    audience: fitAudience(audience),
    scanRates: fitScanRates(scans),
    growthPerDay: growthOf(history),
    driftPerDay: driftOf(history),
  };
}

/** The part of the promised slots of a class, by hour of the week. */
export function shareOf({ shares }: Pick<SupplyModel, 'shares'>, place: SupplyClass): Float32Array {
  for (const key of classKeys(place)) {
    const known = shares.get(key);
    if (known !== undefined) return known;
  }
  return UNKNOWN_SHARES;
}

/** What a play at a venue reaches over the estimate, by hour of the day. */
export function audienceOf(
  { audience }: SupplyModel,
  place: { venue: Handle<'venue'>; venueType: string; sensor: boolean },
): Float32Array {
  return (
    audience.get(venueSource(place.venue, place.sensor)) ??
    audience.get(typeSource(place.venueType, place.sensor)) ??
    AS_ESTIMATED
  );
}

/** What is expected of a place's promised impressions by local hour of the week. */
export function expectedParts(
  model: SupplyModel,
  place: SupplyClass & { venue: Handle<'venue'>; sensor: boolean },
): Float32Array {
  const audience = audienceOf(model, place);
  return shareOf(model, place).map((share, hour) => share * audience[hour % HOURS_PER_DAY]!);
}

/**
 * The hour of the week of an hour counted from the beginning of a day: 0 is Monday 00:00; 1970-01-01 was a Thursday.
 */
export function hourOfWeek(firstDay: number, hour: number): number {
  return (((firstDay + 3) % 7) * HOURS_PER_DAY + hour) % HOURS_PER_WEEK;
}

/** Scans per impression of a type of venue, and of a category where one is known. */
export function scanRateOf(scanRates: SupplyModel['scanRates'], venueType: string, category?: string): number {
  const own = category === undefined ? undefined : scanRates.get(`${venueType} ${category}`);
  return own ?? scanRates.get(venueType) ?? scanRates.get(NETWORK) ?? SCAN_RATE_UNKNOWN;
}

// ---- slots

const UNKNOWN_SHARES = new Float32Array(HOURS_PER_WEEK).fill(SHARE_UNKNOWN);
const AS_ESTIMATED = new Float32Array(HOURS_PER_DAY).fill(1);

/** The narrowest level first: the class, its type of venue, the parent type, the network. */
function classKeys({ cityFolded, venueType, orientation }: SupplyClass): string[] {
  const [parent] = venueType.split('.');
  return [`${cityFolded}|${venueType}|${orientation}`, venueType, ...(parent === venueType ? [] : [parent!]), NETWORK];
}

type Series = { promised: Float64Array; seen: Float64Array };

/** Fits from the network down, because each class is combined with the level above it. */
export function fitShares(history: SupplyHistory): Map<string, Float32Array> {
  const hours = history.days * HOURS_PER_DAY;
  assert(
    history.promised.length === history.classes.length * hours && history.seen.length === history.promised.length,
    'history does not match its classes',
  );
  const levels: Map<string, Series>[] = [new Map(), new Map(), new Map(), new Map()];
  const parentOf = new Map<string, string>();
  history.classes.forEach((place, number) => {
    const own = {
      promised: history.promised.subarray(number * hours, (number + 1) * hours),
      seen: history.seen.subarray(number * hours, (number + 1) * hours),
    };
    const keys = classKeys(place);
    keys.forEach((key, depth) => {
      // Depth counts from the class; the network is always the first level.
      addSeries(levels[key === NETWORK ? 0 : keys.length - 1 - depth]!, key, own, hours);
      parentOf.set(key, keys[depth + 1] ?? '');
    });
  });
  const drift = driftOf(history);
  const fitted = new Map<string, Float32Array>();
  for (const level of levels)
    for (const [key, series] of level)
      fitted.set(key, fitSeries(series, { ...history, drift }, fitted.get(parentOf.get(key)!) ?? UNKNOWN_SHARES));
  return fitted;
}

function addSeries(level: Map<string, Series>, key: string, own: Series, hours: number): void {
  const known = level.get(key) ?? { promised: new Float64Array(hours), seen: new Float64Array(hours) };
  level.set(key, known);
  for (let hour = 0; hour < hours; hour++) {
    known.promised[hour]! += own.promised[hour]!;
    known.seen[hour]! += own.seen[hour]!;
  }
}

/** The shape of the week, by medians so that a single outage does not change it, times the level of the last days. */
function fitSeries(
  series: Series,
  { firstDay, days, drift }: SupplyHistory & { drift: number },
  parent: Float32Array,
): Float32Array {
  const shape = new Float32Array(HOURS_PER_WEEK);
  const values: number[] = [];
  for (let hourOfWeek = 0; hourOfWeek < HOURS_PER_WEEK; hourOfWeek++) {
    values.length = 0;
    const last = lastHourOf(hourOfWeek, firstDay, days);
    for (let hour = last, week = 0; hour >= 0 && week < WEEKS_MAX; hour -= HOURS_PER_WEEK, week++) {
      if (series.promised[hour]! > 0) values.push(series.seen[hour]! / series.promised[hour]!);
    }
    const own = values.length === 0 ? 0 : medianOf(values);
    shape[hourOfWeek] =
      (values.length * own + WEEKS_OF_PARENT * parent[hourOfWeek]!) / (values.length + WEEKS_OF_PARENT);
  }
  const level = levelOf(series, { firstDay, days, drift }, shape);
  return shape.map(share => Math.min(SHARE_MAX, share * level));
}

/** The last hour of the history that is this hour of the week; 1970-01-01 was a Thursday. */
function lastHourOf(hourOfWeek: number, firstDay: number, days: number): number {
  const firstHourOfWeek = ((firstDay + 3) % 7) * HOURS_PER_DAY;
  const hours = days * HOURS_PER_DAY;
  const ahead = (((hourOfWeek - firstHourOfWeek - hours) % HOURS_PER_WEEK) + HOURS_PER_WEEK) % HOURS_PER_WEEK;
  return hours + ahead - HOURS_PER_WEEK;
}

type FittedDays = { firstDay: number; days: number; drift: number };

/**
 * The level of the last days: for each, what was seen over what the shape expects, moved to the last day by the drift.
 * Their trimmed mean, combined with 1, because the shape already has the parent's level.
 */
function levelOf({ promised, seen }: Series, { firstDay, days, drift }: FittedDays, shape: Float32Array): number {
  const ratios: number[] = [];
  for (let day = Math.max(0, days - LEVEL_DAYS); day < days; day++) {
    const weekday = (firstDay + day + 3) % 7;
    let expected = 0;
    let found = 0;
    for (let hour = 0; hour < HOURS_PER_DAY; hour++) {
      expected += promised[day * HOURS_PER_DAY + hour]! * shape[weekday * HOURS_PER_DAY + hour]!;
      found += seen[day * HOURS_PER_DAY + hour]!;
    }
    if (expected > 0) ratios.push((found / expected) * Math.exp(drift * (days - 1 - day)));
  }
  if (ratios.length === 0) return 1;
  ratios.sort((a, b) => a - b);
  const cut = Math.floor(LEVEL_TRIM * ratios.length);
  const kept = ratios.slice(cut, ratios.length - cut);
  const mean = kept.reduce((sum, ratio) => sum + ratio, 0) / kept.length;
  return (ratios.length * mean + DAYS_OF_PARENT) / (ratios.length + DAYS_OF_PARENT);
}

/** Sorts the list. */
function medianOf(values: number[]): number {
  values.sort((a, b) => a - b);
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

/**
 * The factor for supply so many days ahead. Growth and most of the drift continue, for as many days as they were
 * measured.
 */
export function trendOf(
  { growthPerDay, driftPerDay }: Pick<SupplyModel, 'growthPerDay' | 'driftPerDay'>,
  daysAhead: number,
): number {
  return Math.exp((growthPerDay + DRIFT_KEPT * driftPerDay) * Math.min(GROWTH_DAYS, daysAhead));
}

/**
 * The growth of the whole network: what the last week promised over what the week three weeks earlier did; 0 where that
 * promised nothing.
 */
export function growthOf({ classes, days, promised }: SupplyHistory): number {
  if (days < GROWTH_DAYS) return 0;
  const week = (from: number) => {
    let sum = 0;
    for (let place = 0; place < classes.length; place++) {
      for (let hour = from * HOURS_PER_DAY; hour < (from + 7) * HOURS_PER_DAY; hour++)
        sum += promised[place * days * HOURS_PER_DAY + hour]!;
    }
    return sum;
  };
  const before = week(days - GROWTH_DAYS);
  const last = week(days - 7);
  if (before <= 0 || last <= before) return 0;
  return Math.min(GROWTH_MAX, (GROWTH_KEPT * Math.log(last / before)) / (GROWTH_DAYS - 7));
}

/**
 * The slope of the network's daily logarithm of seen over promised: the median of the slopes of all pairs of days of
 * one weekday (Theil and Sen), which a fourth of the days may spoil without effect.
 */
export function driftOf({ classes, days, promised, seen }: SupplyHistory): number {
  if (days < GROWTH_DAYS) return 0;
  const logs: { day: number; value: number }[] = [];
  for (let day = days - GROWTH_DAYS; day < days; day++) {
    let expected = 0;
    let found = 0;
    for (let place = 0; place < classes.length; place++) {
      const row = (place * days + day) * HOURS_PER_DAY;
      for (let hour = row; hour < row + HOURS_PER_DAY; hour++) {
        expected += promised[hour]!;
        found += seen[hour]!;
      }
    }
    if (expected <= 0 || found <= 0) continue;
    logs.push({ day, value: Math.log(found / expected) });
  }
  // Only pairs of the same weekday, so that the shape of the week does not matter.
  const slopes = logs.flatMap((one, index) =>
    logs
      .slice(index + 1)
      .filter(other => (other.day - one.day) % 7 === 0)
      .map(other => (other.value - one.value) / (other.day - one.day)),
  );
  if (slopes.length < GROWTH_DAYS) return 0;
  return Math.max(-GROWTH_MAX, Math.min(GROWTH_MAX, medianOf(slopes)));
}

// ---- audience and scans

function venueSource(venue: Handle<'venue'>, sensor: boolean): string {
  return `${venue} ${sensor ? 'sensor' : 'estimate'}`;
}

function typeSource(venueType: string, sensor: boolean): string {
  return `${venueType} ${sensor ? 'sensor' : 'estimate'}`;
}

type Sums = { impressions: Float64Array; estimated: Float64Array; parent: string };

function fitAudience(rows: readonly AudienceRow[]): Map<string, Float32Array> {
  const types = new Map<string, Sums>();
  const venues = new Map<string, Sums>();
  for (const { venue, venueType, sensor, hour, impressions, estimated } of rows) {
    const parent = typeSource(venueType, sensor);
    addHour(types, parent, '', { hour, impressions, estimated });
    addHour(venues, venueSource(venue, sensor), parent, { hour, impressions, estimated });
  }
  const fitted = new Map<string, Float32Array>();
  for (const [key, sums] of [...types, ...venues])
    fitted.set(key, ratiosOf(sums, fitted.get(sums.parent) ?? AS_ESTIMATED));
  return fitted;
}

type HourCount = { hour: number; impressions: number; estimated: number };

function addHour(
  into: Map<string, Sums>,
  key: string,
  parent: string,
  { hour, impressions, estimated }: HourCount,
): void {
  const sums = into.get(key) ?? {
    impressions: new Float64Array(HOURS_PER_DAY),
    estimated: new Float64Array(HOURS_PER_DAY),
    parent,
  };
  into.set(key, sums);
  sums.impressions[hour]! += impressions;
  sums.estimated[hour]! += estimated;
}

function ratiosOf({ impressions, estimated }: Sums, parent: Float32Array): Float32Array {
  return parent.map(
    (ratio, hour) => (impressions[hour]! + IMPRESSIONS_OF_PARENT * ratio) / (estimated[hour]! + IMPRESSIONS_OF_PARENT),
  );
}

function fitScanRates(rows: readonly ScanRow[]): Map<string, number> {
  const sums = new Map<string, { scans: number; impressions: number }>();
  const add = (key: string, { scans, impressions }: ScanRow) => {
    const known = sums.get(key) ?? { scans: 0, impressions: 0 };
    sums.set(key, { scans: known.scans + scans, impressions: known.impressions + impressions });
  };
  for (const row of rows) for (const key of [NETWORK, row.venueType, `${row.venueType} ${row.category}`]) add(key, row);
  const rates = new Map<string, number>();
  const fit = (key: string, parent: number) => {
    const { scans, impressions } = sums.get(key)!;
    rates.set(key, (scans + SCAN_IMPRESSIONS_OF_PARENT * parent) / (impressions + SCAN_IMPRESSIONS_OF_PARENT));
  };
  if (rows.length > 0) fit(NETWORK, SCAN_RATE_UNKNOWN);
  for (const type of new Set(rows.map(row => row.venueType))) fit(type, rates.get(NETWORK)!);
  for (const { venueType, category } of rows) fit(`${venueType} ${category}`, rates.get(venueType)!);
  return rates;
}

// ---- as it is stored

/** The model as JSON: lists of ten-thousandths as 16 bits in base64url, 448 characters per class. */
export type SupplyModelJson = {
  shares: Record<string, string>;
  audience: Record<string, string>;
  scan_rates: Record<string, number>;
  growth_per_day: number;
  drift_per_day: number;
};

const STEPS = 10_000;
const WORD_MAX = 0xffff;

export function encodeModel({ shares, audience, scanRates, growthPerDay, driftPerDay }: SupplyModel): SupplyModelJson {
  const spell = (map: ReadonlyMap<string, Float32Array>) =>
    Object.fromEntries([...map].map(([key, values]) => [key, spellRatios(values)]));
  return {
    shares: spell(shares),
    audience: spell(audience),
    scan_rates: Object.fromEntries(scanRates),
    growth_per_day: growthPerDay,
    drift_per_day: driftPerDay,
  };
}

/** @throws Bug for a text that `encodeModel` did not write */
export function decodeModel(json: SupplyModelJson): SupplyModel {
  const read = (texts: Record<string, string>, length: number) =>
    new Map(Object.entries(texts).map(([key, text]) => [key, readRatios(text, length)]));
  return {
    shares: read(json.shares, HOURS_PER_WEEK),
    audience: read(json.audience, HOURS_PER_DAY),
    scanRates: new Map(Object.entries(json.scan_rates)),
    growthPerDay: json.growth_per_day,
    driftPerDay: json.drift_per_day,
  };
}

function spellRatios(values: Float32Array): string {
  const bytes = new Uint8Array(2 * values.length);
  values.forEach((value, index) => {
    const word = Math.min(WORD_MAX, Math.round(value * STEPS));
    bytes[2 * index] = word >>> 8;
    bytes[2 * index + 1] = word;
  });
  return encodeBase64url(bytes);
}

function readRatios(text: string, length: number): Float32Array {
  const bytes = decodeBase64url(text);
  assert(bytes !== undefined && bytes.length === 2 * length, 'the ratios of a model are of another length');
  return Float32Array.from({ length }, (_, index) => ((bytes[2 * index]! << 8) | bytes[2 * index + 1]!) / STEPS);
}
