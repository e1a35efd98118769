/** Passwords that are tried first are not taken; others are. */
import { expect, test } from 'vitest';
import { weaknessOf } from '../../../domain/access/password.ts';

const ADDRESS = 'anna.schmidt@bakery.example';

test.each([
  'aaaaaaaaaaaaaaa',
  'AaAaAaAaAaAaAaAa',
  'abcabcabcabcabc',
  '111112222233333',
  'passwordpassword',
  'hello world hello world',
  'abcdefghijklmnop',
  'zyxwvutsrqponmlk',
  '123456789012345',
  'qwertyuiopasdfgh',
  'Password1234567890',
  'Marquee-Marquee2026!',
  'schmidt.bakery.2026',
  'anna.schmidt@bakery.example',
  'welcome-admin-2026',
  '\uff41\uff42\uff43\uff44\uff45\uff46\uff47\uff48\uff49\uff4a\uff4b\uff4c\uff4d\uff4e\uff4f',
])('%s is easy to guess', password => {
  expect(weaknessOf(password, ADDRESS)).toBeDefined();
});

test.each([
  'correct horse battery',
  'another long password',
  'x7#kQ9!mZ2$pL5@',
  'pizza for anna tonight',
  '9f86d081884c7d65',
  '8273-9172-6651-0293',
  '\u4f60\u597d\u4e16\u754c\u4eca\u5929\u5929\u6c14\u5f88\u597d\u6211\u4eec\u53bb\u73a9',
  'abcdefgh ijklmnop and more',
])('%s is taken', password => {
  expect(weaknessOf(password, ADDRESS)).toBeUndefined();
});
