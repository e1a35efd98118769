/**
 * The stage of the API benchmark: engines, a network of brands with campaigns and plays, the API as it is deployed
 * (with its access log, which is thrown away) and the bare reference beside it. No other service runs, so nothing else
 * uses CPU time.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeOwnedPath } from '#engines/processes/owned.ts';
import { startEngines, type Engines } from '#engines/run.ts';
import { makeTemporaryFolder } from '#engines/temporary-folder.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { displayKey, formatKey } from '#domain/access/key.ts';
import { topUp } from '#domain/money/ledger.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import { migrateClickhouse, migratePostgres } from '#sql/migrate.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { createAuthority } from '#authority/authority.ts';
import { openRedis } from '#sql/redis.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { endChild, messageOf, startChild } from '../child.ts';
import { createBenchNetwork } from '../delivery/network.ts';
import { canPin, CLIENT_CORE, pinTo, SERVER_CORE } from '../pinning.ts';
import type { Target } from './cannon.ts';
import type { ReferenceReady } from './reference.ts';

export type ApiSize = { campaigns: number; screens: number; plays: number };
export type Brand = { handle: number; authorization: string; campaigns: Handle<'campaign'>[]; creatives: string[] };
export type ApiStage = {
  brands: Brand[];
  api: { url: string; pid: number };
  reference: { url: string; pid: number };
  clickhouse: { url: string };
  /** Process ids by engine. */
  engines: Record<string, number>;
  close(): Promise<void>;
};

/** Keys of as many brands, with limits far above what one process answers: the limiter runs and refuses nothing. */
const BRANDS = 50;
const LIMIT = 2_000_000_000;
const FUNDS_MICROS = 100_000_000_000_000;
const DAY_MS = 86_400_000;

