/** Which values a filter takes from an address: pure. */
import { describe, expect, test } from 'vitest';
import {
  filtersOf,
  isAmount,
  isDay,
  isMinute,
  isOneOf,
  isText,
  typedFilters,
} from '../../../../web/console/ui/views/filter-formats.ts';

const formats = { q: isText, sort: isOneOf(['price', '-audience']), from: isDay, at: isMinute, cpm_max: isAmount };

describe('the filters of an address', () => {
  test('are those whose value has the right format', () => {
    const search = { q: '12', sort: '-audience', from: '2028-02-29', at: '2026-03-01T23:59', cpm_max: '0.25' };
    expect(filtersOf({ ...search, utm_source: 'mail' }, formats)).toEqual(search);
  });

  test.each([
    ['q', ''],
    ['q', 'a'.repeat(201)],
    ['q', 'two\nlines'],
    ['q', '\u0000'],
    ['sort', 'constructor'],
    ['from', '2026-02-29'],
    ['from', '2026-06-31'],
    ['from', 'yesterday'],
    ['at', '2026-03-01'],
    ['at', '2026-03-01T24:01'],
    ['cpm_max', '-1'],
    ['cpm_max', '1e3'],
  ])('leave out %s=%j', (name, text) => {
    expect(filtersOf({ [name]: text }, formats)).toEqual({});
  });
});

describe('the filters of a form', () => {
  type Fields = Readonly<Record<string, string>>;
  const typed = (fields: Fields) => typedFilters(name => fields[name] ?? '', formats);

  test.each<[Fields, Fields]>([
    [
      { cpm_max: '.5', q: '.5' },
      { cpm_max: '0.5', q: '.5' },
    ],
    [{ cpm_max: ' 12 ' }, { cpm_max: '12' }],
    [{}, {}],
  ])('%j are %j as the API takes them', (fields, wanted) => {
    const { values, wrong } = typed(fields);
    expect(values).toEqual({ q: '', sort: '', from: '', at: '', cpm_max: '', ...wanted });
    expect(wrong).toEqual([]);
  });

  test.each([
    ['cpm_max', '1e3'],
    ['cpm_max', '.'],
    ['cpm_max', '1234567890'],
    ['from', '12026-01-01'],
    ['q', 'a'.repeat(201)],
  ])('are wrong with %s=%j', (name, text) => {
    expect(typed({ sort: 'price', [name]: text }).wrong).toEqual([name]);
  });
});
