/** The state of a screen that survives a restart of the device. */
import type { CannotPlayReason, Fill, Play } from './protocol.ts';

export type HandBack = { play_id: string; reason: CannotPlayReason };
/** A play with what `settled_to` needs of it. */
export type PendingPlay = { play: Play; starts_at: number };
/** The state that must survive a restart of the device. */
export type OutboxState = {
  plays: readonly PendingPlay[];
  handBacks: readonly HandBack[];
  /** Open fills for times without a network; absent in the state of an older version. */
  planned?: readonly Fill[];
  /** Play ids of the last shown ads, the newest first; absent in the state of an older version. */
  recent?: readonly string[];
  /** Server time less device time; absent before the first connection. */
  clockOffsetMs?: number;
  /** The largest `settled_to` that was ever sent. */
  settledTo: number;
};
/**
 * The storage of the state: a file, IndexedDB. Calls are sequential, each after the previous one has ended. Entries
 * never change: a storage may compare them with those of the last state, and write only the others.
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
