/** The parent's side of `idle-client.ts`, a process that holds screens which do nothing. */
import type { ChildProcess } from 'node:child_process';
import { endChild, messageOf, startChild } from '../child.ts';

export type IdleCommand =
  /** Opens more; with tokens they say hello and wait for their welcome. */
  | {
      do: 'open';
      port: number;
      path: string;
      tokens?: readonly string[];
      connections: number;
      /** Source addresses; screens have them by turns. */
      from: readonly string[];
      lists?: HeldLists;
    }
  /** From now on screens come back with the player's back-off. */
  | { do: 'stay' }
  | { do: 'count' }
  /** Asks for the names of the lists of files that screens were sent. */
  | { do: 'lists' };
/** The name of the list of files that a screen holds, by its token. */
export type HeldLists = Record<string, string>;

/**
 * `connected`: upgraded, and welcomed where they have tokens; `closed`: ends so far; `failed`: attempts that came to
 * nothing.
 */
export type IdleCounts = { connected: number; closed: number; failed: number; lastFailure: string };

type Reply = { counts: IdleCounts; lists?: HeldLists; error?: string };

export class IdleClient {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(): Promise<IdleClient> {
    const child = startChild('sockets/idle-client.ts');
    await messageOf(child);
    return new IdleClient(child);
  }

  async call(command: IdleCommand): Promise<IdleCounts> {
    return (await this.#ask(command)).counts;
  }

  async lists(): Promise<HeldLists> {
    return (await this.#ask({ do: 'lists' })).lists!;
  }

  async #ask(command: IdleCommand): Promise<Reply> {
    this.#child.send(command);
    const reply = await messageOf<Reply>(this.#child);
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply;
  }

  close(): Promise<void> {
    return endChild(this.#child);
  }
}
