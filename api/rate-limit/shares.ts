/**
 * Calls that this process has taken from a key's windows in advance. Every count in Redis waits for its disk, so for a
 * key that calls often several calls are taken at once: a quarter of the calls of its last second in this process, and
 * at most a tenth of what the key has left, so that other processes are not refused calls that are unused here. A key
 * that calls rarely takes one at a time. A share is valid for its second; what is left of it is returned with the next
 * one.
 *
 * Shares are counted in Redis when they are taken, so a key never gets more than its limit over all processes.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { CallerName, Share, ShareRequest, Take, Taken } from './limiter.ts';

const CALLS_AT_ONCE_MAX = 64;
const PART_OF_SECOND = 4;
const PART_OF_REMAINING = 10;
/** Some 200 bytes each; beyond it all shares are dropped, and their keys lose those calls for this minute. */
const KEYS_MAX = 10_000;

type KeyShare = {
  left: number;
  minute: number;
  goodUntil: number;
  minuteEndsAt: Milliseconds;
  remaining: number;
  sharedRemaining: number;
  /** Calls in this second and in the second before it, counted by this process. */
  second: number;
  calls: number;
  callsBefore: number;
  pending: Promise<Share> | undefined;
};

export type Shares = {
  /** Counts a call against the rest of the key's share; undefined without counting if none is left. */
  takeLeft(call: Take): Taken | undefined;
  take(call: Take): Promise<Taken>;
  /** A call of this key was counted in Redis outside of its share. */
  counted(key: CallerName): void;
};

export type SharesOptions = {
  /** Takes calls in Redis. */
  takeShare: (call: Take, request: ShareRequest) => Promise<Share>;
  /** Milliseconds on a monotonic clock. */
  clock?: () => Milliseconds;
};

/** The shares of all keys in this process. */
export function createShares({ takeShare, clock = () => performance.now() }: SharesOptions): Shares {
  const known = new Map<CallerName, KeyShare>();
  const shareOf = (key: CallerName): KeyShare => {
    let share = known.get(key);
    if (share === undefined) {
      if (known.size >= KEYS_MAX) known.clear();
      share = emptyShare();
      known.set(key, share);
    }
    return share;
  };
  const takeMore = async (share: KeyShare, call: Take): Promise<Share> => {
    // Before the call, so that the share does not outlive its second however long the answer takes.
    const startedAt = clock();
    const taken = await takeShare(call, { wanted: sizeOf(share), unused: share.left, minute: share.minute });
    Object.assign(share, {
      left: taken.calls,
      minute: taken.minute,
      goodUntil: startedAt + taken.secondMs,
      minuteEndsAt: startedAt + taken.resetMs,
      remaining: taken.remaining,
      sharedRemaining: taken.sharedRemaining,
    });
    return taken;
  };
  const spend = (share: KeyShare, now: Milliseconds): Taken | undefined => {
    if (share.left === 0 || now >= share.goodUntil) return undefined;
    share.left -= 1;
    return {
      allowed: true,
      remaining: share.remaining + share.left,
      resetMs: Math.max(1, Math.ceil(share.minuteEndsAt - now)),
      waitMs: 0,
      sharedRemaining: share.sharedRemaining + share.left,
      spent: undefined,
    };
  };
  return {
    takeLeft(call) {
      const share = known.get(call.key);
      const now = clock();
      const taken = share && spend(share, now);
      if (taken) countCall(share, now);
      return taken;
    },
    counted(key) {
      const share = known.get(key);
      if (share)
        Object.assign(share, {
          remaining: Math.max(0, share.remaining - 1),
          sharedRemaining: Math.max(0, share.sharedRemaining - 1),
        });
    },
    async take(call) {
      const share = shareOf(call.key);
      countCall(share, clock());
      for (;;) {
        const taken = spend(share, clock());
        if (taken) return taken;
        share.pending ??= takeMore(share, call).finally(() => {
          share.pending = undefined;
        });
        const { calls, secondMs: _secondMs, minute: _minute, ...answer } = await share.pending;
        if (calls === 0) return { ...answer, allowed: false };
      }
    },
  };
}

function emptyShare(): KeyShare {
  return {
    left: 0,
    minute: 0,
    goodUntil: 0,
    minuteEndsAt: 0,
    remaining: 0,
    sharedRemaining: 0,
    second: 0,
    calls: 0,
    callsBefore: 0,
    pending: undefined,
  };
}

/** Counts a call in the statistics that decide the size of the next share. */
function countCall(share: KeyShare, now: Milliseconds): void {
  const second = Math.floor(now / 1_000);
  if (share.second !== second)
    Object.assign(share, { second, callsBefore: share.second === second - 1 ? share.calls : 0, calls: 0 });
  share.calls += 1;
}

/** How many calls to take at once. */
function sizeOf({ calls, callsBefore, remaining, sharedRemaining }: KeyShare): number {
  const often = Math.floor(Math.max(calls, callsBefore) / PART_OF_SECOND);
  return Math.max(
    1,
    Math.min(often, CALLS_AT_ONCE_MAX, Math.floor(Math.min(remaining, sharedRemaining) / PART_OF_REMAINING)),
  );
}
