/**
 * Codes by time: TOTP of RFC 6238 with HMAC-SHA-1, six digits and steps of 30 seconds, which every authenticator app
 * takes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Milliseconds } from '#domain/unit.ts';

const STEP_MS = 30_000;
const DIGITS = 6;
/** A step to either side, for a clock that is off and a person who types slowly (RFC 6238, section 5.2). */
const STEPS_OFF_MAX = 1;
/** The length of the hash (RFC 4226, section 4, R6). */
export const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of one step of time. */
export function codeOfStep(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  // Four bytes from where the last half byte says, without their first bit (RFC 4226, section 5.3).
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step of time whose code this is, if it is one of now. */
export function stepOfCode(secret: Buffer, code: string, now: Milliseconds): number | undefined {
  const current = Math.floor(now / STEP_MS);
  const given = Buffer.from(code);
  for (let step = current - STEPS_OFF_MAX; step <= current + STEPS_OFF_MAX; step += 1) {
    const expected = Buffer.from(codeOfStep(secret, step));
    if (expected.length === given.length && timingSafeEqual(expected, given)) return step;
  }
  return undefined;
}

/** Bytes as apps take them that cannot read a picture (RFC 4648, section 6, without padding). */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map(five => BASE32[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/**
 * The content of the QR code for authenticator apps: https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function otpauthUrl(secret: string, email: string): string {
  return `otpauth://totp/${encodeURIComponent(`Marquee:${email}`)}?secret=${secret}&issuer=Marquee`;
}
