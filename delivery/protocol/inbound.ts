/**
 * The messages of screens. Every field is checked for presence, type and bounds; unknown fields are ignored. A message
 * that breaks a rule becomes a fault that names the field, never an exception.
 */
import { knownCommands, type ScreenCommand } from '#domain/screens/command.ts';
import { isPlatform, type Platform, PLATFORMS } from '#domain/screens/screen.ts';
import { SLOT_DEFAULT_MS } from '#domain/screens/screen.ts';
import { SIGNATURE_PATTERN } from '#domain/screens/sensor.ts';
import { SLOT_PAST_MS_MAX } from '#domain/plays/play.ts';
import {
  AUDIENCE_MAX,
  COMMANDS_MAX,
  PLAYED_MS_MAX,
  PLAYS_MAX,
  RECENT_MAX,
  SLOT_FUTURE_MS_MAX,
  SLOT_MS_MAX,
  SLOT_MS_MIN,
  SLOTS_MAX,
  TEXT_LENGTH_MAX,
} from './bounds.ts';
import type { Milliseconds } from '#domain/unit.ts';

/**
 * `list`: the name of the list of files (`prefetch`) that the screen has; undefined if absent. `commands`: those that
 * its player can carry out.
 */
export type Hello = {
  t: 'hello';
  token: string;
  platform: Platform;
  player: string;
  recent: string[];
  list: string | undefined;
  commands: ScreenCommand[];
};
export type SlotRequest = {
  t: 'slot';
  id: number;
  at: number;
  count: number;
  maxDurationMs: Milliseconds;
  plan: boolean;
};
/** `isUnattested`: people were reported that no sensing module vouches for. */
export type ReportedPlay = {
  playId: string;
  startedAt: number;
  playedMs: Milliseconds;
  audience: number | undefined;
  isUnattested?: boolean;
};
/**
 * `settledTo` (ms): every older fill is reported in this or an earlier acknowledged message, or will never be played.
 * `attestation`: the sensing module's signature over the audiences of the message.
 */
export type PlaysReport = {
  t: 'plays';
  id: number;
  plays: ReportedPlay[];
  settledTo: number | undefined;
  attestation: string | undefined;
};
export type CannotPlay = { t: 'cannot_play'; id: number; playId: string; reason: CannotPlayReason };
export type Inbound = Hello | SlotRequest | PlaysReport | CannotPlay;

const CANNOT_PLAY_REASONS = ['asset', 'decode', 'expired', 'withdrawn', 'other'] as const;
type CannotPlayReason = (typeof CANNOT_PLAY_REASONS)[number];

export type ErrorCode = 'bad_message' | 'unknown_type' | 'bad_field' | 'too_large' | 'too_many' | 'not_ready';
/** An `error` to the screen. `id` is that of the invalid message, if it has one. */
export type ProtocolFault = { fault: ErrorCode; message: string; id?: number };

type Fields = Record<string, unknown>;
/** Thrown only within this file: it stops reading a message at its first bad field. */
class BadField extends Error {
  readonly code: ErrorCode;
  constructor(message: string, code: ErrorCode = 'bad_field') {
    super(message);
    this.code = code;
  }
}

const TIME_MAX = 2 ** 48 - 1;
const SIGNATURE = new RegExp(SIGNATURE_PATTERN);

/** Reads one decoded message. `now` is the server's time (ms) and the default of `slot.at`. */
export function readMessage(value: unknown, now: number): Inbound | ProtocolFault {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'bad_message', message: 'a message must be a map' };
  const fields = value as Fields;
  const { t, id } = fields;
  const known = typeof id === 'number' && Number.isSafeInteger(id) ? { id } : {};
  if (typeof t !== 'string') return { fault: 'bad_message', message: 't must be a text', ...known };
  const read = Object.hasOwn(READERS, t) ? READERS[t as Inbound['t']] : undefined;
  if (read === undefined)
    return { fault: 'unknown_type', message: `t must be one of ${Object.keys(READERS).join(', ')}`, ...known };
  try {
    return read(fields, now);
  } catch (error) {
    if (!(error instanceof BadField)) throw error;
    return { fault: error.code, message: error.message, ...known };
  }
}

const READERS: { [T in Inbound['t']]: (fields: Fields, now: number) => Inbound } = {
  hello: readHello,
  slot: readSlot,
  plays: readPlays,
  cannot_play: readCannotPlay,
};

