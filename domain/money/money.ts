/**
 * Money is an integer of micro-units: a millionth of the currency's unit, whatever its minor unit is. Impressions are
 * integers of thousandths. Money is rounded in two places only: a price up to the next micro-unit (`costMicros`), a
 * share of money down (`shareMicros`), so that shares never exceed what they are of. Documents show whole minor units
 * (`roundToMinor`), and what that adds or takes is a line of theirs; the ledger keeps every micro-unit.
 */
import { assert } from '../assertion.ts';
import { refuse, refuseField, type Funds, type Refusal } from '../refusal.ts';
import type { Micros } from '../unit.ts';

export const MICROS_PER_UNIT = 1_000_000;
const THOUSANDTHS = 1000;

// ISO 4217, active currencies of 2026. The decimals of a currency are 2 unless listed.
const DECIMALS_OTHER_THAN_2: Record<string, number> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};
const CURRENCIES_OF_2 = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK ' +
    'DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK ' +
    'LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR ' +
    'RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED ' +
    'VES WST XCD XCG YER ZAR ZMW ZWG'
  ).split(' '),
);

/** Every currency, by code. */
export const CURRENCIES: readonly string[] = [...CURRENCIES_OF_2, ...Object.keys(DECIMALS_OTHER_THAN_2)].sort();

/**
 * The number of decimals of an ISO 4217 currency (0, 2 or 3), or undefined for a code that is not one. Upper case only.
 */
export function currencyDecimals(code: string): number | undefined {
  if (CURRENCIES_OF_2.has(code)) return 2;
  return Object.hasOwn(DECIMALS_OTHER_THAN_2, code) ? DECIMALS_OTHER_THAN_2[code] : undefined;
}

/** Refuses a code that is no currency of ISO 4217. `pointer` is that of the object whose field `currency` it is. */
export function refuseCurrency(currency: string, pointer = ''): Refusal | undefined {
  return currencyDecimals(currency) === undefined
    ? refuseField(`${pointer}/currency`, 'unknown_currency', 'must be a currency code of ISO 4217, such as EUR')
    : undefined;
}

/**
 * Micro-units of a decimal amount as JSON carries it. Exact: the shortest decimal that the number prints as is what the
 * caller meant. Refuses an unknown currency, a negative or not finite amount, more decimals than the currency has, and
 * more than 2^53 - 1 micro-units. `pointer` is that of the money object, `field` the name of its amount.
 */
export function microsFromDecimal(amount: number, currency: string, pointer = '', field = 'amount'): Micros | Refusal {
  const decimals = currencyDecimals(currency);
  if (decimals === undefined) return refuseCurrency(currency, pointer)!;
  if (!Number.isFinite(amount) || amount < 0)
    return refuseField(`${pointer}/${field}`, 'out_of_range', 'must be a decimal number of 0 or more');
  if (amount * MICROS_PER_UNIT > Number.MAX_SAFE_INTEGER)
    return refuseField(`${pointer}/${field}`, 'out_of_range', 'is too large');
  const [whole = '0', fraction = ''] = String(amount).split('.');
  if (whole.includes('e') || fraction.includes('e') || fraction.length > decimals) {
    return refuseField(`${pointer}/${field}`, 'too_many_decimals', `${currency} has ${decimals} decimals`);
  }
  return Number(whole) * MICROS_PER_UNIT + Number(fraction.padEnd(6, '0'));
}

/** The decimal that an answer shows. Exact up to 10^15 micro-units (10^9 units, the largest budget). */
export function decimalFromMicros(micros: Micros): Micros {
  return micros / MICROS_PER_UNIT;
}

/**
 * The price of impressions: rate x impressions, rounded up to the next micro-unit.
 * @param rateMicros micro-units per impression, integer >= 0
 * @param impressionsThousandths integer >= 0
 * @throws Bug for other arguments or a price above 2^53 - 1
 */
export function costMicros(rateMicros: Micros, impressionsThousandths: number): Micros {
  // The message is built only when it is needed: this runs for every decision, and the text costs more than the
  // product.
  if (!isAmount(rateMicros)) assert(false, `rate ${rateMicros} is not an integer of 0 or more`);
  if (!isAmount(impressionsThousandths))
    assert(false, `impressions ${impressionsThousandths} are not an integer of 0 or more`);
  const product = rateMicros * impressionsThousandths;
  if (product > Number.MAX_SAFE_INTEGER) {
    const cost = (BigInt(rateMicros) * BigInt(impressionsThousandths) + 999n) / 1000n;
    assert(cost <= BigInt(Number.MAX_SAFE_INTEGER), `a price of ${cost} micro-units is beyond 2^53 - 1`);
    return Number(cost);
  }
  // Math.ceil would be wrong: near 2^43 a double cannot hold thousandths, so the quotient may be rounded up already.
  const quotient = Math.floor(product / THOUSANDTHS);
  return quotient * THOUSANDTHS >= product ? quotient : quotient + 1;
}

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Whole impressions of a total in thousandths, for an answer only: half and more goes up. */
export function roundThousandths(impressionsThousandths: number): number {
  const rest = impressionsThousandths % THOUSANDTHS;
  return (impressionsThousandths - rest) / THOUSANDTHS + (rest >= THOUSANDTHS / 2 ? 1 : 0);
}

