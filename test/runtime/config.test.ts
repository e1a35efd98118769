/**
 * Configuration from the environment: every fault is reported at once, and no secret is repeated in a message. Values
 * and files of the test; no process is started.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ConfigError,
  flag,
  integer,
  oneOf,
  optional,
  origin,
  port,
  readConfig,
  secret,
  text,
  url,
  withDefault,
} from '#runtime/config.ts';

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
    expect(readConfig(SPEC, { ...GOOD, PORT: '' })).toEqual({
      PORT: 8080,
      DATABASE_URL: 'postgres://u:p@h/db',
      SIGNING_KEYS: 'k',
      NODE: undefined,
      SHARED: false,
      LEVEL: 'info',
      MAX: 5,
    });
  });

  test('all faults are reported together', () => {
    const read = () => readConfig(SPEC, { PORT: '70000', LEVEL: 'loud', MAX: '0', SHARED: 'yes' });
    expect(read).toThrow(
      new ConfigError([
        "PORT must be an integer from 0 to 65535, not '70000'",
        'DATABASE_URL is missing; it must be a URL (postgres:)',
        'SIGNING_KEYS is missing; it must be a secret',
        "SHARED must be 0 or 1, not 'yes'",
        "LEVEL must be one of info, warn, not 'loud'",
        "MAX must be an integer from 1 to 10, not '0'",
      ]),
    );
  });

  test('a malformed secret or URL is not repeated in the message', () => {
    expect(() => readConfig(SPEC, { ...GOOD, DATABASE_URL: 'mysql://root:hunter2@h' })).toThrow(
      /DATABASE_URL must be a URL \(postgres:\)$/,
    );
  });

  test.each([
    ['https://ads.example.com', 'https://ads.example.com'],
    ['https://Ads.example.com:443/', 'https://ads.example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('an address without a path is an origin: %s', (given, read) => {
    expect(readConfig({ PUBLIC_URL: origin('http:', 'https:') }, { PUBLIC_URL: given }).PUBLIC_URL).toBe(read);
  });

  test.each([
    'https://example.com/ads',
    'https://example.com/ads/',
    'https://example.com/?a=1',
    'https://example.com/#a',
    'https://u:p@example.com',
    'ftp://example.com',
    'example.com',
  ])('an address with more than a host or without one is refused by the name of its variable: %s', given => {
    expect(() => readConfig({ PUBLIC_URL: origin('http:', 'https:') }, { PUBLIC_URL: given })).toThrow(
      /PUBLIC_URL must be a URL \(http:, https:\) of a host alone, without a path/,
    );
  });

  test('the result cannot be changed', () => {
    expect(Object.isFrozen(readConfig(SPEC, GOOD))).toBe(true);
  });
});

describe('a secret in a file', () => {
  let folder: string;
  const fileOf = (content: string): string => {
    const path = join(folder, 'secret');
    writeFileSync(path, content);
    return path;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'marquee-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['a line', 'k2\n'],
    ['a line of Windows', 'k2\r\n'],
    ['no end of line', 'k2'],
  ])('is the value of the variable: %s', (_, content) => {
    expect(readConfig(SPEC, { ...GOOD, SIGNING_KEYS: '', SIGNING_KEYS_FILE: fileOf(content) }).SIGNING_KEYS).toBe('k2');
  });

  test('is parsed like the variable, and not repeated in the message', () => {
    expect(
      readConfig(SPEC, { SIGNING_KEYS: 'k', DATABASE_URL_FILE: fileOf('postgres://u:p@h/db\n') }).DATABASE_URL,
    ).toBe('postgres://u:p@h/db');
    expect(() => readConfig(SPEC, { SIGNING_KEYS: 'k', DATABASE_URL_FILE: fileOf('mysql://root:hunter2@h') })).toThrow(
      /DATABASE_URL must be a URL \(postgres:\)$/,
    );
  });

  test('together with the variable is a fault', () => {
    expect(() => readConfig(SPEC, { ...GOOD, SIGNING_KEYS_FILE: fileOf('k2') })).toThrow(
      new ConfigError(['SIGNING_KEYS and SIGNING_KEYS_FILE are both set; give one of them']),
    );
  });

  test('is named with the other faults if it cannot be read', () => {
    expect(() => readConfig(SPEC, { SIGNING_KEYS_FILE: '/no/such/file', DATABASE_URL: 'x', MAX: '0' })).toThrow(
      new ConfigError([
        'DATABASE_URL must be a URL (postgres:)',
        'SIGNING_KEYS_FILE names /no/such/file, which cannot be read (ENOENT)',
        "MAX must be an integer from 1 to 10, not '0'",
      ]),
    );
  });

  test('counts as a missing variable if it is empty', () => {
    expect(() => readConfig(SPEC, { DATABASE_URL: GOOD.DATABASE_URL, SIGNING_KEYS_FILE: fileOf('\n') })).toThrow(
      /SIGNING_KEYS is missing/,
    );
  });

  test('is not read for a variable that is not a secret', () => {
    expect(readConfig(SPEC, { ...GOOD, PORT_FILE: '/no/such/file' }).PORT).toBe(8080);
  });
});
