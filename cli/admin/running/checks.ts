/**
 * `admin verify`, `admin rollups mend` and `admin upgrade --check`: checks every invariant on live data, adds to the
 * rollups of a month the plays that verify finds missing in them, and says what an upgrade to this version would
 * change.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { VerifyDependencies } from '#audit/checks/findings.ts';
import { repairRollups } from '#audit/repair-rollups.ts';
import { verify } from '#audit/verify.ts';
import { openRunningRedis } from '#authority/connection.ts';
import { formatId, parseId } from '#domain/id.ts';
import { Fault } from '#runtime/fault-error.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { pendingMigrations } from '#audit/pending-migrations.ts';
import type { Postgres } from '#sql/postgres.ts';
import { redisReady } from '#sql/redis.ts';
import { createPlayQueue, PLAY_QUEUE_NAME } from '../../../ingest/queue/play-queue.ts';
import { streamsOf } from '../../../ingest/queue/stream-keys.ts';
import { UsageError } from '../../arguments.ts';
import { month } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

/** A recount of a hundred million rows takes tens of seconds. */
const QUERY_MS_MAX = 600_000;

export function declareCheckCommands(program: CommandUnknownOpts, run: Runner): void {
  program
    .command('verify')
    .description('run the consistency check; exit code 1 on a fault')
    .action(run(async installation => verifyInstance(installation.sql, await installation.engines())));
  program
    .command('rollups')
    .description('rollups of plays in ClickHouse')
    .command('mend')
    .description('add missing rows to the rollups, after verify')
    .requiredOption('--month <yyyymm>', 'month to repair', month)
    .action(
      run(async (installation, { month: yearMonth }) =>
        mendMonth(installation.sql, { month: yearMonth, ...(await installation.engines()) }),
      ),
    );
  program
    .command('upgrade')
    .description('preview the changes of npm run migrate, without applying them')
    .requiredOption('--check', 'preview only')
    .action(
      run(async installation =>
        checkUpgrade(installation.sql, {
          clickhouseUrl: await installation.clickhouseUrl(),
          cluster: installation.cluster,
        }),
      ),
    );
}

/** The effects of an upgrade to this version on the databases of the running installation. */
async function checkUpgrade(sql: Postgres, { clickhouseUrl, cluster }: Omit<Engines, 'redisUrl'>): Promise<Result> {
  const clickhouse = openClickhouse(clickhouseUrl, { application: 'marquee-admin', connectionsMax: 1, cluster });
  try {
    const pending = await pendingMigrations({ sql, clickhouse });
    return { version: versionOfProduct(), up_to_date: pending.length === 0, pending };
  } finally {
    await clickhouse.close();
  }
}

function versionOfProduct(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

type Engines = { redisUrl: string; clickhouseUrl: string; cluster?: string | undefined };

/** Checks every invariant on live data. `unchecked` is present only when something could not be checked. */
export function verifyInstance(sql: Postgres, engines: Engines): Promise<{ ok: boolean } & Record<string, unknown>> {
  return withEngines(sql, engines, async deps => {
    const { ok, breaches, unchecked } = await verify(deps);
    const shown = breaches.map(({ invariant, campaign, workspace, detail }) => ({
      invariant,
      ...(campaign !== undefined && { campaign_id: formatId('campaign', campaign) }),
      ...(workspace !== undefined && workspace > 0 && { workspace_id: formatId('workspace', workspace) }),
      detail,
    }));
    return { ok, breaches: shown, ...(unchecked.length > 0 && { unchecked }) };
  });
}

/** Repairs a month and returns the rows added to each rollup. @throws UsageError for a month without raw rows */
function mendMonth(sql: Postgres, { month, ...engines }: Engines & { month: number }): Promise<Result> {
  return withEngines(sql, engines, async deps => ({
    month: String(month),
    mended: await repairRollups(deps, month).catch(asUsageError),
  }));
}

function asUsageError(error: unknown): never {
  if (error instanceof Fault && ['raw_rows_gone', 'already_mending'].includes(error.code))
    throw new UsageError(error.message);
  throw error;
}

async function withEngines<T>(
  sql: Postgres,
  { redisUrl, clickhouseUrl, cluster }: Engines,
  use: (deps: VerifyDependencies) => Promise<T>,
): Promise<T> {
  const redis = await openRunningRedis(sql, redisUrl, { role: 'worker' }); // waits for a Redis that is just coming back
  const clickhouse = openClickhouse(clickhouseUrl, {
    application: 'marquee-admin',
    connectionsMax: 1,
    requestTimeoutMs: QUERY_MS_MAX,
    cluster,
  });
  const playQueue = createPlayQueue({ redis });
  try {
    await redisReady(redis);
    return await use({
      sql,
      clickhouse,
      redis,
      streams: streamsOf(PLAY_QUEUE_NAME, redis),
      asOf: () => playQueue.asOf(),
      handleOf: id => parseId('campaign', id),
    });
  } finally {
    await playQueue.close();
    redis.disconnect();
    await clickhouse.close();
  }
}
