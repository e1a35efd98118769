/**
 * The supply model, which is learned from history: the share of the slots promised by opening hours and ad ratios that
 * is really requested (screens are offline, loops are long), how many people a play reaches compared with the venue's
 * figures, and how often a play is scanned. The promise itself comes from the current screens, so a growing network
 * needs no new history. If a place has little history, similar places count more.
 */
import { assert } from '../../assertion.ts';
import type { Handle } from '../../id.ts';
import { median } from '../../median.ts';
import { HOURS_PER_DAY, HOURS_PER_WEEK } from '../../time/calendar.ts';
import type { SupplyClass, SupplyHistory } from './supply-history.ts';
import { driftOf, growthOf, type Trend } from './supply-trend.ts';

/**
 * Impressions by venue, hour of the day and source, recent hours weighing more; `estimated` is the value by the venue's
 * figures for the same plays.
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

export type SupplyModel = Trend & {
  /**
   * Part of the promised slots by hour of the week at the venue, Monday 00:00 first, of a class or a class of classes.
   */
  shares: ReadonlyMap<string, Float32Array>;
  /** Actual over estimated reach of a play, by hour of the day, of a venue and source or a type and source. */
  audience: ReadonlyMap<string, Float32Array>;
  /** Scans per impression by type and category, by type, and of all. */
  scanRates: ReadonlyMap<string, number>;
};

/** Older weeks belong to another season than the coming one. */
const WEEKS_MAX = 8;
/** The share for a network without history: 3 to 5% of screens are offline at any moment, and loops leave gaps. */
const SHARE_UNKNOWN = 0.9;
/** The parent class counts like this many weeks of a class's own history. */
const WEEKS_OF_PARENT = 2;
/**
 * The level is that of the last days; a day or two of outage must not move it, so the lowest and highest are left out.
 */
const LEVEL_DAYS = 14;
const LEVEL_TRIM = 0.15;
const DAYS_OF_PARENT = 3;
/**
 * A larger share is an error in the count: screens may ask more often than their loops promise, but never twice as
 * often.
 */
const SHARE_MAX = 2;
/**
 * The type counts like this many impressions next to a venue's own hour, and the estimate like this many next to a
 * type's.
 */
const IMPRESSIONS_OF_PARENT = 2_000;
/** Scans per impression where people wait or sit. No published average fits, so this is a careful default. */
const SCAN_RATE_UNKNOWN = 0.0005;
/** The level above counts like the impressions in which ten scans are expected at that rate. */
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

/** Actual over estimated reach of a play at a venue, by hour of the day. */
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

/** The expected share of a place's promised impressions by local hour of the week. */
export function expectedParts(
  model: SupplyModel,
  place: SupplyClass & { venue: Handle<'venue'>; sensor: boolean; audienceShape?: Float32Array },
): Float32Array {
  const audience = audienceOf(model, place);
  const { audienceShape: shape } = place;
  return shareOf(model, place).map(
    (share, hour) => share * audience[hour % HOURS_PER_DAY]! * (shape === undefined ? 1 : shape[hour]!),
  );
}

/** Scans per impression of a type of venue, and of a category if known. */
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
    const own = median(values);
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
