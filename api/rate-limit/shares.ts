import type { Share, ShareRequest, Take, Taken } from '#authority/limiter.ts';

/**
 * Calls that this process took of a key's windows and has not used yet. Every count in Redis waits for its disk, so a key
 * that calls often takes several calls at once: a quarter of what it called in its last second here, and never more than a
 * tenth of what it has left, so that another process is not refused what lies here unused. A key that calls now and then
 * takes one at a time. A share is good for its second; what is left of it is given back with the next one.
 *
 * Shares are counted in Redis when they are taken, so a key never gets more than its limit, over all processes.
 */
const CALLS_AT_ONCE_MAX = 64;
const PART_OF_SECOND = 4;
const PART_OF_REMAINING = 10;
/** Some 200 bytes each; beyond it shares are given up, which costs their keys what was left of them for this minute. */
const KEYS_MAX = 10_000;

type Held = {
  left: number;
  minute: number;
  goodUntil: number;
  minuteEndsAt: number;
  remaining: number;
  sharedRemaining: number;
  /** Calls of this second and of the last one that had any, as this process counts them. */
  second: number;
  calls: number;
  callsBefore: number;
  asking: Promise<Share> | undefined;
};

export type Shares = {
  take(call: Take): Promise<Taken>;
  /** A call of this key was counted in Redis by itself. */
  counted(key: number): void;
};

/**
 * @param ask counts in Redis
 * @param clock ms, monotonic
 */
export function createShares({
  ask,
  clock = () => performance.now(),
}: {
  ask: (call: Take, asked: ShareRequest) => Promise<Share>;
  clock?: () => number;
}): Shares {
  const known = new Map<number, Held>();
  const heldOf = (key: number): Held => {
    let held = known.get(key);
    if (held === undefined) {
      if (known.size >= KEYS_MAX) known.clear();
      held = {
        left: 0,
        minute: 0,
        goodUntil: 0,
        minuteEndsAt: 0,
        remaining: 0,
        sharedRemaining: 0,
        second: 0,
        calls: 0,
        callsBefore: 0,
        asking: undefined,
      };
      known.set(key, held);
    }
    return held;
  };
  const askMore = async (held: Held, call: Take): Promise<Share> => {
    const askedAt = clock(); // the second ends no later than so long after this, however long the answer takes
    const share = await ask(call, { wanted: sizeOf(held), unused: held.left, minute: held.minute });
    Object.assign(held, {
      left: share.calls,
      minute: share.minute,
      goodUntil: askedAt + share.secondMs,
      minuteEndsAt: askedAt + share.resetMs,
      remaining: share.remaining,
      sharedRemaining: share.sharedRemaining,
    });
    return share;
  };
  return {
    counted(key) {
      const held = known.get(key);
      if (held)
        Object.assign(held, {
          remaining: Math.max(0, held.remaining - 1),
          sharedRemaining: Math.max(0, held.sharedRemaining - 1),
        });
    },
    async take(call) {
      const held = heldOf(call.key);
      note(held, clock());
      for (;;) {
        const now = clock();
        if (held.left > 0 && now < held.goodUntil) {
          held.left -= 1;
          return {
            allowed: true,
            remaining: held.remaining + held.left,
            resetMs: Math.max(1, Math.ceil(held.minuteEndsAt - now)),
            waitMs: 0,
            sharedRemaining: held.sharedRemaining + held.left,
            isShared: false,
          };
        }
        held.asking ??= askMore(held, call).finally(() => {
          held.asking = undefined;
        });
        const { calls, secondMs: _secondMs, minute: _minute, ...share } = await held.asking;
        if (calls === 0) return { ...share, allowed: false };
      }
    },
  };
}

function note(held: Held, now: number): void {
  const second = Math.floor(now / 1_000);
  if (held.second !== second)
    Object.assign(held, { second, callsBefore: held.second === second - 1 ? held.calls : 0, calls: 0 });
  held.calls += 1;
}

function sizeOf({ calls, callsBefore, remaining, sharedRemaining }: Held): number {
  const often = Math.floor(Math.max(calls, callsBefore) / PART_OF_SECOND);
  return Math.max(
    1,
    Math.min(often, CALLS_AT_ONCE_MAX, Math.floor(Math.min(remaining, sharedRemaining) / PART_OF_REMAINING)),
  );
}
