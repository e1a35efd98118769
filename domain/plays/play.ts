/**
 * The play id: everything that is needed to verify, charge, attribute and deduplicate one play without any look-up,
 * signed with SipHash-2-4-128 and encoded in base64url (104 characters). And what makes a reported play count.
 *
 * Layout, big endian, 62 bytes and a 16-byte tag:
 *   0 key number u8 | 1 campaign u64 | 9 creative u64 | 17 screen u64 | 25 venue u64 | 33 flags u3 with audience u5 |
 *   34 starts at u48 (ms) | 40 duration u16 (ms) | 42 rate u32 (micros per impression) |
 *   46 impressions estimated u32 (thousandths) | 50 impressions at most u32 (thousandths) |
 *   54 epoch u32 | 58 issue number u32
 *
 * A scan code is signed with the same key. Its message is at most 41 bytes and SipHash mixes in the length, so neither
 * can stand for the other.
 */
import { decodeBase64url, decodeBase64urlInto, encodeBase64url } from '../base64url.ts';
import type { Handle } from '../id.ts';
import { costMicros } from '../money/money.ts';
import {
  SIP_KEY_BYTES,
  SIP_TAG_BYTES,
  type SipBytes,
  sipBytes,
  sipHash128,
  sipKeyOf,
  type SipKey,
} from '../signing/siphash.ts';
import type { Micros, Milliseconds } from '../unit.ts';

const FACT_BYTES = 62;
/** Bytes of a signed play id before it is encoded. */
export const PLAY_ID_BYTES = FACT_BYTES + SIP_TAG_BYTES;
/** Characters of a play id. */
export const PLAY_ID_LENGTH = 104;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A slot may be asked for until a minute after it has begun. */
export const SLOT_PAST_MS_MAX = MINUTE_MS;
/** A fill may be started until 15 minutes after its slot, one of an offline plan until 48 hours after it. */
const START_WINDOW_MS = 15 * MINUTE_MS;
const PLAN_START_WINDOW_MS = 48 * HOUR_MS;
/** The tolerance of a screen's clock, either way. */
export const CLOCK_TOLERANCE_MS = 5_000;
/** A play counts when it was shown for its duration less this. */
const CUT_TOLERANCE_MS = 500;
/**
 * A play's cost stays reserved for 48 hours after its slot, 7 days for an offline plan; what is reported later is late.
 */
const CHARGE_WINDOW_MS = 48 * HOUR_MS;
const PLAN_CHARGE_WINDOW_MS = 7 * DAY_MS;
/** Plays are stored until 30 days after their slot; later ones are refused. */
const REPORT_WINDOW_MS = 30 * DAY_MS;

const FLAG_SANDBOX = 1;
const FLAG_PLAN = 2;
const FLAG_SENSOR = 4;
/** Above the flags is the number of the audience, in five bits. */
const AUDIENCE_SHIFT = 3;

/**
 * The content of a play id. Handles are the integers of Postgres; impressions are thousandths; times are ms of the
 * epoch.
 */
export type PlayFacts = {
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  screen: Handle<'screen'>;
  venue: Handle<'venue'>;
  sandbox: boolean;
  plan: boolean;
  sensor: boolean;
  startsAt: Milliseconds;
  durationMs: Milliseconds;
  rateMicros: Micros;
  impressionsEst: number;
  impressionsMax: number;
  /** Number of the screen's audience, 1 to 31; 0: the venue's own figures. */
  audience: number;
  epoch: number;
  issueNumber: number;
};

export type SigningKey = { number: number; sip: SipKey };
/** The current key signs; all of them verify. */
export type SigningKeys = { current: SigningKey; byNumber: ReadonlyMap<number, SigningKey> };

/**
 * Why a reported play is refused. `before_end` alone passes with time: the play may be reported again once it is over.
 */
export const PLAY_REFUSALS = [
  'bad_signature',
  'other_screen',
  'before_slot',
  'after_expiry',
  'too_short',
  'too_late',
  'before_end',
  'overlap',
] as const;
export type PlayRefusal = (typeof PLAY_REFUSALS)[number];