export async function openApiStage(
  size: ApiSize,
  { nodeOptions = [] }: { nodeOptions?: readonly string[] } = {},
): Promise<ApiStage> {
  const dataDir = makeTemporaryFolder('marquee-bench-api-');
  const engines = await startEngines({
    dataDir: join(dataDir, 'engines'),
    analystPassword: randomBytes(12).toString('hex'),
    clickhousePort: 0,
  });
  const close = async () => {
    await engines.stop();
    await removeOwnedPath(dataDir);
  };
  try {
    const brands = await seed(engines, size);
    const env = environmentOf(engines, dataDir);
    const children = [
      startChild('../api/main.ts', { env, quiet: true, nodeOptions }),
      startChild('api/reference.ts', { env }),
    ] as const;
    const [api, reference] = await Promise.all([
      messageOf<{ ready: { port: number } }>(children[0]),
      messageOf<ReferenceReady>(children[1]),
    ]);
    const enginePids = engines.pids as Record<string, number>;
    if (canPin()) {
      pinTo(
        SERVER_CORE,
        children.map(child => child.pid!),
      );
      pinTo(CLIENT_CORE, Object.values(enginePids));
    }
    return {
      brands,
      api: { url: `http://127.0.0.1:${api.ready.port}`, pid: children[0].pid! },
      reference: { url: `http://127.0.0.1:${reference.port}`, pid: children[1].pid! },
      clickhouse: { url: engines.urls.clickhouseUrl },
      engines: enginePids,
      close: async () => {
        await Promise.all(children.map(endChild));
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function environmentOf(engines: Engines, dataDir: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: 'production',
    PORT: '0',
    OPS_PORT: '0',
    DATABASE_URL: engines.urls.databaseUrl,
    REDIS_URL: engines.urls.redisUrl,
    CLICKHOUSE_URL: engines.urls.clickhouseUrl,
    PUBLIC_URL: 'http://127.0.0.1',
    DELIVERY_URL: 'ws://127.0.0.1',
    SIGNING_KEYS: `1:${randomBytes(16).toString('base64')}`,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    STORAGE_URL: pathToFileURL(join(dataDir, 'storage')).href,
    LOG_LEVEL: 'info',
  };
}

async function seed(engines: Engines, size: ApiSize): Promise<Brand[]> {
  const now = new Date();
  await Promise.all([migratePostgres(engines.urls.databaseUrl), migrateClickhouse(engines.urls.clickhouseUrl)]);
  const sql = openPostgres(engines.urls.databaseUrl, { connectionsMax: 1, applicationName: 'marquee-bench' });
  await createBenchNetwork(sql, { campaigns: size.campaigns, screens: size.screens, creativeMs: 10_000 }, now);
  const workspaces = await sql<
    { handle: Handle<'workspace'> }[]
  >`select handle from workspaces where kind = 'brand' order by handle limit ${BRANDS}`;
  const brands: Brand[] = [];
  for (const { handle } of workspaces) brands.push(await createBrand(sql, handle, now));
  await sql.end({ timeout: 5 });
  await beginAuthority(engines.urls.redisUrl);
  await insertPlays(engines.urls.clickhouseUrl, { brands, plays: size.plays, now });
  return brands;
}

/** Begins the authority, as the workers would, which do not run here: reports ask it how fresh they are. */
async function beginAuthority(url: string): Promise<void> {
  const redis = openRedis(url, { role: 'worker' });
  await createAuthority(redis).life.begin({ generation: 1, firstEpoch: 1, lapseLine: 0, asOfMs: 0, mayLive: [] });
  redis.disconnect();
}

/** A key and funds for a brand of the network. */
export async function createBrand(sql: Postgres, handle: Handle<'workspace'>, now: Date): Promise<Brand> {
  const key = formatKey(randomBytes(32), 'live');
  const [user] = await sql<
    { handle: number }[]
  >`insert into users (workspace_handle, email, role, created_at) values (${handle}, 'bench@example.com', 'owner', ${now}) returning handle`;
  await sql`
    insert into keys (workspace_handle, user_handle, surface, access, mode, hash, display, per_minute_max, per_second_max, created_at, expires_at)
    values (${handle}, ${user!.handle}, 'ads_manager', 'read_write', 'live', ${createHash('sha256').update(key).digest()}, ${displayKey(key)}, ${LIMIT}, ${LIMIT}, ${now}, ${new Date(now.getTime() + 60 * DAY_MS)})`;
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    await unit.post(
      topUp({
        book: 'live',
        currency: 'EUR',
        workspace: handle,
        amountMicros: FUNDS_MICROS,
        reference: `bench ${handle}`,
      }),
    );
  });
  const campaigns = await sql<
    { handle: Handle<'campaign'> }[]
  >`select handle from campaigns where workspace_handle = ${handle} order by handle`;
  const creatives = await sql<
    { handle: number }[]
  >`select handle from creatives where workspace_handle = ${handle} order by handle`;
  return {
    handle,
    authorization: `Bearer ${key}`,
    campaigns: campaigns.map(row => row.handle),
    creatives: creatives.map(row => formatId('creative', row.handle as Handle<'creative'>)),
  };
}

type InsertPlaysOptions = { brands: readonly Brand[]; plays: number; now: Date };

/** Plays of the last day, spread over the campaigns. */
async function insertPlays(url: string, { brands, plays, now }: InsertPlaysOptions): Promise<void> {
  const clickhouse = openClickhouse(url, { application: 'marquee-bench', connectionsMax: 1 });
  const ids = brands.flatMap(brand =>
    brand.campaigns.slice(0, 4).map(handle => `'${formatId('campaign', handle as Handle<'campaign'>)}'`),
  );
  await clickhouse.command({
    query: `insert into plays_raw (played_at, slot_at, received_at, campaign_id, creative_id, screen_id, venue_id, campaign_handle, epoch, issue_number, sandbox, late, played_ms, audience,
        impressions_thousandths, rate_micros, cost_micros, group_id, job_id)
      select slot, fromUnixTimestamp64Milli({now:Int64} - toInt64(number % 86400) * 1000) as slot, slot, [${ids.join(',')}][1 + number % ${ids.length}], concat('cre_', toString(number % 3)),
        concat('scr_', toString(number % 100)), concat('ven_', toString(number % 100)), number % ${ids.length}, 1, number, false, false, 10000, null, 8200, 6000, 49200, 'bench', 'bench' from numbers({plays:UInt64})`,
    query_params: { now: now.getTime(), plays },
  });
  await clickhouse.close();
}

/** Reading of the same campaigns by every brand: the first four of each, which have plays. */
export function targetsOf(brands: readonly Brand[], path: (campaign: Handle<'campaign'>) => string): Target[] {
  return brands.flatMap(brand =>
    brand.campaigns.slice(0, 4).map(campaign => ({ path: path(campaign), authorization: brand.authorization })),
  );
}
