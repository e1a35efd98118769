/** A venue's menu as data, from which pages are drawn by templates. Everything in it is text of the venue. */
import { currencyDecimals, decimalFromMicros, microsFromDecimal } from '../money/money.ts';
import { type FieldFault, type Refusal, isRefusal, refuseFields } from '../refusal.ts';
import { isPlainText } from '../text.ts';
import type { Micros } from '../unit.ts';

export const MENU_TEMPLATES = ['board', 'card', 'highlights'] as const;
export type MenuTemplate = (typeof MENU_TEMPLATES)[number];

export function isMenuTemplate(value: unknown): value is MenuTemplate {
  return MENU_TEMPLATES.includes(value as MenuTemplate);
}

/** More does not fit on a screen in letters that can be read from a table. */
export const SECTIONS_MAX = 12;
export const MENU_ITEMS_MAX = 80;
export const MENU_TAGS_MAX = 6;
export const MENU_NAME_LENGTH_MAX = 80;
export const MENU_DESCRIPTION_LENGTH_MAX = 200;
export const MENU_TAG_LENGTH_MAX = 24;
const LANGUAGE_DEFAULT = 'en';

export type MenuItem = {
  name: string;
  description?: string;
  price?: { micros: Micros; currency: string };
  tags: string[];
};
type MenuSection = { name: string; items: MenuItem[] };
/** `language` is a tag of BCP 47: it decides how prices are written, and it is the page's language. */
export type Menu = { title?: string; language: string; sections: MenuSection[] };

export type SpelledMenu = {
  title?: string;
  language?: string;
  sections: readonly {
    name: string;
    items: readonly {
      name: string;
      description?: string;
      price?: { amount: number; currency: string };
      tags?: readonly string[];
    }[];
  }[];
};

/**
 * Reads a menu whose shape was checked. Refuses control characters, unknown currencies and languages, and too many
 * items.
 */
export function parseMenu(body: SpelledMenu): Menu | Refusal {
  const faults: FieldFault[] = [];
  const text = (value: string, lengthMax: number, pointer: string): string => {
    if (!isPlainText(value, lengthMax))
      faults.push({ pointer, code: 'bad_text', detail: `must be a text of 1 to ${lengthMax} characters on one line` });
    return value;
  };
  const language = body.language ?? LANGUAGE_DEFAULT;
  if (!isLanguage(language))
    faults.push({ pointer: '/language', code: 'unknown_value', detail: 'must be a language tag, such as en or de-AT' });
  const count = body.sections.reduce((sum, section) => sum + section.items.length, 0);
  if (count > MENU_ITEMS_MAX)
    faults.push({
      pointer: '/sections',
      code: 'too_long',
      detail: `must not have more than ${MENU_ITEMS_MAX} items in all`,
    });
  const sections = body.sections.map((section, at): MenuSection => ({
    name: text(section.name, MENU_NAME_LENGTH_MAX, `/sections/${at}/name`),
    items: section.items.map((item, index): MenuItem => {
      const pointer = `/sections/${at}/items/${index}`;
      return {
        name: text(item.name, MENU_NAME_LENGTH_MAX, `${pointer}/name`),
        ...(item.description !== undefined && {
          description: text(item.description, MENU_DESCRIPTION_LENGTH_MAX, `${pointer}/description`),
        }),
        ...(item.price && { price: parsePrice(item.price, `${pointer}/price`, faults) }),
        tags: (item.tags ?? []).map((tag, tagAt) => text(tag, MENU_TAG_LENGTH_MAX, `${pointer}/tags/${tagAt}`)),
      };
    }),
  }));
  if (body.title !== undefined) text(body.title, MENU_NAME_LENGTH_MAX, '/title');
  return faults.length > 0
    ? refuseFields(faults)
    : { ...(body.title !== undefined && { title: body.title }), language, sections };
}

function parsePrice(
  { amount, currency }: { amount: number; currency: string },
  pointer: string,
  faults: FieldFault[],
): { micros: Micros; currency: string } {
  const micros = microsFromDecimal(amount, currency, pointer);
  if (!isRefusal(micros)) return { micros, currency };
  faults.push(...(micros.errors ?? []));
  return { micros: 0, currency }; // the fault is reported, so nothing reads this
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    // Intl says "no such tag" by a RangeError and in no other way.
    return false;
  }
}

/** A price as people of the language write it, with the decimals of its currency. */
export function writePrice({ micros, currency }: { micros: Micros; currency: string }, language: string): string {
  const decimals = currencyDecimals(currency) ?? 2;
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(decimalFromMicros(micros));
}
