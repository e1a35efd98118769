/**
 * The URL of Redis: single servers, sockets, Sentinels, clusters and TLS, and what is refused of it. Parsed here,
 * without a server.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#runtime/config.ts';
import { parseRedisUrl, redisUrl } from '#sql/redis-url.ts';

describe('the URL of Redis', () => {
  test.each([
    ['redis://cache', { host: 'cache', port: 6379, db: 0 }],
    ['redis://:p%40ss@127.0.0.1:7000/3', { host: '127.0.0.1', port: 7000, db: 3, password: 'p@ss' }],
    ['redis://app:secret@cache', { host: 'cache', port: 6379, db: 0, username: 'app', password: 'secret' }],
    ['redis://[::1]:7000', { host: '::1', port: 7000, db: 0 }],
    ['rediss://cache', { host: 'cache', port: 6379, db: 0, tls: {} }],
    ['redis+unix:///run/redis/redis.sock', { path: '/run/redis/redis.sock', db: 0 }],
    ['redis+unix://:pw@/run/a%20b.sock?db=2', { path: '/run/a b.sock', db: 2, password: 'pw' }],
    [
      'redis+sentinel://a,b:27000/main',
      {
        sentinels: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 27000 },
        ],
        name: 'main',
        db: 0,
      },
    ],
    [
      'redis+sentinel://:pw@a/main/2?sentinel_password=x',
      { sentinels: [{ host: 'a', port: 26379 }], name: 'main', db: 2, password: 'pw', sentinelPassword: 'x' },
    ],
    [
      'rediss+sentinel://a/main',
      {
        sentinels: [{ host: 'a', port: 26379 }],
        name: 'main',
        db: 0,
        tls: {},
        sentinelTLS: {},
        enableTLSForSentinelMode: true,
      },
    ],
  ])('%s', (text, address) => {
    expect(parseRedisUrl(text)).toEqual(address);
  });

  test.each([
    ['http://cache', 'it does not begin with'],
    ['redis+unix://run/redis.sock', 'it does not begin with'],
    ['redis://a,b', 'several hosts are Sentinels'],
    ['redis://cache/x', 'the database is a number'],
    ['redis://cache:99999', 'a host is host'],
    ['redis+sentinel://a', 'the name of the master is missing'],
    ['redis+sentinel:///main', 'a host is host'],
    ['redis+cluster://a,b/1', 'a cluster has one database and no name'],
    ['redis://cache?ca=/x', 'ca is for rediss:// alone'],
    ['redis://cache?timeout=5', 'unknown option timeout'],
    ['rediss://cache?verify=full', 'verify has one value, none'],
  ])('%s is refused', (text, message) => {
    expect(() => parseRedisUrl(text)).toThrow(message);
  });

  test('in the configuration is refused without being repeated', () => {
    expect(() => readConfig({ REDIS_URL: redisUrl() }, { REDIS_URL: 'redis+sentinel://:hunter2@a' })).toThrow(
      /REDIS_URL must be a URL of Redis \(redis:, rediss:, redis\+unix:, redis\+sentinel:, rediss\+sentinel:, redis\+cluster:, rediss\+cluster:\)$/,
    );
  });

  describe('with a private certificate authority', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'marquee-ca-'));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test('reads the certificate from the file', () => {
      writeFileSync(join(folder, 'ca.pem'), 'a certificate');
      expect(parseRedisUrl(`rediss://cache?ca=${join(folder, 'ca.pem')}`)).toMatchObject({
        tls: { ca: 'a certificate' },
      });
      expect(() => parseRedisUrl(`rediss://cache?ca=${join(folder, 'none.pem')}`)).toThrow('ENOENT');
    });
  });
});
