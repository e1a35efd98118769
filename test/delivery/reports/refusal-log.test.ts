/**
 * Refused plays in the log of delivery: each is named with its screen and reason, and a screen that reports without end
 * cannot flood the log. Runs in memory on a clock of the test.
 */
import { describe, expect, test } from 'vitest';
import { formatId } from '#domain/id.ts';
import { createLog } from '#runtime/log.ts';
import type { RefusedPlay } from '../../../delivery/protocol/outbound.ts';
import { RefusalLog } from '../../../delivery/reports/refusal-log.ts';
import { handle } from '../../support/handle.ts';

type Line = { screen_id: string; plays: RefusedPlay[]; unsaid: number };

function logUnderTest(): { lines: Line[]; refusals: RefusalLog } {
  const lines: Line[] = [];
  const log = createLog('test', 'info', { write: line => void lines.push(JSON.parse(line) as Line) });
  return { lines, refusals: new RefusalLog(log) };
}

const refused = (count: number, playId = 'p'): RefusedPlay[] =>
  Array.from({ length: count }, (_, index) => ({ play_id: `${playId}${index}`, reason: 'too_late' as const }));

describe('refused plays in the log', () => {
  test('are listed with screen and reason', () => {
    const { lines, refusals } = logUnderTest();
    refusals.note(handle('screen', 7), refused(2), 1_000);
    expect(lines).toMatchObject([
      {
        screen_id: formatId('screen', handle('screen', 7)),
        plays: [
          { play_id: 'p0', reason: 'too_late' },
          { play_id: 'p1', reason: 'too_late' },
        ],
        unsaid: 0,
      },
    ]);
  });

  test('write no line if none was refused', () => {
    const { lines, refusals } = logUnderTest();
    refusals.note(handle('screen', 7), [], 1_000);
    expect(lines).toEqual([]);
  });

  test('are limited to ten per line and ten lines a second, and the next line counts the omitted ones', () => {
    const { lines, refusals } = logUnderTest();
    for (let message = 0; message < 12; message += 1) refusals.note(handle('screen', 7), refused(15), 1_000 + message);
    expect(lines.map(line => [line.plays.length, line.unsaid])).toEqual(Array.from({ length: 10 }, () => [10, 5]));
    refusals.note(handle('screen', 7), refused(1), 2_000);
    expect(lines.at(-1)).toMatchObject({ plays: [{ play_id: 'p0' }], unsaid: 30 });
  });

  test('are cut to the length of a play id, whatever a screen sends', () => {
    const { lines, refusals } = logUnderTest();
    refusals.note(handle('screen', 7), refused(1, 'x'.repeat(60_000)), 1_000);
    expect(lines[0]!.plays[0]!.play_id).toBe('x'.repeat(104));
  });
});
