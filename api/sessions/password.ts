/**
 * Hashes of passwords: scrypt with parameters of the OWASP Password Storage Cheat Sheet (2^15 blocks of 8, three times:
 * 32 MiB and some 0.2 s of a core). A hash carries its parameters, so that they can be raised later. A password is
 * brought into one form of Unicode first (NFKC, NIST SP 800-63B), so that keyboards that write a letter in two ways
 * agree.
 *
 * Two are computed at once: each takes a thread of libuv's pool, which files and names need as well. Others wait, up to
 * a bound, and what comes then is refused.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { weaknessOf } from '#domain/access/password.ts';
import { refuse, refuseField, type Refusal } from '#domain/refusal.ts';
import { Places } from '#runtime/places.ts';

/** NIST SP 800-63B-4 requires 15 characters for a password without a second factor, and accepting at least 64. */
export const PASSWORD_LENGTH_MIN = 15;
export const PASSWORD_LENGTH_MAX = 200;

/** The cost of a hash: the logarithm of its number of blocks, their size, and the parallelism. */
export type PasswordCost = { ln: number; r: number; p: number };
const COST: PasswordCost = { ln: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const AT_ONCE_MAX = 2;
/** Ten seconds of work for two cores; a sign-in that waits longer is better tried again. */
const WAITING_MAX = 100;
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

/** Refuses a new password for an address if attackers would try it first. */
export function refuseWeak(password: string, email: string): Refusal | undefined {
  const weakness = weaknessOf(password, email);
  return weakness === undefined ? undefined : refuseField('/password', 'weak_password', `${weakness}. Choose another.`);
}

export type Passwords = {
  hash(password: string): Promise<string | Refusal>;
  /** Whether the password has this hash. Without one, it takes as long and is false. */
  verify(password: string, hash: string | undefined): Promise<boolean | Refusal>;
};

type Parameters = PasswordCost & { salt: Buffer };

/** Hashes passwords, a few at a time. */
export function createPasswords(cost: PasswordCost = COST): Passwords {
  const places = new Places(AT_ONCE_MAX);
  const derive = async (password: string, parameters: Parameters): Promise<Buffer | Refusal> =>
    places.waiting >= WAITING_MAX
      ? refuse('rate_limited', 'Too many people sign in at this moment. Try again in some seconds.')
      : places.during(() => deriveKey(password, parameters));
  // The hash for unknown addresses: no password matches it.
  const nobody = { ...cost, salt: randomBytes(SALT_BYTES), key: randomBytes(HASH_BYTES) };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await derive(password, { ...cost, salt });
      return Buffer.isBuffer(key) ? spell({ ...cost, salt, key }) : key;
    },
    async verify(password, hash) {
      const { key: expected, ...parameters } = hash === undefined ? nobody : parse(hash);
      const key = await derive(password, parameters);
      if (!Buffer.isBuffer(key)) return key;
      return timingSafeEqual(key, expected) && hash !== undefined;
    },
  };
}

function deriveKey(password: string, { ln, r, p, salt }: Parameters): Promise<Buffer> {
  const blocks = 2 ** ln;
  const maxmem = 2 * 128 * blocks * r; // Node.js takes 32 MiB by default, which these parameters pass by a little
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFKC'),
      salt,
      HASH_BYTES,
      { cost: blocks, blockSize: r, parallelization: p, maxmem },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}

function spell({ ln, r, p, salt, key }: Parameters & { key: Buffer }): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** @throws Error for an unknown format: the table was changed by hand */
function parse(hash: string): Parameters & { key: Buffer } {
  const [, ln, r, p, salt, key] = FORM.exec(hash) ?? [];
  if (salt === undefined || key === undefined) throw new Error('a stored password hash has another format');
  return {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}
