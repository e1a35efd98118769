import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { refuse } from '#domain/refusal.ts';
import type { Redis } from '#sql/redis.ts';
import { sendRefusal } from '../http/reply.ts';

/**
 * Counts guesses per address in windows of a minute or an hour, for all API processes together; while Redis is away, for this process
 * alone. A guess is counted before it is looked at and taken back when it was right, so that many at the same moment are
 * no way round the limit. Only the guesser is slowed: a code and its owner never are, nor is a good key. An address that has
 * none left is remembered until its window ends, so that it costs no call of Redis.
 */
const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 10_000; // bound of what is kept here; beyond it the counts start again
/** Guesses per window, and the first part of their keys in Redis. */
export const GUESSES = {
  /** Of a million codes: a guesser would need a month of minutes for one of a thousand valid ones. */
  codes: { name: 'guess', wrongMax: 20 },
  /** No key is ever guessed; a program with a wrong one that tries again each second stays below, and one that searches does not. */
  keys: { name: 'guess:key', wrongMax: 100 },
  /** No token is ever guessed; people who paste one that was cut stay below. */
  invitations: { name: 'guess:invitation', wrongMax: 20 },
  /** No signature is ever guessed; a provider whose secret was set wrong tries each event again for days and stays below. */
  signatures: { name: 'guess:signature', wrongMax: 100 },
  /** Sign-ups, each of which costs the operator a look; an office that has more asks for workspaces. */
  signUps: { name: 'sign-up', wrongMax: 5, windowMs: 3_600_000 },
} as const;

export type GuessLimit = {
  /** Counts a guess of the address. Milliseconds to wait when it has none left; else 0, and it may be looked at. */
  take(address: string): Promise<number>;
  /** The guess was right. */
  giveBack(address: string): Promise<void>;
};

type Window = { guesses: number; endsAt: number };

export function createGuessLimit(
  { redis, now }: { redis: Redis; now: () => number },
  { name, wrongMax, windowMs = WINDOW_MS }: { name: string; wrongMax: number; windowMs?: number },
): GuessLimit {
  const local = new Map<string, Window>();
  const spentUntil = new Map<string, number>();
  const add = async (network: string, count: 1 | -1): Promise<Window> => {
    try {
      return await addInRedis(redis, `${name}:${network}`, { count, windowMs, now: now() });
    } catch {
      // Redis is away: counting here keeps the limit, per process.
      const known = local.get(network);
      const window = known && known.endsAt > now() ? known : { guesses: 0, endsAt: now() + windowMs };
      window.guesses += count;
      keep(local, network, window);
      return window;
    }
  };
  return {
    async take(address) {
      const network = networkOf(address);
      const spentMs = (spentUntil.get(network) ?? 0) - now();
      if (spentMs > 0) return Math.min(spentMs, windowMs); // also where the clock was set back
      const { guesses, endsAt } = await add(network, 1);
      if (guesses <= wrongMax) return 0;
      keep(spentUntil, network, endsAt);
      return Math.max(1, endsAt - now());
    },
    async giveBack(address) {
      const network = networkOf(address);
      spentUntil.delete(network);
      await add(network, -1);
    },
  };
}

function keep<T>(map: Map<string, T>, network: string, value: T): void {
  if (map.size >= ADDRESSES_MAX) map.clear();
  map.set(network, value);
}

async function addInRedis(
  redis: Redis,
  key: string,
  { count, windowMs, now }: { count: 1 | -1; windowMs: number; now: number },
): Promise<Window> {
  const answers = await redis.multi().incrby(key, count).pexpire(key, windowMs, 'NX').pttl(key).exec();
  return { guesses: Number(answers?.[0]?.[1] ?? 0), endsAt: now + Math.max(0, Number(answers?.[2]?.[1] ?? 0)) };
}

/** A whole network of IPv6 (the first 64 bits) is one guesser: whoever has one address of it has them all. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : parsed.parts
        .slice(0, 4)
        .map(part => part.toString(16))
        .join(':');
}

/** A body that was none, or a door that is closed to everybody: nothing was looked at. */
const NO_GUESS: ReadonlySet<number> = new Set([400, 403, 408, 413, 415, 422]);

/** The hooks of a route without a key. A guess is counted before its body is read: one that is one too many costs no parser. */
export function guardGuesses(guesses: GuessLimit) {
  return {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const waitMs = await guesses.take(request.ip);
      if (waitMs > 0) return sendTooMany(reply, waitMs);
    },
    onResponse: async (request: FastifyRequest, reply: FastifyReply) => {
      if (NO_GUESS.has(reply.statusCode)) await guesses.giveBack(request.ip);
    },
  };
}

function sendTooMany(reply: FastifyReply, waitMs: number): FastifyReply {
  void reply.header('retry-after', String(Math.ceil(waitMs / 1_000)));
  return sendRefusal(reply, refuse('rate_limited', 'Too many tries came from this address. Wait before the next one.'));
}
