/** Which URLs of engines turn the verification of certificates off. Pure functions. */
import { expect, test } from 'vitest';
import { isUnverified } from '#sql/tls.ts';

test.each([
  ['postgres://db/marquee', false],
  ['postgres://db/marquee?sslmode=require', false],
  ['postgres://db/marquee?sslmode=verify-full', false],
  ['postgres://db/marquee?sslmode=no-verify', true],
  ['postgres://db/marquee?sslmode=prefer', true],
  ['postgres://db/marquee?sslmode=allow', true],
  ['rediss://cache', false],
  ['rediss://cache?verify=none', true],
  ['https://clickhouse:8443?ca=/etc/ca.pem&verify=none', true],
])('%s leaves certificates unverified: %s', (url, expected) => {
  expect(isUnverified(url)).toBe(expected);
});
