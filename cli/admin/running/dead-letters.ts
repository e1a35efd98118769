/**
 * `admin dead-letters`: lists and retries acknowledged events that could not be processed
 * (`ingest/queue/dead-letters.ts`).
 */
import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import { openRunningRedis } from '#authority/connection.ts';
import type { Postgres } from '#sql/postgres.ts';
import { redisReady } from '#sql/redis.ts';
import { countLetters, waitingLetters, type LetterFilter } from '#sql/dead-letters/letters.ts';
import { retryLetters } from '../../../ingest/queue/dead-letters.ts';
import { createPlayQueue } from '../../../ingest/queue/play-queue.ts';
import { UsageError } from '../../arguments.ts';
import type { Result, Runner } from '../program.ts';

type RetryOptions = { filter: LetterFilter; redisUrl: string; now: Date };

export function declareDeadLetterCommands(program: CommandUnknownOpts, run: Runner): void {
  const deadLetters = program.command('dead-letters').description('failed events of ingest');
  withFilter(deadLetters.command('list'))
    .description('count failed events and list the oldest')
    .action(run(({ sql }, filter) => listDeadLetters(sql, filter)));
  withFilter(deadLetters.command('retry'))
    .description('retry failed events')
    .action(
      run(async (installation, filter) =>
        retryDeadLetters(installation.sql, { filter, redisUrl: await installation.redisUrl(), now: new Date() }),
      ),
    );
}

function withFilter(command: Command) {
  return command
    .option('--batch <id>', 'filter by batch')
    .option('--step <step>', 'filter by failed step: decode or verify')
    .option('--reason <code>', 'filter by reason');
}

/** The oldest dead letters that wait for a retry, and how many there are. */
export async function listDeadLetters(sql: Postgres, filter: LetterFilter): Promise<Result> {
  const rows = await waitingLetters(sql, filter);
  return {
    waiting: await countLetters(sql, filter),
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
export async function retryDeadLetters(sql: Postgres, { filter, redisUrl, now }: RetryOptions): Promise<Result> {
  if ((await countLetters(sql, filter)) === 0) throw new UsageError('No dead letter waits.');
  const redis = await openRunningRedis(sql, redisUrl, { role: 'commands' });
  await redisReady(redis);
  const playQueue = createPlayQueue({ redis });
  try {
    return await retryLetters(sql, { filter, redis, playQueue, now });
  } finally {
    await playQueue.close();
    redis.disconnect();
  }
}
