/** The parent's side of `load-client.ts`: the commands it takes and what it counts. */
import type { ChildProcess } from 'node:child_process';
import { endChild, messageOf, startChild } from '../child.ts';
import { pinTo } from '../pinning.ts';

export type Command =
  | { do: 'connect'; port: number; path: string; tokens?: readonly string[]; connections: number; isSecure?: boolean }
  | { do: 'drive'; pipelined: number }
  | { do: 'pace'; perSecond: number }
  | { do: 'times' }
  | { do: 'play'; everyMs: number; reports: boolean }
  | { do: 'rest' }
  | { do: 'played' }
  | { do: 'count' }
  | { do: 'gather'; messages: number; count: number; backMs: number }
  | { do: 'prepare'; playsPerMessage: number }
  | { do: 'report'; everyMs?: number }
  | { do: 'close' };

/** `others`: messages that were no fills; `closed`: connections that the server closed. */
export type LoadCounts = { answers: number; answerBytes: number; others: number; closed: number; lastClose: string };
/** What players heard: answers to slots, of them fills, and acknowledgements of plays with what was refused. */
export type PlayCounts = {
  answers: number;
  fills: number;
  acks: number;
  refused: Record<string, number>;
  noFills: Record<string, number>;
};
/** Samples are payloads of fill messages in base64. */
export type Gathered = { fills: number; noFills: Record<string, number>; samples: string[] };
/**
 * Round trips since the last call, in microseconds. `unsent`: messages that were not sent because their screen waited
 * for too many answers already.
 */
export type RoundTrips = { count: number; p50Us: number; p99Us: number; maxUs: number; unsent: number };
/**
 * `sampled`: the plays whose issue number is a multiple of `SAMPLED_ISSUES`, by campaign, epoch and number, and when
 * (ms) they were acknowledged.
 */
export type Reported = {
  acknowledged: number;
  refused: Record<string, number>;
  seconds: number;
  sampled: [key: string, atMs: number][];
};
export const SAMPLED_ISSUES = 32;

/** The address for the screens: with tokens they send hello first, one connection per token. */
export type Target = {
  port: number;
  path: string;
  tokens?: readonly string[];
  connections: number;
  isSecure?: boolean;
};

export class LoadClient {
  readonly #child: ChildProcess;
  #commands = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts a client, on one core if told so, and connects its screens. */
  static async start(target: Target, { core }: { core?: number } = {}): Promise<LoadClient> {
    const child = startChild('sockets/load-client.ts');
    await messageOf(child);
    if (core !== undefined) pinTo(core, [child.pid!]);
    const client = new LoadClient(child);
    try {
      await client.#call<number>({ do: 'connect', ...target });
    } catch (error) {
      await endChild(child);
      throw error;
    }
    return client;
  }

  /** One command at a time; answers come in order. */
  async #call<T>(command: Command): Promise<T> {
    this.#commands += 1;
    this.#child.send({ id: String(this.#commands), command });
    const reply = await messageOf<{ answer: T; error?: string }>(this.#child);
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.answer;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /**
   * Makes every screen ask for one slot again and again: a number of messages at once, and the next ones when all are
   * answered.
   */
  async drive(pipelined = 1): Promise<void> {
    await this.#call({ do: 'drive', pipelined });
  }

  /** Makes the screens in turn ask for one slot, so often in all, whether answers come or not. */
  async pace(perSecond: number): Promise<void> {
    await this.#call({ do: 'pace', perSecond });
  }

  /** The round trips of `pace` since the last call. */
  times(): Promise<RoundTrips> {
    return this.#call({ do: 'times' });
  }

  /** Makes the screens play: each asks for a slot once in `everyMs`, and reports the one before. */
  async play(options: { everyMs: number; reports: boolean }): Promise<void> {
    await this.#call({ do: 'play', ...options });
  }

  /** The screens stay connected and say nothing. */
  async rest(): Promise<void> {
    await this.#call({ do: 'rest' });
  }

  /** The answers to playing screens since their start. */
  played(): Promise<PlayCounts> {
    return this.#call({ do: 'played' });
  }

  count(): Promise<LoadCounts> {
    return this.#call({ do: 'count' });
  }

  /** Every screen asks `messages` times for `count` slots that begin `backMs` ago, and keeps its fills. */
  gather(options: { messages: number; count: number; backMs: number }): Promise<Gathered> {
    return this.#call({ do: 'gather', ...options });
  }

  /** Packs the plays of the kept fills; returns their number. */
  prepareReports(playsPerMessage: number): Promise<number> {
    return this.#call({ do: 'prepare', playsPerMessage });
  }

  /**
   * Sends the packed plays; resolves when all are acknowledged. Each screen sends one message at a fixed interval, or
   * as fast as they are acknowledged.
   */
  report({ everyMs }: { everyMs?: number } = {}): Promise<Reported> {
    return this.#call({ do: 'report', ...(everyMs !== undefined && { everyMs }) });
  }

  async close(): Promise<void> {
    await this.#call({ do: 'close' });
    await endChild(this.#child);
  }
}
