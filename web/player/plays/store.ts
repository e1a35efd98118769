/**
 * What the device keeps over restarts, in IndexedDB: who it is, what it knows of itself, plays and hand-backs until
 * they are acknowledged, and the offline plan. Where IndexedDB is closed to the page (a private window) it is kept in
 * memory, and the status overlay says so.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { HandBack, ShownPlay } from './play-log.ts';
import type { Fill, Settings } from '../connection/protocol.ts';

type Facts = {
  token: string;
  settings: Settings;
  /** Play ids of the last ads shown, newest first. */
  recent: string[];
  settledTo: number;
  /** Server time less the device's own, ms. */
  clockOffsetMs: number;
  plan: Fill[];
};

interface Schema extends DBSchema {
  facts: { key: string; value: unknown };
  plays: { key: string; value: ShownPlay };
  handBacks: { key: string; value: HandBack };
}

export type Store = {
  /** Whether it survives a restart. */
  isDurable: boolean;
  read<Name extends keyof Facts>(name: Name): Promise<Facts[Name] | undefined>;
  write<Name extends keyof Facts>(name: Name, value: Facts[Name]): Promise<void>;
  readLog(): Promise<{ plays: ShownPlay[]; handBacks: HandBack[] }>;
  keepPlay(play: ShownPlay): Promise<void>;
  keepHandBack(handBack: HandBack): Promise<void>;
  forget(ids: { plays: readonly string[]; handBacks: readonly string[] }): Promise<void>;
  /** Forgets everything: the device is nobody's any more. */
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
    read: name => db.get('facts', name) as Promise<Facts[typeof name] | undefined>,
    write: async (name, value) => {
      await db.put('facts', value, name);
    },
    readLog: async () => ({ plays: await db.getAll('plays'), handBacks: await db.getAll('handBacks') }),
    keepPlay: async play => {
      await db.put('plays', play);
    },
    keepHandBack: async handBack => {
      await db.put('handBacks', handBack);
    },
    async forget({ plays, handBacks }) {
      const change = db.transaction(['plays', 'handBacks'], 'readwrite');
      plays.forEach(id => void change.objectStore('plays').delete(id));
      handBacks.forEach(id => void change.objectStore('handBacks').delete(id));
      await change.done;
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

/** The play log itself holds the plays of this run. */
function storeInMemory(): Store {
  const facts = new Map<string, unknown>();
  return {
    isDurable: false,
    read: async name => facts.get(name) as Facts[typeof name] | undefined,
    write: async (name, value) => {
      facts.set(name, value);
    },
    readLog: async () => ({ plays: [], handBacks: [] }),
    keepPlay: async () => undefined,
    keepHandBack: async () => undefined,
    forget: async () => undefined,
    clear: async () => facts.clear(),
  };
}
