/**
 * How amounts are written for a payment provider in Stripe's shapes: integers of the currency's smallest unit, with the
 * exceptions of its list of currencies.
 */
import { assert } from '../assertion.ts';
import { currencyDecimals, MICROS_PER_UNIT } from './money.ts';
import type { Micros } from '../unit.ts';

const WHOLE = new Set([
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'JPY',
  'KMF',
  'KRW',
  'MGA',
  'PYG',
  'RWF',
  'VND',
  'VUV',
  'XAF',
  'XOF',
  'XPF',
]);
/** Written with three decimals of which the last must be 0. */
const OF_THREE = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);
/** Written with two decimals though it has none. */
const WHOLE_OF_TWO = new Set(['ISK']);

/**
 * Micro-units of one of the provider's units, and of the smallest amount that it takes; undefined for a currency that
 * is not paid this way.
 */
function unitsOf(currency: string): { unitMicros: Micros; stepMicros: Micros } | undefined {
  if (WHOLE.has(currency)) return { unitMicros: MICROS_PER_UNIT, stepMicros: MICROS_PER_UNIT };
  if (OF_THREE.has(currency)) return { unitMicros: 1_000, stepMicros: 10_000 };
  if (WHOLE_OF_TWO.has(currency)) return { unitMicros: 10_000, stepMicros: MICROS_PER_UNIT };
  return currencyDecimals(currency) === 2 ? { unitMicros: 10_000, stepMicros: 10_000 } : undefined;
}

/** The provider's integer for an amount; undefined where it has none. */
export function providerAmount(micros: Micros, currency: string): number | undefined {
  const units = unitsOf(currency);
  return units === undefined || micros % units.stepMicros !== 0 ? undefined : micros / units.unitMicros;
}

/** Micro-units of the provider's integer; undefined for a currency that is not paid this way. */
export function microsOfProvider(amount: number, currency: string): Micros | undefined {
  assert(Number.isSafeInteger(amount) && amount >= 0, `${amount} is no amount of a provider`);
  const units = unitsOf(currency);
  return units === undefined ? undefined : amount * units.unitMicros;
}
