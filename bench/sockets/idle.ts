/** The parent's side of `idle-client.ts`, a process that holds screens which do nothing. */
import type { ChildProcess } from 'node:child_process';
import { endChild, messageOf, startChild } from '../child.ts';

export type IdleCommand =
  /** Opens more; with tokens they say hello and wait for their welcome. */
  | { do: 'open'; port: number; path: string; tokens?: readonly string[]; connections: number; from: string }
  /** From now on screens come back with the player's back-off. */
  | { do: 'stay' }
  | { do: 'count' };

/**
 * `connected`: upgraded, and welcomed where they have tokens; `closed`: ends so far; `failed`: attempts that came to
 * nothing.
 */
export type IdleCounts = { connected: number; closed: number; failed: number; lastFailure: string };

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
    this.#child.send(command);
    const reply = await messageOf<{ counts: IdleCounts; error?: string }>(this.#child);
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.counts;
  }

  close(): Promise<void> {
    return endChild(this.#child);
  }
}
