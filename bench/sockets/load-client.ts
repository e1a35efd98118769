/**
 * The load client: a process of its own that holds many screens. A screen sends its next message when the answer has
 * come, or at moments of its own (`pace`, `report` with `everyMs`); the messages are packed and masked before the clock
 * starts, so that the client spends as little as it can.
 */
import { Unpackr, pack } from 'msgpackr';
import { serve } from '../serve.ts';
import { frameOf } from './frames.ts';
import { type LoadConnection, openScreen } from './load-connection.ts';
import { type PlayCounts, Players } from './players.ts';
import { playKeyOf } from '../../cli/demo/play-key.ts';

/** The address for the screens: with tokens they send hello first, one connection per token. */
export type Target = {
  port: number;
  path: string;
  tokens?: readonly string[];
  connections: number;
  isSecure?: boolean;
};
/** Samples are payloads of fill messages in base64. */
type Gathered = { fills: number; noFills: Record<string, number>; samples: string[] };
/**
 * Round trips since the last call, in microseconds. `unsent`: messages that were not sent because their screen waited
 * for too many answers already.
 */
export type RoundTrips = { count: number; p50Us: number; p99Us: number; maxUs: number; unsent: number };
/** `sampled`: followed plays, by campaign, epoch and number, and when (ms) they were acknowledged. */
export type Reported = {
  acknowledged: number;
  refused: Record<string, number>;
  seconds: number;
  sampled: [key: string, atMs: number][];
};

type Fill = { play_id: string; starts_at: number; duration_ms: number };
type Slot = Fill | { no_fill: string };
type Prepared = { id: number; frame: Buffer; plays: number; sampled: string[] };
type Screen = { connection: LoadConnection; fills: Fill[]; frames: Prepared[] };

/** Connections opened at a time: the listen queue of a server is short. */
const OPENED_AT_ONCE = 50;
const SAMPLES_MAX = 1_000;
const unpackr = new Unpackr({ useRecords: false });
const TYPE_KEY = Buffer.from([0xa1, 0x74]); // the MessagePack string "t"
/** The type stands at the front of every message of ours; looking further would cost more than the count is worth. */
const TYPE_WITHIN_BYTES = 16;

const screens: Screen[] = [];
/** `others`: messages that were no fills; `closed`: connections that the server closed. */
const counts = { answers: 0, answerBytes: 0, others: 0, closed: 0 };
let players: Players | undefined;

/** Whether a payload is a message of this type, by comparing a few bytes. */
function isType(type: Buffer, bytes: Buffer, start: number, end: number): boolean {
  const last = Math.min(end - type.length, start + TYPE_WITHIN_BYTES);
  for (let at = start; at <= last; at += 1) {
    if (bytes[at] !== TYPE_KEY[0] || bytes[at + 1] !== TYPE_KEY[1]) continue;
    return bytes.compare(type, 2, type.length, at + 2, at + type.length) === 0;
  }
  return false;
}

/** The patterns of `isType`: the key and the type as MessagePack strings. */
function typeBytes(type: string): Buffer {
  return Buffer.concat([TYPE_KEY, Buffer.from(pack(type))]);
}

async function connect({ tokens, connections, ...place }: Target): Promise<void> {
  const open = async (token: string | undefined): Promise<Screen> => {
    const connection = await openScreen({ ...place, token, player: 'load/1' });
    connection.onClose = () => {
      counts.closed += 1;
    };
    return { connection, fills: [], frames: [] };
  };
  const wanted = tokens?.length ?? connections;
  for (let from = 0; from < wanted; from += OPENED_AT_ONCE) {
    const size = Math.min(OPENED_AT_ONCE, wanted - from);
    screens.push(...(await Promise.all(Array.from({ length: size }, (_, index) => open(tokens?.[from + index])))));
  }
}

/**
 * Every screen asks for one slot, again and again, until the client ends: `pipelined` times at once, in one write, and
 * the next times when all are answered.
 */
function drive(pipelined: number): void {
  const fill = typeBytes('fill');
  const frames = Buffer.concat(Array.from({ length: pipelined }, () => frameOf({ t: 'slot', id: 1, count: 1 })));
  for (const { connection } of screens) {
    let left = pipelined;
    connection.onMessage = (bytes, start, end) => {
      if (!isType(fill, bytes, start, end)) {
        counts.others += 1;
        return;
      }
      counts.answers += 1;
      counts.answerBytes += end - start;
      left -= 1;
      if (left > 0) return;
      left = pipelined;
      connection.send(frames);
    };
    connection.send(frames);
  }
}