function readHello(fields: Fields): Hello {
  const { platform } = fields;
  if (!isPlatform(platform)) throw new BadField(`platform must be one of ${PLATFORMS.join(', ')}`);
  if (fields['time'] !== undefined) integerOf(fields, 'time', 0, Number.MAX_SAFE_INTEGER);
  const recent = fields['recent'] ?? [];
  if (!Array.isArray(recent) || recent.length > RECENT_MAX)
    throw new BadField(`recent must be a list of at most ${RECENT_MAX} play ids`);
  return {
    t: 'hello',
    token: textOf(fields, 'token'),
    platform,
    player: fields['player'] === undefined ? '' : textOf(fields, 'player'),
    recent: recent.map((entry: unknown, at) => {
      if (typeof entry !== 'string' || entry.length > TEXT_LENGTH_MAX)
        throw new BadField(`recent[${at}] must be a play id`);
      return entry;
    }),
    list: fields['list'] === undefined ? undefined : textOf(fields, 'list'),
    commands: readCommands(fields),
  };
}

/** Names that this server does not know are those of a newer player. */
function readCommands({ commands = [] }: Fields): ScreenCommand[] {
  if (!Array.isArray(commands) || commands.length > COMMANDS_MAX)
    throw new BadField(`commands must be a list of at most ${COMMANDS_MAX} names`);
  return knownCommands(commands);
}

function readSlot(fields: Fields, now: number): SlotRequest {
  const { plan } = fields;
  if (plan !== undefined && typeof plan !== 'boolean') throw new BadField('plan must be true or false');
  return {
    t: 'slot',
    id: idOf(fields),
    at: fields['at'] === undefined ? now : slotTime(fields, now),
    count: fields['count'] === undefined ? 1 : integerOf(fields, 'count', 1, SLOTS_MAX),
    maxDurationMs:
      fields['max_duration_ms'] === undefined
        ? SLOT_DEFAULT_MS
        : integerOf(fields, 'max_duration_ms', SLOT_MS_MIN, SLOT_MS_MAX),
    plan: plan ?? false,
  };
}

function slotTime(fields: Fields, now: number): number {
  const at = integerOf(fields, 'at', 0, TIME_MAX);
  if (at < now - SLOT_PAST_MS_MAX || at > now + SLOT_FUTURE_MS_MAX)
    throw new BadField('at must lie between a minute ago and 48 hours ahead');
  return at;
}

function readPlays(fields: Fields): PlaysReport {
  const id = idOf(fields);
  const { plays } = fields;
  if (!Array.isArray(plays)) throw new BadField('plays must be a list');
  if (plays.length > PLAYS_MAX) throw new BadField(`plays must have at most ${PLAYS_MAX} entries`, 'too_many');
  const settledTo = fields['settled_to'] === undefined ? undefined : integerOf(fields, 'settled_to', 0, TIME_MAX);
  const { attestation } = fields;
  if (attestation !== undefined && (typeof attestation !== 'string' || !SIGNATURE.test(attestation)))
    throw new BadField('attestation must be a signature of 64 bytes in base64url');
  return {
    t: 'plays',
    id,
    settledTo,
    attestation,
    plays: plays.map((play: unknown, at) => readPlay(play, `plays[${at}].`)),
  };
}

function readPlay(value: unknown, prefix: string): ReportedPlay {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadField(`${prefix.slice(0, -1)} must be a map`);
  const fields = value as Fields;
  return {
    playId: textOf(fields, 'play_id', prefix),
    startedAt: integerOf(fields, 'started_at', 0, TIME_MAX, prefix),
    playedMs: integerOf(fields, 'played_ms', 0, PLAYED_MS_MAX, prefix),
    audience: fields['audience'] === undefined ? undefined : integerOf(fields, 'audience', 0, AUDIENCE_MAX, prefix),
  };
}

function readCannotPlay(fields: Fields): CannotPlay {
  const { reason } = fields;
  if (!CANNOT_PLAY_REASONS.includes(reason as CannotPlayReason))
    throw new BadField(`reason must be one of ${CANNOT_PLAY_REASONS.join(', ')}`);
  return { t: 'cannot_play', id: idOf(fields), playId: textOf(fields, 'play_id'), reason: reason as CannotPlayReason };
}

function idOf(fields: Fields): number {
  return integerOf(fields, 'id', 0, Number.MAX_SAFE_INTEGER);
}

function integerOf(fields: Fields, name: string, min: number, max: number, prefix = ''): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new BadField(`${prefix}${name} must be an integer from ${min} to ${max}`);
  }
  return value;
}

function textOf(fields: Fields, name: string, prefix = ''): string {
  const value = fields[name];
  if (typeof value !== 'string' || value.length === 0 || value.length > TEXT_LENGTH_MAX) {
    throw new BadField(`${prefix}${name} must be a text of 1 to ${TEXT_LENGTH_MAX} characters`);
  }
  return value;
}
