import { describe, expect, test } from 'vitest';
import { ConfigError, flag, integer, oneOf, optional, port, readConfig, secret, text, url, withDefault } from '#runtime/config.ts';

const SPEC = {
  PORT: withDefault(port(), 8080),
  DATABASE_URL: url('postgres:'),
  SIGNING_KEYS: secret(),
  NODE: optional(text()),
  SHARED: withDefault(flag(), false),
  LEVEL: withDefault(oneOf('info', 'warn'), 'info'),
  MAX: withDefault(integer({ min: 1, max: 10 }), 5),
};
const GOOD = { DATABASE_URL: 'postgres://u:p@h/db', SIGNING_KEYS: 'k' };

describe('configuration', () => {
  test('absent and empty variables take their defaults', () => {
    expect(readConfig(SPEC, { ...GOOD, PORT: '' })).toEqual({ PORT: 8080, DATABASE_URL: 'postgres://u:p@h/db', SIGNING_KEYS: 'k', NODE: undefined, SHARED: false, LEVEL: 'info', MAX: 5 });
  });

  test('all faults are reported together', () => {
    const read = () => readConfig(SPEC, { PORT: '70000', LEVEL: 'loud', MAX: '0', SHARED: 'yes' });
    expect(read).toThrow(new ConfigError([
      "PORT must be an integer from 0 to 65535, not '70000'",
      'DATABASE_URL is missing; it must be a URL (postgres:)',
      'SIGNING_KEYS is missing; it must be a secret',
      "SHARED must be 0 or 1, not 'yes'",
      "LEVEL must be one of info, warn, not 'loud'",
      "MAX must be an integer from 1 to 10, not '0'",
    ]));
  });

  test('a malformed secret or URL is not repeated in the message', () => {
    expect(() => readConfig(SPEC, { ...GOOD, DATABASE_URL: 'mysql://root:hunter2@h' })).toThrow(/DATABASE_URL must be a URL \(postgres:\)$/);
  });

  test('the result cannot be changed', () => {
    expect(Object.isFrozen(readConfig(SPEC, GOOD))).toBe(true);
  });
});