export type CountedPlay = { counts: true; impressionsThousandths: number; costMicros: Micros };

/** The part of a report that a judgement needs. `audience`: people counted by the sensing module during the play. */
export type PlayedReport = { startedAt: Milliseconds; playedMs: Milliseconds; audience?: number | undefined };

/** A play id, followed by its expected tag. */
const scratch = sipBytes(PLAY_ID_BYTES + SIP_TAG_BYTES);

/** Completes the sentence "SIGNING_KEYS must be ...". */
export const SIGNING_KEYS_FORM = 'a list of number:base64 keys of 16 bytes, the current first';

/**
 * Parses `number:base64` pairs separated by commas, the current key first: numbers 0..255, each once, 16 bytes each.
 * @throws RangeError that says what is wrong, and holds no key
 */
export function parseSigningKeys(text: string): SigningKeys {
  const byNumber = new Map<number, SigningKey>();
  let current: SigningKey | undefined;
  for (const pair of text.split(',')) {
    const parts = /^\s*(\d{1,3}):([A-Za-z0-9+/_-]+)={0,2}\s*$/.exec(pair);
    if (!parts) throw new RangeError('it must be number:base64 pairs separated by commas');
    const number = Number(parts[1]);
    if (number > 255) throw new RangeError(`key number ${number} is above 255`);
    if (byNumber.has(number)) throw new RangeError(`key number ${number} appears twice`);
    const bytes = decodeBase64url(parts[2]!.replaceAll('+', '-').replaceAll('/', '_'));
    if (bytes?.length !== SIP_KEY_BYTES) throw new RangeError(`key ${number} is not 16 bytes in base64`);
    const key = { number, sip: sipKeyOf(bytes) };
    byNumber.set(number, key);
    current ??= key;
  }
  if (current === undefined) throw new RangeError('it must hold at least one key');
  return { current, byNumber };
}

/** Writes the signed play id, before encoding, into the first 78 bytes of `bytes`. The facts must fit their fields. */
export function writePlayId(facts: PlayFacts, key: SigningKey, bytes: SipBytes): void {
  bytes[0] = key.number;
  writeU64(bytes, 1, facts.campaign);
  writeU64(bytes, 9, facts.creative);
  writeU64(bytes, 17, facts.screen);
  writeU64(bytes, 25, facts.venue);
  const flags = (facts.sandbox ? FLAG_SANDBOX : 0) | (facts.plan ? FLAG_PLAN : 0) | (facts.sensor ? FLAG_SENSOR : 0);
  bytes[33] = flags | (facts.audience << AUDIENCE_SHIFT);
  const high = Math.floor(facts.startsAt / 0x1_0000_0000);
  bytes[34] = high >>> 8;
  bytes[35] = high;
  writeU32(bytes, 36, facts.startsAt - high * 0x1_0000_0000);
  bytes[40] = facts.durationMs >>> 8;
  bytes[41] = facts.durationMs;
  writeU32(bytes, 42, facts.rateMicros);
  writeU32(bytes, 46, facts.impressionsEst);
  writeU32(bytes, 50, facts.impressionsMax);
  writeU32(bytes, 54, facts.epoch);
  writeU32(bytes, 58, facts.issueNumber);
  sipHash128(key.sip, bytes, FACT_BYTES, FACT_BYTES);
}

/** The play id of these facts, 104 characters. */
export function encodePlayId(facts: PlayFacts, key: SigningKey): string {
  writePlayId(facts, key, scratch);
  return encodeBase64url(scratch, PLAY_ID_BYTES);
}

