/** The faults of an imported file, by line and field. */

export type FileFault = { line: number; field?: string; detail: string };

/** Faults have a detail; nothing else that a file is read into has one. */
export function isFaults(list: readonly object[]): list is FileFault[] {
  return list.length > 0 && 'detail' in list[0]!;
}

/**
 * The result of reading a file: its values, or all faults by line. At most `most` values, and each with a different
 * `field`.
 */
export function valuesOf<Field extends string, Value extends Record<Field, string>>(
  read: readonly { line: number; value: Value; faults: readonly FileFault[] }[] | FileFault[],
  { field, most, noun }: { field: Field; most: number; noun: string },
): Value[] | FileFault[] {
  if (isFaults(read)) return read;
  if (read.length > most) return [{ line: 1, detail: `a file has at most ${most} ${noun}` }];
  const faults = [...read.flatMap(({ faults: own }) => own), ...onlyOnce(read, field)];
  return faults.length > 0 ? faults.sort((a, b) => a.line - b.line) : read.map(({ value }) => value);
}

/** A fault for each value that an earlier line has too. */
function onlyOnce<Field extends string>(
  rows: readonly { line: number; value: Record<Field, string> }[],
  field: Field,
): FileFault[] {
  const lineOf = new Map<string, number>();
  return rows.flatMap(({ line, value }) => {
    const before = lineOf.get(value[field]);
    if (before !== undefined) return [{ line, field, detail: `'${value[field]}' is also in line ${before}` }];
    lineOf.set(value[field], line);
    return [];
  });
}

/** Faults for people, a line each, up to some. */
export function sentencesOf(faults: readonly FileFault[], most: number): string {
  const lines = faults
    .slice(0, most)
    .map(({ line, field, detail }) => `line ${line}${field === undefined ? '' : `, ${field}`}: ${detail}`);
  if (faults.length > most) lines.push(`and ${faults.length - most} more`);
  return lines.join('\n');
}
