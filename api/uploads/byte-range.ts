/** Parses the `Range` header, for downloads of files. */

export type ByteRange = { first: number; last: number };

/**
 * The one range of a `Range` header (RFC 9110, 14.2). `whole` if there is none to apply (absent, another unit, several
 * ranges, malformed), `unsatisfiable` if it is beyond the end.
 * @param bytes size of the file, above 0
 */
export function parseByteRange(header: string | undefined, bytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '')
    return Number(to) === 0 ? 'unsatisfiable' : { first: Math.max(0, bytes - Number(to)), last: bytes - 1 };
  const first = Number(from);
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first >= bytes ? 'unsatisfiable' : { first, last };
}
