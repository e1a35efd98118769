/**
 * Which flights run, by quarters of an hour and offsets from UTC, for all campaigns at once. Offsets of zones change
 * only on quarters, so within a quarter only dayparts can begin or end: campaigns with such a daypart are checked by
 * the minute. Rules are in typed arrays, so that a quarter of a hundred thousand campaigns takes about a millisecond;
 * an edit changes its own bits in the cached quarters.
 */
import type { Index } from '#domain/id.ts';
import { REASON_NUMBER } from '#domain/plays/decision.ts';
import { plannedBy, READ_AHEAD_HOURS } from '#domain/allocation/pick.ts';
import { compileCurve, eligibleMs, type EvenCurve } from '#domain/campaigns/pacing.ts';
import { categoryNumber, type CategorySet, hasCategory } from '#domain/law/restriction.ts';
import { MINUTES_PER_DAY, weekdayOf } from '#domain/time/calendar.ts';
import { type FlightRule, localTime } from '#domain/screens/schedule.ts';
import { type Bits, clearBit, emptyBits, putBit, setBit } from './columns/bits.ts';
import { grownFloats, grownIntegers } from './columns/growth.ts';
import type { Milliseconds } from '#domain/unit.ts';

const MINUTE_MS = 60_000;
export const QUARTER_MINUTES = 15;
export const QUARTER_MS = QUARTER_MINUTES * MINUTE_MS;
const DAY_MS = MINUTES_PER_DAY * MINUTE_MS;
const EVERY_DAY = 0x7f;
/**
 * Now and an hour of offline plans ahead, at a dozen offsets, with and without the hours of rules; one quarter of
 * 100,000 campaigns takes 1.6 MB.
 */
const QUARTERS_MAX = 128;
/** More quarters than there are until the year 3000, so that a key can also hold a set of categories. */
const QUARTERS_EVER = 2 ** 25;
const RUNS = -1;
const HOUR_MS = 3_600_000;

/**
 * One quarter of an hour at one offset. `running` also has a campaign of `split` if it may run in one of the minutes.
 */
export type Quarter = {
  startMs: Milliseconds;
  offsetMs: Milliseconds;
  day: number;
  minute: number;
  running: Bits;
  split: Bits;
  /** Campaigns that do not run although their dates would allow it. */
  outsideDaypart: Bits;
  /** The categories that rules forbid at this time, and their campaigns, which do not run in any flight. */
  forbidden: CategorySet;
  restricted: Bits;
  /** The share due at the start and its growth per ms, by campaign; NaN until first used. */
  share: Float64Array;
  sharePerMs: Float64Array;
};

export class Flights {
  #startsOn = new Int32Array(256);
  #endsOn = new Int32Array(256);
  #days = new Int32Array(256);
  #fromMinute = new Int32Array(256);
  #toMinute = new Int32Array(256);
  /** The number of its category. */
  #category = new Int32Array(256);
  /** The sets of categories that were ever forbidden, by small numbers. */
  readonly #sets = new Map<CategorySet, number>();
  readonly #curves: (EvenCurve | undefined)[] = [];
  /**
   * The targets of a campaign in the first and second hour, in the unit of its progress; NaN: it is in no plan, and
   * follows its even curve.
   */
  #firstHour = new Float64Array(256).fill(NaN);
  #secondHour = new Float64Array(256);
  #plannedAtMs = 0;
  readonly #quarters = new Map<number, Quarter>();
  /** Curves count from here. */
  readonly baseMs: Milliseconds;

  /** Curves count from `baseMs`, the start of this process. */
  constructor(baseMs: Milliseconds) {
    this.baseMs = baseMs;
  }

