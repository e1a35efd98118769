/**
 * The parent's side of `watch-client.ts`: screens that ask at a steady pace and note what they were given when. Times
 * are ms since 1970, with fractions.
 */
import type { ChildProcess } from 'node:child_process';
import { endChild, messageOf, startChild } from '../child.ts';

export type WatchCommand =
  | { do: 'open'; port: number; path: string; tokens: readonly string[]; everyMs: number }
  /** Clears the notes about the campaign. */
  | { do: 'mark'; campaign: string }
  | { do: 'read'; campaign: string };

export type Watched = {
  fills: number;
  lastFillAt: number;
  /** By creative. */
  firstFillAt: Record<string, number>;
  /** Screens that got the order to drop it, and when the last one did. */
  withdraws: number;
  lastWithdrawAt: number;
};

export class Watch {
  readonly #child: ChildProcess;
  /** Answers come in the order of the commands. */
  #waiting: ((reply: { watched: Watched; error?: string }) => void)[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', reply => this.#waiting.shift()?.(reply as { watched: Watched; error?: string }));
  }

  static async start(): Promise<Watch> {
    const child = startChild('sockets/watch-client.ts');
    await messageOf(child);
    return new Watch(child);
  }

  async call(command: WatchCommand): Promise<Watched> {
    const reply = await new Promise<{ watched: Watched; error?: string }>(resolve => {
      this.#waiting.push(resolve);
      this.#child.send(command);
    });
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.watched;
  }

  close(): Promise<void> {
    return endChild(this.#child);
  }
}
