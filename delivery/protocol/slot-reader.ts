/**
 * Reads a `slot` message straight from its bytes. Nine in ten messages of a screen are of this type, with a dozen to a
 * hundred bytes, and decoding it into a map and checking that costs more than the decision. Bytes that are not this
 * message in one of the few forms of encoders are left to the decoder and `inbound.ts`: nothing is refused here.
 */
import { SLOT_DEFAULT_MS } from '#domain/screens/screen.ts';
import { SLOT_PAST_MS_MAX } from '#domain/plays/play.ts';
import { SLOT_FUTURE_MS_MAX, SLOT_MS_MAX, SLOT_MS_MIN, SLOTS_MAX } from './bounds.ts';
import type { SlotRequest } from './inbound.ts';

/** A slot with all fields has under 90 bytes; a longer message is another one, or has unknown fields. */
const BYTES_MAX = 128;
const T = 0x74;
const QUOTE = 0x22;
const NOTHING = -1;

/** The names of the fields as numbers of 0 and more. */
const FIELD_NAMES = ['t', 'id', 'at', 'count', 'max_duration_ms', 'plan'].map(name => Buffer.from(name));
const FIELD_T = 0;
const FIELD_ID = 1;
const FIELD_AT = 2;
const FIELD_COUNT = 3;
const FIELD_MAX_DURATION = 4;
const FIELD_PLAN = 5;
const ALL_GIVEN = (1 << FIELD_T) | (1 << FIELD_ID);
const SLOT_TYPE = Buffer.from('slot');

/** The last message; a request is answered before the next one is read. */
const request: SlotRequest = { t: 'slot', id: 0, at: 0, count: 1, maxDurationMs: SLOT_DEFAULT_MS, plan: false };
/** The position of the reading, and the number that was read. */
let at = 0;
let number = 0;

/** The request in a MessagePack frame, valid until the next call; undefined for anything else. */
export function readSlotMsgpack(bytes: Uint8Array, now: number): SlotRequest | undefined {
  // A map by its first nibble, or a 16-bit map, which some encoders write for any object.
  const isMap16 = bytes[0] === 0xde && bytes[1] === 0;
  const fields = isMap16 ? bytes[2]! : bytes[0]! - 0x80;
  if (bytes.length > BYTES_MAX || !(fields >= 2 && fields <= FIELD_NAMES.length)) return undefined;
  let given = 0;
  begin(now);
  at = isMap16 ? 3 : 1;
  for (let left = fields; left > 0; left--) {
    const nameLength = bytes[at]! - 0xa0; // fixstr
    if (!(nameLength >= 1 && nameLength <= 15)) return undefined;
    const field = fieldNamed(bytes, at + 1, nameLength);
    if (field === NOTHING || (given & (1 << field)) !== 0) return undefined;
    given |= 1 << field;
    at += 1 + nameLength;
    if (!readMsgpackField(bytes, field)) return undefined;
  }
  return at === bytes.length ? requestIfValid(given, now) : undefined;
}

/** The same of a JSON frame: no spaces, no escapes, integers in digits. */
export function readSlotJson(bytes: Uint8Array, now: number): SlotRequest | undefined {
  if (bytes.length > BYTES_MAX || bytes[0] !== 0x7b) return undefined;
  let given = 0;
  begin(now);
  at = 1;
  for (;;) {
    if (bytes[at] !== QUOTE) return undefined;
    const nameFrom = at + 1;
    let nameEnd = nameFrom;
    while (nameEnd < bytes.length && bytes[nameEnd] !== QUOTE) nameEnd++;
    const field = fieldNamed(bytes, nameFrom, nameEnd - nameFrom);
    if (field === NOTHING || (given & (1 << field)) !== 0 || bytes[nameEnd + 1] !== 0x3a) return undefined;
    given |= 1 << field;
    at = nameEnd + 2;
    if (!readJsonField(bytes, field)) return undefined;
    const separator = bytes[at++];
    if (separator === 0x2c) continue;
    return separator === 0x7d && at === bytes.length ? requestIfValid(given, now) : undefined;
  }
}

function begin(now: number): void {
  request.at = now;
  request.count = 1;
  request.maxDurationMs = SLOT_DEFAULT_MS;
  request.plan = false;
}

