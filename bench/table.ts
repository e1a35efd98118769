/**
 * The figures of a run: as a table for people, a line for each goal with what the run says of itself below it, or as
 * lines of JSON for programs.
 */
import type { Figure } from './protocol.ts';

const HEAD = ['bench', 'goal', 'unit', 'ours', 'reference', 'ratio', 'min..max', 'wanted', 'met'];

export function tableOf(figures: readonly Figure[]): string {
  const rows = [HEAD, ...figures.map(lineOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return `\n${line(HEAD)}\n${figures.map(figure => `${line(lineOf(figure))}\n${notesOf(figure)}`).join('\n')}`;
}

/** One object of JSON for each goal. */
export function jsonLinesOf(figures: readonly Figure[]): string {
  return figures
    .map(({ bench, figure, variant, unit, ours, reference, ratio, min, max, goal, met, details }) => {
      const line = { bench, figure, variant, unit, ours, reference, ratio, min, max, goal, met, details };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}

function lineOf({ bench, figure, variant, unit, ours, reference, ratio, min, max, goal, met }: Figure): string[] {
  const number = (value: number | null) => (value === null ? '-' : value.toLocaleString('en-US'));
  return [
    bench,
    variant === undefined ? figure : `${figure} (${variant})`,
    unit,
    number(ours),
    number(reference),
    number(ratio),
    min === null ? '-' : `${min}..${max}`,
    String(goal),
    met ? 'yes' : 'no',
  ];
}

function notesOf({ details }: Figure): string {
  const entries = Object.entries(details).map(
    ([name, value]) =>
      `${name.replaceAll('_', ' ')}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
  const warning =
    details['first_look'] === true ? '  A first look: fewer than five pairs, or samples under 30 s.\n' : '';
  return `${warning}${entries.map(entry => `  ${entry}\n`).join('')}`;
}
