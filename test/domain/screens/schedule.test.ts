/**
 * Zones, dates, dayparts, flights and opening hours, also where clocks change. Pure rules, compared with a walk minute
 * by minute.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDate, formatTimeOfDay, parseDate, parseTimeOfDay, weekdayOf } from '#domain/time/calendar.ts';
import {
  type Daypart,
  daypartName,
  isInDaypart,
  namedDayparts,
  parseDaypart,
  parseDaypartFilter,
} from '#domain/time/daypart.ts';
import {
  type OpeningHours,
  checkFlight,
  isOpen,
  parseZone,
  localTime,
  openMinutesPerDay,
  parseOpeningHours,
  zoneChanges,
  zoneOffsetMinutes,
} from '#domain/screens/schedule.ts';

const at = (text: string) => Date.parse(text);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const minuteOfDay = fc.integer({ min: 0, max: 1439 });
const daypart = fc
  .tuple(minuteOfDay, fc.integer({ min: 0, max: 1440 }))
  .filter(([start, end]) => start !== end)
  .map(([startMinute, endMinute]): Daypart => ({ startMinute, endMinute }));
const lengthOf = ({ startMinute, endMinute }: Daypart) =>
  (endMinute < startMinute ? endMinute + 1440 : endMinute) - startMinute;

describe('zones', () => {
  test.each([
    [
      'Europe/Berlin',
      60,
      [
        ['2026-03-29T01:00:00Z', 120],
        ['2026-10-25T01:00:00Z', 60],
      ],
    ],
    [
      'America/New_York',
      -300,
      [
        ['2026-03-08T07:00:00Z', -240],
        ['2026-11-01T06:00:00Z', -300],
      ],
    ],
    [
      'Australia/Lord_Howe',
      660,
      [
        ['2026-04-04T15:00:00Z', 630],
        ['2026-10-03T15:30:00Z', 660],
      ],
    ],
    ['Asia/Kathmandu', 345, []],
    ['UTC', 0, []],
  ] as const)('%s changes its clocks in 2026 when the tables of time zones say', (zone, offset, changes) => {
    const from = at('2026-01-01T00:00:00Z');
    expect(zoneChanges(zone, from, at('2027-01-01T00:00:00Z'))).toEqual([
      { fromMs: from, offsetMinutes: offset },
      ...changes.map(([text, offsetMinutes]) => ({ fromMs: at(text), offsetMinutes })),
    ]);
  });

  test('the changes of any range give the offset of any moment in it', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/Sao_Paulo',
      'Africa/Casablanca',
      'Pacific/Chatham',
      'UTC',
    );
    const from = fc.integer({ min: at('2015-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') });
    fc.assert(
      fc.property(
        zone,
        from,
        fc.integer({ min: 1, max: 400 * DAY }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (zone, from, length, share) => {
          const moment = from + Math.floor(length * share);
          const changes = zoneChanges(zone, from, from + length);
          expect(changes.findLast(change => change.fromMs <= moment)?.offsetMinutes).toBe(
            zoneOffsetMinutes(zone, moment),
          );
          for (const { fromMs } of changes.slice(1))
            expect(zoneOffsetMinutes(zone, fromMs - 1)).not.toBe(zoneOffsetMinutes(zone, fromMs));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a range that ends at a clock change does not contain the change', () => {
    const change = at('2026-03-29T01:00:00Z');
    expect(zoneChanges('Europe/Berlin', change - HOUR, change)).toHaveLength(1);
    expect(zoneChanges('Europe/Berlin', change - HOUR, change + 1)).toEqual([
      { fromMs: change - HOUR, offsetMinutes: 60 },
      { fromMs: change, offsetMinutes: 120 },
    ]);
    expect(zoneChanges('Europe/Berlin', change, change)).toEqual([{ fromMs: change, offsetMinutes: 120 }]);
  });

  test('a range of more than eleven years is a bug', () => {
    expect(() => zoneChanges('UTC', 0, 12 * 366 * DAY)).toThrow('11 years');
  });

  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['AMERICA/ARGENTINA/BUENOS_AIRES', 'America/Argentina/Buenos_Aires'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['est5edt', 'EST5EDT'],
  ])('%s is the zone %s', (text, zone) => expect(parseZone(text)).toBe(zone));
  // Each of the second line is a zone to one or two of ClickHouse, PostgreSQL and Intl, and unknown to another.
  test.each([
    '',
    'Europe/Atlantis',
    '+05:30',
    'Berlin',
    'Europe/Berlin ',
    'x'.repeat(100),
    'constructor',
    'Europe/Berlin\u0000',
    'PST',
    'BST',
    'SystemV/PST8',
    'Factory',
    'America/Coyhaique',
    'posix/Europe/Berlin',
    'localtime',
    'CET',
  ])('%j is not a zone', text => expect(parseZone(text)).toBeUndefined());
});

describe('dates and times', () => {
  test.each([
    ['00:00', 0],
    ['06:30', 390],
    ['23:59', 1439],
  ])('%s is minute %i', (text, minute) => {
    expect(parseTimeOfDay(text)).toBe(minute);
    expect(formatTimeOfDay(minute)).toBe(text);
  });
  test.each(['24:00', '6:30', '06:60', '06:30:00', '', '-1:00', '06.30', ' 06:30', '06:3x', '٠٦:٣٠'])(
    '%j is not a time of day',
    text => expect(parseTimeOfDay(text)).toBeUndefined(),
  );

  test.each([
    ['1970-01-01', 0],
    ['2000-02-29', 11_016],
    ['2026-12-31', 20_818],
    ['9999-12-31', 2_932_896],
  ])('%s is day %i', (text, days) => {
    expect(parseDate(text)).toBe(days);
    expect(formatDate(days)).toBe(text);
  });
  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-32',
    '1969-12-31',
    '2026-1-1',
    '2026-01-01T00:00:00Z',
    '',
    '0000-00-00',
    '20260101',
  ])('%j is not a date', text => expect(parseDate(text)).toBeUndefined());

  test('weekdays follow the calendar', () => {
    expect(['2026-11-16', '2026-11-17', '2026-11-22', '1970-01-01'].map(text => weekdayOf(parseDate(text)!))).toEqual([
      0, 1, 6, 3,
    ]);
    expect(weekdayOf(-4)).toBe(6);
  });

  test.each([
    ['2026-06-01T21:59:59.999Z', 120, '2026-06-01', 1439],
    ['2026-06-01T22:00:00.000Z', 120, '2026-06-02', 0],
    ['2026-06-01T00:00:00.000Z', -300, '2026-05-31', 1140],
    ['2026-06-01T18:15:00.000Z', 345, '2026-06-02', 0],
  ])('%s with an offset of %i minutes is %s, minute %i', (moment, offset, date, minute) => {
    expect(localTime(offset, at(moment))).toEqual({ day: parseDate(date), minute });
  });
});

describe('dayparts', () => {
  test.each([
    [
      '06:00',
      '10:00',
      [
        [359, false],
        [360, true],
        [599, true],
        [600, false],
      ],
    ],
    [
      '22:00',
      '02:00',
      [
        [1319, false],
        [1320, true],
        [1439, true],
        [0, true],
        [119, true],
        [120, false],
      ],
    ],
    [
      '18:00',
      '00:00',
      [
        [1079, false],
        [1080, true],
        [1439, true],
        [0, false],
      ],
    ],
    [
      '18:00',
      '24:00',
      [
        [1080, true],
        [1439, true],
        [0, false],
      ],
    ],
    [
      '00:00',
      '24:00',
      [
        [0, true],
        [1439, true],
      ],
    ],
  ] as const)('%s to %s', (start, end, minutes) => {
    for (const [minute, inside] of minutes)
      expect([minute, isInDaypart(parseDaypart(start, end)!, minute)]).toEqual([minute, inside]);
  });

  test('a daypart has exactly the minutes of its length, and the whole day with its complement', () => {
    fc.assert(
      fc.property(daypart, daypart => {
        const minutes = Array.from({ length: 1440 }, (_, minute) => minute);
        expect(minutes.filter(minute => isInDaypart(daypart, minute))).toHaveLength(lengthOf(daypart));
        if (daypart.endMinute === 1440 || daypart.endMinute === daypart.startMinute) return;
        const opposite = { startMinute: daypart.endMinute, endMinute: daypart.startMinute };
        expect(minutes.every(minute => isInDaypart(daypart, minute) !== isInDaypart(opposite, minute))).toBe(true);
      }),
    );
  });

  test.each([
    ['06:00', '06:00'],
    ['00:00', '00:00'],
    ['24:00', '06:00'],
    ['6', '10'],
    ['', ''],
  ])('%j to %j is not a daypart', (start, end) => expect(parseDaypart(start, end)).toBeUndefined());

  test('each minute of the day is in one named daypart', () => {
    expect([0, 359, 360, 599, 600, 839, 840, 1079, 1080, 1319, 1320, 1439].map(daypartName)).toEqual([
      'night',
      'night',
      'morning',
      'morning',
      'midday',
      'midday',
      'afternoon',
      'afternoon',
      'evening',
      'evening',
      'night',
      'night',
    ]);
    fc.assert(
      fc.property(minuteOfDay, minute => {
        expect(Object.values(namedDayparts).filter(daypart => isInDaypart(daypart, minute))).toHaveLength(1);
      }),
    );
  });

  test.each([
    ['morning', { startMinute: 360, endMinute: 600 }],
    ['night', { startMinute: 1320, endMinute: 360 }],
    ['06:15-10:45', { startMinute: 375, endMinute: 645 }],
    ['22:00-02:00', { startMinute: 1320, endMinute: 120 }],
    ['00:00-24:00', { startMinute: 0, endMinute: 1440 }],
  ])('the report filter %s is accepted', (text, daypart) => expect(parseDaypartFilter(text)).toEqual(daypart));
  test.each([
    '',
    'Morning',
    'dawn',
    '06:10-10:00',
    '06:00-10:05',
    '06:00',
    '06:00-',
    '06:00-06:00',
    '06:00-08:00-10:00',
    'toString',
    '__proto__',
  ])('the report filter %j is refused', text => expect(parseDaypartFilter(text)).toBeUndefined());
});

describe('flights', () => {
  const startsOn = parseDate('2026-06-01')!; // a Monday
  const endsOn = parseDate('2026-06-07')!;
  const late = { startMinute: 1320, endMinute: 120 };

  test.each([
    ['before the first local midnight', {}, '2026-05-31T21:59:59Z', 'outside_schedule'],
    ['at the first local midnight', {}, '2026-05-31T22:00:00Z', 'ok'],
    ['in the last local second', {}, '2026-06-07T21:59:59Z', 'ok'],
    ['after the last local midnight', {}, '2026-06-07T22:00:00Z', 'outside_schedule'],
    ['in the first night of a daypart over midnight', { daypart: late }, '2026-06-01T23:00:00Z', 'ok'],
    ['before the first night, on the first day', { daypart: late }, '2026-05-31T23:00:00Z', 'outside_schedule'],
    ['in the tail of the last night, a day after the end', { daypart: late }, '2026-06-07T23:59:00Z', 'ok'],
    ['after the tail of the last night', { daypart: late }, '2026-06-08T00:00:00Z', 'outside_schedule'],
    ['at noon with a daypart at night', { daypart: late }, '2026-06-03T10:00:00Z', 'outside_daypart'],
    ['on a weekday that is wanted', { days: 1 }, '2026-06-01T10:00:00Z', 'ok'],
    ['on a weekday that is not wanted', { days: 1 }, '2026-06-02T10:00:00Z', 'outside_daypart'],
    ['in the tail of a wanted Monday, on Tuesday', { days: 1, daypart: late }, '2026-06-01T23:30:00Z', 'ok'],
    ['in the evening of an unwanted Tuesday', { days: 1, daypart: late }, '2026-06-02T20:30:00Z', 'outside_daypart'],
    [
      'in the tail of an unwanted Tuesday, on a wanted Wednesday',
      { days: 4, daypart: late },
      '2026-06-02T23:30:00Z',
      'outside_daypart',
    ],
    ['outside of dates and daypart: the dates are said', { daypart: late }, '2026-06-20T10:00:00Z', 'outside_schedule'],
  ] as const)('%s', (_, rule, moment, answer) => {
    expect(checkFlight({ startsOn, endsOn, ...rule }, 120, at(moment))).toBe(answer);
  });

  test('a moment in a daypart belongs to the day on which the daypart began, for dates and weekdays alike', () => {
    fc.assert(
      fc.property(
        daypart,
        fc.integer({ min: 10_000, max: 30_000 }),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: -720, max: 840 }),
        (daypart, day, step, offset) => {
          const minutesIn = step % lengthOf(daypart);
          const moment = day * DAY + (daypart.startMinute + minutesIn - offset) * 60_000;
          expect(checkFlight({ startsOn: day, endsOn: day, days: 1 << weekdayOf(day), daypart }, offset, moment)).toBe(
            'ok',
          );
          expect(checkFlight({ startsOn: day + 1, endsOn: day + 9, daypart }, offset, moment)).toBe('outside_schedule');
          expect(checkFlight({ startsOn: day - 9, endsOn: day - 1, daypart }, offset, moment)).toBe('outside_schedule');
          expect(
            checkFlight({ startsOn: day, endsOn: day, days: 127 ^ (1 << weekdayOf(day)), daypart }, offset, moment),
          ).toBe('outside_daypart');
        },
      ),
      { numRuns: 500 },
    );
  });

  /** The minutes, one by one, in which a rule lets a campaign run in a zone. */
  const minutesOf = (rule: { startsOn: number; endsOn: number; daypart?: Daypart }, zone: string) => {
    const from = (rule.startsOn - 1) * DAY;
    const changes = zoneChanges(zone, from, (rule.endsOn + 3) * DAY);
    let minutes = 0;
    for (let moment = from; moment < (rule.endsOn + 3) * DAY; moment += 60_000) {
      const { offsetMinutes } = changes.findLast(change => change.fromMs <= moment)!;
      if (checkFlight(rule, offsetMinutes, moment) === 'ok') minutes += 1;
    }
    return minutes;
  };

  test.each([
    ['Europe/Berlin', '2026-03-29', 23 * 60],
    ['Europe/Berlin', '2026-10-25', 25 * 60],
    ['Europe/Berlin', '2026-06-01', 24 * 60],
    ['America/New_York', '2026-03-08', 23 * 60],
    ['America/New_York', '2026-11-01', 25 * 60],
    ['Australia/Lord_Howe', '2026-04-05', 24.5 * 60],
    ['Australia/Lord_Howe', '2026-10-04', 23.5 * 60],
    ['Asia/Kathmandu', '2026-03-29', 24 * 60],
  ])('a day in %s on %s has %i minutes', (zone, date, minutes) => {
    expect(minutesOf({ startsOn: parseDate(date)!, endsOn: parseDate(date)! }, zone)).toBe(minutes);
  });

  test.each([
    ['in spring the hour that is skipped is not played', 'Europe/Berlin', '2026-03-28', 3 * 60],
    ['in autumn the hour that comes twice is played twice', 'Europe/Berlin', '2026-10-24', 5 * 60],
    ['the half hour of Lord Howe comes twice', 'Australia/Lord_Howe', '2026-04-04', 4.5 * 60],
  ])('a daypart over midnight from 23:00 to 03:00: %s', (_, zone, date, minutes) => {
    const day = parseDate(date)!;
    expect(minutesOf({ startsOn: day, endsOn: day, daypart: { startMinute: 1380, endMinute: 180 } }, zone)).toBe(
      minutes,
    );
  });
});

