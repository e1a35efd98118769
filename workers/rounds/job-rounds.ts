/**
 * Status of the workers' jobs, and jobs requested by an operator, through Redis. Nothing depends on it: jobs run
 * without it, and after a loss of Redis it is restored within seconds.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { Redis } from '#sql/redis.ts';

/** A job of the workers. `canRun`: also on request. */
export type KnownJob = { name: string; everyMs: Milliseconds; canRun: boolean };
export type Round = {
  name: string;
  endedAtMs: Milliseconds;
  tookMs: Milliseconds;
  /** The number of processed items. */
  did: number;
  /** Its error; null: it succeeded. */
  fault: string | null;
  /** Absent for a requested round, which does not change the next one. */
  nextAtMs?: Milliseconds;
};
/** A job as reported by the workers, with its last round. */
export type ToldJob = KnownJob & {
  round: Round | undefined;
  nextAtMs: Milliseconds | undefined;
  askedAtMs: Milliseconds | undefined;
};
export type JobRounds = {
  tell(known: readonly KnownJob[], rounds: readonly Round[]): Promise<void>;
  read(): Promise<ToldJob[]>;
  /** Returns the time of the request: now, or earlier if it has not run since. */
  ask(name: string, nowMs: Milliseconds): Promise<Milliseconds>;
  /** Requested jobs that no other process is running. */
  claim(nowMs: Milliseconds): Promise<string[]>;
  /** It has run: the request is done. */
  done(name: string): Promise<void>;
  /** It has not run: it may be retried. */
  release(name: string): Promise<void>;
};

const KNOWN_KEY = 'jobs:known';
const ROUNDS_KEY = 'jobs:rounds';
const NEXT_KEY = 'jobs:next';
const ASKED_KEY = 'jobs:asked';
const CLAIM_KEY = 'jobs:claim:';
/** Job status expires two days after the last worker. */
const TOLD_KEPT_S = 2 * 86_400;
/** Longer than any job runs: after this time others take over from a process that died. */
const CLAIM_KEPT_S = 900;
const FAULT_LENGTH_MAX = 300;
/** The operator no longer waits by then. */
const ASKED_KEPT_MS = 3_600_000;

/** The error of a job, shortened for a table. */
export function faultText(error: unknown): string {
  return String(error).slice(0, FAULT_LENGTH_MAX);
}

export function createJobRounds(redis: Redis): JobRounds {
  const readMoments = async (key: string): Promise<Map<string, Milliseconds>> => {
    const moments = Object.entries(await redis.hgetall(key));
    return new Map(moments.map(([name, at]) => [name, Number(at)]));
  };
  const done = async (name: string): Promise<void> => {
    await redis.hdel(ASKED_KEY, name);
    await redis.del(CLAIM_KEY + name);
  };
  return {
    async tell(known, rounds) {
      await redis.set(KNOWN_KEY, JSON.stringify(known), 'EX', TOLD_KEPT_S);
      if (rounds.length === 0) return;
      const next = rounds.flatMap(({ name, nextAtMs }) => (nextAtMs === undefined ? [] : [[name, nextAtMs] as const]));
      await redis.hset(ROUNDS_KEY, Object.fromEntries(rounds.map(round => [round.name, JSON.stringify(round)])));
      if (next.length > 0) await redis.hset(NEXT_KEY, Object.fromEntries(next));
      for (const key of [ROUNDS_KEY, NEXT_KEY]) await redis.expire(key, TOLD_KEPT_S);
    },
    async read() {
      const [known, rounds, next, asked] = await Promise.all([
        redis.get(KNOWN_KEY),
        redis.hgetall(ROUNDS_KEY),
        readMoments(NEXT_KEY),
        readMoments(ASKED_KEY),
      ]);
      return (JSON.parse(known ?? '[]') as KnownJob[]).map(job => {
        const told = rounds[job.name];
        const round = told === undefined ? undefined : (JSON.parse(told) as Round);
        return { ...job, round, nextAtMs: next.get(job.name), askedAtMs: asked.get(job.name) };
      });
    },
    async ask(name, nowMs) {
      await redis.hsetnx(ASKED_KEY, name, nowMs);
      return Number((await redis.hget(ASKED_KEY, name)) ?? nowMs);
    },
    async claim(nowMs) {
      const claimed: string[] = [];
      for (const [name, atMs] of await readMoments(ASKED_KEY)) {
        if (nowMs - atMs > ASKED_KEPT_MS) await done(name);
        else if ((await redis.set(CLAIM_KEY + name, '1', 'EX', CLAIM_KEPT_S, 'NX')) === 'OK') claimed.push(name);
      }
      return claimed;
    },
    done,
    async release(name) {
      await redis.del(CLAIM_KEY + name);
    },
  };
}
