/**
 * A test runs every block of commands and every program in the documents, or `not-run.ts` has the reason why none does.
 * Other blocks of a page, such as answers and messages, have no language of a program.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/architecture/source-files.ts';
import { allBlocksOf } from './blocks.ts';
import { isNotRun, NOT_RUN } from './not-run.ts';

const PAGES = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const PROGRAMS = new Set(['sh', 'sql', 'ts', 'js', 'python', 'php']);
/** How a line of a shell begins. */
const COMMAND =
  /^(npm|npx|node|python3|curl|docker|kubectl|helm|git|cp|mkdir|systemctl|export|deploy\/|[A-Z_]+=)[ \w]/m;

const EXAMPLES = 'test/docs/examples.test.ts';
const OPERATOR = 'test/docs/operator-examples.test.ts';
/** By page or folder: the test that runs its blocks. */
const RUN_BY: Record<string, string> = {
  'docs/analysts.md': 'test/sql/analyst-guide.test.ts',
  'docs/api': EXAMPLES,
  'docs/invalid-traffic.md': OPERATOR,
  'docs/invoice-proofs.md': OPERATOR,
  'docs/operate/admin.md': OPERATOR,
  'docs/operate/backup.md': OPERATOR,
  'docs/operate/deploy.md': OPERATOR,
  'docs/operate/durability.md': OPERATOR,
  'docs/operate/load.md': 'test/bench/load-page.test.ts',
  'docs/operate/places-and-rules.md': OPERATOR,
  'docs/operate/privacy.md': OPERATOR,
  'docs/operate/runbook.md': OPERATOR,
  'docs/operate/upgrade.md': OPERATOR,
  'docs/payments.md': OPERATOR,
  'docs/payouts.md': OPERATOR,
  'docs/player.md': EXAMPLES,
  'docs/roles.md': OPERATOR,
  'docs/sandbox.md': EXAMPLES,
  'docs/screen-protocol.md': EXAMPLES,
  'docs/start.md': OPERATOR,
  'docs/venues.md': OPERATOR,
};
type Found = { page: string; language: string; text: string };
const blocks: Found[] = PAGES.flatMap(page => allBlocksOf(join(ROOT, page)).map(block => ({ page, ...block })));
const programs = blocks.filter(({ language }) => PROGRAMS.has(language));
const runnerOf = ({ page }: Found) => RUN_BY[page] ?? RUN_BY[dirname(page)];

describe('a block of the documents', () => {
  test('with commands has its language set', () => {
    const plain = blocks.filter(({ language }) => language === '');
    expect(plain.filter(({ text }) => COMMAND.test(text))).toEqual([]);
  });

  test('with commands or a program is run by a test, or has a reason not to be', () => {
    expect(programs.length).toBeGreaterThan(60);
    expect(programs.filter(block => !isNotRun(block) && runnerOf(block) === undefined)).toEqual([]);
  });

  test.each(NOT_RUN)('that is not run exists: $begins of $page', ({ page, begins }) => {
    expect(programs.filter(block => block.page === page && block.text.startsWith(begins))).toHaveLength(1);
  });
});

test.each(Object.entries(RUN_BY))('%s has blocks, and %s reads it', (place, runner) => {
  expect(programs.filter(block => runnerOf(block) === runner && block.page.startsWith(place)).length).toBeGreaterThan(
    0,
  );
  expect(readFileSync(join(ROOT, runner), 'utf8')).toContain(basename(place));
});

test('commands left to the gate of every change are in it', () => {
  const gate = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  for (const command of ['npm ci', 'npm run check', 'npm test', 'npm run demo']) expect(gate).toContain(`\n${command}`);
});
