/** One run of a benchmark as it is published: its figures, the host, and whether the host was busy. */
import { type Figure, movement, REFERENCE_SPREAD_MAX, round, type RunLength } from '../protocol.ts';
import type { Host, Speed } from './host.ts';

/** Taken over the pairs of a run. All three are the same where the run has one value. */
export type Spread = { median: number; min: number; max: number };

export type PublishedFigure = Pick<Figure, 'figure' | 'unit' | 'goal' | 'met' | 'better'> & {
  variant?: string;
  ours: Spread;
  reference: Spread | null;
  ratio: Spread | null;
};

export type PublishedRun = Host & {
  bench: string;
  commit: string;
  /** YYYY-MM-DD, UTC. */
  date: string;
  pairs: number;
  seconds: number;
  speed: { before: Speed; after: Speed };
  /** The values that moved by more than a tenth during the run; absent on a quiet host. */
  busy?: string;
  figures: PublishedFigure[];
};

type RunParts = {
  bench: string;
  figures: readonly Figure[];
  length: RunLength;
  host: Host;
  speed: PublishedRun['speed'];
  commit: string;
  date: Date;
};

export function publishedRunOf({ bench, figures, length, host, speed, commit, date }: RunParts): PublishedRun {
  const busy = busyOf(figures, speed);
  return {
    bench,
    commit,
    date: date.toISOString().slice(0, 10),
    ...host,
    pairs: length.pairs,
    seconds: length.forSeconds,
    speed,
    ...(busy !== undefined && { busy }),
    figures: figures.map(publishedFigureOf),
  };
}

/** The largest move between the pairs or between the two probes of the host, if above a tenth. */
function busyOf(figures: readonly Figure[], { before, after }: PublishedRun['speed']): string | undefined {
  const moved = [
    { what: 'the speed of the host', by: movement([before.hash_mb_per_second, after.hash_mb_per_second]) },
    ...figures.map(figure => ({ what: `the reference of ${figure.figure}`, by: figure.referenceMoved ?? 0 })),
  ];
  const most = moved.reduce((one, other) => (other.by > one.by ? other : one));
  return most.by > REFERENCE_SPREAD_MAX ? `${most.what} moved by ${Math.round(most.by * 100)}%` : undefined;
}

function publishedFigureOf(figure: Figure): PublishedFigure {
  const { ours, reference, ratio, min, max, goal, met, better, variant, samples, unit } = figure;
  const references = samples !== undefined && 'reference' in samples ? samples.reference : undefined;
  return {
    figure: figure.figure,
    ...(variant !== undefined && { variant }),
    unit,
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
  const rounded = (one: number) => (Math.abs(value) >= 1_000 ? Math.round(one) : round(one));
  return { median: value, min: rounded(Math.min(...samples)), max: rounded(Math.max(...samples)) };
}
