/**
 * `admin verify` once an hour, with its result in the table `verifications`, which `measure-books` reads. One process
 * runs it at a time, and at most once an hour, for any number of processes and restarts.
 */
import { parseId } from '#domain/id.ts';
import { PLAY_QUEUE_NAME } from '#ingest/queue/play-queue.ts';
import { streamsOf } from '#ingest/queue/stream-keys.ts';
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import type { Redis } from '#sql/redis.ts';
import { findNewest, recordVerification } from '#audit/verifications.ts';
import { verify, type Verification } from '#audit/verify.ts';
import type { Job, JobContext } from '../schedule.ts';
import type { Milliseconds } from '#domain/unit.ts';

const EVERY_MS = 3_600_000;
/** How often the job checks whether the hour is over. */
const CHECK_MS = 60_000;
/** A recount of a hundred million rows takes tens of seconds. */
const QUERY_MS_MAX = 600_000;

export const VERIFY_INVARIANTS = { name: 'verify-invariants', everyMs: CHECK_MS, lock: 95 } as const;

/** One fault often breaks an invariant of every campaign: enough to see which, and the rest is in the report. */
const LOGGED_MAX = 20;

/** `everyMs` 0: now, regardless of the last one. */
type VerifyOptions = { redis: Redis; clickhouseUrl: string; cluster?: string | undefined; everyMs?: Milliseconds };

/** `stop` abandons the current check, so that a drain does not wait for it; the next process starts another. */
export function verifyJob(options: VerifyOptions): { job: Job; stop(): void } {
  const stop = new AbortController();
  const stopped = new Promise<undefined>(resolve => stop.signal.addEventListener('abort', () => resolve(undefined)));
  return {
    job: {
      ...VERIFY_INVARIANTS,
      run: async context => ((await isDue(context, options)) ? verifyOnce(context, options, stopped) : 0),
    },
    stop: () => stop.abort(),
  };
}

async function isDue({ sql, now }: JobContext, { everyMs = EVERY_MS }: VerifyOptions): Promise<boolean> {
  const last = await findNewest(sql);
  return last === undefined || last.began_at.getTime() <= now().getTime() - everyMs;
}

async function verifyOnce(
  context: JobContext,
  { redis, clickhouseUrl, cluster }: VerifyOptions,
  stopped: Promise<undefined>,
): Promise<number> {
  const { sql, playQueue, now } = context;
  const beganAt = now();
  // A separate connection, with a longer timeout than the jobs' connection.
  const clickhouse = openClickhouse(clickhouseUrl, {
    application: 'marquee-verify',
    connectionsMax: 1,
    requestTimeoutMs: QUERY_MS_MAX,
    cluster,
  });
  try {
    const found = await Promise.race([
      verify({
        sql,
        clickhouse,
        redis,
        streams: streamsOf(PLAY_QUEUE_NAME, redis),
        asOf: () => playQueue.asOf(),
        handleOf: id => parseId('campaign', id),
      }),
      stopped,
    ]);
    if (found === undefined) return 0;
    await record(context, { beganAt, found });
    return 1;
  } finally {
    await closeQuietly(clickhouse);
  }
}

async function record(
  { sql, log, now }: JobContext,
  { beganAt, found: { breaches, unchecked } }: { beganAt: Date; found: Verification },
): Promise<void> {
  for (const breach of breaches.slice(0, LOGGED_MAX)) log.error(breach, 'an invariant is broken');
  if (breaches.length > LOGGED_MAX)
    log.error({ breaches: breaches.length }, 'more invariants are broken; verifications has all of them');
  await recordVerification(sql, { beganAt, endedAt: now(), report: { breaches, unchecked } });
}

/** An abandoned check may still be querying; its results are ignored. */
async function closeQuietly(clickhouse: Clickhouse): Promise<void> {
  await clickhouse.close().catch(() => undefined);
}
