/** The table of kept figures in the documents: made from the history between two marks, so that page and history agree. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compare, runBefore } from './comparison.ts';
import { changeText, HISTORY, keptBenches, readRuns, spreadText } from './history.ts';
import type { KeptRun } from './kept-run.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Where the table stands. */
export const PAGES = ['docs/performance.md', 'bench/README.md'].map(path => join(ROOT, path));
const FROM = '<!-- kept figures: made by `npm run bench -- history --write` -->';
const TO = '<!-- end of kept figures -->';
const HEAD =
  '| benchmark | figure | ours | reference | ratio | goal | change | commit |\n|---|---|---|---|---|---|---|---|';

/** The last kept run of every benchmark as a table, with the machines and Node versions below it. */
export function keptTable(folder = HISTORY): string {
  const histories = keptBenches(folder).map(bench => readRuns(bench, folder));
  const last = histories.flatMap(runs => runs.slice(-1));
  if (last.length === 0) return 'No run has been kept yet.';
  const rows = histories.flatMap(rowsOf);
  const places = new Set(last.map(({ machine, system, node }) => `${machine}, ${system}, Node ${node}`));
  return `${[HEAD, ...rows].join('\n')}\n\nMeasured on: ${[...places].join('; ')}.`;
}

/** The page with the table of now. @throws where the page has no place for it. */
export function withKeptTable(page: string, table: string): string {
  const [from, to] = [page.indexOf(FROM), page.indexOf(TO)];
  if (from < 0 || to < from) throw new Error(`a page of kept figures has the lines "${FROM}" and "${TO}"`);
  return `${page.slice(0, from + FROM.length)}\n\n${table}\n\n${page.slice(to)}`;
}

export function writePages(): void {
  const table = keptTable();
  for (const path of PAGES) writeFileSync(path, withKeptTable(readFileSync(path, 'utf8'), table));
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
