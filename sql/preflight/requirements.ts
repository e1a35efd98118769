/**
 * Requirements of an engine before a process uses it: reachable, of a tested version, with a clock like ours, and open
 * to its user. Checked once, at the start, so that a mistake is one line and not a failure hours later.
 */
import { Fault } from '#runtime/fault-error.ts';
import type { Log } from '#runtime/log.ts';
import { openClickhouse, type Clickhouse, queryRows } from '#sql/clickhouse.ts';
import { openPostgres, type Postgres, type Queryable } from '#sql/postgres.ts';
import type { Redis } from '#sql/redis.ts';
import { isUnverified } from '#sql/tls.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { isLoading, type Limit, reach, reachRedis } from './reach.ts';
import type { Named } from './sentence.ts';

/** The oldest versions, as [major, minor]: what the tests and the compose file have is not older. */
const VERSION_MIN = { Postgres: [16, 0], Redis: [7, 0], ClickHouse: [26, 3] } as const;
/**
 * Leases, deadlines of inserts and `as_of` need clocks within a second. Twice a slow answer lies between the two
 * readings, so only a difference that no busy machine explains is refused.
 */
const CLOCK_MS_MAX = 5_000;
/** A supervisor starts an ended process again; until then an engine that restarts beside it has this long. */
const AWAY_MS_MAX = 10_000;
/** On a machine where everything starts at once a first connection takes seconds. */
const SILENT_MS_MAX = 30_000;

/**
 * The required rights of the user of Postgres and ClickHouse: use the tables of the schema, create them, or only
 * connect.
 */
export type Needs = 'tables' | 'schema' | 'connection';
export type EngineUrls = {
  DATABASE_URL: string;
  DATABASE_DIRECT_URL?: string | undefined;
  REDIS_URL?: string;
  CLICKHOUSE_URL?: string;
};
type CheckOptions = { needs: Needs; log?: Log; withinMs?: Milliseconds };

/**
 * Checks every engine that has a URL, and waits some seconds for one that is down.
 * @throws Fault `engine_unavailable` or `engine_unfit`, whose message is one line about all that is wrong
 */
export async function checkEngines(
  urls: EngineUrls,
  { needs, log, withinMs = SILENT_MS_MAX }: CheckOptions,
): Promise<void> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, REDIS_URL, CLICKHOUSE_URL } = urls;
  const limit = { withinMs, awayMs: AWAY_MS_MAX };
  const results = await Promise.allSettled([
    checkPostgresUrl(needs === 'schema' ? sessionsOf(urls) : { variable: 'DATABASE_URL', url: DATABASE_URL }, {
      needs,
      limit,
    }),
    checkSessions(urls, limit),
    ...(REDIS_URL === undefined ? [] : [checkRedis(REDIS_URL, limit)]),
    ...(CLICKHOUSE_URL === undefined ? [] : [checkClickhouse(CLICKHOUSE_URL, needs, limit)]),
  ]);
  const errors = results.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const faults = errors.filter(error => error instanceof Fault);
  if (faults.length < errors.length) throw errors.find(error => !(error instanceof Fault));
  const [first] = faults;
  if (first !== undefined)
    throw new Fault(first.code, [...new Set(faults.map(({ message }) => message))].join('; '), {
      retryable: first.retryable,
    });
  for (const [variable, url] of Object.entries({ DATABASE_URL, DATABASE_DIRECT_URL, REDIS_URL, CLICKHOUSE_URL }))
    if (url !== undefined && isUnverified(url))
      log?.warn(
        { variable },
        'TLS to an engine verifies no certificate: anyone on the way can read and change everything',
      );
}

