/** Opening hours of a day as text: `09:00-12:00, 14:00-18:00`. A range may go over midnight. No text: closed. */
export type Range = { start: string; end: string };

const RANGE = /^(\d{1,2}):(\d{2})\s*[-–]\s*(\d{1,2}):(\d{2})$/;

export function textOfRanges(ranges: readonly Range[]): string {
  return ranges.map(({ start, end }) => `${start}–${end}`).join(', ');
}

/** The ranges, or undefined if one of them is no range. The API checks the times and that none overlap. */
export function rangesOfText(text: string): Range[] | undefined {
  const ranges: Range[] = [];
  for (const part of text.split(',').map(each => each.trim())) {
    if (part === '') continue;
    const [, fromHour, fromMinute, toHour, toMinute] = RANGE.exec(part) ?? [];
    if (fromHour === undefined || toHour === undefined) return undefined;
    ranges.push({ start: `${fromHour.padStart(2, '0')}:${fromMinute}`, end: `${toHour.padStart(2, '0')}:${toMinute}` });
  }
  return ranges;
}
