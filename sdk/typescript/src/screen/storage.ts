/** What a screen keeps over a restart of the device. */
import type { CannotPlayReason, Fill, Play } from './protocol.ts';

export type HandBack = { play_id: string; reason: CannotPlayReason };
/** A play with what `settled_to` needs of it. */
export type PendingPlay = { play: Play; starts_at: number };
/** What must survive a restart of the device. */
export type OutboxState = {
  plays: readonly PendingPlay[];
  handBacks: readonly HandBack[];
  /** Fills for times without a network that are open; absent in what an older version wrote. */
  planned?: readonly Fill[];
  /** Play ids of the last ads shown, the newest first; absent in what an older version wrote. */
  recent?: readonly string[];
  /** Server time less device time; absent before the first connection. */
  clockOffsetMs?: number;
  /** The largest `settled_to` that was ever sent. */
  settledTo: number;
};
/**
 * Where the state is kept: a file, IndexedDB. Calls come one after the other, each when the one before has ended.
 * Entries never change: a storage may compare them with those of the last state, and write the others alone.
 */
export type OutboxStorage = {
  read(): Promise<OutboxState | undefined>;
  /** Resolves when the state would survive a cut of power. */
  write(state: OutboxState): Promise<void>;
};

/** For players that may lose what they have not reported, and tests. */
export function memoryStorage(): OutboxStorage {
  let kept: OutboxState | undefined;
  return {
    read: () => Promise.resolve(kept),
    write: state => {
      kept = state;
      return Promise.resolve();
    },
  };
}
