/**
 * Brand lift: by how much more often people who were exposed to a campaign answer a question positively than people who
 * were not. The interval of a difference is the hybrid score interval (method 10) of R. G. Newcombe, "Interval
 * estimation for the difference between independent proportions: comparison of eleven methods", Statistics in Medicine
 * 17 (1998) 873-890, built from the two Wilson score intervals. It holds its level with small samples and with rates
 * near 0 or 1, where the usual (Wald) interval does not.
 */
import { assert } from '../assertion.ts';

export const QUESTIONS = ['awareness', 'recall', 'intent'] as const;
export type Question = (typeof QUESTIONS)[number];
export const GROUPS = ['exposed', 'control'] as const;

/** Answers of one group to one question. */
export type Answers = { sample: number; positive: number };
/** The difference of the rates, exposed less control, with its 95% confidence interval. */
export type Lift = { delta: number; low: number; high: number };

/** 97.5% of a standard normal distribution lie below it. */
const Z_95 = 1.959963984540054;

/** The lift, or undefined while one of the groups has no answers. */
export function liftOf(exposed: Answers, control: Answers): Lift | undefined {
  if (exposed.sample === 0 || control.sample === 0) return undefined;
  const [a, b] = [wilson(exposed), wilson(control)];
  const delta = a.rate - b.rate;
  return {
    delta,
    low: delta - Math.hypot(a.rate - a.low, b.high - b.rate),
    high: delta + Math.hypot(a.high - a.rate, b.rate - b.low),
  };
}

/** The Wilson score interval (1927) of a rate. */
function wilson({ sample, positive }: Answers): { rate: number; low: number; high: number } {
  assert(sample > 0 && positive >= 0 && positive <= sample, `${positive} of ${sample} answers is no rate`);
  const square = Z_95 * Z_95;
  const rate = positive / sample;
  const middle = (2 * positive + square) / (2 * (sample + square));
  const half = (Z_95 * Math.sqrt(square + 4 * positive * (1 - rate))) / (2 * (sample + square));
  return { rate, low: positive === 0 ? 0 : middle - half, high: positive === sample ? 1 : middle + half };
}
