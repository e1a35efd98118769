/**
 * What the documents tell people to call is there: each `METHOD /v1/...` is an operation of the OpenAPI document, each
 * command of the operator's tool is one that the tool lists, and each label in italics is one that the console shows.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentOffline } from '../../api/offline.ts';
import { ROOT } from '../support/architecture/source-files.ts';
import { programOf } from '../../runtime/programs/program.ts';
import { agency } from '../../web/console/text/en/agency.ts';
import { business } from '../../web/console/text/en/business.ts';
import { catalogue } from '../../web/console/text/en/first-view.ts';
import { more } from '../../web/console/text/en/more.ts';
import { operations } from '../../web/console/text/en/operations.ts';
import { operator } from '../../web/console/text/en/operator.ts';

const PAGES = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
/** The document and the tool each start a part of the product, some seconds on a busy machine. */
const TIME_MS_MAX = 60_000;
const TEXT = PAGES.map(page => readFileSync(join(ROOT, page), 'utf8')).join('\n');

/** Pages for people who use the console: what they print in italics is a text of it, but for openings and the below. */
const CONSOLE_PAGES = /^docs\/(guides\/.+|alerts|concepts|console|creatives|payouts|operate\/first-network)\.md$/;
const NOT_OF_THE_CONSOLE = Object.values({
  televisionsAndMail: ['Menu > System > Play via', 'SI server', 'Unsubscribe'],
  invoices: ['UBL', 'CII', 'Gross'],
  partsOfSentences: ['Add before sending it for review', 'In manual review', 'the approval of your agency'],
  explainedWords: ['available', 'settled', 'workspace'],
}).flat();

/** `/v1/campaigns/{id}` and `/v1/campaigns/cmp_...` are the same path here, and a query is none of it. */
function shapeOf(path: string): string {
  return path
    .replace(/[?#].*$/, '')
    .replaceAll(/\{[^}]*\}|:[a-z_]+|<[^>]*>|[a-z]{2,3}_\.{2,3}[^/]*/g, '*')
    .replace(/\/$/, '');
}

test('every call in the documents is an operation of the OpenAPI document', { timeout: TIME_MS_MAX }, async () => {
  const { paths } = (await documentOffline()) as { paths: Record<string, Record<string, unknown>> };
  const operations = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${shapeOf(path)}`),
    ),
  );
  const named = [...TEXT.matchAll(/\b(GET|POST|PATCH|PUT|DELETE) (\/v1\/[^\s`'",;)]*[^\s`'",;).])/g)].map(
    ([, method, path]) => `${method} ${shapeOf(path!)}`,
  );
  expect(named.length).toBeGreaterThan(80);
  expect([...new Set(named)].filter(call => !operations.has(call))).toEqual([]);
});

test("every command of the operator's tool in the documents exists", { timeout: TIME_MS_MAX }, () => {
  const { file, execArgv } = programOf('cli/admin/admin.ts');
  const help = execFileSync(process.execPath, [...execArgv, file, '--help'], { cwd: ROOT, encoding: 'utf8' });
  const commands = new Set(
    [...help.matchAll(/^  ([a-z-]+(?: [a-z-]+)?)(?: <[a-z-]+>)*(?:  .*)?$/gm)].map(match => match[1]!),
  );
  const named = [...TEXT.matchAll(/npm run admin -- ([a-z][a-z-]*(?: [a-z][a-z-]+)?)/g)].map(match => match[1]!);
  expect(named.length).toBeGreaterThan(20);
  expect(
    [...new Set(named)].filter(command => !commands.has(command) && !commands.has(command.split(' ')[0]!)),
  ).toEqual([]);
});

test('every label in the pages for users is a text of the console', () => {
  const shown = new Set(
    [agency, business, catalogue, more, operations, operator].flatMap(texts => Object.values<string>(texts)),
  );
  const named = PAGES.filter(page => CONSOLE_PAGES.test(page)).flatMap(page =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/(?<![*\w])\*([^*|]+[^*|.:])\*(?![*\w])/g)].map(([, label]) =>
      label!.replaceAll(/\s+/g, ' '),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  const others = [...new Set(named)].filter(label => !shown.has(label));
  expect(others.sort()).toEqual(NOT_OF_THE_CONSOLE.sort());
});
