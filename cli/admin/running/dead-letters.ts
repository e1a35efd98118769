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
  const deadLetters = program.command('dead-letters').description('events that ingest could not process');
  withFilter(deadLetters.command('list'))
    .description('list the oldest dead letters, and how many there are')
    .action(run(({ sql }, filter) => listDeadLetters(sql, filter)));
  withFilter(deadLetters.command('retry'))
    .description('send dead letters to ingest again')
    .action(
      run(async (installation, filter) =>
        retryDeadLetters(installation.sql, { filter, redisUrl: await installation.redisUrl(), now: new Date() }),
      ),
    );
}

function withFilter(command: Command) {
  return command
    .option('--batch <id>', 'only those of this batch')
    .option('--step <step>', 'only those that failed there: decode or verify')
    .option('--reason <code>', 'only those with this reason');
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