/** A screen that waits for this many answers sends no more: sending at fixed moments needs a bound. */
const UNDER_WAY_MAX = 64;
/** Round trips by the microsecond, up to a second; longer ones count as a second. */
const trips = new Uint32Array(1_000_000);
let unsent = 0;

/**
 * Screens in turn ask for one slot, `perSecond` in all. Each trip is timed from the write of its message to its answer.
 */
function pace(perSecond: number): void {
  const fill = typeBytes('fill');
  const frame = frameOf({ t: 'slot', id: 1, count: 1 });
  const lanes = screens.map(({ connection }) => {
    const lane = { connection, sentAt: new Float64Array(UNDER_WAY_MAX), sent: 0, answered: 0 };
    connection.onMessage = (bytes, start, end) => {
      if (!isType(fill, bytes, start, end)) {
        counts.others += 1;
        return;
      }
      const us = Math.floor((performance.now() - lane.sentAt[lane.answered % UNDER_WAY_MAX]!) * 1_000);
      lane.answered += 1;
      trips[Math.min(us, trips.length - 1)]! += 1;
    };
    return lane;
  });
  const startedAt = performance.now();
  let turns = 0;
  // A burst each millisecond: a finer timer would keep this process busy on the server's core.
  const send = (): void => {
    for (const due = ((performance.now() - startedAt) * perSecond) / 1_000; turns < due; turns += 1) {
      const lane = lanes[turns % lanes.length]!;
      if (lane.sent - lane.answered >= UNDER_WAY_MAX) {
        unsent += 1;
        continue;
      }
      lane.sentAt[lane.sent % UNDER_WAY_MAX] = performance.now();
      lane.sent += 1;
      lane.connection.send(frame);
    }
    setTimeout(send, 1);
  };
  send();
}

/** The round trips since the last call. */
function takeTimes(): RoundTrips {
  const count = trips.reduce((sum, each) => sum + each, 0);
  const at = (share: number): number => {
    let left = Math.max(1, Math.ceil(share * count));
    return trips.findIndex(each => (left -= each) <= 0);
  };
  const times = { count, p50Us: at(0.5), p99Us: at(0.99), maxUs: trips.findLastIndex(each => each > 0), unsent };
  trips.fill(0);
  unsent = 0;
  return times;
}

type GatherOptions = { messages: number; count: number; backMs: number };

/** Every screen asks `messages` times for `count` slots that begin `backMs` ago, and keeps its fills. */
async function gather({ messages, count, backMs }: GatherOptions): Promise<Gathered> {
  const noFills: Record<string, number> = {};
  const samples: string[] = [];
  let fills = 0;
  const fillType = typeBytes('fill');
  await Promise.all(
    screens.map(
      screen =>
        new Promise<void>((resolve, reject) => {
          let left = messages;
          const ask = () => screen.connection.send(frameOf({ t: 'slot', id: left, count, at: Date.now() - backMs }));
          screen.connection.onClose = reason => reject(new Error(`a screen lost its connection: ${reason}`));
          screen.connection.onMessage = (bytes, start, end) => {
            const payload = bytes.subarray(start, end);
            if (!isType(fillType, bytes, start, end)) {
              if (isType(typeBytes('error'), bytes, start, end))
                reject(new Error(`a screen got ${JSON.stringify(unpackr.unpack(payload))}`));
              return;
            }
            for (const slot of (unpackr.unpack(payload) as { slots: Slot[] }).slots) {
              if ('no_fill' in slot) noFills[slot.no_fill] = (noFills[slot.no_fill] ?? 0) + 1;
              else {
                screen.fills.push(slot);
                fills += 1;
              }
            }
            if (samples.length < SAMPLES_MAX) samples.push(payload.toString('base64'));
            left -= 1;
            if (left > 0) ask();
            else resolve();
          };
          ask();
        }),
    ),
  );
  return { fills, noFills, samples };
}

type PrepareOptions = { playsPerMessage: number; followOneIn?: number };

/**
 * Packs the plays of all kept fills into messages; returns their number. Followed are plays whose issue number is a
 * multiple of `followOneIn`.
 */
