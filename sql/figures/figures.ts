/**
 * The figures that every row of a report has. This file alone knows which they are: the columns of the rollups that
 * they are the sums of, how people are shown them, and their columns of a CSV. Impressions stay in thousandths and
 * money in micro-units until they are shown.
 */
import { decimalFromMicros, roundThousandths } from '#domain/money/money.ts';
import type { Micros } from '#domain/unit.ts';

/** The names of the figures of a row, which are summed when rows are added up. */
export const FIGURES = ['plays', 'late_plays', 'impressions_thousandths', 'cost_micros', 'scans'] as const;
export const NO_FIGURES = { plays: 0, late_plays: 0, impressions_thousandths: 0, cost_micros: 0, scans: 0 };

/** One row of figures, of a bucket of time or of a group; its label says of which. */
export type Figures = {
  label: string;
  plays: number;
  late_plays: number;
  impressions_thousandths: number;
  cost_micros: Micros;
  scans: number;
};

/** Adds the figures of a row to those of another. */
export function addFigures(sum: Omit<Figures, 'label'>, row: Omit<Figures, 'label'>): void {
  for (const figure of FIGURES) sum[figure] += row[figure];
}

/** In statements a figure has one letter, in the order of `FIGURES`. */
export const LETTERS = 'p, l, i, c, s';
/** A zero for each of them. */
export const NO_VALUES = FIGURES.map(() => 0).join(', ');
/** The figures of one row of plays, and of one row of scans. */
export const PLAYS = 'plays as p, late_plays as l, impressions_thousandths as i, cost_micros as c, 0 as s';
export const SCANS = '0 as p, 0 as l, 0 as i, 0 as c, scans as s';
/** The same of several rows. Zeros have the type of a sum, because such rows are put into arrays. */
export const SUMS_OF_PLAYS =
  'sum(plays) as p, sum(late_plays) as l, sum(impressions_thousandths) as i, sum(cost_micros) as c, toUInt64(0) as s';
export const SUMS_OF_SCANS = 'toUInt64(0) as p, toUInt64(0) as l, toUInt64(0) as i, toUInt64(0) as c, sum(scans) as s';
export const SUMS_OF_RANGE =
  'sum(p) as plays, sum(l) as late_plays, sum(i) as impressions_thousandths, sum(c) as cost_micros, sum(s) as scans';

/** Figures as people read them: whole impressions, and money in units of the currency. */
export function shownFigures(
  {
    plays,
    impressions_thousandths: thousandths,
    scans,
    cost_micros: costMicros,
  }: Omit<Figures, 'label' | 'late_plays'>,
  currency: string,
) {
  const spend = { amount: decimalFromMicros(costMicros), currency };
  return { plays, impressions: roundThousandths(thousandths), scans, spend };
}

export type ShownFigures = ReturnType<typeof shownFigures>;

/** The columns of shown figures in a CSV, and the cells of a row. */
export const FIGURE_COLUMNS = ['plays', 'impressions', 'scans', 'spend', 'currency'];
export function figureCells({ plays, impressions, scans, spend }: ShownFigures): (string | number)[] {
  return [plays, impressions, scans, spend.amount, spend.currency];
}
