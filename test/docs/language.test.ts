/**
 * The documents are plain English: none of the words of our old dialect, and few long sentences. Code and addresses are
 * left out. textlint would bring some two hundred packages for what is a list of patterns here.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/architecture/source-files.ts';

/** The specification is as it was commissioned. */
const PAGES = execFileSync('git', ['ls-files', 'README.md', 'CONTRIBUTING.md', 'docs/*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter(page => page !== 'docs/interface-specification.md');

/** What is not written, what is written instead, and an example. */
const DIALECT: [pattern: RegExp, instead: string, example: string][] = [
  [
    /(?:^|[.:;!?] |[-*] |\*\* )Where (?:an?|the|no|nothing|one|several|that|this|it|its|your|there|X) [^|?:]*,/,
    'if',
    'Where a screen is off, it reports later.',
  ],
  [/\b(?:is|are|was|were|be) away\b|\bwhile \w+ is away\b/, 'down, offline', 'Redis is away.'],
  [/\bspell(?:s|ed|ing|ings)?\b/, 'write, format, form', 'an id is spelled so'],
  [/\bwhoever\b/i, 'the noun', 'Whoever runs it pays.'],
  [/\b(?:is|are|were) told\b/, 'gets, learns, or the subject that says it', 'a screen is told'],
  [/\bstands? (?:in|on|beside|behind|there|below|above)\b/, 'is', 'it stands in the table'],
  [/\bunder way\b/, 'pending, running, unfinished', 'inserts under way'],
  [/\bhears? of\b/, 'gets, receives', 'a screen hears of it'],
  [/\bcalled off\b/, 'canceled', 'a top-up was called off'],
  [/\blets? go\b/, 'release, drop, delete', 'it lets go of rows'],
  [/\bof no use\b/, 'unusable', 'the file is of no use'],
  [/\b(?:colour|licence|organis\w+|cancelled|centre|behaviour|favour\w*)\b/i, 'the American spelling', 'Licence'],
];
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
