/**
 * The databases that those of the test files are copied from. The run makes them once, with the schema; a copy costs a
 * tenth of what the migrations cost.
 */
import { openClickhouse, type Clickhouse } from '#sql/clickhouse.ts';
import { migrateClickhouse, migratePostgres } from '#sql/migrate.ts';
import { openPostgres } from '#sql/postgres.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import type { EngineUrls } from '../../../engines/run.ts';

/** The name of the template, in Postgres and in ClickHouse. */
export const TEMPLATE = 'test_template';
/** More than the embedded engine has connections: each needs one backup. */
const COPY_ATTEMPTS_MAX = 20;
/** Codes of ClickHouse. */
const BACKUP_NOT_FOUND = '599';
const BACKUP_ALREADY_EXISTS = '598';

/** Makes the templates, and lets Redis answer before the disk does: the data of a run end with it. */
export async function prepareEngines({ databaseUrl, redisUrl, clickhouseUrl }: EngineUrls): Promise<void> {
  await Promise.all([
    preparePostgres(databaseUrl),
    prepareRedis(redisUrl),
    migrateClickhouse(withDatabase(clickhouseUrl, TEMPLATE)),
  ]);
}

async function preparePostgres(databaseUrl: string): Promise<void> {
  const server = openPostgres(databaseUrl, { connectionsMax: 1, applicationName: 'marquee-test' });
  await server`create database ${server(TEMPLATE)}`;
  const url = withDatabase(databaseUrl, TEMPLATE);
  await migratePostgres(url);
  const sql = openPostgres(url, { connectionsMax: 1, applicationName: 'marquee-test' });
  await sql`update authority_life set generation = 1, is_whole = true`; // as `freshRedisUrl` begins it
  await sql.end({ timeout: 5 });
  await server.end({ timeout: 5 });
}

async function prepareRedis(redisUrl: string): Promise<void> {
  const redis = openRedis(redisUrl, { role: 'commands' });
  await redisReady(redis);
  await redis.config('SET', 'appendfsync', 'no');
  redis.disconnect();
}

/**
 * Copies the template of ClickHouse through a backup in memory. The engine has such a backup for one of its connections
 * alone, and which one runs a statement is not ours to say; so a connection that lacks it gets one when it is met.
 */
export async function copyClickhouseTemplate(clickhouseUrl: string, name: string): Promise<void> {
  const client = openClickhouse(withDatabase(clickhouseUrl, 'default'), {
    application: 'marquee-test',
    connectionsMax: 1,
  });
  try {
    for (let attempt = 1; !(await hasRestored(client, name, attempt)); attempt++)
      await ignoring(
        BACKUP_ALREADY_EXISTS,
        client.command({ query: `backup database ${TEMPLATE} to Memory('${TEMPLATE}')` }),
      );
  } finally {
    await client.close();
  }
}

async function hasRestored(client: Clickhouse, name: string, attempt: number): Promise<boolean> {
  const restored = client.command({ query: `restore database ${TEMPLATE} as ${name} from Memory('${TEMPLATE}')` });
  if (attempt < COPY_ATTEMPTS_MAX) return ignoring(BACKUP_NOT_FOUND, restored);
  await restored;
  return true;
}

/** Whether it was done; false where it was refused with this code. */
async function ignoring(code: string, done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== code) throw error;
    return false;
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
