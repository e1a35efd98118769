/**
 * The text of API keys, device tokens, invitations, sessions, sign-in links, and links to reports and new passwords. It
 * is a prefix, 32 random bytes in base62 (43 characters) and a CRC-32 of all that in base62 (6 characters). The
 * checksum distinguishes a mistyped or truncated key from an unknown one without a look-up, and lets scanners for
 * leaked secrets verify a match. It is no protection: the 256 random bits are.
 */
import { assert } from '../assertion.ts';

export type KeyMode = 'live' | 'test';

const KEY_PREFIXES: Record<KeyMode, string> = { live: 'sk_live_', test: 'sk_test_' };
const TOKEN_PREFIX = 'dt_';
const INVITATION_PREFIX = 'invite_';
const SESSION_PREFIX = 'session_';
const LINK_PREFIX = 'link_';
const REPORT_PREFIX = 'report_';
const RESET_PREFIX = 'reset_';
const SECRET_BYTES = 32;
// 62^43 > 2^256 > 62^42, and 62^6 > 2^32.
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
// In the order of ASCII, so that comparing two bodies of one length as strings compares their values.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_MAX = base62(2n ** 256n - 1n, BODY_LENGTH);
const SPELLING = /^[0-9A-Za-z]{49}$/;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1)
    crc = CRC_TABLE[(crc ^ text.charCodeAt(index)) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)]! + text;
  return text;
}

/** In plain numbers: each hello of a screen is checked. */
function checksumOf(signed: string): string {
  let text = '';
  for (let rest = crc32(signed); text.length < CHECKSUM_LENGTH; rest = Math.floor(rest / ALPHABET.length))
    text = ALPHABET[rest % ALPHABET.length]! + text;
  return text;
}

function spell(prefix: string, secret: Uint8Array): string {
  assert(secret.length === SECRET_BYTES, `a secret has ${SECRET_BYTES} bytes, not ${secret.length}`);
  const value = secret.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const text = prefix + base62(value, BODY_LENGTH);
  return text + checksumOf(text);
}

function isSpelled(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !SPELLING.test(text.slice(prefix.length))) return false;
  const signed = text.slice(0, -CHECKSUM_LENGTH);
  if (signed.slice(prefix.length) > BODY_MAX) return false;
  return text.endsWith(checksumOf(signed));
}

/** `sk_live_...` or `sk_test_...` from 32 random bytes. @throws Bug for another number of bytes. */
export function formatKey(secret: Uint8Array, mode: KeyMode): string {
  return spell(KEY_PREFIXES[mode], secret);
}

/** The mode of a well-formed key, or undefined. Whether the key exists is for the caller to look up by its hash. */
export function parseKey(text: string): { mode: KeyMode } | undefined {
  if (isSpelled(KEY_PREFIXES.live, text)) return { mode: 'live' };
  return isSpelled(KEY_PREFIXES.test, text) ? { mode: 'test' } : undefined;
}

/** The form of a key in lists: its prefix, the first four characters and the last four. */
export function displayKey(text: string): string {
  return `${text.slice(0, KEY_PREFIXES.live.length + 4)}...${text.slice(-4)}`;
}

/** `dt_...`, the token that a paired device keeps. @throws Bug for another number of bytes than 32. */
export function formatDeviceToken(secret: Uint8Array): string {
  return spell(TOKEN_PREFIX, secret);
}

/** Whether the text has the form of a device token (prefix, length, alphabet, checksum). */
export function isDeviceToken(text: string): boolean {
  return isSpelled(TOKEN_PREFIX, text);
}

/** `invite_...`, which makes its holder a member. @throws Bug for another number of bytes than 32. */
export function formatInvitationToken(secret: Uint8Array): string {
  return spell(INVITATION_PREFIX, secret);
}

/** Whether the text has the form of an invitation's token. */
export function isInvitationToken(text: string): boolean {
  return isSpelled(INVITATION_PREFIX, text);
}

/** `session_...`, which a browser sends in its cookie. @throws Bug for another number of bytes than 32. */
export function formatSessionToken(secret: Uint8Array): string {
  return spell(SESSION_PREFIX, secret);
}

/** Whether the text has the form of a session's token. */
export function isSessionToken(text: string): boolean {
  return isSpelled(SESSION_PREFIX, text);
}

/** `link_...`, which signs a browser in to the demo. @throws Bug for another number of bytes than 32. */
export function formatSignInLink(secret: Uint8Array): string {
  return spell(LINK_PREFIX, secret);
}

/** Whether the text has the form of a sign-in link. */
export function isSignInLink(text: string): boolean {
  return isSpelled(LINK_PREFIX, text);
}

/**
 * `report_...`, which shows its holder the report of one campaign. @throws Bug for another number of bytes than 32.
 */
export function formatReportToken(secret: Uint8Array): string {
  return spell(REPORT_PREFIX, secret);
}

/** Whether the text has the form of a shared report's token. */
export function isReportToken(text: string): boolean {
  return isSpelled(REPORT_PREFIX, text);
}

/** `reset_...`, which sets the password of one person. @throws Bug for another number of bytes than 32. */
export function formatResetToken(secret: Uint8Array): string {
  return spell(RESET_PREFIX, secret);
}

/** Whether the text has the form of the token of a link to a new password. */
export function isResetToken(text: string): boolean {
  return isSpelled(RESET_PREFIX, text);
}
