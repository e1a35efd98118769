/**
 * One run of a benchmark as it is kept: a line of `bench/history/NAME.ndjson`. And what keeps a run out of the history:
 * a tree that differs from its commit, a run that is too short, and a machine that was not quiet.
 */
import { type Figure, KEPT_RUN, median, movement, REFERENCE_SPREAD_MAX, round, type RunLength } from '../protocol.ts';
import type { WorkPlace } from './work-place.ts';

/** Of the pairs of a run; all three the same where the run has one value. */
export type Spread = { median: number; min: number; max: number };

export type KeptFigure = {
  figure: string;
  variant?: string;
  unit: string;
  ours: Spread;
  reference: Spread | null;
  ratio: Spread | null;
  goal: number;
  met: boolean;
  better: 'more' | 'less';
};

export type KeptRun = {
  bench: string;
  commit: string;
  date: string;
  machine: string;
  system: string;
  node: string;
  pairs: number;
  /** The most pairs of a figure that were measured besides, and left out for their reference. Absent: none. */
  left_out?: number;
  seconds: number;
  /** Of the minute before. */
  load: number;
  /** The reference that moved most between the pairs, and by how much; 0.1: by a tenth. */
  moved: { reference: string; by: number };
  quiet: boolean;
  figures: KeptFigure[];
};

/** Speed of the machine before the run and after it. */
export type Probes = { before: number; after: number };

export type KeptRunOptions = {
  bench: string;
  figures: readonly Figure[];
  length: RunLength;
  probes: Probes;
  place: Omit<WorkPlace, 'changed'>;
  date: Date;
};

export function keptRunOf({ bench, figures, length, probes, place, date }: KeptRunOptions): KeptRun {
  const { commit, machine, system, node, load } = place;
  const moved = mostMoved(figures, probes);
  const leftOut = Math.max(0, ...figures.map(figure => figure.pairsLeftOut ?? 0));
  return {
    bench,
    commit,
    date: date.toISOString().slice(0, 10),
    machine,
    system,
    node,
    pairs: length.pairs,
    ...(leftOut > 0 && { left_out: leftOut }),
    seconds: length.forSeconds,
    load,
    moved,
    quiet: moved.by <= REFERENCE_SPREAD_MAX,
    figures: figures.map(keptFigureOf),
  };
}

/** Why a run may not be kept, in one sentence; undefined: it may. */
export function refusalOf({ bench, quiet, moved }: KeptRun): string | undefined {
  if (quiet) return undefined;
  return `${bench}: not kept: the machine was not quiet: ${moved.reference} moved by ${percent(moved.by)}, and ${percent(REFERENCE_SPREAD_MAX)} is the most`;
}

/** Why a run of this length cannot be kept, known before it is begun. */
export function refusalOfLength(bench: string, length: RunLength, kept = KEPT_RUN): string | undefined {
  if (length.pairs >= kept.pairs && length.forSeconds >= kept.forSeconds) return undefined;
  return `${bench}: a kept run takes --pairs ${kept.pairs} --for ${kept.forSeconds} at least, which is what --keep takes by itself`;
}

/** Why runs of this tree cannot be kept, known before one is begun. */
export function refusalOfTree({ commit, changed }: Pick<WorkPlace, 'commit' | 'changed'>): string | undefined {
  if (changed.length === 0) return undefined;
  return `nothing is kept: the work tree differs from ${commit}, so the figures would not be the commit's:\n${changed.join('\n')}`;
}

/** What tells a figure from the others of its benchmark. */
export function nameOf({ figure, variant, unit }: Pick<KeptFigure, 'figure' | 'variant' | 'unit'>): string {
  return [variant === undefined ? figure : `${figure} (${variant})`, unit].join(', ');
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)}%`;
}

/** The probe stands for a reference where a figure has none. */
function mostMoved(figures: readonly Figure[], probes: Probes): KeptRun['moved'] {
  const all = figures.flatMap(figure =>
    figure.referenceMoved === undefined
      ? []
      : [{ reference: `the reference of ${nameOf(figure)}`, by: figure.referenceMoved }],
  );
  if (figures.some(figure => figure.referenceMoved === undefined)) {
    const by = movement([probes.before, probes.after]);
    all.push({ reference: 'the probe of the machine (SHA-256 by the clock)', by });
  }
  const most = all.reduce((one, other) => (other.by > one.by ? other : one));
  return { ...most, by: round(most.by) };
}

function keptFigureOf(figure: Figure): KeptFigure {
  const { ours, reference, ratio, min, max, goal, met, better, variant, samples } = figure;
  const references = samples !== undefined && 'reference' in samples ? samples.reference : undefined;
  return {
    figure: figure.figure,
    ...(variant !== undefined && { variant }),
    unit: figure.unit,
    ours: spreadOf(ours, samples?.ours),
    reference: reference === null ? null : spreadOf(reference, references),
    ratio: ratio === null ? null : { median: ratio, min: min ?? ratio, max: max ?? ratio },
    goal,
    met,
    better,
  };
}

/** The median stays the figure's own: of samples that are of another kind it may be another one. */
function spreadOf(value: number, samples: readonly number[] = [value]): Spread {
  const rounded = Math.abs(median(samples)) >= 1_000 ? Math.round : round;
  return { median: value, min: rounded(Math.min(...samples)), max: rounded(Math.max(...samples)) };
}
