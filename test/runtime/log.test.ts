/**
 * How a fault looks in the log: one line if an engine is down, a stack if it is a bug. The test catches the lines.
 */
import { expect, test } from 'vitest';
import { Fault } from '../../runtime/fault-error.ts';
import { createLog } from '../../runtime/log.ts';

function logged(error: unknown): Record<string, unknown> {
  const lines: string[] = [];
  createLog('test', 'info', {
    write: line => {
      lines.push(line);
    },
  }).warn({ err: error }, 'a message');
  return (JSON.parse(lines[0]!) as { err: Record<string, unknown> }).err;
}

test('an engine that is down is logged without a stack', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });
  expect(logged(refused)).toEqual({
    type: 'Error',
    code: 'ECONNREFUSED',
    message: 'connect ECONNREFUSED 127.0.0.1:6379',
  });
  expect(logged(new Error('Connection is closed.'))).toEqual({ type: 'Error', message: 'Connection is closed.' });
  expect(logged(new Fault('authority_lost', 'the authority waits to be rebuilt', { retryable: true }))).toEqual({
    type: 'Fault',
    code: 'authority_lost',
    message: 'the authority waits to be rebuilt',
  });
});

test('a bug and a permanent fault keep their stacks', () => {
  for (const error of [
    new TypeError('x is not a function'),
    new Fault('other_shards', 'REDIS_SHARDS differs', { retryable: false }),
  ]) {
    expect(logged(error)['stack']).toContain('log.test.ts');
  }
});
