/**
 * How often a key, or a person who is signed in, may call: windows of a clock minute and a clock second in Redis,
 * shared by all API processes. Every call counts in the bucket `requests`; a route with a narrower bucket counts in
 * that as well, and its answer shows that one. For a key that calls often, several calls are taken at once
 * (`shares.ts`). While Redis is down, or slower than a request can wait, this process counts alone
 * (`local-windows.ts`).
 */
import type { FastifyReply } from 'fastify';
import type { Handle } from '#domain/id.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import { counter, gauge } from '#runtime/metrics.ts';
import { takeCall, takeShare, type CallerName, type SpentWindow, type Take, type Taken } from './limiter.ts';
import type { Redis } from '#sql/redis.ts';
import { createLocalWindows } from './local-windows.ts';
import { createShares } from './shares.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** Calls per minute of the narrower buckets of an ordinary key; a test compares the documents. */
export const NARROW_MAX = { forecasts: 50, audit_exports: 50, invoice_proofs: 10, screen_commands: 30 } as const;
export type NarrowBucket = keyof typeof NARROW_MAX;
/** Calls per minute of an ordinary key. One that the operator gave more has as much more of the narrower buckets. */
const PER_MINUTE_ORDINARY = 600;

function narrowMax(bucket: NarrowBucket, perMinuteMax: number): number {
  return Math.floor(NARROW_MAX[bucket] * Math.max(1, perMinuteMax / PER_MINUTE_ORDINARY));
}

/**
 * All keys of a workspace with the same limit share this multiple of the limit of one: more keys are for more programs,
 * not for more calls. Keys whose limit the operator raised are counted together, apart from the others.
 */
const WORKSPACE_SHARE = 5;

const REDIS_MS_MAX = 250; // a healthy answer takes under 5 ms
const LOCAL_MS = 1_000; // after a failure Redis is skipped for this time, so that not every request waits for it

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The narrower bucket of the route; absent: only `requests`. */
    bucket?: NarrowBucket;
  }
}

/** A key, or a person who is signed in, with their limits. `home` is the workspace of the key. */
export type LimitedCaller = {
  caller: CallerName;
  home: Handle<'workspace'>;
  perMinuteMax: number;
  perSecondMax: number;
};
type LimitedCall = Taken & { limit: number; sharedLimit: number };
export type RateLimit = {
  /** Counts a call: at once if this process has reserved calls of the key in advance. */
  take(caller: LimitedCaller, bucket: NarrowBucket | undefined): LimitedCall | Promise<LimitedCall>;
};

const decisions = counter({
  name: 'api_rate_limit_decisions_total',
  help: 'Calls that were counted against a limit, by where they were counted and what came out',
  labels: ['counted', 'outcome'],
});
let localNow = false;
gauge({
  name: 'api_rate_limit_local',
  help: '1 while Redis is down and this process counts calls alone',
  read: () => (localNow ? 1 : 0),
});

type RateLimitOptions = {
  redis: Redis;
  /** Milliseconds since 1970, for the windows of this process alone. */
  now: () => Milliseconds;
  /** How long a call may wait for Redis. */
  redisMsMax?: Milliseconds;
};

/** The limiter of a process. */
export function createRateLimit({ redis, now, redisMsMax = REDIS_MS_MAX }: RateLimitOptions): RateLimit {
  const local = createLocalWindows();
  const shares = createShares({ takeShare: (call, request) => takeShare(redis, call, request) });
  let localUntil = -Infinity;
  const isAsked = () => redis.status === 'ready' && performance.now() >= localUntil;
  const takeShared = async (call: Take): Promise<Taken | undefined> => {
    if (!isAsked()) return undefined;
    try {
      if (call.buckets.length === 1) return await within(shares.take(call), redisMsMax);
      const taken = await within(takeCall(redis, call), redisMsMax);
      if (taken.allowed) shares.counted(call.key);
      return taken;
    } catch {
      // If Redis fails in any way, this process limits calls until Redis is tried again.
      localUntil = performance.now() + LOCAL_MS;
      return undefined;
    }
  };
  const count = (
    taken: Taken,
    { counted, limit, sharedLimit }: { counted: 'local' | 'shared'; limit: number; sharedLimit: number },
  ): LimitedCall => {
    localNow = counted === 'local';
    decisions.inc({ counted, outcome: taken.allowed ? 'allowed' : 'refused' });
    return { ...taken, limit, sharedLimit };
  };
  return {
    take({ caller, home, perMinuteMax, perSecondMax }, bucket) {
      const requests = { name: 'requests', max: perMinuteMax };
      const buckets =
        bucket === undefined ? [requests] : [requests, { name: bucket, max: narrowMax(bucket, perMinuteMax) }];
      const shared = {
        workspace: home,
        perMinuteMax: perMinuteMax * WORKSPACE_SHARE,
        perSecondMax: perSecondMax * WORKSPACE_SHARE,
      };
      const call = { key: caller, perSecondMax, buckets, shared };
      const limits = { limit: buckets.at(-1)!.max, sharedLimit: shared.perMinuteMax };
      const left = bucket === undefined && isAsked() ? shares.takeLeft(call) : undefined;
      if (left) return count(left, { counted: 'shared', ...limits });
      return takeShared(call).then(taken =>
        taken
          ? count(taken, { counted: 'shared', ...limits })
          : count(local.take(call, now()), { counted: 'local', ...limits }),
      );
    },
  };
}

/**
 * The value of the promise. Its later outcome is ignored.
 *
 * @throws when it takes longer than `ms`
 */
async function within<T>(promise: Promise<T>, ms: Milliseconds): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Counts a call, sets the headers of its bucket, and refuses it with `Retry-After` when a window is full. */
export function limitCall(
  rateLimit: RateLimit,
  reply: FastifyReply,
  { key, bucket }: { key: LimitedCaller; bucket: NarrowBucket | undefined },
): Refusal | undefined | Promise<Refusal | undefined> {
  const call = rateLimit.take(key, bucket);
  return call instanceof Promise ? call.then(counted => replyToLimit(reply, counted)) : replyToLimit(reply, call);
}

function replyToLimit(reply: FastifyReply, call: LimitedCall): Refusal | undefined {
  const { limit, remaining, resetMs, waitMs, sharedLimit, sharedRemaining, spent } = call;
  // A refused call shows the window of the key that refused it, which may be the second.
  const ofKey = spent?.of === 'key' ? spent : undefined;
  void reply.headers({
    'x-ratelimit-limit': ofKey?.max ?? limit,
    'x-ratelimit-remaining': ofKey ? 0 : remaining,
    'x-ratelimit-reset': Math.ceil((ofKey ? waitMs : resetMs) / 1_000),
    'x-ratelimit-workspace-limit': sharedLimit,
    'x-ratelimit-workspace-remaining': sharedRemaining,
  });
  if (!spent) return undefined;
  const seconds = Math.ceil(waitMs / 1_000);
  void reply.headers({ 'retry-after': seconds, 'x-ratelimit-bucket': bucketName(spent) });
  return refuse('rate_limited', `${spentText(spent)} Wait ${seconds} s.`);
}

function bucketName({ of, window, name }: SpentWindow): string {
  return `${of === 'workspace' ? 'workspace_' : ''}${name}/${window}`;
}

function spentText({ of, window, name, max }: SpentWindow): string {
  const who = of === 'key' ? 'This key has used up its' : 'The keys of this workspace together have used up their';
  return `${who} ${max} ${name === 'requests' ? 'calls' : name.replace('_', ' ')} of this ${window}.`;
}
