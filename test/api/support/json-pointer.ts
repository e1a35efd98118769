/** Texts of a JSON body by their pointers, for tests that replace one after the other. */

/** Pointers to the texts of a body. */
export function textsOf(body: unknown, pointer = ''): string[] {
  if (typeof body === 'string') return [pointer];
  return typeof body === 'object' && body !== null
    ? Object.entries(body).flatMap(([key, inner]) => textsOf(inner, `${pointer}/${key}`))
    : [];
}

/** The body with another value at a pointer. */
export function replaceAt(body: unknown, pointer: string, value: unknown): unknown {
  const [, key, ...below] = pointer.split('/');
  if (key === undefined) return value;
  const next = replaceAt((body as Record<string, unknown>)[key], ['', ...below].join('/'), value);
  return Array.isArray(body) ? body.with(Number(key), next) : { ...(body as object), [key]: next };
}