  put(campaign: Index<'campaign'>, flight: FlightRule, category: string): void {
    if (campaign >= this.#startsOn.length) this.#grow(campaign + 1);
    this.#startsOn[campaign] = flight.startsOn;
    this.#endsOn[campaign] = flight.endsOn;
    this.#days[campaign] = flight.days ?? EVERY_DAY;
    this.#fromMinute[campaign] = flight.daypart?.startMinute ?? 0;
    this.#toMinute[campaign] = flight.daypart?.endMinute ?? MINUTES_PER_DAY;
    this.#category[campaign] = categoryNumber(category);
    this.#curves[campaign] = compileCurve(flight);
    for (const quarter of this.#quarters.values()) this.#mark(quarter, campaign);
  }

  remove(campaign: Index<'campaign'>): void {
    this.#curves[campaign] = undefined;
    for (const { running, split, outsideDaypart, restricted } of this.#quarters.values())
      for (const bits of [running, split, outsideDaypart, restricted]) clearBit(bits, campaign);
  }

  /**
   * The quarter that contains `atMs` at an offset, with the categories that rules forbid. Its bits follow later edits
   * while it is among the newest 128.
   */
  quarterAt(offsetMinutes: number, atMs: Milliseconds, forbidden: CategorySet = 0): Quarter {
    const number = Math.floor(atMs / QUARTER_MS);
    const set = forbidden === 0 ? 0 : this.#numberOfSet(forbidden);
    const key = (set * QUARTERS_EVER + number) * MINUTES_PER_DAY * 2 + offsetMinutes;
    const known = this.#quarters.get(key);
    if (known !== undefined) return known;
    if (this.#quarters.size >= QUARTERS_MAX)
      for (const oldest of this.#quarters.keys()) {
        this.#quarters.delete(oldest);
        break;
      }
    const made = this.#make(offsetMinutes, number * QUARTER_MS, forbidden);
    this.#quarters.set(key, made);
    return made;
  }

  /** The dues of the current plan by a time, without the time read ahead; Infinity for a campaign outside it. */
  dueBefore(atMs: Milliseconds): (campaign: Index<'campaign'>) => number {
    const [first, second] = [this.#firstHour.slice(), this.#secondHour.slice()];
    const hours = (atMs - this.#plannedAtMs) / HOUR_MS;
    return campaign =>
      Number.isNaN(first[campaign]!) ? Infinity : plannedBy(first[campaign]!, second[campaign]!, hours);
  }

  /** A new plan, without a campaign yet. */
  startPlan(plannedAtMs: Milliseconds): void {
    this.#plannedAtMs = plannedAtMs;
    this.#firstHour.fill(NaN);
    for (const { share } of this.#quarters.values()) share.fill(NaN);
  }

  /** The targets of a campaign in the new plan. */
  setTarget(campaign: Index<'campaign'>, firstHour: number, secondHour: number): void {
    this.#firstHour[campaign] = firstHour;
    this.#secondHour[campaign] = secondHour;
  }

  /** A copy of the current targets; `firstHour` is NaN for a campaign outside the plan. */
  copyTargets(): (campaign: Index<'campaign'>) => { firstHour: number; secondHour: number } {
    const [first, second] = [this.#firstHour.slice(), this.#secondHour.slice()];
    return campaign => ({ firstHour: first[campaign]!, secondHour: second[campaign]! });
  }

  /** The number of the reason why the flight does not run in a minute of the quarter (0 .. 14), or -1. */
  reasonAt(quarter: Quarter, campaign: Index<'campaign'>, minuteOfQuarter: number): number {
    const minute = quarter.minute + minuteOfQuarter;
    const from = this.#fromMinute[campaign]!;
    const to = this.#toMinute[campaign]!;
    const wraps = to < from;
    // A daypart over midnight belongs to the day on which it began.
    const day = wraps && minute < to ? quarter.day - 1 : quarter.day;
    if (day < this.#startsOn[campaign]! || day > this.#endsOn[campaign]!) return REASON_NUMBER.outside_schedule;
    if ((this.#days[campaign]! & (1 << weekdayOf(day))) === 0) return REASON_NUMBER.outside_daypart;
    const isIn = wraps ? minute >= from || minute < to : minute >= from && minute < to;
    return isIn ? RUNS : REASON_NUMBER.outside_daypart;
  }

  /** Computes `share` and `sharePerMs` of a campaign unless done. */
  ensureShare(quarter: Quarter, campaign: Index<'campaign'>): void {
    if (campaign >= quarter.share.length) {
      const known = quarter.share.length;
      quarter.share = grownFloats(quarter.share, this.#startsOn.length).fill(NaN, known);
      quarter.sharePerMs = grownFloats(quarter.sharePerMs, this.#startsOn.length);
    }
    if (!Number.isNaN(quarter.share[campaign]!)) return;
    const shareAt = Number.isNaN(this.#firstHour[campaign]!)
      ? this.#evenShare(campaign, quarter.offsetMs)
      : this.#plannedShare(campaign);
    const share = shareAt(quarter.startMs);
    quarter.share[campaign] = share;
    quarter.sharePerMs[campaign] = (shareAt(quarter.startMs + QUARTER_MS) - share) / QUARTER_MS;
  }

  #evenShare(campaign: Index<'campaign'>, offsetMs: Milliseconds): (atMs: Milliseconds) => number {
    const curve = this.#curves[campaign]!;
    const before = eligibleMs(curve, this.baseMs + offsetMs);
    const left = eligibleMs(curve, (curve.endsOn + 2) * DAY_MS) - before;
    return atMs => (left <= 0 ? 1 : Math.min(1, Math.max(0, (eligibleMs(curve, atMs + offsetMs) - before) / left)));
  }

  /** Before the plan its first slope is extended backwards: a straight line is exact at the moment of reading. */
  #plannedShare(campaign: Index<'campaign'>): (atMs: Milliseconds) => number {
    const first = this.#firstHour[campaign]!;
    const second = this.#secondHour[campaign]!;
    return atMs => plannedBy(first, second, (atMs - this.#plannedAtMs) / HOUR_MS + READ_AHEAD_HOURS);
  }

  #numberOfSet(forbidden: CategorySet): number {
    const known = this.#sets.get(forbidden);
    if (known !== undefined) return known;
    const number = this.#sets.size + 1;
    this.#sets.set(forbidden, number);
    return number;
  }

  #make(offsetMinutes: number, startMs: Milliseconds, forbidden: CategorySet): Quarter {
    const { day, minute } = localTime(offsetMinutes, startMs);
    const quarter: Quarter = {
      startMs,
      offsetMs: offsetMinutes * MINUTE_MS,
      day,
      minute,
      running: emptyBits(),
      split: emptyBits(),
      outsideDaypart: emptyBits(),
      forbidden,
      restricted: emptyBits(),
      share: new Float64Array(0),
      sharePerMs: new Float64Array(0),
    };
    for (let campaign = 0; campaign < this.#curves.length; campaign++)
      if (this.#curves[campaign] !== undefined) this.#mark(quarter, campaign);
    return quarter;
  }

  #mark(quarter: Quarter, campaign: Index<'campaign'>): void {
    if (campaign < quarter.share.length) quarter.share[campaign] = NaN;
    const isRestricted = quarter.forbidden !== 0 && hasCategory(quarter.forbidden, this.#category[campaign]!);
    putBit(quarter.restricted, campaign, isRestricted);
    if (isRestricted) {
      for (const bits of [quarter.running, quarter.split, quarter.outsideDaypart]) clearBit(bits, campaign);
      return;
    }
    const isSplit =
      this.#isWithin(this.#fromMinute[campaign]!, quarter) || this.#isWithin(this.#toMinute[campaign]!, quarter);
    const reason = isSplit ? RUNS : this.reasonAt(quarter, campaign, 0);
    // A new quarter is all zeros: only set bits cost time.
    putBit(quarter.split, campaign, isSplit);
    putBit(quarter.outsideDaypart, campaign, reason === REASON_NUMBER.outside_daypart);
    if (reason === RUNS) setBit(quarter.running, campaign);
    else clearBit(quarter.running, campaign);
  }

  #isWithin(minuteOfDay: number, { minute }: Quarter): boolean {
    return minuteOfDay > minute && minuteOfDay < minute + QUARTER_MINUTES;
  }

  #grow(size: number): void {
    const length = Math.max(size, this.#startsOn.length * 2);
    this.#startsOn = grownIntegers(this.#startsOn, length);
    this.#endsOn = grownIntegers(this.#endsOn, length);
    this.#days = grownIntegers(this.#days, length);
    this.#fromMinute = grownIntegers(this.#fromMinute, length);
    this.#toMinute = grownIntegers(this.#toMinute, length);
    this.#category = grownIntegers(this.#category, length);
    const known = this.#firstHour.length;
    this.#firstHour = grownFloats(this.#firstHour, length).fill(NaN, known);
    this.#secondHour = grownFloats(this.#secondHour, length);
  }
}
