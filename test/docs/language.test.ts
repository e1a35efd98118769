/**
 * Documents and comments are plain English: none of the words of our old dialect, and few long sentences in documents.
 * Code and addresses are left out. textlint would bring some two hundred packages for what is a list of patterns here.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commentsOf } from '../support/architecture/comments.ts';
import { filesOfKind, ROOT } from '../support/architecture/source-files.ts';
import { DIALECT } from '../support/architecture/dialect.ts';

/** The specification is as it was commissioned, and the history of changes stays as it was published. */
const PAGES = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter(page => !['docs/interface-specification.md', 'CHANGELOG.md'].includes(page));

/** Released migrations never change, generated files are not written by hand, and the list names what it forbids. */
const NOT_OURS =
  /^sql\/migrations\/|\/generated\/|^(test\/docs\/language\.test|test\/support\/architecture\/dialect)\.ts$/;
const COMMENTS = filesOfKind('', /\.(tsx?|sql|lua|css)$/)
  .filter(file => !NOT_OURS.test(file))
  .flatMap(file => commentsOf(readFileSync(join(ROOT, file), 'utf8')).map(text => ({ file, text })));
/** A sentence of so many words holds more than one idea. */
const WORDS_MAX = 25;
/** Rare: one in twenty, on all pages together. */
const LONG_SHARE_MAX = 0.05;

/** The text of a page that people read as sentences: without code, pictures and addresses. */
function proseOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^( *)```[\s\S]*?^\1```/gm, '')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`\n]+`/g, 'X');
}

/** Paragraphs, items of lists and cells of tables, each as one line. */
function blocksOf(prose: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of prose.split('\n')) {
    const isItem = /^\s*(?:[-*]|\d+\.)\s/.test(line);
    if (line.startsWith('|')) blocks.push(...line.split('|'));
    else if (line.trim() !== '' && !line.startsWith('#')) {
      if (isOpen && !isItem) blocks.push(`${blocks.pop()!} ${line.trim()}`);
      else blocks.push(line.replace(/^\s*(?:[-*]|\d+\.)\s/, ''));
    }
    isOpen = line.trim() !== '' && !line.startsWith('|') && !line.startsWith('#');
  }
  return blocks;
}

function sentencesOf(prose: string): string[] {
  return blocksOf(prose)
    .flatMap(block => block.split(/(?<=[.!?])["')*]*\s+(?=[A-Z"'(*\d])/))
    .filter(sentence => wordsOf(sentence) > 2);
}

function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter(word => /\w/.test(word)).length;
}

describe.each(DIALECT)('instead of %s', (pattern, instead, example) => {
  test(`pages say: ${instead}`, () => {
    const found = PAGES.flatMap(page =>
      blocksOf(proseOf(page)).flatMap(block => {
        const match = pattern.exec(block);
        return match ? [`${page}: ${block.slice(Math.max(0, match.index - 40), match.index + 60)}`] : [];
      }),
    );
    expect(found).toEqual([]);
    expect(example).toMatch(pattern);
  });

  test(`comments say: ${instead}`, () => {
    expect(COMMENTS.filter(({ text }) => pattern.test(text))).toEqual([]);
  });
});

test('comments are found in every kind of source', () => {
  expect(COMMENTS.length).toBeGreaterThan(8_000);
  for (const kind of ['.ts', '.tsx', '.lua', '.css'])
    expect(COMMENTS.some(({ file }) => file.endsWith(kind))).toBe(true);
});

test.each([
  ['/** One. */\nconst a = 1; // two', ['One.', 'two']],
  ['/**\n * One\n * two.\n */', ['One two.']],
  ['-- one\n-- two\ncall()', ['one two']],
  ["const a = 'https://example.com';", []],
])('the comments of %j are %j', (source, comments) => {
  expect(commentsOf(source)).toEqual(comments);
});

test(`sentences of more than ${WORDS_MAX} words are rare`, () => {
  const all = PAGES.flatMap(page => sentencesOf(proseOf(page)));
  const long = all.filter(sentence => wordsOf(sentence) > WORDS_MAX);
  expect(all.length).toBeGreaterThan(3_000);
  expect(long.length / all.length).toBeLessThan(LONG_SHARE_MAX);
});

test.each([
  ['One two three. Four five\nsix.', ['One two three.', 'Four five six.']],
  ['- One two three\n- Four five\n  six', ['One two three', 'Four five six']],
  ['| one two three | four five six |\n|---|---|', [' one two three ', ' four five six ']],
])('the sentences of %j are %j', (prose, sentences) => {
  expect(sentencesOf(prose)).toEqual(sentences);
});
