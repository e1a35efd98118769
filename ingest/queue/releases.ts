/**
 * Returns to campaigns the reservations of plays that will never be reported. Releases wait until as_of has passed the
 * time at which their batch was added: by then every play that was acknowledged before it is counted, so no release
 * overtakes the report of the same play.
 */
import type { Handle } from '#domain/id.ts';
import type { Log } from '#runtime/log.ts';
import { createAuthority } from '#authority/authority.ts';
import type { Redis } from '#sql/redis.ts';
import { readAsOf } from './backlog.ts';
import type { IssuedPlay } from './batch.ts';
import type { StreamKeys } from './stream-keys.ts';

const ROUND_MS = 250;
const ROUND_RELEASES_MAX = 500;

/** A release as a member of the delayed set: its name is its content, so a repeat is the same member. */
export function releaseMember({ campaign, epoch, issueNumber, reservationMicros }: IssuedPlay): string {
  return `${campaign}:${epoch}:${issueNumber}:${reservationMicros}`;
}

/** Applies the due releases. Any number of processes may do so. Returns their number. */
export async function applyReleases(redis: Redis, keys: StreamKeys): Promise<number> {
  // Usually none waits, and as_of costs a script.
  if ((await redis.zrange(keys.releases, 0, 0)).length === 0) return 0;
  const authority = createAuthority(redis);
  const asOf = await readAsOf(redis, keys);
  const due = await redis.zrangebyscore(keys.releases, '-inf', `(${asOf}`, 'LIMIT', 0, ROUND_RELEASES_MAX);
  await Promise.all(
    due.map(async member => {
      const [campaign, epoch, issueNumber, reservationMicros] = member.split(':').map(Number) as [
        Handle<'campaign'>,
        number,
        number,
        number,
      ];
      await authority.release(campaign, epoch, issueNumber, reservationMicros);
    }),
  );
  if (due.length > 0) await redis.zrem(keys.releases, ...due);
  return due.length;
}

export type Releases = { stop(): Promise<void> };
type ReleaseOptions = { redis: Redis; keys: StreamKeys; log: Log };

/** Applies them regularly until `stop`. */
export function startReleases({ redis, keys, log }: ReleaseOptions): Releases {
  let stopped = false;
  let running = Promise.resolve();
  const round = (): void => {
    if (stopped) return;
    running = applyReleases(redis, keys)
      .then(
        () => undefined,
        error => {
          log.warn({ err: error }, 'releases wait for the next round');
        },
      )
      .finally(() => {
        setTimeout(round, ROUND_MS);
      });
  };
  round();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}