function prepareReports({ playsPerMessage, followOneIn = Infinity }: PrepareOptions): number {
  let plays = 0;
  for (const screen of screens) {
    const { fills } = screen;
    for (let from = 0; from < fills.length; from += playsPerMessage) {
      const part = fills
        .slice(from, from + playsPerMessage)
        .map(fill => ({ play_id: fill.play_id, started_at: fill.starts_at, played_ms: fill.duration_ms }));
      const id = screen.frames.length + 1;
      screen.frames.push({
        id,
        frame: frameOf({ t: 'plays', id, plays: part }),
        plays: part.length,
        sampled: part
          .map(({ play_id }) => playKeyOf(play_id))
          .filter(key => Number(key.slice(key.lastIndexOf('.') + 1)) % followOneIn === 0),
      });
      plays += part.length;
    }
    screen.fills = [];
  }
  return plays;
}

/**
 * Sends what was prepared and answers when all is acknowledged. A screen has one pending message; with `everyMs` it
 * sends one at each of its moments, acknowledged or not, and the screens begin at different moments.
 */
async function report({ everyMs = 0 }: { everyMs?: number }): Promise<Reported> {
  const reported = { acknowledged: 0, refused: {}, sampled: [] };
  const startedAt = Date.now();
  await Promise.all(
    screens.map((screen, index) =>
      reportOf(screen, { reported, everyMs, firstAt: startedAt + (everyMs * index) / screens.length }),
    ),
  );
  return { ...reported, seconds: (Date.now() - startedAt) / 1000 };
}

const ACK = typeBytes('ack');

type ReportOfOptions = { reported: Omit<Reported, 'seconds'>; everyMs: number; firstAt: number };

function reportOf(screen: Screen, { reported, everyMs, firstAt }: ReportOfOptions): Promise<void> {
  const { connection } = screen;
  const waiting = screen.frames.reverse();
  const underWay = new Map<number, Prepared>();
  screen.frames = [];
  return new Promise((resolve, reject) => {
    let dueAt = firstAt;
    const sendAtDue = () => setTimeout(send, Math.max(0, dueAt - Date.now()));
    const send = () => {
      const next = waiting.pop();
      if (next === undefined) return;
      underWay.set(next.id, next);
      connection.send(next.frame);
      dueAt += everyMs;
      if (everyMs > 0) sendAtDue();
    };
    connection.onClose = reason => reject(new Error(`a screen lost its connection: ${reason}`));
    connection.onMessage = (bytes, start, end) => {
      if (!isType(ACK, bytes, start, end)) return;
      const {
        id,
        refused,
        hold_ms: holdMs = 0,
      } = unpackr.unpack(bytes.subarray(start, end)) as {
        id: number;
        refused?: { reason: string }[];
        hold_ms?: number;
      };
      noteAck(reported, underWay.get(id)!, refused ?? []);
      underWay.delete(id);
      if (waiting.length === 0 && underWay.size === 0) return resolve();
      if (holdMs > 0) dueAt = Math.max(dueAt, Date.now() + holdMs);
      if (everyMs > 0) return;
      if (holdMs > 0) sendAtDue();
      else send();
    };
    if (waiting.length === 0) return resolve();
    sendAtDue();
  });
}

function noteAck(
  reported: Omit<Reported, 'seconds'>,
  { plays, sampled }: Prepared,
  refused: readonly { reason: string }[],
): void {
  for (const { reason } of refused) reported.refused[reason] = (reported.refused[reason] ?? 0) + 1;
  reported.acknowledged += plays - refused.length;
  const atMs = Date.now();
  for (const key of sampled) reported.sampled.push([key, atMs]);
}

/** Makes the screens play: each asks for a slot once in `everyMs`, and reports the one before. */
function play(options: { everyMs: number; reports: boolean }): void {
  players ??= new Players(screens.map(({ connection }) => connection));
  players.start(options);
}

const calls = {
  connect,
  drive,
  pace,
  times: takeTimes,
  play,
  /** The screens stay connected and say nothing. */
  rest: () => players?.stop(),
  /** The answers to playing screens since their start. */
  played: (): PlayCounts => players!.counts,
  count: () => counts,
  gather,
  prepareReports,
  report,
};
export type LoadCalls = typeof calls;
serve(calls);
