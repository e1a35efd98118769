/**
 * The plot of the pacing benchmark: each rule in each world is a point that shows its delivered share of what was
 * possible, against its distance from the curve. Up and left is better.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '..', 'plots', 'pacing-rules.svg');
const WIDTH = 560;
const HEIGHT = 360;
const MARGIN = 56;
const COLOURS = ['#b3261e', '#1f6feb', '#2e7d32', '#8e24aa', '#ef6c00', '#546e7a'];
const TICKS = 5;

export type Point = { rule: string; delivered: number; pacingError: number };

/** Writes the file and returns its path. */
export function writePlot(points: readonly Point[]): string {
  mkdirSync(join(FILE, '..'), { recursive: true });
  writeFileSync(FILE, plotOf(points));
  return FILE;
}

function plotOf(points: readonly Point[]): string {
  const rules = [...new Set(points.map(({ rule }) => rule))];
  const errorMax = Math.max(...points.map(({ pacingError }) => pacingError)) * 1.05;
  const low = Math.min(...points.map(({ delivered }) => delivered)) - 0.005;
  const x = (error: number) => MARGIN + (error / errorMax) * WIDTH;
  const y = (share: number) => MARGIN + ((1 - share) / (1 - low)) * HEIGHT;
  const dots = points.map(
    ({ rule, delivered, pacingError }) =>
      `<circle cx="${x(pacingError).toFixed(1)}" cy="${y(delivered).toFixed(1)}" r="4" fill="${COLOURS[rules.indexOf(rule)]}" fill-opacity="0.75"/>`,
  );
  const names = rules.map(
    (rule, at) => `<text x="${MARGIN + WIDTH - 90}" y="${MARGIN + 24 + 18 * at}" fill="${COLOURS[at]}">${rule}</text>`,
  );
  const ticks = Array.from({ length: TICKS + 1 }, (_, step) => step / TICKS).flatMap(part => {
    const [error, share] = [part * errorMax, 1 - part * (1 - low)];
    return [
      `<text x="${x(error).toFixed(1)}" y="${MARGIN + HEIGHT + 18}" text-anchor="middle">${error.toFixed(3)}</text>`,
      `<text x="${MARGIN - 6}" y="${(y(share) + 4).toFixed(1)}" text-anchor="end">${share.toFixed(3)}</text>`,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + 2 * MARGIN}" height="${HEIGHT + 2 * MARGIN}" font-family="sans-serif" font-size="12">
<rect x="${MARGIN}" y="${MARGIN}" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="#999"/>
${ticks.join('')}
${dots.join('\n')}
${names.join('\n')}
<text x="${MARGIN + WIDTH / 2}" y="${MARGIN + HEIGHT + 40}" text-anchor="middle">distance from the curve, by budget</text>
<text x="14" y="${MARGIN + HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 ${MARGIN + HEIGHT / 2})">delivered / max-flow bound</text>
</svg>
`;
}
