/**
 * How a ratio is measured. A is the reference, B is ours; both are driven by the same client over the same number of
 * connections with the same bytes, in one run, in the order A B B A, so that a machine that grows slower or faster in
 * the meantime helps neither. The result is the median of the ratios of the pairs, with the smallest and the largest,
 * and work is divided by the CPU time of the processes that did it.
 */
import { median as middleOf } from '#domain/median.ts';

export type Sample = {
  /** Work done: decisions, plays. */
  amount: number;
  /** Wall-clock seconds it took. */
  seconds: number;
  /** CPU seconds of all processes on the path, client excepted. */
  cpuSeconds: number;
  /** Seconds in which the process under test ran or waited for a core; at 95% of `seconds` it was the bottleneck. */
  busySeconds?: number;
  details?: Record<string, unknown>;
};

export type Arm = 'reference' | 'ours';
export type Pair = Record<Arm, Sample>;

/** One line of results. */
export type Figure = {
  bench: string;
  figure: string;
  unit: string;
  ours: number;
  /** Null with ratio, min and max if the goal is a bound and not a ratio. */
  reference: number | null;
  ratio: number | null;
  min: number | null;
  max: number | null;
  goal: number;
  met: boolean;
  /** Whether more of `ratio`, or of `ours` where there is no ratio, is better, or less. */
  better: 'more' | 'less';
  /** Tells lines of the same figure from each other: a mix, a size, a regime. */
  variant?: string;
  /** The values of each pair, in the figure's unit. */
  samples?: Record<Arm, readonly number[]> | { ours: readonly number[] };
  /** By how much the reference's work per CPU-second moved between the pairs; 0.1: by a tenth. */
  referenceMoved?: number;
  details: Record<string, unknown>;
};

/** The input of every benchmark. */
export type BenchOptions = {
  /** Seconds of sampling per arm. */
  forSeconds: number;
  pairs: number;
  /**
   * Whether to print where the server spends its time, after the samples; `decisions`, `connections` and `api` know
   * how.
   */
  profile?: boolean;
  /** The figures to measure, by their short names; absent: all of them. Only `api` and `start` know how. */
  only?: readonly string[];
  /**
   * Seeds of the worlds, and loads for plain worlds alone; absent: those of the goals. Only `pacing` knows how, and
   * `start` loads for its plan.
   */
  seeds?: readonly number[];
  loads?: readonly number[];
  /** The rules that decide the worlds; absent: all. Only `pacing` knows them. */
  rules?: readonly string[];
  /** Prints progress. */
  say: (text: string) => void;
};

/** How long a run is: its pairs, and the seconds of a sample. */
export type RunLength = { pairs: number; forSeconds: number };

export type Bench = {
  about: string;
  /** When all are published, which takes less than an hour. Absent: five pairs of 6 s. */
  published?: RunLength;
  run: (options: BenchOptions) => Promise<Figure[]>;
};

export const PUBLISHED_RUN: RunLength = { pairs: 5, forSeconds: 6 };
/** When two samples of the same reference differ by more, the machine was not quiet. */
export const REFERENCE_SPREAD_MAX = 0.1;
/** A server below this share of a core was waiting for its client. */
const SATURATED_SHARE = 0.95;

/** The arms in the order in which they are measured: A B, B A, A B, ... */
export function armOrder(pairs: number): Arm[] {
  return Array.from({ length: pairs }, (_, pair): Arm[] =>
    pair % 2 === 0 ? ['reference', 'ours'] : ['ours', 'reference'],
  ).flat();
}

/** Measures pairs in order, one sample at a time. */
export async function measurePairs(pairs: number, measure: (arm: Arm) => Promise<Sample>): Promise<Pair[]> {
  const samples: Sample[] = [];
  const order = armOrder(pairs);
  for (const arm of order) samples.push(await measure(arm));
  return Array.from({ length: pairs }, (_, pair) => {
    const [first, second] = [2 * pair, 2 * pair + 1];
    return { [order[first]!]: samples[first]!, [order[second]!]: samples[second]! } as Pair;
  });
}

/** The middle value; of an even number of values, the mean of the two in the middle. @throws for no values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('no values have no median');
  return middleOf(values);
}

export const perCpuSecond = (sample: Sample): number => sample.amount / sample.cpuSeconds;
export const perSecond = (sample: Sample): number => sample.amount / sample.seconds;

/** By how much the largest of some values is above the smallest; 0.1: by a tenth. */
export function movement(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values) - 1;
}