describe('opening hours', () => {
  const parse = (json: unknown) => parseOpeningHours(json) as OpeningHours;

  test('absent hours mean always open', () => {
    expect(parseOpeningHours(undefined)).toBeUndefined();
    expect(parseOpeningHours(null)).toBeUndefined();
    expect(isOpen(undefined, 0, 0)).toBe(true);
    expect(openMinutesPerDay(undefined)).toBe(1440);
  });

  test.each([
    ['2026-06-01T17:59:00Z', false], // Monday
    ['2026-06-01T18:00:00Z', true],
    ['2026-06-02T01:59:00Z', true], // the tail of Monday
    ['2026-06-02T02:00:00Z', false],
    ['2026-06-02T18:00:00Z', false], // Tuesday is closed
    ['2026-06-07T23:00:00Z', true], // Sunday
    ['2026-06-08T00:30:00Z', true], // the tail of Sunday goes over the end of the week
    ['2026-06-08T01:00:00Z', false],
  ])('a bar open on Mondays 18 to 02 and Sundays 22 to 01 at %s: %s', (moment, open) => {
    const hours = parse({ mon: [{ start: '18:00', end: '02:00' }], sun: [{ start: '22:00', end: '01:00' }] });
    expect(isOpen(hours, 0, at(moment))).toBe(open);
    expect(isOpen(hours, 120, at(moment) - 2 * HOUR)).toBe(open);
  });

  test('the mean of a day counts each open minute of the week once', () => {
    expect(
      openMinutesPerDay(parse({ mon: [{ start: '18:00', end: '02:00' }], sun: [{ start: '22:00', end: '01:00' }] })),
    ).toBeCloseTo((480 + 180) / 7, 10);
    const weekdays = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri'].map(day => [
        day,
        [
          { start: '08:00', end: '12:00' },
          { start: '13:00', end: '18:00' },
        ],
      ]),
    );
    expect(openMinutesPerDay(parse(weekdays))).toBeCloseTo((5 * 540) / 7, 10);
    expect(openMinutesPerDay(parse(weekdays), { daypart: { startMinute: 1080, endMinute: 540 } })).toBeCloseTo(
      (5 * 60) / 7,
      10,
    );
    expect(openMinutesPerDay(parse(weekdays), { days: 0b1100001 })).toBeCloseTo(540 / 7, 10);
    expect(
      openMinutesPerDay(undefined, { daypart: { startMinute: 1320, endMinute: 120 }, days: 0b0000011 }),
    ).toBeCloseTo((2 * 240) / 7, 10);
  });

  test('the mean agrees with asking minute by minute', () => {
    fc.assert(
      fc.property(fc.array(daypart, { minLength: 7, maxLength: 7 }), ranges => {
        const hours: OpeningHours = ranges.map(range => [range]);
        let open = 0;
        for (let minute = 0; minute < 7 * 1440; minute += 1) if (isOpen(hours, 0, 4 * DAY + minute * 60_000)) open += 1;
        expect(openMinutesPerDay(hours)).toBeCloseTo(open / 7, 8);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['a list', [], '', 'wrong_type'],
    ['a text', 'always', '', 'wrong_type'],
    ['an unknown day', { monday: [] }, '/monday', 'unknown_field'],
    ['a day that is no list', { mon: { start: '08:00', end: '10:00' } }, '/mon', 'wrong_type'],
    ['a day of null', { mon: null }, '/mon', 'wrong_type'],
    [
      'too many ranges',
      { mon: Array.from({ length: 9 }, () => ({ start: '08:00', end: '08:10' })) },
      '/mon',
      'wrong_type',
    ],
    ['a range without end', { mon: [{ start: '08:00' }] }, '/mon/0', 'bad_range'],
    ['a range of no length', { mon: [{ start: '08:00', end: '08:00' }] }, '/mon/0', 'bad_range'],
    ['a range with a field too many', { mon: [{ start: '08:00', end: '09:00', note: '' }] }, '/mon/0', 'bad_range'],
    ['a range of numbers', { mon: [{ start: 8, end: 9 }] }, '/mon/0', 'bad_range'],
    ['a range of null', { mon: [null] }, '/mon/0', 'bad_range'],
    ['no open minute', {}, '', 'never_open'],
    [
      'two ranges over each other',
      {
        mon: [
          { start: '08:00', end: '10:00' },
          { start: '09:59', end: '11:00' },
        ],
      },
      '',
      'overlap',
    ],
    [
      'a tail over the next day',
      { sun: [{ start: '22:00', end: '03:00' }], mon: [{ start: '02:00', end: '04:00' }] },
      '',
      'overlap',
    ],
  ])('%s is refused', (_, json, pointer, code) => {
    expect(parseOpeningHours(json)).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: `/opening_hours${pointer}`, code }],
    });
  });
});
