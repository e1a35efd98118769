/**
 * The schemas that many resources share: names, ids, money, times, filters (docs/interface-specification.md, section
 * 2). Strings and lists are bounded everywhere.
 */
import { Type, type TProperties, type TSchema } from 'typebox';
import { decimalFromMicros } from '#domain/money/money.ts';
import type { Micros } from '#domain/unit.ts';

type ObjectOptions = { title?: string; description?: string; minProperties?: number; if?: object; else?: object };

/** An object with exactly these fields: unknown ones are refused. */
export function strict<T extends TProperties>(fields: T, options: ObjectOptions = {}) {
  return Type.Object(fields, { additionalProperties: false, ...options });
}

export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const NAME_LENGTH_MAX = 200;

export const nameField = (description: string) =>
  Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, pattern: '\\S', description });

export const NOTE_LENGTH_MAX = 2_000;
export const noteField = (description: string) =>
  Type.String({ minLength: 1, maxLength: NOTE_LENGTH_MAX, pattern: '\\S', description });

/** A bank's reference of a payment has at most 140 characters (ISO 20022). */
export const REFERENCE_LENGTH_MAX = 140;
export const referenceField = (description: string) =>
  Type.String({ minLength: 1, maxLength: REFERENCE_LENGTH_MAX, pattern: '\\S', description });

/** A text of one line with a length of its own. */
export const textField = (lengthMax: number, description: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: '\\S', description });

/** Address and tax details of a party of a document. */
export const partyFields = {
  address_lines: Type.Array(textField(70, 'One line.'), { maxItems: 6, description: 'Postal address, line by line.' }),
  tax_id: textField(40, 'Tax number of the company.'),
  city: textField(70, 'City of the address.'),
  postal_code: textField(20, 'Postal code of the address.'),
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'Country of the address, ISO 3166. It decides the VAT.' }),
  vat_id: textField(20, 'VAT id with the prefix of the country: `EL` for Greece, `XI` for Northern Ireland.'),
};

export const emailField = (description: string) =>
  Type.String({ minLength: 3, maxLength: 320, pattern: '^[^@\\s]+@[^@\\s]+$', description });

/**
 * An id in a body or an answer. The schema does not check its format: the route does, so that a malformed id is
 * answered like an unknown one.
 */
export const idField = (description: string) => Type.String({ minLength: 1, maxLength: 40, description });

export const ownerField = Type.Object(
  { id: idField('ws_...'), name: Type.String({ description: 'Name of the workspace.' }) },
  { description: 'Whose it is.' },
);

export const currencyField = (description: string) => Type.String({ pattern: '^[A-Z]{3}$', description });

export const moneyField = (description: string) =>
  strict(
    {
      amount: Type.Number({ minimum: 0, description: 'Decimal amount in units of the currency.' }),
      currency: currencyField('Currency code of ISO 4217.'),
    },
    { title: 'Money', description },
  );

/** Bounds as in `parseFrequency`. */
export const frequencyField = (options: { description?: string } = {}) =>
  strict({ max_per_hour: Type.Integer({ minimum: 1, maximum: 3_600, description: 'Plays per hour.' }) }, options);

export const timestampField = (description: string) => Type.String({ description: `${description} ISO 8601, UTC.` });
/** How fresh figures are. `what` is their name in the description. */
export const asOfField = (what: string) =>
  timestampField(
    `Every play acknowledged before this moment is in the ${what}. It may step back when the queue of plays was lost, until all copies of it are in again; plays that were shown once stay.`,
  );
export const dateField = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: `${description} YYYY-MM-DD.` });
/** `tz` of a query. `use` goes on after "IANA time zone". */
export const zoneField = (use: string) =>
  Type.String({ minLength: 1, maxLength: 64, description: `IANA time zone ${use}, in any case; UTC by default.` });
export const timeField = (description: string) =>
  Type.String({
    pattern: '^([01][0-9]|2[0-4]):[0-5][0-9]$',
    description: `${description} HH:MM, 24-hour, local to the venue.`,
  });

/** A filter that takes one of these names, or several separated by commas. */
export const oneOrMore = (names: readonly string[], description: string) =>
  Type.Optional(
    Type.String({
      pattern: `^(${names.join('|')})(,(${names.join('|')}))*$`,
      maxLength: LIST_LENGTH_MAX,
      description: `${description} Several comma-separated: ${names.join(', ')}.`,
    }),
  );

/** A filter that takes one id, or several separated by commas. */
export const idsField = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: LIST_LENGTH_MAX, description: `${description} Several comma-separated.` }),
  );
const LIST_LENGTH_MAX = 4_000; // a hundred ids

/** No control character: a text of one line, as `breachOfBounds` asks of bodies. Postgres does not even store a NUL. */
export const ONE_LINE = '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$';

export const searchField = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, pattern: ONE_LINE, description }));
export const countField = Type.Optional(
  Type.Enum(['true'], { description: '`true`: also say in `total` how many records all pages hold.' }),
);

export const ORIENTATIONS = ['landscape', 'portrait'] as const;
export const orientationField = (description: string) => Type.Enum([...ORIENTATIONS], { description });

export const idParams = Type.Object({ id: Type.String({ description: 'Id of the record.' }) });

/** An amount in answers. */
export function money(micros: Micros, currency: string): { amount: number; currency: string } {
  return { amount: decimalFromMicros(micros), currency };
}
