/** Promises of so many milliseconds, on machines that have other work. */
import { expect } from 'vitest';

/** A machine with other work is slow for a while; what is slow by itself is slow each time. */
const TRIES_MAX = 5;

/** Passes when one of a few runs takes less than `msMax`. `run` answers with what it took, in ms. */
export async function expectWithin(msMax: number, run: () => Promise<number>): Promise<void> {
  const took: number[] = [];
  do took.push(await run());
  while (took.at(-1)! >= msMax && took.length < TRIES_MAX);
  expect(Math.min(...took)).toBeLessThan(msMax);
}
