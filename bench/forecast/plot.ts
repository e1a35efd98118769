/**
 * The reliability plot: how often the real result lies inside the band, for bands narrowed to a part of their width, by
 * size class. If the shape of the band is right, the points follow the line from nothing to 90%.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIZE_CLASSES } from '../../domain/forecast/band.ts';
import type { Outcome } from './backtest.ts';

const FILE = join(import.meta.dirname, '..', 'plots', 'forecast-reliability.svg');
const SIDE = 360;
const MARGIN = 48;
const COLOURS = ['#b3261e', '#1f6feb', '#2e7d32'];
const NORMAL_AT_90 = 1.645;
/** Parts of the band's width: from a tenth to half as wide again. */
const PARTS = Array.from({ length: 15 }, (_, step) => (step + 1) / 10);

/** Writes the file and returns its path. Questions with a binding budget are left out. */
export function writePlot(outcomes: readonly Outcome[]): string {
  mkdirSync(join(FILE, '..'), { recursive: true });
  writeFileSync(FILE, plotOf(outcomes.filter(one => !one.budgetBound)));
  return FILE;
}

function plotOf(outcomes: readonly Outcome[]): string {
  const x = (share: number) => MARGIN + share * SIDE;
  const y = (share: number) => MARGIN + (1 - share) * SIDE;
  const lines = SIZE_CLASSES.map((name, size) => {
    const own = outcomes.filter(one => one.size === size);
    const points = PARTS.map(part => ({ wanted: nominal(part), found: insideShare(own, part) }));
    const path = points.map(({ wanted, found }) => `${x(wanted).toFixed(1)},${y(found).toFixed(1)}`).join(' ');
    const dots = points
      .map(
        ({ wanted, found }) =>
          `<circle cx="${x(wanted).toFixed(1)}" cy="${y(found).toFixed(1)}" r="3" fill="${COLOURS[size]}"/>`,
      )
      .join('');
    return `<polyline points="${path}" fill="none" stroke="${COLOURS[size]}" stroke-width="2"/>${dots}<text x="${MARGIN + 12}" y="${MARGIN + 20 + 18 * size}" fill="${COLOURS[size]}">${name} (${own.length})</text>`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 0.9, 1].map(
    share =>
      `<text x="${x(share)}" y="${MARGIN + SIDE + 18}" text-anchor="middle">${share}</text><text x="${MARGIN - 6}" y="${y(share) + 4}" text-anchor="end">${share}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE + 2 * MARGIN}" height="${SIDE + 2 * MARGIN}" font-family="sans-serif" font-size="12">
<rect x="${MARGIN}" y="${MARGIN}" width="${SIDE}" height="${SIDE}" fill="none" stroke="#999"/>
<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#999" stroke-dasharray="4 4"/>
${ticks.join('')}
${lines.join('\n')}
<text x="${MARGIN + SIDE / 2}" y="${MARGIN + SIDE + 38}" text-anchor="middle">share that a band of this width should hold</text>
<text x="14" y="${MARGIN + SIDE / 2}" text-anchor="middle" transform="rotate(-90 14 ${MARGIN + SIDE / 2})">share that it held</text>
</svg>
`;
}

/** The coverage of a part of a 90% band if errors are normal. */
function nominal(part: number): number {
  return 2 * normalShare(NORMAL_AT_90 * part) - 1;
}

/** Below z, by the logistic approximation within 0.0002 of the normal distribution (Bowling et al. 2009). */
function normalShare(z: number): number {
  return 1 / (1 + Math.exp(-(0.07056 * z ** 3 + 1.5976 * z)));
}

function insideShare(outcomes: readonly Outcome[], part: number): number {
  const inside = outcomes.filter(
    ({ forecast: { impressions, impressionsLow, impressionsHigh }, delivered }) =>
      delivered >= impressions - part * (impressions - impressionsLow) &&
      delivered <= impressions + part * (impressionsHigh - impressions),
  );
  return outcomes.length === 0 ? 0 : inside.length / outcomes.length;
}
