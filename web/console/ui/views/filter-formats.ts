/** The formats of filters in an address. A value of another format, as of a mistyped link, counts as none. */

type Format = (text: string) => boolean;
export type Formats<Name extends string> = Readonly<Record<Name, Format>>;
export type Filters<Name extends string> = { readonly [name in Name]?: string };
/** The part of an address after its question mark. */
export type Search = Readonly<Record<string, string>>;

/** One line of at most 200 characters: no name has more, and the API takes no more. */
export const isText: Format = text => /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(text);
export const isDay: Format = text => isMinute(`${text}T00:00`);
export const isAmount: Format = text => /^\d{1,9}(\.\d{1,6})?$/.test(text);
export const isOneOf =
  (values: readonly string[]): Format =>
  text =>
    values.includes(text);

/** A minute of the calendar: scripts read the 31st of June as a day of July. */
export const isMinute: Format = text => {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

/** The values that have the format of their filter. */
export function filtersOf<Name extends string>(search: Search, formats: Formats<Name>): Filters<Name> {
  const names = Object.keys(formats) as Name[];
  const found = names.flatMap(name => {
    const text = search[name];
    return text !== undefined && formats[name](text) ? [[name, text]] : [];
  });
  return Object.fromEntries(found) as Filters<Name>;
}

/**
 * The filters of a form as the API takes them, and the names of those of another format. An empty one counts as none.
 *
 * @param textOf what was typed into the field of that name
 */
export function typedFilters<Name extends string>(
  textOf: (name: Name) => string,
  formats: Formats<Name>,
): { values: Search; wrong: Name[] } {
  const names = Object.keys(formats) as Name[];
  const typed = names.map(name => {
    const text = textOf(name).trim();
    // People leave out the zero of .5; the API does not.
    return [name, formats[name] === isAmount ? text.replace(/^\./, '0.') : text] as const;
  });
  const wrong = typed.flatMap(([name, text]) => (text === '' || formats[name](text) ? [] : [name]));
  return { values: Object.fromEntries(typed), wrong };
}