/** By how much the reference moved between pairs. */
function movementOf(pairs: readonly Pair[]): number {
  return movement(pairs.map(pair => perCpuSecond(pair.reference)));
}

/** Judges the samples: whether the machine was quiet, the server was saturated and the run was long enough. */
function judge(pairs: readonly Pair[]) {
  const spread = movementOf(pairs);
  const shortest = Math.min(...pairs.flatMap(pair => [pair.ours.seconds, pair.reference.seconds]));
  const saturation = (arm: Arm) =>
    median(pairs.map(pair => (pair[arm].busySeconds ?? pair[arm].cpuSeconds) / pair[arm].seconds));
  return {
    pairs: pairs.length,
    first_look: pairs.length < PUBLISHED_RUN.pairs || shortest < PUBLISHED_RUN.forSeconds,
    ...(pairs.length > 1 && { reference_spread: round(spread), quiet: spread <= REFERENCE_SPREAD_MAX }),
    cores_ours: round(median(pairs.map(pair => pair.ours.cpuSeconds / pair.ours.seconds))),
    cores_reference: round(median(pairs.map(pair => pair.reference.cpuSeconds / pair.reference.seconds))),
    ...(pairs.every(pair => pair.ours.busySeconds !== undefined && pair.reference.busySeconds !== undefined) && {
      busy_ours: round(saturation('ours')),
      busy_reference: round(saturation('reference')),
      server_is_bottleneck: saturation('ours') >= SATURATED_SHARE && saturation('reference') >= SATURATED_SHARE,
    }),
  };
}

type Named = Pick<Figure, 'bench' | 'figure' | 'unit' | 'goal' | 'better' | 'variant' | 'details'>;

/** A goal that is the ratio of ours to the reference, pair by pair. */
export function ratioFigure({ samples, ...named }: Named & { samples: Record<Arm, readonly number[]> }): Figure {
  const ratios = samples.ours.map((value, pair) => value / samples.reference[pair]!);
  const ratio = median(ratios);
  return {
    ...named,
    ours: Math.round(median(samples.ours)),
    reference: Math.round(median(samples.reference)),
    ratio: round(ratio),
    min: round(Math.min(...ratios)),
    max: round(Math.max(...ratios)),
    met: isMet(ratio, named),
    samples,
  };
}

/** A goal that is a bound: there is no reference. `met` only if more than `ours` decides. */
export function boundFigure({
  ours,
  met,
  ...named
}: Named & { ours: number; met?: boolean; samples?: { ours: readonly number[] } }): Figure {
  const none = { reference: null, ratio: null, min: null, max: null };
  return { ...named, ...none, ours: round(ours), met: met ?? isMet(ours, named) };
}

function isMet(value: number, { goal, better }: Pick<Figure, 'goal' | 'better'>): boolean {
  return better === 'more' ? value >= goal : value <= goal;
}

/** A goal that is the least ratio of work, per CPU-second unless `rate` says otherwise. */
export function figureOf(named: Omit<Named, 'better'>, pairs: readonly Pair[], rate = perCpuSecond): Figure {
  const samples = { ours: pairs.map(pair => rate(pair.ours)), reference: pairs.map(pair => rate(pair.reference)) };
  const raw = (arm: Arm) => median(pairs.map(pair => perSecond(pair[arm])));
  const details = {
    ours_per_second: Math.round(raw('ours')),
    reference_per_second: Math.round(raw('reference')),
    ratio_per_second: round(median(pairs.map(pair => perSecond(pair.ours) / perSecond(pair.reference)))),
    ...judge(pairs),
    ...named.details,
  };
  return { ...ratioFigure({ ...named, better: 'more', samples, details }), referenceMoved: movementOf(pairs) };
}

/**
 * A figure whose arms are both our own code: no reference, but a bound on the part that ours keeps of the other's rate.
 */
export function partOf(figure: Figure, unit: string): Figure {
  const { ratio, ours, reference, samples, details } = figure;
  const { referenceMoved: _, ...rest } = figure;
  const others = samples !== undefined && 'reference' in samples ? samples.reference : [];
  return {
    ...rest,
    unit,
    ours: ratio!,
    reference: null,
    ratio: null,
    min: null,
    max: null,
    samples: { ours: (samples?.ours ?? []).map((rate, at) => rate / others[at]!) },
    details: { ...details, rate: ours, other_rate: reference },
  };
}

/** Three decimals: more would only show noise. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
