/**
 * Whether a value is a text that may be stored and shown: 1 .. `lengthMax` characters, not only spaces, no control
 * characters (Postgres refuses NUL, and the rest breaks lists and headers).
 */
export function isPlainText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value.length <= lengthMax && value.trim() !== '' && !/\p{Cc}/u.test(value);
}