function fieldNamed(bytes: Uint8Array, from: number, length: number): number {
  // The first letters differ, so one comparison is enough.
  const field = FIRST_LETTERS[bytes[from]! & 0x7f]!;
  return field !== NOTHING && length === FIELD_NAMES[field]!.length && isAt(bytes, from, FIELD_NAMES[field]!)
    ? field
    : NOTHING;
}

const FIRST_LETTERS = new Int8Array(128).fill(NOTHING);
FIELD_NAMES.forEach((name, field) => (FIRST_LETTERS[name[0]!] = field));

function isAt(bytes: Uint8Array, from: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[from + index] !== text[index]) return false;
  return true;
}

function readMsgpackField(bytes: Uint8Array, field: number): boolean {
  if (field === FIELD_T) {
    const isSlot = bytes[at] === 0xa4 && isAt(bytes, at + 1, SLOT_TYPE);
    at += 5;
    return isSlot;
  }
  if (field === FIELD_PLAN) {
    const token = bytes[at++];
    request.plan = token === 0xc3;
    return token === 0xc2 || token === 0xc3;
  }
  return readMsgpackInteger(bytes) && setField(field);
}

/** Positive integers of up to 64 bits, and doubles, the form in which JavaScript's encoders write a time. */
function readMsgpackInteger(bytes: Uint8Array): boolean {
  const token = bytes[at++]!;
  if (token <= 0x7f) {
    number = token;
    return true;
  }
  if (token === 0xcb) return readDouble(bytes);
  const length = token === 0xcc ? 1 : token === 0xcd ? 2 : token === 0xce ? 4 : token === 0xcf ? 8 : 0;
  if (length === 0 || at + length > bytes.length) return false;
  number = 0;
  for (let byte = 0; byte < length; byte++) number = number * 256 + bytes[at++]!;
  return number <= Number.MAX_SAFE_INTEGER;
}

const double = new Float64Array(1);
const doubleBytes = new Uint8Array(double.buffer);
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function readDouble(bytes: Uint8Array): boolean {
  if (at + 8 > bytes.length) return false;
  for (let byte = 0; byte < 8; byte++) doubleBytes[isLittleEndian ? 7 - byte : byte] = bytes[at++]!;
  number = double[0]!;
  return Number.isSafeInteger(number) && number >= 0;
}

function readJsonField(bytes: Uint8Array, field: number): boolean {
  if (field === FIELD_T) {
    const isSlot = bytes[at] === QUOTE && isAt(bytes, at + 1, SLOT_TYPE) && bytes[at + 5] === QUOTE;
    at += 6;
    return isSlot;
  }
  if (field === FIELD_PLAN) {
    request.plan = bytes[at] === T;
    const literal = request.plan ? JSON_TRUE : JSON_FALSE;
    const isLiteral = isAt(bytes, at, literal);
    at += literal.length;
    return isLiteral;
  }
  return readDigits(bytes) && setField(field);
}

const JSON_TRUE = Buffer.from('true');
const JSON_FALSE = Buffer.from('false');

/** At most 15 digits, which a double always holds, without a leading zero. */
function readDigits(bytes: Uint8Array): boolean {
  const from = at;
  number = 0;
  for (let digit = bytes[at]! - 48; digit >= 0 && digit <= 9; digit = bytes[at]! - 48) {
    number = number * 10 + digit;
    at++;
  }
  const length = at - from;
  return length > 0 && length <= 15 && (length === 1 || bytes[from] !== 48);
}

function setField(field: number): boolean {
  if (field === FIELD_ID) request.id = number;
  else if (field === FIELD_AT) request.at = number;
  else if (field === FIELD_COUNT) request.count = number;
  else if (field === FIELD_MAX_DURATION) request.maxDurationMs = number;
  return true;
}

/** A request out of bounds is left to `inbound.ts`, which names the fault. */
function requestIfValid(given: number, now: number): SlotRequest | undefined {
  const { count, maxDurationMs } = request;
  const isValid =
    (given & ALL_GIVEN) === ALL_GIVEN &&
    request.at >= now - SLOT_PAST_MS_MAX &&
    request.at <= now + SLOT_FUTURE_MS_MAX &&
    count >= 1 &&
    count <= SLOTS_MAX &&
    maxDurationMs >= SLOT_MS_MIN &&
    maxDurationMs <= SLOT_MS_MAX;
  return isValid ? request : undefined;
}
