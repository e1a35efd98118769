/**
 * Retries of acknowledged events that could not be processed. A retry sends the event to ingest as a separate batch,
 * whose id is derived from the dead letter's, so that a repeated retry is one batch. A play counts
 * once in any number of batches, so a play counted meanwhile is not counted again. An event that fails again becomes a
 * dead letter again.
 */
import { createHash } from 'node:crypto';
import { markRetried, waitingLetters, type LetterFilter, type WaitingLetter } from '#sql/dead-letters/letters.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import { decodePayload, type Batch, type Payload, type PlayReport, type Release, type ScanEvent } from './batch.ts';
import type { PlayQueue } from './play-queue.ts';
import { streamOf } from './stream-keys.ts';

type RetryOptions = { filter: LetterFilter; redis: Redis; playQueue: PlayQueue; now: Date };

/**
 * Sends the waiting ones to ingest again, the oldest first. `unreadable`: their content is not a batch, so they stay.
 */
export async function retryLetters(
  sql: Postgres,
  { filter, redis, playQueue, now }: RetryOptions,
): Promise<{ retried: number; unreadable: number }> {
  const letters = await waitingLetters(sql, filter);
  let retried = 0;
  for (const letter of letters) {
    const batch = batchOf(letter, name => playQueue.batchId(name, streamOf(letter.job_id, redis)));
    if (!batch) continue;
    await playQueue.add(batch); // before it is marked: a crash in between repeats the same batch, which adds nothing
    await markRetried(sql, letter, { batch: batch.id, now });
    retried += 1;
  }
  return { retried, unreadable: letters.length - retried };
}

/**
 * The batch of one dead letter, or undefined if its payload still cannot be read. It goes into the stream of its first
 * batch, because its plays may be counted there.
 */
function batchOf(
  { job_id, kind, position, payload }: WaitingLetter,
  idOf: (name: string) => string,
): Batch | undefined {
  const id = idOf(`retry-${createHash('sha256').update(`${job_id} ${kind} ${position}`).digest('hex').slice(0, 40)}`);
  const empty: Payload = { plays: [], scans: [], releases: [] };
  if (kind === 'play') return { id, ...empty, plays: [payload as PlayReport] };
  if (kind === 'scan') return { id, ...empty, scans: [payload as ScanEvent] };
  if (kind === 'release') return { id, ...empty, releases: [payload as Release] };
  const decoded = decodePayload(payload as string);
  return typeof decoded === 'string' ? undefined : { id, ...decoded };
}
