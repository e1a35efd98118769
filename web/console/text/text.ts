/**
 * The texts of the console in the language of the person. Each language is a file of its own that is loaded when it is
 * chosen; the compiler checks that all of them have the same entries.
 */
import type { AgencyTexts } from './en/agency.ts';
import type { BusinessTexts } from './en/business.ts';
import type { MoreTexts } from './en/more.ts';
import type { OperationsTexts } from './en/operations.ts';
import type { OperatorTexts } from './en/operator.ts';
import type { Catalogue } from './en/first-view.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;
type Texts = Catalogue & Partial<AgencyTexts & BusinessTexts & MoreTexts & OperationsTexts & OperatorTexts>;
export type TextKey = keyof Texts;

const STORED = 'marquee-language';
const LOADERS: Record<Language, () => Promise<{ catalogue: Catalogue }>> = {
  en: () => import('./en/first-view.ts'),
  de: () => import('./de/first-view.ts'),
};

/** Texts of single pages, by topic. */
const PARTS = {
  agency: {
    en: async () => (await import('./en/agency.ts')).agency,
    de: async () => (await import('./de/agency.ts')).agency,
  },
  business: {
    en: async () => (await import('./en/business.ts')).business,
    de: async () => (await import('./de/business.ts')).business,
  },
  more: { en: async () => (await import('./en/more.ts')).more, de: async () => (await import('./de/more.ts')).more },
  operations: {
    en: async () => (await import('./en/operations.ts')).operations,
    de: async () => (await import('./de/operations.ts')).operations,
  },
  operator: {
    en: async () => (await import('./en/operator.ts')).operator,
    de: async () => (await import('./de/operator.ts')).operator,
  },
} satisfies Record<string, Record<Language, () => Promise<Partial<Texts>>>>;
type Part = keyof typeof PARTS;

/** Translations of the API's names and texts. */
const TERMS: Record<Language, () => Promise<{ terms: Readonly<Record<string, string>> }>> = {
  en: () => Promise.resolve({ terms: {} }),
  de: () => import('./de/terms.ts'),
};

let catalogue: Texts;
let terms: Readonly<Record<string, string>> = {};
/** The parts that pages have loaded. */
const loaded = new Set<Part>();
let current: Language = 'en';

/** The language that was chosen, else the first of the browser's that there is. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(STORED) ?? '', ...navigator.languages].map(tag => tag.slice(0, 2).toLowerCase());
  return wanted.find(isLanguage) ?? 'en';
}

/** Loads a language; from then on all texts are in it. */
export async function loadLanguage(language: Language): Promise<void> {
  const [first, named, ...parts] = await Promise.all([
    LOADERS[language](),
    TERMS[language](),
    ...[...loaded].map((part): Promise<Partial<Texts>> => PARTS[part][language]()),
  ]);
  catalogue = Object.assign({ ...first.catalogue }, ...parts) as Texts;
  terms = named.terms;
  current = language;
  document.documentElement.lang = language;
}

/** Loads texts of single pages together with the page. */
export async function withTexts<Page>(parts: readonly Part[], page: Promise<Page>): Promise<Page> {
  const [shown, ...texts] = await Promise.all([
    page,
    ...parts.map((part): Promise<Partial<Texts>> => PARTS[part][current]()),
  ]);
  for (const part of parts) loaded.add(part);
  catalogue = Object.assign({ ...catalogue }, ...texts) as Texts;
  return shown;
}

/** Loads texts of most pages after the first view. */
export function withMoreTexts<Page>(page: Promise<Page>): Promise<Page> {
  return withTexts(['more'], page);
}

/** As `loadLanguage`, and keeps the choice for the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  await loadLanguage(language);
  localStorage.setItem(STORED, language);
}

export function currentLanguage(): Language {
  return current;
}

/** The format of numbers and dates: that of the browser's country if it speaks the chosen language. */
export function formatLocale(): string {
  return navigator.languages.find(tag => tag.toLowerCase().startsWith(current)) ?? current;
}

/**
 * A text, with `{name}` replaced by the value of that name, and `{name:play|plays}` by that and the word that fits it.
 */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return filled(catalogue[key] ?? key, values);
}

/** A text of the API, which is English, translated by its code if possible. */
export function sentence(
  { group, code, text }: { group: string; code: string; text: string },
  values: Readonly<Record<string, string>> = {},
): string {
  return filled(terms[`${group}.${code}`] ?? text, values);
}

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)(?::([^|}]+)\|([^}]+))?\}/g, (whole, name: string, one?: string, more?: string) => {
    const value = String(values[name] ?? whole);
    return more === undefined ? value : `${value} ${value === '1' ? one : more}`;
  });
}

/**
 * The text of a word of the interface (`status.live`), or the word itself, made readable, where there is none. A word
 * with dots is put together from the texts of its parts, if all of them have one.
 */
export function term(group: string, word: string): string {
  return textOf(group, word) ?? termOfParts(group, word) ?? readable(word);
}

function termOfParts(group: string, word: string): string | undefined {
  const parts = word.split('.');
  const texts = parts.map((part, at) => {
    const path = parts.slice(0, at + 1).join('.');
    return terms[`${group}.${path}`] ?? terms[`${group}.${part}`];
  });
  return texts.includes(undefined) ? undefined : joined(texts);
}

/** The text of a word of the interface, if there is one. */
export function textOf(group: string, word: string): string | undefined {
  const key = `${group}.${word}`;
  return hasText(key) ? catalogue[key] : undefined;
}

/** A name of the API as words: `health_and_beauty.gyms` is Health and beauty: gyms. */
function readable(name: string): string {
  const words = joined(name.split('.')).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A part that repeats the one before it is left out: office_buildings.office_buildings. */
function joined(parts: readonly (string | undefined)[]): string {
  const same = (one?: string, other?: string) => one?.toLowerCase() === other?.toLowerCase();
  return parts.filter((part, at) => at === 0 || !same(part, parts[at - 1])).join(': ');
}

function hasText(key: string): key is TextKey {
  return Object.hasOwn(catalogue, key);
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}
