/** Files of audiences: what is read, and that a wrong line is named with its field. */
import { describe, expect, test } from 'vitest';
import { HOUR_COLUMNS, parseAudienceFile } from '#domain/audience/audience-file.ts';
import { formatId } from '#domain/id.ts';
import { handle } from '../../support/handle.ts';

const HEADER = ['screen', 'vendor', 'method', 'version', 'valid_from', ...HOUR_COLUMNS];
const SCREEN = formatId('screen', handle('screen', 7));
const HOURS = HOUR_COLUMNS.map((_, hour) => String(hour / 8));

/** One line with changes by column. */
function lineOf(changes: Record<string, string> = {}): string {
  const values = [SCREEN, 'Example Metrics', 'mobile panel', '2026-1', '2026-01-01', ...HOURS];
  return HEADER.map((column, at) => changes[column] ?? values[at]!).join(',');
}

describe('a file of audiences', () => {
  test('has a line for each screen, with people by hour of the week', () => {
    const read = parseAudienceFile(`${HEADER.join(',')}\n${lineOf()}`);
    expect(read).toEqual([
      {
        line: 2,
        screen: SCREEN,
        handle: 7,
        vendor: 'Example Metrics',
        method: 'mobile panel',
        version: '2026-1',
        validFromMs: Date.UTC(2026, 0, 1),
        thousandths: HOUR_COLUMNS.map((_, hour) => hour * 125),
      },
    ]);
    expect([HOUR_COLUMNS[0], HOUR_COLUMNS[25], HOUR_COLUMNS[167]]).toEqual(['mon_00', 'tue_01', 'sun_23']);
  });

  test.each([
    ['screen', 'scr_nobody'],
    ['vendor', ''],
    ['method', 'x'.repeat(101)],
    ['version', ' '],
    ['valid_from', '2026-02-30'],
    ['valid_from', 'soon'],
    ['mon_00', ''],
    ['wed_13', '-1'],
    ['sun_23', 'many'],
    ['sun_23', '100001'],
  ])('with an invalid %s is refused with its line: %j', (field, value) => {
    const other = formatId('screen', handle('screen', 8));
    const faults = parseAudienceFile(
      [HEADER.join(','), lineOf({ screen: other }), lineOf({ [field]: value })].join('\n'),
    );
    expect(faults).toEqual([{ line: 3, field, detail: expect.any(String) }]);
  });

  test('names a duplicate screen and a missing column', () => {
    expect(parseAudienceFile([HEADER.join(','), lineOf(), lineOf()].join('\n'))).toMatchObject([
      { line: 3, field: 'screen' },
    ]);
    expect(parseAudienceFile(HEADER.filter(name => name !== 'tue_05').join(','))).toEqual([
      { line: 1, field: 'tue_05', detail: 'the column is missing' },
    ]);
  });
});