/** The content of a play id, or undefined if it is invalid or not signed by any of the keys. */
export function decodePlayId(text: string, keys: SigningKeys): PlayFacts | undefined {
  if (text.length !== PLAY_ID_LENGTH || decodeBase64urlInto(text, scratch) !== PLAY_ID_BYTES) return undefined;
  const key = keys.byNumber.get(scratch[0]!);
  if (!key) return undefined;
  sipHash128(key.sip, scratch, FACT_BYTES, PLAY_ID_BYTES);
  if (!tagMatches(scratch, [FACT_BYTES, PLAY_ID_BYTES], SIP_TAG_BYTES)) return undefined;
  const flags = scratch[33]!;
  return {
    campaign: readU64(scratch, 1) as Handle<'campaign'>,
    creative: readU64(scratch, 9) as Handle<'creative'>,
    screen: readU64(scratch, 17) as Handle<'screen'>,
    venue: readU64(scratch, 25) as Handle<'venue'>,
    sandbox: (flags & FLAG_SANDBOX) !== 0,
    plan: (flags & FLAG_PLAN) !== 0,
    sensor: (flags & FLAG_SENSOR) !== 0,
    audience: flags >>> AUDIENCE_SHIFT,
    startsAt: (scratch[34]! * 256 + scratch[35]!) * 0x1_0000_0000 + readU32(scratch, 36),
    durationMs: scratch[40]! * 256 + scratch[41]!,
    rateMicros: readU32(scratch, 42),
    impressionsEst: readU32(scratch, 46),
    impressionsMax: readU32(scratch, 50),
    epoch: readU32(scratch, 54),
    issueNumber: readU32(scratch, 58),
  };
}

/** The reservation of a play at its issue: its cost can never exceed this, whatever a screen reports. */
export function reservationMicros(facts: Pick<PlayFacts, 'rateMicros' | 'impressionsMax'>): Micros {
  return costMicros(facts.rateMicros, facts.impressionsMax);
}

/** Until when (ms) a fill may be started. */
export function expiresAt(facts: Pick<PlayFacts, 'startsAt' | 'plan'>): number {
  return facts.startsAt + (facts.plan ? PLAN_START_WINDOW_MS : START_WINDOW_MS);
}

/** Until when (ms) a report of the play is charged. */
export function windowEndsAt(facts: Pick<PlayFacts, 'startsAt' | 'plan'>): number {
  return facts.startsAt + (facts.plan ? PLAN_CHARGE_WINDOW_MS : CHARGE_WINDOW_MS);
}

/** How long (ms) a play must have been visible to count. */
export function leastShownMs(durationMs: Milliseconds): Milliseconds {
  return Math.max(0, durationMs - CUT_TOLERANCE_MS);
}

/**
 * Whether a reported play counts and what it costs, or why it is refused. Whether the screen showed another play at
 * that time is not known here (`screen-time.ts`). `screen` is the handle of the screen that authenticated
 * itself on the connection; `receivedAt` is the server's time.
 */
export function judgePlay(
  facts: PlayFacts,
  report: PlayedReport,
  arrival: { screen: Handle<'screen'>; receivedAt: Milliseconds },
): CountedPlay | PlayRefusal {
  if (facts.screen !== arrival.screen) return 'other_screen';
  if (report.startedAt < facts.startsAt - CLOCK_TOLERANCE_MS) return 'before_slot';
  if (report.startedAt > expiresAt(facts) + CLOCK_TOLERANCE_MS) return 'after_expiry';
  if (report.playedMs < leastShownMs(facts.durationMs)) return 'too_short';
  if (arrival.receivedAt > facts.startsAt + REPORT_WINDOW_MS) return 'too_late';
  if (overAt(facts, report) > arrival.receivedAt + CLOCK_TOLERANCE_MS) return 'before_end';
  const counted = isSensed(facts, report) ? report.audience * 1000 : facts.impressionsEst;
  const impressionsThousandths = Math.min(Math.round(counted), facts.impressionsMax);
  return { counts: true, impressionsThousandths, costMicros: costMicros(facts.rateMicros, impressionsThousandths) };
}

/** Whether the sensing module counted more people than the play id allows. */
export function isBounded(facts: Pick<PlayFacts, 'sensor' | 'impressionsMax'>, report: PlayedReport): boolean {
  return isSensed(facts, report) && report.audience * 1000 > facts.impressionsMax;
}

function isSensed(
  { sensor }: Pick<PlayFacts, 'sensor'>,
  report: PlayedReport,
): report is PlayedReport & { audience: number } {
  return sensor && report.audience !== undefined;
}

/**
 * When (ms) the play can have been over at the earliest: what was shown takes its time, from the slot's start or a
 * later one.
 */
