/**
 * The texts of the console keep to the words of the glossary in docs/concepts.md, and to the lengths of their kinds. A
 * word marked (German) is one that English texts may have.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../support/architecture/source-files.ts';

type Texts = Readonly<Record<string, string>>;

const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];
const PARTS = ['first-view', 'agency', 'business', 'more', 'operations', 'operator'];
/** A sentence of so many words holds more than one idea. */
const SENTENCE_WORDS_MAX = 25;
/** What a button, a column or a field says. */
const LABEL_WORDS_MAX = 12;
const IN_GERMAN = ' (German)';

/** All texts of a language, by their keys. */
async function textsOf(language: Language): Promise<Texts> {
  const parts = await Promise.all(
    PARTS.map(async part => {
      const file = join(ROOT, 'web/console/text', language, `${part}.ts`);
      return Object.values((await import(/* @vite-ignore */ file)) as Record<string, Texts>);
    }),
  );
  return Object.assign({}, ...parts.flat()) as Texts;
}

const TEXTS: Record<Language, Texts> = { en: await textsOf('en'), de: await textsOf('de') };

/** The words that are not used, with the word that is. */
function forbiddenWords(): { word: string; instead: string; languages: readonly Language[] }[] {
  const page = readFileSync(join(ROOT, 'docs/concepts.md'), 'utf8');
  const [, table = ''] = page.split('## Words in both languages');
  return table
    .split('\n')
    .filter(line => /^\| [a-z]/.test(line))
    .flatMap(line => {
      const [english, german, not] = line.split('|').slice(1, 4) as [string, string, string];
      return not
        .split(',')
        .map(one => ({
          word: one.trim().replaceAll('`', '').replace(IN_GERMAN, ''),
          instead: `${english.trim()}, ${german.trim()}`,
          languages: one.includes(IN_GERMAN) ? (['de'] as const) : LANGUAGES,
        }));
    });
}

/** A word, also as the beginning of a longer one. The names of values are no words. */
const isIn = (text: string, word: string): boolean =>
  new RegExp(`(^|[^\\p{L}])${word}`, 'iu').test(text.replaceAll(/\{\w+/g, '{'));

describe('the glossary', () => {
  test.each(forbiddenWords())('$word is $instead', ({ word, languages }) => {
    const found = languages.flatMap(language => Object.entries(TEXTS[language]).filter(([, text]) => isIn(text, word)));
    expect(found).toEqual([]);
  });
});

describe.each(LANGUAGES)('texts in %s', language => {
  const wordsOf = (text: string): number => text.split(/\s+/).filter(word => /[\p{L}\d]/u.test(word)).length;
  const texts = Object.entries(TEXTS[language]);

  test(`have sentences of at most ${SENTENCE_WORDS_MAX} words`, () => {
    const sentences = texts.flatMap(([key, text]) => text.split(/(?<=[.!?:;]) /).map(one => [key, one] as const));
    expect(sentences.filter(([, one]) => wordsOf(one) > SENTENCE_WORDS_MAX)).toEqual([]);
  });

  test(`are no labels of more than ${LABEL_WORDS_MAX} words`, () => {
    const labels = texts.filter(([, text]) => !/[.!?:]$/.test(text) && !/[.:;] /.test(text));
    expect(labels.length).toBeGreaterThan(800);
    expect(labels.filter(([, text]) => wordsOf(text) > LABEL_WORDS_MAX)).toEqual([]);
  });
});
