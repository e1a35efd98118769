import { refuseField, type Refusal } from '#domain/refusal.ts';

/**
 * What no schema says and every body must keep, checked before the schemas so that they never meet a body that is made
 * to be slow: no list of more than 1,000 entries, no nesting beyond 12, and no NUL in a text (Postgres stores none).
 */
const ITEMS_MAX = 1_000; // the longest list that any route allows
const DEPTH_MAX = 12; // twice the deepest body of the interface

/** The first bound that a parsed body breaks, or undefined. */
export function breachOfBounds(body: unknown, pointer = '', depth = 0): Refusal | undefined {
  if (typeof body === 'string') return body.includes('\0') ? refuseField(pointer, 'bad_format', 'must not contain the character NUL') : undefined;
  if (typeof body !== 'object' || body === null) return undefined;
  if (depth >= DEPTH_MAX) return refuseField(pointer, 'too_deep', `must not be nested deeper than ${DEPTH_MAX}`);
  const entries = Object.entries(body);
  if (entries.length > ITEMS_MAX) return refuseField(pointer, 'too_long', `must not have more than ${ITEMS_MAX} entries`);
  for (const [key, value] of entries) {
    const breach = breachOfBounds(value, `${pointer}/${escapePointer(key)}`, depth + 1);
    if (breach) return breach;
  }
  return undefined;
}

/** A key as a segment of a JSON pointer (RFC 6901). A long key is cut: it is only shown. */
export function escapePointer(key: string): string {
  return key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
