/**
 * General limits of every body, checked before the schemas so that they never meet a body that is made to be slow: no
 * list of more than 1,000 entries, no nesting beyond 12, and in a text no control character and no half of a surrogate
 * pair. Every text of the interface is one line, so the rule stands here once for all of them.
 */
import { refuseField, refuseFields, type Refusal } from '#domain/refusal.ts';
import { holdsControls } from '#domain/text.ts';

/** A call without a key needs some hundred bytes. A megabyte takes a third of a second to check. */
export const KEYLESS_BYTES_MAX = 4 * 1024;
const ITEMS_MAX = 1_000; // the longest list that any route allows
const DEPTH_MAX = 12; // twice the deepest body of the interface
const HALF_PAIR = /\p{Surrogate}/u; // with this flag a whole pair is one character and none of these
const UNKNOWN_MAX = 20; // as many as an answer shows

/** The first bound that a parsed body breaks, or undefined. */
export function breachOfBounds(body: unknown, pointer = '', depth = 0): Refusal | undefined {
  if (typeof body === 'string') return breachOfText(body, pointer);
  if (typeof body !== 'object' || body === null) return undefined;
  if (depth >= DEPTH_MAX) return refuseField(pointer, 'too_deep', `must not be nested deeper than ${DEPTH_MAX}`);
  const entries = Object.entries(body);
  if (entries.length > ITEMS_MAX)
    return refuseField(pointer, 'too_long', `must not have more than ${ITEMS_MAX} entries`);
  for (const [key, value] of entries) {
    const breach = breachOfBounds(value, `${pointer}/${escapePointer(key)}`, depth + 1);
    if (breach) return breach;
  }
  return undefined;
}

function breachOfText(text: string, pointer: string): Refusal | undefined {
  if (holdsControls(text)) return refuseField(pointer, 'bad_format', 'must not contain control characters');
  return HALF_PAIR.test(text)
    ? refuseField(pointer, 'bad_format', 'must not contain half of a surrogate pair')
    : undefined;
}

/**
 * A route without a body is sent nothing, or an object without fields. Each field of another object is refused as
 * unknown, as in any other body.
 */
export function breachOfNoBody(body: unknown): Refusal | undefined {
  if (body === undefined) return undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuseField('', 'wrong_type', 'must be object');
  const faults = Object.keys(body)
    .slice(0, UNKNOWN_MAX)
    .map(key => ({
      pointer: `/${escapePointer(key)}`,
      code: 'unknown_field',
      detail: 'is not a field of this request',
    }));
  return faults.length === 0 ? undefined : refuseFields(faults);
}

/** A key as a segment of a JSON pointer (RFC 6901). A long key is cut: it is only shown. */
export function escapePointer(key: string): string {
  return key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
