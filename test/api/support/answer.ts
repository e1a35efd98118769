/**
 * Parts of an answer as the types by which a test knows them. Their shape is checked before a test sees them: each
 * answer is compared with the schema of its route (`answer-schemas.ts`). A list is checked here once more, since a test
 * of a list that is none could pass by comparing nothing.
 */

/** An answer is whatever came, and the assertions say what it must be: any field of it is a text and has any field. */
export type Loose = string & { readonly [field: string]: Loose };
export type FieldError = { pointer: string; code: string; detail: string };

export function readAs<T>(part: Loose | undefined): T {
  const value: unknown = part;
  return value as T;
}

export function rowsOf<T>(part: Loose | readonly Loose[] | undefined): T[] {
  if (!Array.isArray(part)) throw new TypeError(`no list: ${JSON.stringify(part)}`);
  return part as T[];
}

/** What is wrong with the fields of a request, as its refusal says. */
export function errorsOf(body: Loose): FieldError[] {
  return rowsOf(body['errors']);
}
