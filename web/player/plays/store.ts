/**
 * The stored state of the device, in IndexedDB: its token, its settings, and what its screen has to report or plans.
 * Where IndexedDB is closed to the page (a private window) it is kept in memory, and the status overlay says so.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import {
  memoryStorage,
  type Fill,
  type HandBack,
  type OutboxState,
  type OutboxStorage,
  type PendingPlay,
  type Play,
} from '#sdk/screen/index.ts';
import type { Settings } from '../settings.ts';

type Facts = { token: string; settings: Settings };

interface Schema extends DBSchema {
  facts: { key: string; value: unknown };
  plays: { key: string; value: Play & { starts_at: number } };
  handBacks: { key: string; value: HandBack };
}

export type Store = {
  /** Whether it survives a restart. */
  isDurable: boolean;
  /** For the screen: its pending reports, and its offline playlist. */
  outbox: OutboxStorage;
  read<Name extends keyof Facts>(name: Name): Promise<Facts[Name] | undefined>;
  write<Name extends keyof Facts>(name: Name, value: Facts[Name]): Promise<void>;
  /** Deletes everything: the device is unpaired. */
  clear(): Promise<void>;
};

const NAME = 'marquee-player';
const VERSION = 1;

export async function openStore(): Promise<Store> {
  try {
    return storeIn(
      await openDB<Schema>(NAME, VERSION, {
        upgrade(db) {
          db.createObjectStore('facts');
          db.createObjectStore('plays', { keyPath: 'play_id' });
          db.createObjectStore('handBacks', { keyPath: 'play_id' });
        },
      }),
    );
  } catch {
    return storeInMemory(); // closed to this page: better a screen that forgets than none
  }
}

function storeIn(db: IDBPDatabase<Schema>): Store {
  return {
    isDurable: true,
    outbox: outboxIn(db),
    read: name => db.get('facts', name) as Promise<Facts[typeof name] | undefined>,
    write: async (name, value) => {
      await db.put('facts', value, name);
    },
    async clear() {
      const change = db.transaction(['facts', 'plays', 'handBacks'], 'readwrite');
      void change.objectStore('facts').clear();
      void change.objectStore('plays').clear();
      void change.objectStore('handBacks').clear();
      await change.done;
    },
  };
}

function storeInMemory(): Store {
  const facts = new Map<string, unknown>();
  return {
    isDurable: false,
    outbox: memoryStorage(),
    read: async name => facts.get(name) as Facts[typeof name] | undefined,
    write: async (name, value) => {
      facts.set(name, value);
    },
    clear: async () => facts.clear(),
  };
}

/** A week without a server leaves tens of thousands of plays: only entries that have changed are written. */
function outboxIn(db: IDBPDatabase<Schema>): OutboxStorage {
  let kept: OutboxState = { plays: [], handBacks: [], settledTo: 0 };
  return {
    async read() {
      const fact = <T>(name: string): Promise<T | undefined> => db.get('facts', name) as Promise<T | undefined>;
      const [plays, handBacks, planned = [], recent = [], settledTo = 0, clockOffsetMs] = await Promise.all([
        db.getAll('plays'),
        db.getAll('handBacks'),
        fact<Fill[]>('plan'),
        fact<string[]>('recent'),
        fact<number>('settledTo'),
        fact<number>('clockOffsetMs'),
      ]);
      const pending = plays.map(({ starts_at, ...play }): PendingPlay => ({ play, starts_at }));
      kept = { plays: pending, handBacks, planned, recent, settledTo };
      return clockOffsetMs === undefined ? kept : { ...kept, clockOffsetMs };
    },
    async write(state) {
      const change = db.transaction(['facts', 'plays', 'handBacks'], 'readwrite');
      const facts = change.objectStore('facts');
      const plays = change.objectStore('plays');
      const handBacks = change.objectStore('handBacks');
      const { planned = [] } = state;
      const { planned: plan = [] } = kept;
      const isNewPlan = planned.length !== plan.length || without(planned, plan).length > 0;
      const writes: Promise<unknown>[] = [
        ...without(kept.plays, state.plays).map(({ play }) => plays.delete(play.play_id)),
        ...without(state.plays, kept.plays).map(({ play, starts_at }) => plays.put({ ...play, starts_at })),
        ...without(kept.handBacks, state.handBacks).map(({ play_id }) => handBacks.delete(play_id)),
        ...without(state.handBacks, kept.handBacks).map(handBack => handBacks.put(handBack)),
        ...(isNewPlan ? [facts.put(planned, 'plan')] : []),
        facts.put(state.recent, 'recent'),
        facts.put(state.settledTo, 'settledTo'),
        facts.put(state.clockOffsetMs, 'clockOffsetMs'),
      ];
      await Promise.all([...writes, change.done]);
      kept = state;
    },
  };
}

function without<T>(entries: readonly T[], others: readonly T[]): T[] {
  const known = new Set(others);
  return entries.filter(entry => !known.has(entry));
}
