/** Figures, money and times as people of the chosen language write them. Times always name their zone. */
import { formatLocale, t } from './text.ts';

export type Money = { amount: number; currency: string };

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** In a currency's smallest units: anything less comes from floating-point rounding. */
const PARTS_MIN = 1e-6;
/** From this many smallest units on, fractions do not matter at a glance. */
const UNITS_MIN = 1;

/**
 * Formats that were made before, by language and options: making one takes as long as a hundred uses, and a table
 * writes hundreds of cells. There are as many as this file has kinds of them, times the currencies and languages that a
 * person meets.
 */
function kept<Options extends object, Format>(make: (locale: string, options: Options) => Format) {
  const made = new Map<string, Format>();
  return (options: Options): Format => {
    const name = `${formatLocale()} ${JSON.stringify(options)}`;
    const before = made.get(name);
    if (before !== undefined) return before;
    const format = make(formatLocale(), options);
    made.set(name, format);
    return format;
  };
}

const numbers = kept((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
const compactNumbers = kept(
  (locale, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale.toLowerCase().startsWith('en') ? 'en' : locale, options),
);
const dates = kept((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options));
const ages = kept((locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options));

/** How many of a currency's smallest units an amount is: cents of EUR, whole yen, thousandths of KWD. */
function smallestUnits({ amount, currency }: Money): number {
  return amount * 10 ** decimalsOf(currency);
}

const decimalsOf = (currency: string): number =>
  numbers({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits!;

/** The least that is typed into a field for an amount, and its step: a cent of EUR, a yen, a thousandth of KWD. */
export function smallestAmount(currency: string): string {
  return (10 ** -decimalsOf(currency)).toFixed(decimalsOf(currency));
}

/** Money in its currency. Below a unit parts of a cent are shown, all as far, so that those of a column align. */
export function money({ amount, currency }: Money): string {
  const cents = smallestUnits({ amount, currency });
  const hasParts = Math.abs(amount) < 1 && Math.abs(cents - Math.round(cents)) > PARTS_MIN;
  const digits = hasParts ? { minimumFractionDigits: 4, maximumFractionDigits: 4 } : {};
  return numbers({ style: 'currency', currency, ...digits }).format(amount);
}

/** Money at a glance: without cents above a hundred, and without parts of a cent where there are some cents. */
export function roundMoney(value: Money): string {
  const { amount, currency } = value;
  if (Math.abs(smallestUnits(value)) < UNITS_MIN) return money(value);
  const digits = Math.abs(amount) < 100 ? {} : { maximumFractionDigits: 0 };
  return numbers({ style: 'currency', currency, ...digits }).format(amount);
}

export function count(value: number): string {
  return numbers({ maximumFractionDigits: 0 }).format(value);
}

/** A figure with one decimal: a mean, or a difference in points. */
export function tenths(value: number): string {
  return numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
}

/** A figure that may be far below 1, to four significant digits. */
export function decimal(value: number): string {
  return numbers({ maximumSignificantDigits: 4 }).format(value);
}

/** A large figure in few characters: 1.2M. British English would write "1.2m". */
export function compact(value: number): string {
  return compactNumbers({ notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

export function percent(share: number, digits = 0): string {
  return numbers({ style: 'percent', maximumFractionDigits: digits }).format(share);
}

/** A change as a share, with its sign: +12%. */
export function percentChange(share: number): string {
  return numbers({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(share);
}

/** The name of a country by its two letters; undefined if they name none. */
export function countryName(code: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(code)) return undefined;
  const names = new Intl.DisplayNames(formatLocale(), { type: 'region', fallback: 'none' });
  return names.of(code.toUpperCase());
}

/** The name of a currency by its code: Euro. */
export function currencyName(code: string): string {
  return new Intl.DisplayNames(formatLocale(), { type: 'currency' }).of(code) ?? code;
}

/** The viewer's time zone. */
export function viewerZone(): string {
  return dates({}).resolvedOptions().timeZone;
}

/** A zone by its places, as people write them: America/Sao Paulo. */
export function zoneName(timeZone: string): string {
  return timeZone.replaceAll('_', ' ');
}

/** A moment with its zone: 3 Sep 2026, 14:05 CEST. */
export function moment(iso: string, timeZone = viewerZone()): string {
  return dates({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(iso));
}

/** A time of day with seconds and its zone: 14:05:12 CEST. */
export function clockTime(iso: string, timeZone = viewerZone()): string {
  return dates({ timeStyle: 'long', timeZone }).format(new Date(iso));
}

/** The hour and minute of a moment in the viewer's zone. */
export function hourOfDay(at: number): string {
  return dates({ hour: '2-digit', minute: '2-digit' }).format(at);
}

/** A day of the calendar, which is of no zone: 3 Sep 2026. */
export function day(date: string): string {
  return dates({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date.slice(0, 10)));
}

/** The same in few characters, under the axis of a chart: 3 Sep. */
export function shortDay(date: string): string {
  return dates({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(date.slice(0, 10)));
}

/** A month of the calendar, given as YYYY-MM: October 2026. */
export function monthName(period: string): string {
  return dates({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${period.slice(0, 7)}-01`));
}

/** The first and last day; a draft may have neither yet. */
export function dayRange(starts: string | null, ends: string | null): string {
  return starts === null || ends === null ? t('campaigns.noDays') : `${day(starts)} – ${day(ends)}`;
}

/** How long ago a moment was: 5 minutes ago. */
export function ago(iso: string, now: number): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1_000);
  if (seconds < 2) return t('time.now');
  const format = ages({ numeric: 'always', style: 'short' });
  if (seconds < MINUTE_S) return format.format(-seconds, 'second');
  if (seconds < HOUR_S) return format.format(-Math.round(seconds / MINUTE_S), 'minute');
  if (seconds < DAY_S) return format.format(-Math.round(seconds / HOUR_S), 'hour');
  return format.format(-Math.round(seconds / DAY_S), 'day');
}

/** The date a number of days after a moment, YYYY-MM-DD. */
export function dateAfter(now: number, days: number): string {
  return new Date(now + days * DAY_S * 1_000).toISOString().slice(0, 10);
}
