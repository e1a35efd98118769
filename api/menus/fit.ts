/**
 * Finds the largest letters with which a menu fits on a screen, by a layout with letters of a typical width: lines
 * break at words, columns break between items, and a headline stays with its first item. A browser's real letters
 * differ by a few percent, for which the measures leave room. All lengths are hundredths of the screen's height.
 */
import { LETTERS_MAX, LETTERS_MIN } from './styles.ts';

type Item = { name: string; description: string; price: string; tags: readonly string[] };
type Section = { name: string; items: readonly Item[] };
export type FittedMenu = { title: string; sections: readonly Section[] };

/** Widths of letters by their height: bold ones of wide fonts, and those of ordinary text. */
const BOLD_WIDTH = 0.66;
const TEXT_WIDTH = 0.58;
/** Heights in letters; the style sheets have the same ones, with a little less air. */
const HEAD = 3.1;
const LINE = 1.3;
const SMALL_LINE = 1.05;
const TAGS = 1.3;
const GAP = 0.46;
const SMALL = 0.8;
/** Least room between a name and its price, in letters. */
const DOTS = 2.2;

/**
 * Screens of 16:9, less the margins and the lines of the title: how wide and how high the body is. Below `describedMin`
 * descriptions are left out.
 */
const LANDSCAPE = {
  width: 158,
  height: 74,
  gap: 7.2,
  columns: [1, 2, 3, 4],
  titleLetters: 46,
  titleLine: 6,
  describedMin: 13,
};
const PORTRAIT = { width: 49, height: 80, gap: 3, columns: [1, 2], titleLetters: 19, titleLine: 4.4, describedMin: 9 };
/** One column of a lying screen is narrower, so that a price is found from its name. */
const SINGLE_WIDTH = 100;

type Screen = typeof LANDSCAPE;
type Fit = { columns: number; letters: number };

/**
 * `c3 s24 p1 t20`: columns and letters when the screen lies, columns and letters when it stands; `sb`, `tb`: without
 * descriptions.
 */
export function fitMenu(menu: FittedMenu): string {
  const landscape = fit(menu, LANDSCAPE);
  const portrait = fit(menu, PORTRAIT);
  return `c${landscape.columns} s${landscape.letters}${landscape.isBare ? ' sb' : ''} p${portrait.columns} t${portrait.letters}${portrait.isBare ? ' tb' : ''}`;
}

/** With descriptions if letters stay readable, else without; the smallest letters if even that is too much. */
function fit({ title, sections }: FittedMenu, screen: Screen): Fit & { isBare: boolean } {
  const height = screen.height - (Math.ceil(title.length / screen.titleLetters) - 1) * screen.titleLine;
  const whole = largest(sections, { screen, height, lettersMin: screen.describedMin });
  if (whole) return { ...whole, isBare: false };
  const bare = sections.map(({ name, items }) => ({ name, items: items.map(item => ({ ...item, description: '' })) }));
  return {
    ...(largest(bare, { screen, height, lettersMin: LETTERS_MIN }) ?? {
      columns: screen.columns.at(-1)!,
      letters: LETTERS_MIN,
    }),
    isBare: true,
  };
}

function largest(
  sections: readonly Section[],
  { screen, height, lettersMin }: { screen: Screen; height: number; lettersMin: number },
): Fit | undefined {
  for (let letters = LETTERS_MAX; letters >= lettersMin; letters -= 1) {
    const columns = screen.columns.find(
      count => columnsOf(sections, { size: letters / 10, width: columnWidth(screen, count), height }) <= count,
    );
    if (columns !== undefined) return { columns, letters };
  }
  return undefined;
}

function columnWidth({ width, gap, columns }: Screen, count: number): number {
  return count === 1 && columns.length > 2 ? SINGLE_WIDTH : (width - gap * (count - 1)) / count;
}

/** How many columns of this height the menu fills; Infinity when a word is wider than a column. */
function columnsOf(
  sections: readonly Section[],
  { size, width, height }: { size: number; width: number; height: number },
): number {
  let columns = 1;
  let filled = 0;
  const add = (letters: number): void => {
    if (filled > 0 && filled + letters * size > height) {
      columns += 1;
      filled = 0;
    }
    filled += letters * size;
  };
  for (const { name, items } of sections) {
    const head = HEAD * linesOf(name, width / (BOLD_WIDTH * 1.22 * size));
    items.forEach((item, index) => add((index === 0 ? head : 0) + itemHeight(item, width / size)));
  }
  return columns;
}

function itemHeight({ name, description, price, tags }: Item, width: number): number {
  const lines = linesOf(name, (width - DOTS) / BOLD_WIDTH - price.length);
  const small = description === '' ? 0 : linesOf(description, (width * 0.88) / (TEXT_WIDTH * SMALL));
  const tagRows =
    tags.length === 0 ? 0 : Math.ceil(tags.reduce((sum, tag) => sum + tag.length + 3, 0) / (width / TEXT_WIDTH));
  return lines * LINE + small * SMALL_LINE + tagRows * TAGS + GAP;
}

/** Lines of a text broken at spaces; Infinity when a word does not fit into one. */
function linesOf(text: string, lettersMax: number): number {
  let lines = 1;
  let used = 0;
  for (const word of text.split(/\s+/u)) {
    if (word.length > lettersMax) return Infinity;
    if (used > 0 && used + 1 + word.length > lettersMax) {
      lines += 1;
      used = 0;
    }
    used += (used > 0 ? 1 : 0) + word.length;
  }
  return lines;
}