type PostgresAddress = { variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'; url: string };

/** The connection for session locks and migrations. */
export function sessionsOf({ DATABASE_URL, DATABASE_DIRECT_URL }: EngineUrls): PostgresAddress {
  return DATABASE_DIRECT_URL === undefined
    ? { variable: 'DATABASE_URL', url: DATABASE_URL }
    : { variable: 'DATABASE_DIRECT_URL', url: DATABASE_DIRECT_URL };
}

async function checkPostgresUrl(
  { variable, url }: PostgresAddress,
  { needs, limit }: { needs: Needs; limit: Limit },
): Promise<void> {
  const sql = openPostgres(url, { connectionsMax: 1, applicationName: 'marquee-preflight', isPooled: true });
  try {
    await checkPostgres(sql, { url, needs, limit, variable });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Locks of jobs and notifications live in a session. A pooler in transaction mode takes both away without a word, and
 * jobs would run twice.
 * @throws Fault `engine_unavailable`, `engine_unfit`
 */
async function checkSessions(urls: EngineUrls, limit: Limit): Promise<void> {
  const { variable, url } = sessionsOf(urls);
  const open = () => openPostgres(url, { connectionsMax: 1, applicationName: 'marquee-preflight', isPooled: true });
  const clients = [open(), open()] as const;
  try {
    const isShared = await reach({ engine: 'Postgres', variable, url }, limit, () => sharesSessions(clients));
    if (isShared)
      throw unfit(
        `${variable} leads through a pooler in transaction mode, which loses locks and notifications: set DATABASE_DIRECT_URL to Postgres itself`,
      );
  } finally {
    await Promise.all(clients.map(sql => sql.end({ timeout: 1 })));
  }
}

/**
 * Whether the second client's session is another one while the first is in a transaction: a pooler has given that the
 * session that was returned last, or the only one.
 */
async function sharesSessions([first, second]: readonly [Postgres, Postgres]): Promise<boolean> {
  const before = await sessionOf(second);
  const meanwhile = await first.begin(async tx => {
    await sessionOf(tx);
    return sessionOf(second);
  });
  return [meanwhile, await sessionOf(second)].some(session => session !== before);
}

async function sessionOf(sql: Queryable): Promise<number> {
  const [row] = await sql<{ session: number }[]>`select pg_backend_pid() as session`;
  return row!.session;
}

type PostgresFacts = {
  version: string;
  clock_ms: number;
  schema: string | null;
  may_create: boolean | null;
  is_migrated: boolean;
  closed: string | null;
};

/** @throws Fault `engine_unavailable`, `engine_unfit` */
export async function checkPostgres(
  sql: Postgres,
  {
    url,
    needs,
    limit = {},
    variable = 'DATABASE_URL',
  }: { url: string; needs: Needs; limit?: Limit; variable?: PostgresAddress['variable'] },
): Promise<void> {
  const named: Named = { engine: 'Postgres', variable, url };
  const asked = await timed(() => reach(named, limit, () => factsOfPostgres(sql)));
  assertVersion(named, asked.answer.version);
  assertClock(named, asked.answer.clock_ms, asked);
  const { schema, may_create: mayCreate, is_migrated: isMigrated, closed } = asked.answer;
  if (needs === 'schema' && mayCreate !== true)
    throw unfit(`The user of ${variable} may not create tables in the schema ${schema ?? 'public'} of Postgres`);
  if (needs !== 'tables') return;
  if (!isMigrated)
    throw unfit(`The database of ${variable} shows its user no tables: run \`npm run migrate\`, or grant usage`);
  if (closed !== null)
    throw unfit(`The user of ${variable} may not select, insert, update and delete in ${closed} of Postgres`);
}

async function factsOfPostgres(sql: Postgres): Promise<PostgresFacts> {
  const [facts] = await sql<PostgresFacts[]>`
    select current_setting('server_version') as version,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as clock_ms,
      current_schema() as schema, has_schema_privilege(current_schema(), 'create') as may_create,
      to_regclass('migrations') is not null as is_migrated,
      (select string_agg(relname, ', ') from (
        select relname from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> 'migrations'
          and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
            and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
        order by relname limit 3) as tables) as closed`;
  return facts!;
}

/** @throws Fault `engine_unavailable`, `engine_unfit` */
export async function checkRedis(url: string, limit: Limit = {}): Promise<void> {
  const named: Named = { engine: 'Redis', variable: 'REDIS_URL', url };
  await reachRedis(named, limit, async (redis, info) => {
    if (/^dragonfly_version:/m.test(info))
      throw unfit('REDIS_URL names a Dragonfly, which refuses scripts that reach undeclared keys: use Redis or Valkey');
    assertVersion(named, /^redis_version:(\S+)/m.exec(info)?.[1] ?? '');
    if (isLoading(info)) return;
    const { answer, ...span } = await timed(() => clockOf(redis));
    assertClock(named, answer, span);
  });
}

/** By a script, as all that matters in Redis is done by one. */
async function clockOf(redis: Redis): Promise<Milliseconds> {
  const script = "redis.call('exists', KEYS[1]) return redis.call('time')";
  const [seconds, micros] = (await redis.eval(script, 1, '{plays:0}:preflight')) as [string, string];
  return Number(seconds) * 1_000 + Number(micros) / 1_000;
}

/** @throws Fault `engine_unavailable`, `engine_unfit` */
export async function checkClickhouse(url: string, needs: Needs, limit: Limit = {}): Promise<void> {
  const named: Named = { engine: 'ClickHouse', variable: 'CLICKHOUSE_URL', url };
  // Migrations make the database that the URL names.
  const asked = needs === 'schema' ? Object.assign(new URL(url), { pathname: '/default' }).href : url;
  const client = openClickhouse(asked, { application: 'marquee-preflight', connectionsMax: 1 });
  try {
    if (needs === 'connection') {
      // No query, so that a busy server answers it, too.
      await reach(named, limit, async () => {
        const pong = await client.ping();
        if (!pong.success) throw pong.error;
      });
      return;
    }
    const { answer, ...span } = await timed(() => reach(named, limit, () => factsOfClickhouse(client, needs)));
    assertVersion(named, answer.version);
    assertClock(named, answer.clock_ms, span);
  } finally {
    await client.close();
  }
}

type ClickhouseFacts = { version: string; clock_ms: number };

async function factsOfClickhouse(client: Clickhouse, needs: Needs): Promise<ClickhouseFacts> {
  const [facts] = await queryRows<ClickhouseFacts>(client, {
    query: 'select version() as version, toUnixTimestamp64Milli(now64(3)) as clock_ms',
  });
  if (needs === 'tables')
    await queryRows(client, { query: 'select 1 from plays_raw limit 0' }).catch((error: unknown) => {
      if ((error as { code?: string }).code !== '60') throw error;
      throw unfit('The database of CLICKHOUSE_URL has no tables: run `npm run migrate`');
    });
  return facts!;
}

const unfit = (message: string): Fault => new Fault('engine_unfit', message, { retryable: false });

function assertVersion({ engine, variable }: Named, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(part => Number.parseInt(part, 10));
  const [majorMin, minorMin] = VERSION_MIN[engine];
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  throw unfit(`${engine} ${version} (${variable}) is too old: it must be ${majorMin}.${minorMin} or newer`);
}

type Span = { fromMs: Milliseconds; toMs: Milliseconds };

async function timed<T>(ask: () => Promise<T>): Promise<Span & { answer: T }> {
  const fromMs = Date.now();
  const answer = await ask();
  return { answer, fromMs, toMs: Date.now() };
}

/** The engine read its clock somewhere between the two readings of ours. */
function assertClock({ engine, variable }: Named, engineMs: Milliseconds, { fromMs, toMs }: Span): void {
  const aheadMs = engineMs < fromMs ? fromMs - engineMs : Math.min(0, toMs - engineMs);
  if (Math.abs(aheadMs) <= CLOCK_MS_MAX) return;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  throw unfit(
    `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${engine} (${variable}): set both by NTP`,
  );
}
