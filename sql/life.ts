import { amountsKey, bitsKey, EPOCH_PREFIX, exact, KEPT_S, LAPSE_LINE, LAPSING, LAST_WINDOW_MS } from './authority-keys.ts';
import { callScript, execAll, type Redis } from './redis.ts';

/**
 * The life of the authority itself. It answers in one run of Redis, the one that it was begun in: a Redis that was
 * restarted, promoted or emptied answers `authority_lost` to every call until it was found whole and resumed, or rebuilt
 * from what Postgres and ClickHouse know, and begun again.
 *
 * authority          hash: life (the run of Redis), generation, first_epoch (epochs below it were ended by a rebuild), mark
 *                    (rises with each beat), hold_ms and hold_from (what as_of waits for after a rebuild)
 * authority:claimed  set: what living nodes claimed since the last rebuild
 * authority:waiting  set: epochs of nodes that have not added their kept batches again
 */
type LifeState = { isCurrent: boolean; generation: number; mark: number };
/** What a rebuild knows of one campaign; micros. */
export type KnownAmounts = { campaign: number; handedMicros: number; returnedMicros: number; spentMicros: number; takeBackMicros: number };
/** Issue numbers of one campaign and epoch that have a row. */
export type CountedNumbers = { campaign: number; epoch: number; counted: readonly number[]; late: readonly number[] };
type Beginning = { generation: number; firstEpoch: number; lapseLine: number; asOfMs: number; mayLive: readonly number[] };

export type Life = {
  /** Answers also while the authority does not. */
  state(): Promise<LifeState>;
  /** Raises the mark above the one that Postgres knows, and answers it. @throws Fault `authority_lost` */
  beat(markInPostgres: number): Promise<number>;
  /** Whether this Redis writes everything to its log before it answers, and was never a replica. */
  isSynced(): Promise<boolean>;
  /** From here on nothing answers, and only a rebuild helps. */
  end(): Promise<void>;
  /** Goes on after a restart that lost nothing. */
  resume(): Promise<void>;
  /** Forgets campaigns and epochs, those of an authority that has ended. */
  forget(): Promise<void>;
  /** Writes what is known of campaigns; the rest of what was handed to them is in doubt. Answers the micros in doubt. */
  rebuild(campaigns: readonly KnownAmounts[]): Promise<number>;
  /** Writes which plays are counted. */
  rebuildBits(numbers: readonly CountedNumbers[]): Promise<void>;
  /** From here on the authority answers, under a new generation. */
  begin(beginning: Beginning): Promise<void>;
  /** The nodes of these epochs have added their kept batches again: as_of need not wait for them. */
  present(epochs: readonly number[]): Promise<void>;
};

const CLAIMED = 'authority:claimed';
const WAITING = 'authority:waiting';
export { CLAIMED };
/** What is deleted before a rebuild: `{c<handle>}:amounts` and its like, and everything of epochs. */
const FORGOTTEN = ['{c[0-9]*}:*', `${EPOCH_PREFIX}*`, 'epochs:*'];
const SCANNED_AT_ONCE = 5_000;
const CALLS_MAX = 500;
/** A play issued now under the last lease ends within this time after its slot; a node fills for 120 s at most. */
const DOUBT_MS = LAST_WINDOW_MS + 120_000;

/** The calls over one connection. */
export function createLife(redis: Redis): Life {
  return {
    async state() {
      const [isCurrent, generation, mark] = await callScript(redis, 'life-state', { keys: [], args: [] }) as [number, number, number];
      return { isCurrent: isCurrent === 1, generation, mark };
    },
    beat: async markInPostgres => await callScript(redis, 'life-beat', { keys: [], args: [exact(markInPostgres)] }) as number,
    isSynced: () => isSynced(redis),
    end: async () => void await redis.hdel('authority', 'life', 'generation'),
    resume: async () => void await callScript(redis, 'life-begin', { keys: [CLAIMED, WAITING, LAPSE_LINE], args: ['resume'] }),
    forget: () => forget(redis),
    async rebuild(campaigns) {
      let doubtMicros = 0;
      for (let at = 0; at < campaigns.length; at += CALLS_MAX) {
        const pipeline = redis.pipeline();
        for (const { campaign, handedMicros, returnedMicros, spentMicros, takeBackMicros } of campaigns.slice(at, at + CALLS_MAX)) {
          void callScript(pipeline, 'rebuild-campaign', {
            keys: [amountsKey(campaign), LAPSING],
            args: [campaign, exact(handedMicros), exact(returnedMicros), exact(spentMicros), exact(takeBackMicros), DOUBT_MS],
          });
        }
        for (const micros of await execAll(pipeline) as number[]) doubtMicros += micros;
      }
      return doubtMicros;
    },
    async rebuildBits(numbers) {
      const pipeline = redis.pipeline();
      for (const each of numbers) pipeline.set(bitsKey(each.campaign, each.epoch), bitmapOf(each), 'EX', KEPT_S);
      await execAll(pipeline);
    },
    async begin({ generation, firstEpoch, lapseLine, asOfMs, mayLive }) {
      await callScript(redis, 'life-begin', { keys: [CLAIMED, WAITING, LAPSE_LINE], args: [generation, firstEpoch, exact(lapseLine), exact(asOfMs), ...mayLive] });
    },
    async present(epochs) {
      if (epochs.length > 0) await redis.srem(WAITING, ...epochs);
    },
  };
}

async function isSynced(redis: Redis): Promise<boolean> {
  const info = await redis.info();
  const [, policy] = await redis.config('GET', 'appendfsync') as [string, string?];
  return /^aof_enabled:1\r?$/m.test(info) && /^role:master\r?$/m.test(info) && /^master_replid2:0+\r?$/m.test(info) && policy === 'always';
}

async function forget(redis: Redis): Promise<void> {
  await redis.unlink(LAPSING, 'hand:wanted');
  for (const match of FORGOTTEN) {
    for await (const keys of redis.scanStream({ match, count: SCANNED_AT_ONCE }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  }
}

/** Two bits per issue number, as BITFIELD's u2 #<number> and `count` have them: 1 counted, 3 late. */
function bitmapOf({ counted, late }: CountedNumbers): Buffer {
  const last = [...counted, ...late].reduce((most, number) => Math.max(most, number), 0);
  const bytes = Buffer.alloc(Math.floor(last / 4) + 1);
  const set = (number: number, bits: number): void => { bytes[Math.floor(number / 4)]! |= bits << (6 - 2 * (number % 4)); };
  for (const number of counted) set(number, 1);
  for (const number of late) set(number, 3);
  return bytes;
}
