/**
 * Screens that behave as players do, at their own pace: each asks for a slot at a fixed interval, and reports what it
 * was given for the previous slot. What answers is asked for nothing else, so the reference hears the same messages.
 */
import { Unpackr } from 'msgpackr';
import { frameOf } from './frames.ts';
import type { LoadConnection } from './load-connection.ts';

/** What players heard: answers to slots, of them fills, and acknowledgements of plays with what was refused. */
export type PlayCounts = {
  answers: number;
  fills: number;
  acks: number;
  refused: Record<string, number>;
  noFills: Record<string, number>;
};
type Fill = { play_id: string; starts_at: number; duration_ms: number };
type Answer =
  | { t: 'fill'; slots: (Fill | { no_fill: string })[] }
  | { t: 'ack'; refused?: { reason: string }[] }
  | { t: 'prefetch' | 'withdraw' | 'config' };
type Player = { connection: LoadConnection; fill: Fill | undefined };

const unpackr = new Unpackr({ useRecords: false });
const SLOT = frameOf({ t: 'slot', id: 1, count: 1 });
/** A burst each few milliseconds: a finer timer would keep this process busy on the server's core. */
const TURN_MS = 2;

export class Players {
  readonly counts: PlayCounts = { answers: 0, fills: 0, acks: 0, refused: {}, noFills: {} };
  readonly #players: Player[];
  #timer: NodeJS.Timeout | undefined;

  constructor(connections: readonly LoadConnection[]) {
    this.#players = connections.map(connection => {
      const player: Player = { connection, fill: undefined };
      connection.onMessage = (bytes, start, end) => this.#hear(player, bytes.subarray(start, end));
      return player;
    });
  }

  /** Every player has one turn in `everyMs`, each at a different moment. */
  start({ everyMs, reports }: { everyMs: number; reports: boolean }): void {
    this.stop();
    const startedAt = performance.now();
    let turns = 0;
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedAt) * this.#players.length) / everyMs;
      for (; turns < due; turns++) this.#turn(this.#players[turns % this.#players.length]!, reports);
    }, TURN_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #turn(player: Player, reports: boolean): void {
    const { connection, fill } = player;
    if (reports && fill !== undefined) {
      const play = { play_id: fill.play_id, started_at: fill.starts_at, played_ms: fill.duration_ms };
      connection.send(frameOf({ t: 'plays', id: 2, plays: [play] }));
    }
    player.fill = undefined;
    connection.send(SLOT);
  }

  #hear(player: Player, payload: Buffer): void {
    // What a screen is sent is of our own making, or its echo.
    const answer = unpackr.unpack(payload) as Answer;
    const { counts } = this;
    if (answer.t === 'ack') {
      counts.acks++;
      for (const { reason } of answer.refused ?? []) counts.refused[reason] = (counts.refused[reason] ?? 0) + 1;
    } else if (answer.t === 'fill') {
      counts.answers++;
      const slot = answer.slots[0]!;
      if ('no_fill' in slot) counts.noFills[slot.no_fill] = (counts.noFills[slot.no_fill] ?? 0) + 1;
      else {
        counts.fills++;
        player.fill = slot;
      }
    }
  }
}
