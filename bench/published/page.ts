/**
 * The tables of figures in the documents, made of the results between two marks: all of them in docs/performance.md,
 * seven in the README.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readResults } from './results.ts';
import type { PublishedFigure, PublishedRun, Spread } from './run.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const PAGES = [
  { path: join(ROOT, 'docs/performance.md'), tableOf: fullTable },
  { path: join(ROOT, 'README.md'), tableOf: shortTable },
];
/** The figures in the README, in words that need no other page. */
const SHORT: readonly { bench: string; figure: string; says: string }[] = [
  {
    bench: 'decisions',
    figure: 'G1',
    says: 'Slots decided per CPU second, over sockets, among 10,000 campaigns; beside an echo',
  },
  {
    bench: 'ingest',
    figure: 'G7',
    says: 'Plays counted per CPU second of all processes; beside a direct insert of their rows',
  },
  { bench: 'freshness', figure: 'G9 p99', says: 'Milliseconds from a play to a report that shows it, 99th percentile' },
  {
    bench: 'reports',
    figure: 'G10',
    says: 'Reports of a campaign per second over 100 million plays; beside the same SQL on the raw table',
  },
  {
    bench: 'connections',
    figure: 'G6 back',
    says: 'Seconds until 19,000 screens are back after their process was killed',
  },
  { bench: 'api', figure: 'G11', says: 'Reads of a campaign per CPU second; beside bare Fastify with the same select' },
  { bench: 'api', figure: 'G12', says: 'Campaigns booked per CPU second; beside bare Fastify that inserts one row' },
];
const FROM = '<!-- figures: made by `npm run bench -- --publish` -->';
const TO = '<!-- end of figures -->';
const HEAD = '| figure | unit | ours | reference | ratio | goal | | commit, date |\n|---|---|---|---|---|---|---|---|';
const SHORT_HEAD = '| | ours | reference | ratio | goal |\n|---|---|---|---|---|';
const NONE = 'No run has been published yet.';

/** Every figure of the last run of every benchmark, with the hosts below. */
export function fullTable(runs: readonly PublishedRun[] = readResults()): string {
  if (runs.length === 0) return NONE;
  const rows = runs.flatMap(run => run.figures.map(figure => rowOf(run, figure)));
  return [HEAD, ...rows, '', ...hostLines(runs)].join('\n');
}

function rowOf({ bench, commit, date, busy }: PublishedRun, figure: PublishedFigure): string {
  const { figure: name, variant, unit, ours, reference, ratio, met } = figure;
  return line([
    `\`${bench}\` ${name}${variant === undefined ? '' : ` (${variant})`}`,
    unit,
    spreadText(ours),
    reference === null ? '' : spreadText(reference),
    ratio === null ? '' : spreadText(ratio),
    goalText(figure),
    `${met ? 'met' : '**missed**'}${busy === undefined ? '' : ', busy host'}`,
    `${commit}, ${date}`,
  ]);
}

/** A line for each figure of `SHORT` that was published, of its first variant alone. */
export function shortTable(runs: readonly PublishedRun[] = readResults()): string {
  const rows = SHORT.flatMap(({ bench, figure: name, says }) => {
    const figures = runs.find(run => run.bench === bench)?.figures ?? [];
    return figures
      .filter(({ figure, variant }) => figure === name && variant === undefined)
      .map(figure => {
        const { ours, reference, ratio, met } = figure;
        return line([
          says,
          spreadText(ours),
          reference === null ? '' : spreadText(reference),
          ratio === null ? '' : spreadText(ratio),
          `${goalText(figure)}, ${met ? 'met' : '**missed**'}`,
        ]);
      });
  });
  return rows.length === 0 ? NONE : [SHORT_HEAD, ...rows].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The goal of the ratio, or of the figure itself without a ratio. */
function goalText({ goal, better }: PublishedFigure): string {
  return `${better === 'more' ? 'at least' : 'at most'} ${numberText(goal)}`;
}

/** One line for each host and length of runs, and one for each run on a busy host. */
function hostLines(runs: readonly PublishedRun[]): string[] {
  const hostOf = ({ machine, system, node }: PublishedRun) => `${machine}, ${system}, Node ${node}`;
  const lines = [...new Set(runs.map(hostOf))].map(host => {
    const speeds = runs.filter(run => hostOf(run) === host).flatMap(({ speed: { before, after } }) => [before, after]);
    const hash = speeds.map(speed => speed.hash_mb_per_second);
    const copy = speeds.map(speed => speed.copy_gb_per_second);
    return `- ${host}: SHA-256 at ${rangeText(hash)} MB a second, a copy of memory at ${rangeText(copy)} GB a second.`;
  });
  const busy = runs.flatMap(({ bench, busy }) =>
    busy === undefined ? [] : [`- \`${bench}\` ran on a busy host: ${busy}.`],
  );
  return [...lines, ...busy];
}

function rangeText(values: readonly number[]): string {
  return `${numberText(Math.min(...values))} to ${numberText(Math.max(...values))}`;
}

function spreadText({ median, min, max }: Spread): string {
  return min === max ? numberText(median) : `${numberText(median)} (${numberText(min)} to ${numberText(max)})`;
}

function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

/** The page with a table between its marks. @throws if the page has no marks for it */
export function withTable(page: string, table: string): string {
  const [from, to] = [page.indexOf(FROM), page.indexOf(TO)];
  if (from < 0 || to < from) throw new Error(`a page of figures has the lines "${FROM}" and "${TO}"`);
  return `${page.slice(0, from + FROM.length)}\n\n${table}\n\n${page.slice(to)}`;
}

export function writePages(): void {
  for (const { path, tableOf } of PAGES) writeFileSync(path, withTable(readFileSync(path, 'utf8'), tableOf()));
}
