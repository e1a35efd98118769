/**
 * A kept run against the one before it on the same machine. A figure is worse beyond the noise when two things hold.
 * Its median is worse by more than a tenth, which is how far a reference may move in a run that is kept: less may be
 * the machine. And no pair of the new run is as good as the worst of the old one: of five pairs and five of the same
 * code that happens by chance once in 252 times (there are 252 ways to choose which five of ten are the worst). Figures
 * with a reference are compared by their ratio, which a slower machine leaves as it is.
 */
import { REFERENCE_SPREAD_MAX } from '../protocol.ts';
import { type KeptFigure, type KeptRun, nameOf, type Spread } from './kept-run.ts';

export type Change = {
  name: string;
  now: KeptFigure;
  before: KeptFigure | undefined;
  /**
   * The new median as a part of the old one, less one: 0.1 is a tenth more. Undefined where there is none before, or 0.
   */
  change: number | undefined;
  isWorse: boolean;
};

/** The last run before `run` on its machine, of all runs of its benchmark in the order in which they were kept. */
export function runBefore(run: KeptRun, history: readonly KeptRun[]): KeptRun | undefined {
  const at = history.indexOf(run);
  const earlier = at < 0 ? history : history.slice(0, at);
  return earlier.findLast(({ machine }) => machine === run.machine);
}

export function compare(run: KeptRun, before: KeptRun | undefined): Change[] {
  const known = new Map(before?.figures.map(figure => [nameOf(figure), figure]));
  return run.figures.map(now => changeOf(now, known.get(nameOf(now))));
}

function changeOf(now: KeptFigure, before: KeptFigure | undefined): Change {
  const name = nameOf(now);
  const [ours, theirs] = [comparedOf(now), before && comparedOf(before)];
  if (theirs === undefined || theirs.median === 0) return { name, now, before, change: undefined, isWorse: false };
  const change = ours.median / theirs.median - 1;
  const isWorse =
    now.better === 'more'
      ? change < -REFERENCE_SPREAD_MAX && ours.max < theirs.min
      : change > REFERENCE_SPREAD_MAX && ours.min > theirs.max;
  return { name, now, before, change, isWorse };
}

/** What is compared of a figure. */
function comparedOf({ ratio, ours }: KeptFigure): Spread {
  return ratio ?? ours;
}
