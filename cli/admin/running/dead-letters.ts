/**
 * `admin dead-letters`: events that were acknowledged and could not be processed, each with its step and reason. A
 * retry gives the event to ingest again as a batch of its own, whose id is derived from the dead letter's, so that a
 * retry that is sent twice is one batch. A play counts once in however many batches it comes, so what was counted
 * meanwhile is not counted again. What fails again becomes a dead letter again.
 */
import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import { createHash } from 'node:crypto';
import { openRunningRedis } from '#authority/connection.ts';
import type { Postgres } from '#sql/postgres.ts';
import { redisReady, type Redis } from '#sql/redis.ts';
import { createPlayQueue, type PlayQueue } from '../../../ingest/queue/play-queue.ts';
import { streamOf } from '../../../ingest/queue/stream-keys.ts';
import type { Batch } from '../../../ingest/queue/batch.ts';
import { decodePayload } from '../../../ingest/steps/decode.ts';
import type { Payload, PlayReport, Release, ScanEvent } from '../../../ingest/queue/batch.ts';
import { UsageError } from '../../arguments.ts';
import type { Runner } from '../program.ts';

/** How many one command lists or retries; it is run again for the rest. */
const SHOWN_MAX = 1_000;

type LetterRow = {
  job_id: string;
  kind: 'batch' | 'play' | 'scan' | 'release';
  position: number;
  step: string;
  reason: string;
  payload: unknown;
  created_at: Date;
  retried_at: Date | null;
};
type LetterFilter = { batch?: string | undefined; step?: string | undefined; reason?: string | undefined };
type RetryOptions = { filter: LetterFilter; redisUrl: string; now: Date };
type LetterRetry = { letter: LetterRow; redis: Redis; playQueue: PlayQueue; now: Date };

export function declareDeadLetterCommands(program: CommandUnknownOpts, run: Runner): void {
  const deadLetters = program.command('dead-letters').description('events that could not be processed');
  withFilter(deadLetters.command('list'))
    .description('the oldest events that could not be processed, and how many there are')
    .action(run(({ sql }, filter) => listDeadLetters(sql, filter)));
  withFilter(deadLetters.command('retry'))
    .description('give dead letters to ingest again')
    .action(run(({ sql, redisUrl }, filter) => retryDeadLetters(sql, { filter, redisUrl, now: new Date() })));
}

function withFilter(command: Command) {
  return command
    .option('--batch <id>', 'only those of this batch')
    .option('--step <step>', 'only those that failed there: decode or verify')
    .option('--reason <code>', 'only those with this reason');
}

/** The oldest dead letters that wait for a retry, and how many there are. */
export async function listDeadLetters(sql: Postgres, filter: LetterFilter): Promise<Record<string, unknown>> {
  const rows = await waitingLetters(sql, filter);
  const [total] = await sql<
    { count: number }[]
  >`select count(*) as count from dead_letters where ${matching(sql, filter)}`;
  return {
    waiting: total!.count,
    dead_letters: rows.map(({ job_id: batch, kind, position, step, reason, created_at: at }) => ({
      batch,
      kind,
      position,
      step,
      reason,
      created_at: at.toISOString(),
    })),
  };
}

/** Gives the dead letters that wait to ingest again. @throws UsageError when none waits. */
export async function retryDeadLetters(
  sql: Postgres,
  { filter, redisUrl, now }: RetryOptions,
): Promise<Record<string, unknown>> {
  const letters = await waitingLetters(sql, filter);
  if (letters.length === 0) throw new UsageError('No dead letter waits.');
  const redis = await openRunningRedis(sql, redisUrl, { role: 'commands' });
  await redisReady(redis);
  const playQueue = createPlayQueue({ redis });
  try {
    let retried = 0;
    for (const letter of letters) retried += (await retryLetter(sql, { letter, redis, playQueue, now })) ? 1 : 0;
    return { retried, unreadable: letters.length - retried };
  } finally {
    await playQueue.close();
    redis.disconnect();
  }
}

async function retryLetter(sql: Postgres, { letter, redis, playQueue, now }: LetterRetry): Promise<boolean> {
  const batch = batchOf(letter, name => playQueue.batchId(name, streamOf(letter.job_id, redis)));
  if (!batch) return false;
  await playQueue.add(batch); // before it is marked: a crash in between repeats the same batch, which adds nothing
  await sql`update dead_letters set retried_at = ${now}, retried_as = ${batch.id} where job_id = ${letter.job_id} and kind = ${letter.kind} and position = ${letter.position}`;
  return true;
}

/**
 * The batch of one dead letter, or undefined when its payload can still not be read. It goes into the stream of its
 * first batch, where its plays may be counted.
 */
function batchOf({ job_id, kind, position, payload }: LetterRow, idOf: (name: string) => string): Batch | undefined {
  const id = idOf(`retry-${createHash('sha256').update(`${job_id} ${kind} ${position}`).digest('hex').slice(0, 40)}`);
  const empty: Payload = { plays: [], scans: [], releases: [] };
  if (kind === 'play') return { id, ...empty, plays: [payload as PlayReport] };
  if (kind === 'scan') return { id, ...empty, scans: [payload as ScanEvent] };
  if (kind === 'release') return { id, ...empty, releases: [payload as Release] };
  const decoded = decodePayload(payload as string);
  return typeof decoded === 'string' ? undefined : { id, ...decoded };
}

function waitingLetters(sql: Postgres, filter: LetterFilter): Promise<LetterRow[]> {
  return sql<
    LetterRow[]
  >`select * from dead_letters where ${matching(sql, filter)} order by created_at, job_id, kind, position limit ${SHOWN_MAX}`;
}

function matching(sql: Postgres, { batch, step, reason }: LetterFilter) {
  return sql`retried_at is null ${batch === undefined ? sql`` : sql`and job_id = ${batch}`} ${step === undefined ? sql`` : sql`and step = ${step}`} ${reason === undefined ? sql`` : sql`and reason = ${reason}`}`;
}
