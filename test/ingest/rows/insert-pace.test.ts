/** How long inserts may run follows how long they take, between two bounds. */
import { expect, test } from 'vitest';
import { Fault } from '#runtime/fault-error.ts';
import { EXECUTION_S_MAX, EXECUTION_S_MIN, InsertPace } from '../../../ingest/rows/insert-pace.ts';

const TIMEOUT_OF_SERVER = Object.assign(new Error('Timeout exceeded'), { code: '159' });
const TIMEOUT_OF_CLIENT = new Fault('insert_timeout', 'no answer', { retryable: true });

test.each([TIMEOUT_OF_SERVER, TIMEOUT_OF_CLIENT])(
  'an insert that timed out multiplies the bound by four: %s',
  error => {
    const pace = new InsertPace({ isOneServer: true });
    const bounds = Array.from({ length: 3 }, () => (pace.failed('plays_raw', error), pace.executionS('plays_raw')));
    expect(bounds).toEqual([28, EXECUTION_S_MAX, EXECUTION_S_MAX]);
  },
);

test.each([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), new Error('socket hang up'), undefined])(
  'another failure does not extend the time: %s',
  error => {
    const pace = new InsertPace({ isOneServer: true });
    pace.failed('plays_raw', error);
    expect(pace.executionS('plays_raw')).toBe(EXECUTION_S_MIN);
  },
);

test('a written insert sets the bound to four times its duration, lower by half at most, and not below the minimum', () => {
  const pace = new InsertPace({ isOneServer: true });
  const bounds = [6_000, 20_000, 5_100, 100, 100, 100].map(
    tookMs => (pace.ended('plays_raw', tookMs), pace.executionS('plays_raw')),
  );
  expect(bounds).toEqual([24, EXECUTION_S_MAX, 30, 15, 8, EXECUTION_S_MIN]);
});

test('the bound stays if other servers could run an insert unseen', () => {
  const pace = new InsertPace({ isOneServer: false });
  pace.failed('plays_raw', TIMEOUT_OF_SERVER);
  pace.ended('plays_raw', 6_000);
  expect(pace.executionS('plays_raw')).toBe(EXECUTION_S_MIN);
});

test('each table has its own bound', () => {
  const pace = new InsertPace({ isOneServer: true });
  pace.failed('plays_raw', TIMEOUT_OF_SERVER);
  pace.ended('decisions', 100);
  expect([pace.executionS('plays_raw'), pace.executionS('decisions')]).toEqual([28, EXECUTION_S_MIN]);
});
