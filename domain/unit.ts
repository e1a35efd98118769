/**
 * Units of numbers, only for the compiler: money, times and ids cannot be confused. A plain number is accepted for
 * each, because sums and products are plain numbers; what has a unit is refused for another one.
 */

/**
 * Millionths of a currency's unit, whole. Money is counted in them everywhere except in output for people and programs.
 */
export type Micros = number & { readonly __brand?: 'micros' };

/** A length of time, or a moment since 1970-01-01 UTC. */
export type Milliseconds = number & { readonly __brand?: 'milliseconds' };