// ---- shares

const MILLION = 1_000_000;

/**
 * A share of an amount in millionths, rounded down.
 * @param micros integer >= 0
 * @param shareMillionths 0 .. 1,000,000
 */
export function shareMicros(micros: Micros, shareMillionths: number): Micros {
  assert(
    isAmount(micros) && isAmount(shareMillionths) && shareMillionths <= MILLION,
    `${shareMillionths} millionths of ${micros} is no share`,
  );
  const product = micros * shareMillionths;
  if (product <= Number.MAX_SAFE_INTEGER) return (product - (product % MILLION)) / MILLION;
  return Number((BigInt(micros) * BigInt(shareMillionths)) / BigInt(MILLION));
}

/**
 * Parts of a total in proportion to weights: integers that sum to it exactly, each the exact share rounded down or up
 * (the largest remainders go up; of equal ones the first). Weights of 0 get nothing while any is above 0.
 * @param total integer >= 0, and 0 where all weights are
 */
export function apportion(total: number, weights: readonly number[]): number[] {
  assert(isAmount(total) && weights.every(isAmount), 'totals and weights are integers of 0 or more');
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  assert(sum > 0n || total === 0, `a total of ${total} has nobody to go to`);
  if (sum === 0n) return weights.map(() => 0);
  const exact = weights.map(weight => BigInt(total) * BigInt(weight));
  const parts = exact.map(product => Number(product / sum));
  const rests = exact
    .map((product, index) => ({ index, rest: product % sum }))
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  let left = total - parts.reduce((all, part) => all + part, 0);
  for (const { index } of rests) {
    if (left === 0) break;
    parts[index]! += 1;
    left -= 1;
  }
  return parts;
}

// ---- minor units

/**
 * Micro-units of a currency's smallest unit: a cent of EUR is 10,000, a yen 1,000,000, a fils of KWD 1,000.
 * @throws Bug for an unknown code
 */
export function minorUnitMicros(currency: string): Micros {
  const decimals = currencyDecimals(currency);
  assert(decimals !== undefined, `${currency} is no currency`);
  return 10 ** (6 - decimals);
}

/** The nearest amount that can be paid in the currency; half goes up. `micros` >= 0. */
export function roundToMinor(micros: Micros, currency: string): number {
  const unit = minorUnitMicros(currency);
  const rest = micros % unit;
  return micros - rest + (rest * 2 >= unit ? unit : 0);
}

/** The largest amount that can be paid in the currency and is not above `micros` >= 0. */
export function floorToMinor(micros: Micros, currency: string): number {
  return micros - (micros % minorUnitMicros(currency));
}

/** The smallest amount that can be paid in the currency and is not below `micros` >= 0. */
export function ceilToMinor(micros: Micros, currency: string): number {
  return floorToMinor(micros + minorUnitMicros(currency) - 1, currency);
}

/**
 * `1234.50` with the decimals of the currency. `micros` is a whole number of minor units, below 0 too.
 * @throws Bug for others
 */
export function formatAmount(micros: Micros, currency: string): string {
  const unit = minorUnitMicros(currency);
  assert(Number.isSafeInteger(micros) && micros % unit === 0, `${micros} micro-units are no amount of ${currency}`);
  const decimals = currencyDecimals(currency)!;
  const digits = String(Math.abs(micros) / unit).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${micros < 0 ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

/**
 * The refusal of an amount that an account does not cover: both amounts as fields, and in words.
 *
 * @param sentence follows what is needed: it says where the available amount is, and what to do
 */
export function refuseFunds(
  { neededMicros, availableMicros, currency }: Funds,
  sentence: (available: string) => string,
): Refusal {
  const [needed, available] = [ceilToMinor(neededMicros, currency), floorToMinor(availableMicros, currency)];
  const write = (micros: Micros) => `${formatAmount(micros, currency)} ${currency}`;
  return {
    ...refuse('insufficient_funds', `Needs ${write(needed)}; ${sentence(write(available))}`),
    funds: { neededMicros: needed, availableMicros: available, currency },
  };
}

/** `1234.505` with the decimals of the currency, and more where micro-units need them. */
export function formatExact(micros: Micros, currency: string): string {
  assert(Number.isSafeInteger(micros), `${micros} micro-units are no integer`);
  const decimals = currencyDecimals(currency) ?? 0;
  const digits = String(Math.abs(micros)).padStart(7, '0');
  const fraction = digits.slice(-6);
  const shown = Math.max(decimals, fraction.replace(/0+$/, '').length);
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}${shown === 0 ? '' : `.${fraction.slice(0, shown)}`}`;
}
