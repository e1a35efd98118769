/**
 * Whether a new password is one that attackers try first (NIST SP 800-63B-4, section 3.1.1.2): few different
 * characters, a repeated part, neighboring keys, or common words. Its length is checked elsewhere.
 */
import { foldAddress } from './mail-address.ts';

/** A password of 15 characters has more than a phone number, however it repeats them. */
const DIFFERENT_MIN = 6;
/** Characters that must remain besides common words. */
const REST_LENGTH_MIN = 6;
/** A shorter part of an address occurs in many words. */
const PART_LENGTH_MIN = 4;
/** Rows of keyboards, and the order of letters and digits; read from both ends, around and around. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '1234567890', 'qwertyuiopasdfghjklzxcvbnm', 'qwertzuiopasdfghjklyxcvbnm'];
/** From lists of the most common passwords. */
const EXPECTED = [
  'marquee',
  'password',
  'passwort',
  'p@ssw0rd',
  'passw0rd',
  'letmein',
  'changeme',
  'iloveyou',
  'welcome',
  'qwerty',
  'qwertz',
  'administrator',
  'admin',
  'secret',
];

/** Why a password is easy to guess, as the end of a sentence; undefined if it is not. */
export function weaknessOf(password: string, address: string): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < DIFFERENT_MIN) return `has fewer than ${DIFFERENT_MIN} different characters`;
  if (isRepeated(text)) return 'repeats a shorter one';
  if (ROWS.some(row => isOfRow(text, row))) return 'is a row of letters or digits';
  const rest = restBeside(text, [...EXPECTED, ...partsOf(address)]);
  return rest !== undefined && rest.length < REST_LENGTH_MIN
    ? 'is little more than words that are tried first, such as the address'
    : undefined;
}

/** Whether it repeats one part; the last repetition may be incomplete. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= (text.length + 1) / 2; length++)
    if (text.slice(length) === text.slice(0, -length)) return true;
  return false;
}

function isOfRow(text: string, row: string): boolean {
  const around = row.repeat(Math.ceil(text.length / row.length) + 1);
  return around.includes(text) || [...around].reverse().join('').includes(text);
}

function partsOf(address: string): string[] {
  return foldAddress(address)
    .split(/[@.+_-]/)
    .filter(part => part.length >= PART_LENGTH_MIN);
}

/**
 * The letters that remain without these words, to which people add years and signs; undefined without any such word.
 */
function restBeside(text: string, words: readonly string[]): string | undefined {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest === text ? undefined : rest.replaceAll(/[^\p{L}]/gu, '');
}
