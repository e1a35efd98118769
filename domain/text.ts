/** Which texts may be stored and shown in one line. */

/**
 * Controls, which break lists, logs and headers (NUL is not even stored by Postgres), and Unicode's ends of line and
 * paragraph.
 */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Whether a text holds a control character: a text of one line, as every field of the interface is, has none. */
export function holdsControls(text: string): boolean {
  return CONTROLS.test(text);
}

/** Spaces, and marks without a width: a name of these alone looks empty. */
const INVISIBLE = /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/**
 * Whether a value is a text that may be stored and shown: 1 .. `lengthMax` characters, some of them visible, no control
 * characters.
 */
export function isPlainText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value.length <= lengthMax && !INVISIBLE.test(value) && !holdsControls(value);
}

/** Marks that turn the order of letters round. Unclosed, they also turn the words that follow the text. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether a text changes the direction of writing by force. Arabic and Hebrew letters need no such mark. */
export function holdsDirections(text: string): boolean {
  return DIRECTIONS.test(text);
}

const MAILED_LENGTH_MAX = 80;

/** A name as a mail shows it: one line of at most 80 characters, without controls. */
export function inOneLine(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAILED_LENGTH_MAX);
}
