import type { FastifyReply } from 'fastify';
import type { Redis } from 'ioredis';
import { refuse } from '#domain/refusal.ts';
import { sendRefusal } from './error-reply.ts';

/**
 * Counts wrong guesses per address in windows of a minute, for all API processes together; while Redis is away, for this
 * process alone. Only the guesser is slowed: a code and its owner never are.
 */
const WINDOW_MS = 60_000;
const WRONG_GUESSES_MAX = 20; // of a million codes: a guesser would need a month of minutes for one of a thousand valid ones
const ADDRESSES_MAX = 10_000; // bound of the local counts; beyond it they start again

export type GuessLimit = {
  /** Milliseconds that the address has to wait, or 0. */
  waitMs(address: string): Promise<number>;
  countWrong(address: string): Promise<void>;
};

type Window = { wrong: number; endsAt: number };

export function createGuessLimit({ redis, now }: { redis: Redis; now: () => number }): GuessLimit {
  const local = new Map<string, Window>();
  const keyOf = (address: string) => `guess:${address}`;
  return {
    async waitMs(address) {
      const window = await readWindow(redis, keyOf(address), now()).catch(() => local.get(address)); // Redis away: this process's own count
      if (!window || window.wrong < WRONG_GUESSES_MAX) return 0;
      return Math.max(0, window.endsAt - now());
    },
    async countWrong(address) {
      try {
        await redis.multi().incr(keyOf(address)).pexpire(keyOf(address), WINDOW_MS, 'NX').exec();
      } catch {
        // Redis is away: counting here keeps the limit, per process.
        const window = local.get(address);
        if (local.size >= ADDRESSES_MAX) local.clear();
        if (window && window.endsAt > now()) window.wrong += 1;
        else local.set(address, { wrong: 1, endsAt: now() + WINDOW_MS });
      }
    },
  };
}

async function readWindow(redis: Redis, key: string, now: number): Promise<Window | undefined> {
  const answers = await redis.multi().get(key).pttl(key).exec();
  const wrong = Number(answers?.[0]?.[1] ?? 0);
  const ttlMs = Number(answers?.[1]?.[1] ?? 0);
  return wrong === 0 ? undefined : { wrong, endsAt: now + Math.max(0, ttlMs) };
}

/** 429 with the seconds to wait. */
export function sendTooManyGuesses(reply: unknown, waitMs: number): FastifyReply {
  const untyped = reply as FastifyReply;
  untyped.header('retry-after', String(Math.ceil(waitMs / 1_000)));
  return sendRefusal(untyped, refuse('rate_limited', 'Too many wrong codes came from this address. Wait before the next one.'));
}
