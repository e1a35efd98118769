/**
 * Tables of kept figures in the documents, made from the history between two marks, so that page and history agree: all
 * of them in docs/performance.md and bench/README.md, a few in the README.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compare, runBefore } from './comparison.ts';
import { changeText, HISTORY, keptBenches, readRuns, spreadText } from './history.ts';
import type { KeptRun } from './kept-run.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Where the tables stand. */
export const PAGES = [
  { path: 'docs/performance.md', tableOf: keptTable },
  { path: 'bench/README.md', tableOf: keptTable },
  { path: 'README.md', tableOf: shortTable },
].map(({ path, tableOf }) => ({ path: join(ROOT, path), tableOf }));
/** What the README shows, in words that need no other page. */
const SHORT: readonly { bench: string; figure: string; says: string }[] = [
  {
    bench: 'decisions',
    figure: 'G1',
    says: 'slots decided for one CPU second, over sockets, among 10,000 campaigns; beside an echo',
  },
  {
    bench: 'ingest',
    figure: 'G7',
    says: 'plays counted for one CPU second of all processes; beside a direct insert of their rows',
  },
  {
    bench: 'freshness',
    figure: 'G9 p99',
    says: 'milliseconds from the acknowledgement of a play to a query that finds it, 99th percentile',
  },
  {
    bench: 'reports',
    figure: 'G10',
    says: 'milliseconds of a report over 100 million plays; beside the same SQL on the raw table',
  },
  {
    bench: 'api',
    figure: 'G11',
    says: 'reads of a campaign for one CPU second; beside bare Fastify with the same select',
  },
  {
    bench: 'api',
    figure: 'G12',
    says: 'campaigns booked for one CPU second; beside bare Fastify that inserts one row',
  },
  { bench: 'webhooks', figure: 'G18', says: 'webhooks delivered for one CPU second; beside a bare loop of requests' },
];
const FROM = '<!-- kept figures: made by `npm run bench -- history --write` -->';
const TO = '<!-- end of kept figures -->';
const HEAD =
  '| benchmark | figure | ours | reference | ratio | goal | change | commit |\n|---|---|---|---|---|---|---|---|';
const SHORT_HEAD = '| | ours | reference | measure it |\n|---|---|---|---|';
const NONE = 'No run has been kept yet.';

/** The last kept run of every benchmark as a table, with the machines and Node versions below it. */
export function keptTable(folder = HISTORY): string {
  const histories = keptBenches(folder).map(bench => readRuns(bench, folder));
  const last = histories.flatMap(runs => runs.slice(-1));
  if (last.length === 0) return NONE;
  const rows = histories.flatMap(rowsOf);
  return `${[HEAD, ...rows].join('\n')}\n\n${placesOf(last)}`;
}

/** A line for each figure of `SHORT` that was kept. */
export function shortTable(folder = HISTORY): string {
  const shown = SHORT.flatMap(({ bench, figure, says }) => {
    const run = readRuns(bench, folder).at(-1);
    return (run?.figures ?? [])
      .filter(kept => kept.figure === figure)
      .map(({ variant, ours, reference }) => {
        const what = variant === undefined ? says : `${says} (${variant})`;
        const row = [
          what,
          spreadText(ours),
          reference === null ? '-' : spreadText(reference),
          `\`npm run bench -- ${bench}\``,
        ];
        return { run: run!, row: `| ${row.join(' | ')} |` };
      });
  });
  if (shown.length === 0) return NONE;
  return `${[SHORT_HEAD, ...shown.map(({ row }) => row)].join('\n')}\n\n${placesOf(shown.map(({ run }) => run))}`;
}

function placesOf(runs: readonly KeptRun[]): string {
  const places = new Set(runs.map(({ machine, system, node }) => `${machine}, ${system}, Node ${node}`));
  return `Median (least..most) of the pairs of a run, measured on: ${[...places].join('; ')}.`;
}

/** The page with the table of now. @throws where the page has no place for it. */
export function withKeptTable(page: string, table: string): string {
  const [from, to] = [page.indexOf(FROM), page.indexOf(TO)];
  if (from < 0 || to < from) throw new Error(`a page of kept figures has the lines "${FROM}" and "${TO}"`);
  return `${page.slice(0, from + FROM.length)}\n\n${table}\n\n${page.slice(to)}`;
}

export function writePages(): void {
  for (const { path, tableOf } of PAGES) writeFileSync(path, withKeptTable(readFileSync(path, 'utf8'), tableOf()));
}

function rowsOf(runs: readonly KeptRun[]): string[] {
  const run = runs.at(-1)!; // a history has a file because a run was kept
  const changes = compare(run, runBefore(run, runs));
  return changes.map(({ name, now, change }) => {
    const cells = [
      `\`${run.bench}\``,
      name,
      spreadText(now.ours),
      now.reference === null ? '-' : spreadText(now.reference),
      now.ratio === null ? '-' : spreadText(now.ratio),
      `${now.goal}${now.met ? '' : ', missed'}`,
      change === undefined ? '-' : changeText(change),
      `${run.commit}, ${run.date}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
}
