/**
 * Standard rates of VAT of the 27 EU states, Great Britain, Switzerland and Norway. Rates that changed since 2024 have
 * the day from which each applies.
 *
 * Sources: European Commission, Taxes in Europe Database (VAT rates applied in the Member States); HMRC, "VAT rates";
 * Swiss Federal Tax Administration, "VAT rates as of 1 January 2024"; Norwegian Tax Administration, "Rates for value
 * added tax". A new rate is another entry; earlier ones stay, because earlier months may still be invoiced.
 */
type RateChange = { from: string; basisPoints: number };

const ALWAYS = '2000-01-01';
const since = (from: string, basisPoints: number): RateChange => ({ from, basisPoints });

/** By country of ISO 3166, oldest rate first. Hundredths of a percent. */
const STANDARD_RATES: Readonly<Record<string, readonly RateChange[]>> = {
  AT: [since(ALWAYS, 2_000)],
  BE: [since(ALWAYS, 2_100)],
  BG: [since(ALWAYS, 2_000)],
  CH: [since(ALWAYS, 770), since('2024-01-01', 810)],
  CY: [since(ALWAYS, 1_900)],
  CZ: [since(ALWAYS, 2_100)],
  DE: [since(ALWAYS, 1_900)],
  DK: [since(ALWAYS, 2_500)],
  EE: [since(ALWAYS, 2_000), since('2024-01-01', 2_200), since('2025-07-01', 2_400)],
  ES: [since(ALWAYS, 2_100)],
  FI: [since(ALWAYS, 2_400), since('2024-09-01', 2_550)],
  FR: [since(ALWAYS, 2_000)],
  GB: [since(ALWAYS, 2_000)],
  GR: [since(ALWAYS, 2_400)],
  HR: [since(ALWAYS, 2_500)],
  HU: [since(ALWAYS, 2_700)],
  IE: [since(ALWAYS, 2_300)],
  IT: [since(ALWAYS, 2_200)],
  LT: [since(ALWAYS, 2_100)],
  LU: [since(ALWAYS, 1_600), since('2024-01-01', 1_700)],
  LV: [since(ALWAYS, 2_100)],
  MT: [since(ALWAYS, 1_800)],
  NL: [since(ALWAYS, 2_100)],
  NO: [since(ALWAYS, 2_500)],
  PL: [since(ALWAYS, 2_300)],
  PT: [since(ALWAYS, 2_300)],
  RO: [since(ALWAYS, 1_900), since('2025-08-01', 2_100)],
  SE: [since(ALWAYS, 2_500)],
  SI: [since(ALWAYS, 2_200)],
  SK: [since(ALWAYS, 2_000), since('2025-01-01', 2_300)],
};

const OUTSIDE_THE_EU = new Set(['CH', 'GB', 'NO']);

/** The countries whose sellers get documents with VAT. */
export const VAT_COUNTRIES: readonly string[] = Object.keys(STANDARD_RATES);

export function isInEu(country: string): boolean {
  return Object.hasOwn(STANDARD_RATES, country) && !OUTSIDE_THE_EU.has(country);
}

/** The standard rate on a day (`2026-03-31`), in hundredths of a percent; undefined for a country without one here. */
export function standardRate(country: string, day: string): number | undefined {
  if (!Object.hasOwn(STANDARD_RATES, country)) return undefined;
  return STANDARD_RATES[country]!.findLast(({ from }) => from <= day)?.basisPoints;
}
