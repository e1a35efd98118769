/**
 * Audiences with a source, from a CSV file: how many people can see a play on a screen, by hour of the week, and the
 * source of the figures. A file with one wrong line is refused as a whole, and each fault names its line and field.
 */
import { parseId, type Handle } from '../id.ts';
import { numberOf, parseCsv } from '../law/csv.ts';
import { type FileFault, valuesOf } from '../law/file-fault.ts';
import { isPlainText } from '../text.ts';
import { HOURS_PER_DAY, parseMoment, WEEKDAYS } from '../time/calendar.ts';
import type { Milliseconds } from '../unit.ts';

/** The audience of one screen. `thousandths` are of people before a 15 s play, by hour of the week. */
export type ScreenAudience = {
  line: number;
  screen: string;
  handle: Handle<'screen'>;
  vendor: string;
  method: string;
  version: string;
  validFromMs: Milliseconds;
  thousandths: readonly number[];
};

/** A file is imported in one transaction; larger networks import by owner. */
const SCREENS_MAX = 20_000;
const TEXT_LENGTH_MAX = 100;
/** As many as the operator can approve for a venue. */
const PEOPLE_MAX = 100_000;
const TEXTS = ['vendor', 'method', 'version'] as const;
/** `mon_00` .. `sun_23`: local time at the venue. */
export const HOUR_COLUMNS: readonly string[] = WEEKDAYS.flatMap(day =>
  Array.from({ length: HOURS_PER_DAY }, (_, hour) => `${day}_${String(hour).padStart(2, '0')}`),
);
const COLUMNS = ['screen', ...TEXTS, 'valid_from', ...HOUR_COLUMNS];

/** The audiences of a file, or its faults. */
export function parseAudienceFile(text: string): ScreenAudience[] | FileFault[] {
  const csv = parseCsv(text);
  if ('detail' in csv) return [csv];
  const missing = COLUMNS.filter(name => !csv.header.includes(name));
  if (missing.length > 0) return missing.map(field => ({ line: 1, field, detail: 'the column is missing' }));
  const read = csv.records.map(({ line, fields }) => audienceOf(line, fields));
  return valuesOf(read, { field: 'screen', most: SCREENS_MAX, noun: 'screens' });
}

function audienceOf(line: number, fields: Readonly<Record<string, string>>) {
  const faults: FileFault[] = [];
  const check = (field: string, isRight: boolean, detail: string) => {
    if (!isRight) faults.push({ line, field, detail });
  };
  const handle = parseId('screen', fields['screen']!);
  check('screen', handle !== undefined, 'must be the id of a screen, scr_...');
  for (const name of TEXTS)
    check(name, isPlainText(fields[name], TEXT_LENGTH_MAX), `must be a text of 1 to ${TEXT_LENGTH_MAX} characters`);
  const validFromMs = parseMoment(fields['valid_from']!);
  check('valid_from', validFromMs !== undefined, 'must be a date, or a moment in UTC such as 2026-01-01T05:00:00Z');
  const people = HOUR_COLUMNS.map(name => numberOf(fields[name]!));
  people.forEach((count, hour) =>
    check(HOUR_COLUMNS[hour]!, count >= 0 && count <= PEOPLE_MAX, `must be a number from 0 to ${PEOPLE_MAX}`),
  );
  const value = {
    line,
    screen: fields['screen']!,
    handle: handle!,
    vendor: fields['vendor']!,
    method: fields['method']!,
    version: fields['version']!,
    validFromMs: validFromMs!,
    thousandths: people.map(count => Math.round(count * 1000)),
  };
  return { line, faults, value }; // the value is read only without faults
}
