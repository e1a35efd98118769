/**
 * The registry of refusals: each code has its format, status and title, and a retired one is not used again. Pure data.
 */
import { expect, test } from 'vitest';
import { REFUSALS, REFUSALS_RETIRED, isRefusal, refuse, refuseFields, refuseField } from '#domain/refusal.ts';

test('every code is in snake case, and has a title and a status of the API', () => {
  for (const [code, { status, title }] of Object.entries(REFUSALS)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect([400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 503]).toContain(status);
    expect(title.length).toBeGreaterThan(3);
  }
});

test('a retired code is not used again', () => {
  expect(REFUSALS_RETIRED.filter(code => code in REFUSALS)).toEqual([]);
});

test('a refusal is distinguished from every other value', () => {
  expect(isRefusal(refuse('not_found', 'No such campaign.'))).toBe(true);
  for (const value of [undefined, null, 0, '', {}, { code: 'not_found', detail: '' }, new Error('x')])
    expect(isRefusal(value)).toBe(false);
});

test('the detail names a single fault of a body, and counts several', () => {
  expect(refuseField('/name', 'bad_text', 'is empty').detail).toBe('/name: is empty');
  const faults = [
    { pointer: '/a', code: 'x', detail: 'y' },
    { pointer: '/b', code: 'x', detail: 'y' },
  ];
  expect(refuseFields(faults)).toMatchObject({
    code: 'validation_failed',
    detail: '2 fields break a rule.',
    errors: faults,
  });
});