function overAt(facts: Pick<PlayFacts, 'startsAt'>, report: PlayedReport): number {
  return Math.max(facts.startsAt, report.startedAt) + report.playedMs;
}

/** The content of a scan code: campaign, creative, screen, and the minute of the slot since the epoch. */
export type ScanFacts = {
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
  screen: Handle<'screen'>;
  slotMinute: number;
};

const SCAN_TAG_BYTES = 8;
const INT_32_MAX = 0x7fff_ffff;
/** Key number, four varints of a 53-bit integer (8 bytes each), tag. */
export const SCAN_BYTES_MAX = 1 + 4 * 8 + SCAN_TAG_BYTES;
/** A scan code; after the longest one the expected tag. */
const scanScratch = sipBytes(SCAN_BYTES_MAX + SCAN_TAG_BYTES);

/** Writes a signed scan code, before encoding, into `bytes` (at least 41) and returns its length. */
export function writeScanCode(facts: ScanFacts, key: SigningKey, bytes: SipBytes): number {
  bytes[0] = key.number;
  let at = writeVarint(bytes, 1, facts.campaign);
  at = writeVarint(bytes, at, facts.creative);
  at = writeVarint(bytes, at, facts.screen);
  at = writeVarint(bytes, at, facts.slotMinute);
  sipHash128(key.sip, bytes, at, at, SCAN_TAG_BYTES);
  return at + SCAN_TAG_BYTES;
}

/** A short signed code for the link shown with a creative: about 24 characters. */
export function encodeScanCode(facts: ScanFacts, key: SigningKey): string {
  return encodeBase64url(scanScratch, writeScanCode(facts, key, scanScratch));
}

/** The content of a scan code, or undefined if it is invalid or not signed by any of the keys. */
export function decodeScanCode(text: string, keys: SigningKeys): ScanFacts | undefined {
  const length = decodeBase64urlInto(text, scanScratch);
  const end = length - SCAN_TAG_BYTES;
  if (end < 5 || length > SCAN_BYTES_MAX) return undefined;
  const key = keys.byNumber.get(scanScratch[0]!);
  if (!key) return undefined;
  sipHash128(key.sip, scanScratch, end, SCAN_BYTES_MAX, SCAN_TAG_BYTES);
  if (!tagMatches(scanScratch, [end, SCAN_BYTES_MAX], SCAN_TAG_BYTES)) return undefined;
  const values: number[] = [];
  let at = 1;
  while (at < end && values.length < 4) {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = scanScratch[at++]!;
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80 && at < end);
    values.push(value);
  }
  const [campaign, creative, screen, slotMinute] = values;
  if (
    at !== end ||
    campaign === undefined ||
    creative === undefined ||
    screen === undefined ||
    slotMinute === undefined
  )
    return undefined;
  return {
    campaign: campaign as Handle<'campaign'>,
    creative: creative as Handle<'creative'>,
    screen: screen as Handle<'screen'>,
    slotMinute,
  };
}

/** Compares two tags by where they lie, in time that does not depend on where they differ. */
function tagMatches(bytes: Uint8Array, [given, wanted]: readonly [number, number], length: number): boolean {
  let difference = 0;
  for (let byte = 0; byte < length; byte++) difference |= bytes[given + byte]! ^ bytes[wanted + byte]!;
  return difference === 0;
}

function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let left = value;
  for (; left > INT_32_MAX; left = Math.floor(left / 128)) bytes[at++] = (left % 128) | 0x80;
  // Nearly always all of it: arithmetic of 32 bits takes a tenth of that of doubles.
  let rest = left | 0;
  for (; rest >= 128; rest >>>= 7) bytes[at++] = rest | 0x80;
  bytes[at++] = rest;
  return at;
}

function writeU64(bytes: Uint8Array, at: number, value: number): void {
  const high = Math.floor(value / 0x1_0000_0000);
  writeU32(bytes, at, high);
  writeU32(bytes, at + 4, value - high * 0x1_0000_0000);
}

function writeU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

function readU64(bytes: Uint8Array, at: number): number {
  return readU32(bytes, at) * 0x1_0000_0000 + readU32(bytes, at + 4);
}

function readU32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
