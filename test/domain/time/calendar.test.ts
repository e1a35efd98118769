/** Texts of days and moments, as queries and bodies give them. */
import { expect, test } from 'vitest';
import { parseMoment, parseRangeEnd } from '../../../domain/time/calendar.ts';

test.each([
  ['1970-01-01', 0, 86_399_999],
  ['2028-02-29', Date.UTC(2028, 1, 29), Date.UTC(2028, 2, 1) - 1],
  ['2026-02-28T24:00Z', Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 1)],
  ['2026-06-30T10:00:00.5Z', Date.UTC(2026, 5, 30, 10, 0, 0, 500), Date.UTC(2026, 5, 30, 10, 0, 0, 500)],
  ['2026-06-30T10:00', Date.UTC(2026, 5, 30, 10), Date.UTC(2026, 5, 30, 10)],
  ['2026-06-30T10:00:00+02:00', Date.UTC(2026, 5, 30, 8), Date.UTC(2026, 5, 30, 8)],
  ['0001-01-01', Date.parse('0001-01-01'), Date.parse('0001-01-02') - 1],
  ['9999-12-31', Date.UTC(9999, 11, 31), Date.UTC(10_000, 0, 1) - 1],
])('%s is a moment, and the end of a range', (text, begins, ends) => {
  expect([parseMoment(text), parseRangeEnd(text)]).toEqual([begins, ends]);
});

test.each([
  '2026-02-29',
  '2026-02-30T10:00Z',
  '2026-06-31',
  '2026-13-01',
  '2026-01-00',
  '2026-01-01T25:00Z',
  '2026-01-01 (x)',
  '2026-01-01T10:00 02:00',
  'today',
  '0000-01-01',
  '0000-12-31T23:59Z',
  '0001-01-01T00:00+01:00',
  '9999-12-31T24:00Z',
  '9999-12-31T23:59-01:00',
])('%s is not a moment', text => {
  expect([parseMoment(text), parseRangeEnd(text)]).toEqual([undefined, undefined]);
});
