/**
 * Limits guesses of secrets by address: of pairing codes, keys, invitations, signatures and passwords. Guesses are
 * counted in windows of a minute or an hour in Redis, for all API processes together, or by this process alone while
 * Redis is down. A guess is counted before it is checked and given back if it was right, so that many at the same
 * moment do not get past the limit. Only the guesser is slowed down: valid codes and keys always pass. An address that
 * has no guesses left is remembered until its window ends, so that it costs no further call to Redis.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Redis } from '#sql/redis.ts';
import { sendRefusal } from '../wire/reply.ts';
import type { Milliseconds } from '#domain/unit.ts';

const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 10_000; // addresses in memory; beyond it the counts start again
/** Guesses per window, and the prefix of their keys in Redis. */
export const GUESSES = {
  /** Pairing codes, of which there are a million: a guesser needs weeks to find one of a thousand valid ones. */
  codes: { name: 'guess', wrongMax: 20 },
  /**
   * API keys are too long to guess. A program that retries a wrong key every second stays below the limit; one that
   * searches does not.
   */
  keys: { name: 'guess:key', wrongMax: 100 },
  /** Invitation tokens are too long to guess. People who paste a truncated one stay below the limit. */
  invitations: { name: 'guess:invitation', wrongMax: 20 },
  /**
   * Signatures cannot be guessed. A payment provider with a wrong secret retries each event for days and stays below
   * the limit.
   */
  signatures: { name: 'guess:signature', wrongMax: 100 },
  /** Sign-ins from one address: an office of people who mistype theirs stays below the limit. */
  signIns: { name: 'sign-in', wrongMax: 50, windowMs: 900_000 },
  /**
   * Passwords of one person, from any address: a thousand a day, which is unlikely to hit one of 15 characters. An
   * attacker can lock a person out while they continue; open sessions stay open.
   */
  people: { name: 'sign-in:person', wrongMax: 10, windowMs: 900_000 },
  /** Returns of browsers from the OpenID provider: each state is valid once, while it is stored. */
  oidcReturns: { name: 'oidc:return', wrongMax: 1, windowMs: 600_000 },
  /**
   * Tokens of shared reports, and reads of them, each of which costs queries: an office that follows one stays below.
   */
  sharedReports: { name: 'shared-report', wrongMax: 120 },
  /** Invitations by mail of one workspace: as many as a company of some size sends on its first day. */
  mailsOfWorkspace: { name: 'mail:workspace', wrongMax: 50, windowMs: 3_600_000 },
  /** Invitations by mail to one address, from any workspace, so that nobody is flooded in the operator's name. */
  mailsToAddress: { name: 'mail:address', wrongMax: 5, windowMs: 3_600_000 },
  /** Links to a new password that are mailed to one address, so that nobody's mailbox is flooded. */
  resetMails: { name: 'mail:reset', wrongMax: 3, windowMs: 3_600_000 },
  /** Ranges of street tiles, some hundred of which a person sees in a minute: an office that looks at maps. */
  mapTiles: { name: 'map-tiles', wrongMax: 6_000 },
  /** Sign-ups, each of which the operator has to review. An office that needs more asks the operator. */
  signUps: { name: 'sign-up', wrongMax: 5, windowMs: 3_600_000 },
} as const;

export type GuessLimit = {
  /** Counts a guess by the address. Returns 0 when it may be checked, else the milliseconds to wait. */
  take(address: string): Promise<number>;
  /** Restores the guess of a right attempt. */
  giveBack(address: string): Promise<void>;
};

type Window = { guesses: number; endsAt: Milliseconds };

export function createGuessLimit(
  { redis, now }: { redis: Redis; now: () => Milliseconds },
  { name, wrongMax, windowMs = WINDOW_MS }: { name: string; wrongMax: number; windowMs?: Milliseconds },
): GuessLimit {
  const local = new Map<string, Window>();
  const spentUntil = new Map<string, number>();
  const add = async (network: string, count: 1 | -1): Promise<Window> => {
    try {
      return await addInRedis(redis, `${name}:${network}`, { count, windowMs, now: now() });
    } catch {
      // Redis is down: counting here keeps the limit, per process.
      const known = local.get(network);
      const window = known && known.endsAt > now() ? known : { guesses: 0, endsAt: now() + windowMs };
      window.guesses += count;
      remember(local, network, window);
      return window;
    }
  };
  return {
    async take(address) {
      const network = networkOf(address);
      const spentMs = (spentUntil.get(network) ?? 0) - now();
      if (spentMs > 0) return Math.min(spentMs, windowMs); // even if the clock was set back
      const { guesses, endsAt } = await add(network, 1);
      if (guesses <= wrongMax) return 0;
      remember(spentUntil, network, endsAt);
      return Math.max(1, endsAt - now());
    },
    async giveBack(address) {
      const network = networkOf(address);
      spentUntil.delete(network);
      await add(network, -1);
    },
  };
}

function remember<T>(map: Map<string, T>, network: string, value: T): void {
  if (map.size >= ADDRESSES_MAX) map.clear();
  map.set(network, value);
}

async function addInRedis(
  redis: Redis,
  key: string,
  { count, windowMs, now }: { count: 1 | -1; windowMs: Milliseconds; now: Milliseconds },
): Promise<Window> {
  const answers = await redis.multi().incrby(key, count).pexpire(key, windowMs, 'NX').pttl(key).exec();
  return { guesses: Number(answers?.[0]?.[1] ?? 0), endsAt: now + Math.max(0, Number(answers?.[2]?.[1] ?? 0)) };
}

/**
 * The network of an address. All of an IPv6 network (its first 64 bits) counts as one guesser, because one customer has
 * all of its addresses.
 */
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

type GuessRefusal = { tooMany: string; setHeaders: (headers: { 'retry-after': number }) => void };

/** Counts a guess. Refuses it with `Retry-After` if none are left; `tooMany` is the sentence of the refusal. */
export async function refuseGuess(
  guesses: GuessLimit,
  guesser: string,
  { tooMany, setHeaders }: GuessRefusal,
): Promise<Refusal | undefined> {
  const waitMs = await guesses.take(guesser);
  if (waitMs === 0) return undefined;
  const seconds = Math.ceil(waitMs / 1_000);
  setHeaders({ 'retry-after': seconds });
  return refuse('rate_limited', `${tooMany} Wait ${seconds} s.`);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Restores the guess of this call; null once done, or if the route counts none. */
    returnGuess: (() => Promise<void>) | null;
  }
}

/** Restores the guess of a call once: nothing in it was wrong. */
export async function giveBackGuess(request: FastifyRequest): Promise<void> {
  const giveBack = request.returnGuess;
  request.returnGuess = null;
  await giveBack?.();
}

/** Statuses of calls that were refused before any secret was checked: they are no guesses. */
const NO_GUESS: ReadonlySet<number> = new Set([400, 403, 408, 413, 415, 422, 429]);

/**
 * The hooks of a route without a key. A guess is counted before the body is read, so that a refused one costs no
 * parsing.
 */
export function guardGuesses(guesses: GuessLimit) {
  return {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const refusal = await refuseGuess(guesses, request.ip, {
        tooMany: 'Too many tries came from this address.',
        setHeaders: headers => void reply.headers(headers),
      });
      if (refusal) return sendRefusal(reply, refusal);
      request.returnGuess = () => guesses.giveBack(request.ip);
    },
    onResponse: async (request: FastifyRequest, reply: FastifyReply) => {
      if (NO_GUESS.has(reply.statusCode)) await giveBackGuess(request);
    },
  };
}
