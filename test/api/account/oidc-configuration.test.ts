/** Settings of an OpenID provider that would not work, or not safely: each is refused with its name. */
import { expect, test } from 'vitest';
import { readConfiguration } from '../../../api/configuration.ts';
import { REQUIRED_VARIABLES } from '../support/app-under-test.ts';

const WHOLE = {
  ...REQUIRED_VARIABLES,
  OIDC_ISSUER: 'https://accounts.example.com',
  OIDC_CLIENT_ID: 'marquee',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
};

test.each(['PUBLIC_URL', 'HUB_URL'])('%s with a path is refused, since pages load their files from the root', name => {
  expect(() => readConfiguration({ ...WHOLE, [name]: 'https://example.com/ads' })).toThrow(`${name} must be a URL`);
});

test('a complete provider is accepted', () => {
  expect(readConfiguration(WHOLE)).toMatchObject({ OIDC_ISSUER: 'https://accounts.example.com' });
});

test.each([
  [{ OIDC_ISSUER: '' }, 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together'],
  [{ OIDC_CLIENT_ID: '' }, 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together'],
  [{ OIDC_CLIENT_SECRET: '' }, 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together'],
  [{ OIDC_ISSUER: 'accounts.example.com' }, 'OIDC_ISSUER'],
  [{ OIDC_ISSUER: 'ftp://accounts.example.com' }, 'OIDC_ISSUER'],
  [{ OIDC_ISSUER: 'http://accounts.example.com' }, 'OIDC_ISSUER must be https'],
])('%j is refused with the name of the invalid variable', (changes, message) => {
  expect(() => readConfiguration({ ...WHOLE, ...changes })).toThrow(message);
});
