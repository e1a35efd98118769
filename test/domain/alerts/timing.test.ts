/** When mails about alerts are due, and when a screen counts as offline. Pure rules, by tables. */
import { describe, expect, test } from 'vitest';
import { dueAt, isOfflineFor } from '../../../domain/alerts/timing.ts';
import { isRefusal } from '../../../domain/refusal.ts';
import { localTime, parseOpeningHours, zoneOffsetMinutes } from '../../../domain/screens/schedule.ts';
import { isInDaypart, parseDaypart } from '../../../domain/time/daypart.ts';

const NIGHT = { start: '22:00', end: '07:00' };
const NOON = { start: '12:00', end: '13:30' };
const at = (text: string) => Date.parse(text);

describe('a mail at once', () => {
  test.each([
    ['without quiet hours is due now', 'Europe/Berlin', null, '2026-06-10T02:00:00Z', '2026-06-10T02:00:00Z'],
    ['outside quiet hours is due now', 'Europe/Berlin', NIGHT, '2026-06-10T10:00:07Z', '2026-06-10T10:00:07Z'],
    [
      'before midnight waits for the next morning',
      'Europe/Berlin',
      NIGHT,
      '2026-06-10T21:15:30Z',
      '2026-06-11T05:00:00Z',
    ],
    [
      'after midnight waits for the same morning',
      'Europe/Berlin',
      NIGHT,
      '2026-06-10T23:30:00Z',
      '2026-06-11T05:00:00Z',
    ],
    ['in the first quiet minute waits', 'Europe/Berlin', NIGHT, '2026-06-10T20:00:00Z', '2026-06-11T05:00:00Z'],
    [
      'in the last quiet minute waits for its end',
      'Europe/Berlin',
      NIGHT,
      '2026-06-11T04:59:59Z',
      '2026-06-11T05:00:00Z',
    ],
    ['at the end of quiet hours is due now', 'Europe/Berlin', NIGHT, '2026-06-11T05:00:00Z', '2026-06-11T05:00:00Z'],
    [
      'waits for quiet hours of a zone behind UTC',
      'America/New_York',
      NIGHT,
      '2026-06-11T03:00:00Z',
      '2026-06-11T11:00:00Z',
    ],
    [
      'waits for quiet hours of a zone with half hours',
      'Asia/Kolkata',
      NIGHT,
      '2026-06-10T18:00:00Z',
      '2026-06-11T01:30:00Z',
    ],
    ['waits within one day, too', 'UTC', NOON, '2026-06-10T12:20:00Z', '2026-06-10T13:30:00Z'],
    [
      'waits until the morning after the clocks go forward',
      'Europe/Berlin',
      NIGHT,
      '2026-03-28T22:00:00Z',
      '2026-03-29T05:00:00Z',
    ],
    [
      'waits for the later time if the clocks skip the end of quiet hours',
      'Europe/Berlin',
      { start: '22:00', end: '02:30' },
      '2026-03-29T00:39:00Z',
      '2026-03-29T01:30:00Z',
    ],
    [
      'waits until the morning after the clocks go back',
      'Europe/Berlin',
      NIGHT,
      '2026-10-24T21:00:00Z',
      '2026-10-25T06:00:00Z',
    ],
  ])('%s', (_, timezone, quiet_hours, now, due) => {
    const ms = dueAt({ timezone, quiet_hours, digest_at: '08:00' }, 'at_once', at(now));
    expect(new Date(ms).toISOString()).toBe(new Date(due).toISOString());
  });
});

describe.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Casablanca'])(
  'in a year of %s',
  timezone => {
    test.each([
      { start: '22:00', end: '02:30' },
      { start: '22:00', end: '00:30' },
      { start: '01:00', end: '02:15' },
      { start: '23:00', end: '00:00' },
    ])('no mail is due in quiet hours or in the past, whatever the clocks do: $start to $end', quiet_hours => {
      const quiet = parseDaypart(quiet_hours.start, quiet_hours.end)!;
      const wrong: string[] = [];
      for (let now = at('2026-01-01T00:00:00Z'); now < at('2027-01-01T00:00:00Z'); now += 67 * 60_000)
        for (const mode of ['at_once', 'daily'] as const) {
          const due = dueAt({ timezone, quiet_hours, digest_at: '02:10' }, mode, now);
          const { minute } = localTime(zoneOffsetMinutes(timezone, due), due);
          const isLate = due - now > 50 * 3_600_000;
          if (due < now || isLate || isInDaypart(quiet, minute)) wrong.push(`${mode} ${new Date(now).toISOString()}`);
        }
      expect(wrong).toEqual([]);
    });
  },
);

describe('the daily digest', () => {
  test.each([
    ['is due later today', 'Europe/Berlin', null, '08:00', '2026-06-10T01:00:00Z', '2026-06-10T06:00:00Z'],
    [
      'is due tomorrow once it has gone',
      'Europe/Berlin',
      null,
      '08:00',
      '2026-06-10T06:01:00Z',
      '2026-06-11T06:00:00Z',
    ],
    [
      'takes a fact of its own minute along',
      'Europe/Berlin',
      null,
      '08:00',
      '2026-06-10T06:00:40Z',
      '2026-06-10T06:00:40Z',
    ],
    [
      'keeps its local time when the clocks change',
      'Europe/Berlin',
      null,
      '08:00',
      '2026-10-24T12:00:00Z',
      '2026-10-25T07:00:00Z',
    ],
    ['waits for the end of quiet hours', 'UTC', NIGHT, '06:00', '2026-06-10T12:00:00Z', '2026-06-11T07:00:00Z'],
  ])('%s', (_, timezone, quiet_hours, digest_at, now, due) => {
    const ms = dueAt({ timezone, quiet_hours, digest_at }, 'daily', at(now));
    expect(new Date(ms).toISOString()).toBe(new Date(due).toISOString());
  });
});

describe('a screen', () => {
  const BAR = { wed: [{ start: '18:00', end: '02:00' }], thu: [{ start: '18:00', end: '02:00' }] };
  test.each([
    ['is offline after half an hour without opening hours', null, '2026-06-10T10:00:00Z', '2026-06-10T10:30:00Z', true],
    ['is not a minute before', null, '2026-06-10T10:00:00Z', '2026-06-10T10:29:00Z', false],
    // 2026-06-10 is a Wednesday; the bar opens at 16:00 UTC and closes at 00:00 UTC.
    ['is not while the venue is closed', BAR, '2026-06-10T10:00:00Z', '2026-06-10T15:59:00Z', false],
    ['is not yet when the venue has just opened', BAR, '2026-06-10T10:00:00Z', '2026-06-10T16:29:00Z', false],
    ['is half an hour after opening', BAR, '2026-06-10T10:00:00Z', '2026-06-10T16:30:00Z', true],
    ['counts open minutes over midnight', BAR, '2026-06-10T21:50:00Z', '2026-06-10T22:20:00Z', true],
    ['joins open minutes of two days', BAR, '2026-06-10T23:45:00Z', '2026-06-11T16:15:00Z', true],
    ['is not after closing, however long it was away', BAR, '2026-06-10T16:00:00Z', '2026-06-11T00:00:00Z', false],
  ])('%s', (_, json, since, now, expected) => {
    const hours = parseOpeningHours(json);
    if (isRefusal(hours)) throw new Error('bad hours');
    const outage = { sinceMs: at(since), nowMs: at(now), minutes: 30 };
    expect(isOfflineFor(hours, 'Europe/Berlin', outage)).toBe(expected);
  });
});
