/**
 * `admin node list`, `admin node gone` and `admin node shed`: the delivery processes that may still be alive. After a
 * loss of Redis, as_of waits for each of them, because it may hold copies of what was lost. A process records its own
 * end, or the next process on its data folder records it. When the folder was lost with its machine, only a person can
 * know, and records it here.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createAuthority } from '#authority/authority.ts';
import { openRunningRedis } from '#authority/connection.ts';
import { redisNow } from '#authority/redis-clock.ts';
import type { Postgres } from '#sql/postgres.ts';
import { redisReady, type Redis } from '#sql/redis.ts';
import { askToShed, SHARE_MAX } from '../../../delivery/screens/shedding.ts';
import { UsageError } from '../../arguments.ts';
import { positive, share } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';
import { endEpochsOf, epochsOf, listOpenEpochs } from '#authority/life-row.ts';

/** A process that was heard of within this time counts as alive. The same time as the authority's fence. */
const SILENT_MS = 120_000;
/** 7,500 screens take a little more than a minute. */
const SHED_PER_SECOND = 100;

export function declareNodeCommands(program: CommandUnknownOpts, run: Runner): void {
  const node = program.command('node').description('delivery processes');
  node
    .command('list')
    .description('list the delivery processes, except ended ones')
    .action(run(async installation => listNodes(installation.sql, await installation.redisUrl())));
  node
    .command('gone')
    .description('mark a node as permanently gone')
    .argument('<name>', 'name in node list')
    .action(run(async (installation, name) => giveUpNode(installation.sql, await installation.redisUrl(), name)));
  node
    .command('shed')
    .description('move a share of the screens of a delivery process to the others')
    .argument('<name>', 'name in node list')
    .requiredOption('--share <part>', `share of the screens, at most ${SHARE_MAX}`, share)
    .option('--per-second <number>', 'screens moved a second', positive, SHED_PER_SECOND)
    .action(
      run(async (installation, name, { share: part, perSecond }) =>
        shedNode(installation.sql, await installation.redisUrl(), { node: name, share: part, perSecond }),
      ),
    );
}

/**
 * Every epoch that has not ended: its process, how long ago that was heard of (null: not since Redis started), and
 * whether as_of waits for it.
 */
export async function listNodes(sql: Postgres, redisUrl: string): Promise<Result> {
  return withRedis(sql, redisUrl, async redis => {
    const { epochs, life } = createAuthority(redis);
    const rows = await listOpenEpochs(sql);
    const [renewals, waiting, nowMs] = await Promise.all([epochs.renewals(), life.waiting(), redisNow(redis)]);
    const silentOf = (epoch: number): number | null =>
      renewals.has(epoch) ? Math.round((nowMs - renewals.get(epoch)!) / 1_000) : null;
    return {
      nodes: rows.map(({ node, epoch, started_at }) => ({
        node,
        epoch,
        started_at: started_at.toISOString(),
        silent_seconds: silentOf(epoch),
        as_of_waits: waiting.includes(epoch),
      })),
    };
  });
}

/**
 * Records that a process will never run again: its epochs end, and as_of no longer waits for what it may have held.
 * @throws UsageError for an unknown name, a process that is alive, or while the authority does not answer
 */
export async function giveUpNode(sql: Postgres, redisUrl: string, node: string): Promise<Result> {
  return withRedis(sql, redisUrl, async redis => {
    const { epochs, life } = createAuthority(redis);
    const rows = await epochsOf(sql, node);
    if (rows.length === 0) throw new UsageError(`There is no process '${node}'; node list names them.`);
    const [renewals, nowMs] = await Promise.all([epochs.renewals(), redisNow(redis)]);
    if (rows.some(({ epoch }) => nowMs - (renewals.get(epoch) ?? 0) < SILENT_MS))
      throw new UsageError(`${node} was heard of in the last ${SILENT_MS / 1_000} s: it lives. Stop it first.`);
    await endEpochsOf(sql, node);
    const waiting = await life.waiting();
    await life.present(rows.map(({ epoch }) => epoch).filter(epoch => waiting.includes(epoch))).catch(askForRepeat);
    return {
      node,
      ended: rows.filter(({ is_open }) => is_open).map(({ epoch }) => epoch),
      as_of_waits_for: await life.waiting(),
    };
  });
}

/**
 * Asks a process to close a share of its sockets, whose screens connect again through the balancer.
 * @throws UsageError if no process of that name answers, or if it is already closing a share
 */
export async function shedNode(
  sql: Postgres,
  redisUrl: string,
  wanted: { node: string; share: number; perSecond: number },
): Promise<Result> {
  if (wanted.share === 0 || wanted.share > SHARE_MAX)
    throw new UsageError(`--share takes a number above 0, ${SHARE_MAX} at most.`);
  return withRedis(sql, redisUrl, async redis => {
    const answer = await askToShed(redis, wanted);
    if (answer === undefined) throw new UsageError(`No process '${wanted.node}' answers; node list names them.`);
    if (answer === null)
      throw new UsageError(`${wanted.node} closes a share of its sockets already. Wait for its end.`);
    return { node: wanted.node, ...answer };
  });
}

function askForRepeat(error: unknown): never {
  if ((error as { code?: string }).code !== 'authority_lost') throw error;
  throw new UsageError(
    'The authority does not answer now: say it again when it was rebuilt (some 15 s after Redis is back).',
  );
}

async function withRedis<T>(sql: Postgres, url: string, act: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = await openRunningRedis(sql, url, { role: 'commands' });
  try {
    await redisReady(redis);
    return await act(redis);
  } finally {
    redis.disconnect();
  }
}
