/** Hashes of passwords: what they cost, their format, and how many are computed and wait at once. */
import { describe, expect, test } from 'vitest';
import { createPasswords } from '../../../api/sessions/password.ts';

const PASSWORD = 'correct horse battery';
const CHEAP = { ln: 4, r: 8, p: 1 };

describe('a password', () => {
  test('is hashed at the cost that OWASP recommends', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash(PASSWORD);
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9_-]{22}\$[A-Za-z0-9_-]{43}$/);
    expect(await passwords.verify(PASSWORD, String(hash))).toBe(true);
  });

  test('has a different hash each time, which no other password matches', async () => {
    const passwords = createPasswords(CHEAP);
    const [one, other] = [String(await passwords.hash(PASSWORD)), String(await passwords.hash(PASSWORD))];
    expect(one).not.toBe(other);
    expect(await Promise.all([one, other].map(hash => passwords.verify(PASSWORD, hash)))).toEqual([true, true]);
    expect(await passwords.verify(`${PASSWORD} `, one)).toBe(false);
    expect(await passwords.verify(PASSWORD, undefined)).toBe(false);
  });

  test('matches a hash of another cost, so that the cost can be raised', async () => {
    const hash = String(await createPasswords(CHEAP).hash(PASSWORD));
    expect(await createPasswords({ ...CHEAP, ln: 5 }).verify(PASSWORD, hash)).toBe(true);
  });

  test('matches in either Unicode normalization form', async () => {
    const passwords = createPasswords(CHEAP);
    const hash = String(await passwords.hash('eine schöne Überschrift'.normalize('NFD')));
    expect(await passwords.verify('eine schöne Überschrift'.normalize('NFC'), hash)).toBe(true);
  });

  test('is refused while a hundred are waiting', async () => {
    const passwords = createPasswords(CHEAP);
    const answers = await Promise.all(Array.from({ length: 105 }, () => passwords.hash(PASSWORD)));
    expect(answers.filter(answer => typeof answer === 'object')).toMatchObject(
      Array.from({ length: 3 }, () => ({ code: 'rate_limited' })),
    );
    expect(await passwords.hash(PASSWORD)).toMatch(/^\$scrypt/);
  });
});
