/**
 * Real delivery processes on a database and a Redis database of their own, and the few rows that screens need. Every
 * test that talks to delivery over sockets starts here.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatId, type Handle } from '#domain/id.ts';
import { formatDeviceToken } from '#domain/access/key.ts';
import { tellChanges } from '#books/change-log.ts';
import type { Postgres } from '#sql/postgres.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import { type Authority, createAuthority } from '#authority/authority.ts';
import { openRedis, type Redis } from '#sql/redis.ts';
import { SensingModule } from '../../cli/sensing-module.ts';
import { freshPostgres, freshRedisUrl } from '../support/engines/databases.ts';
import { programOf } from '../../runtime/programs/program.ts';

export const SIGNING_KEYS = '7:AAECAwQFBgcICQoLDA0ODw==';
export const PUBLIC_URL = 'http://127.0.0.1:8080';

export type DeliveryProcess = {
  child: ChildProcess;
  url: string;
  opsUrl: string;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};
export type World = {
  sql: Postgres;
  databaseUrl: string;
  redis: Redis;
  authority: Authority;
  redisUrl: string;
  dataDir: string;
  workspace: number;
  venue: Handle<'venue'>;
  start(environment?: Record<string, string>): Promise<DeliveryProcess>;
  close(): Promise<void>;
};
export type ScreenRow = { handle: Handle<'screen'>; id: string; token: string };

export async function createWorld(): Promise<World> {
  const { url, sql, drop } = await freshPostgres();
  const redisUrl = await freshRedisUrl();
  const redis = openRedis(redisUrl, { role: 'worker' });
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-delivery-'));
  const running = new Set<DeliveryProcess>();
  const now = new Date();
  const [workspace] = await sql<
    { handle: number }[]
  >`insert into workspaces (kind, name, currency, created_at) values ('venue', 'w', 'EUR', ${now}) returning handle`;
  const [venue] = await sql<{ handle: Handle<'venue'> }[]>`
    insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
    values (${workspace!.handle}, 'v', 'entertainment.bars', 'Berlin', 52.5, 13.4, 'Europe/Berlin', 500, 30, ${now}) returning handle`;
  return {
    sql,
    databaseUrl: url,
    redis,
    redisUrl,
    dataDir,
    workspace: workspace!.handle,
    venue: venue!.handle,
    authority: createAuthority(redis),
    async start(environment = {}) {
      const started = await startProcess({ DATABASE_URL: url, REDIS_URL: redisUrl, DATA_DIR: dataDir, ...environment });
      running.add(started);
      started.child.once('exit', () => running.delete(started));
      return started;
    },
    async close() {
      await Promise.all([...running].map(process => process.stop()));
      redis.disconnect();
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startProcess(environment: Record<string, string>): Promise<DeliveryProcess> {
  const { file, execArgv } = programOf('delivery/main.ts');
  const child = fork(file, {
    execArgv,
    env: {
      ...process.env,
      DELIVERY_HOST: '127.0.0.1',
      DELIVERY_PORT: '0',
      OPS_PORT: '0',
      SIGNING_KEYS,
      PUBLIC_URL,
      LOG_LEVEL: 'error',
      ...environment,
    },
  });
  const ready = await new Promise<{ port: number; opsPort: number }>((resolve, reject) => {
    child.on(
      'message',
      (message: { ready?: { port: number; opsPort: number } }) => message.ready && resolve(message.ready),
    );
    child.once('exit', code => reject(new Error(`delivery ended with ${code}`)));
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return (await ended)[0];
  };
  return {
    child,
    url: `ws://127.0.0.1:${ready.port}/v1/screens/socket`,
    opsUrl: `http://127.0.0.1:${ready.opsPort}`,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

/** A metric of delivery, by name and labels as they are printed. */
export async function metricOf(opsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
}

/** Writes rows and tells delivery. */
export async function change<K extends 'venue' | 'screen' | 'creative' | 'campaign'>(
  world: World,
  entity: K,
  handle: Handle<NoInfer<K>>,
): Promise<void> {
  await inUnitOfWork(world.sql, { actor: SYSTEM_ACTOR, now: new Date() }, async unit => unit.changed(entity, handle));
  await tellChanges(world.sql);
}

export async function addScreen(world: World, fields: Record<string, unknown> = {}): Promise<ScreenRow> {
  const token = formatDeviceToken(randomBytes(32));
  const [row] = await world.sql<{ handle: Handle<'screen'> }[]>`insert into screens ${world.sql({
    workspace_handle: world.workspace,
    venue_handle: world.venue,
    ad_ratio: 1,
    sandbox: false,
    created_at: new Date(),
    token_hash: createHash('sha256').update(token).digest(),
    ...fields,
  })} returning handle`;
  await change(world, 'screen', row!.handle);
  return { handle: row!.handle, id: formatId('screen', row!.handle), token };
}

let modules = 0;

/** A sensing module that is enrolled and paired with the screen. */
export async function addModule(world: World, screen: ScreenRow): Promise<SensingModule> {
  const module = new SensingModule(`TEST-${++modules}-${process.pid}`);
  await world.sql`insert into sensors ${world.sql({
    workspace_handle: world.workspace,
    serial: module.serial,
    public_key: Buffer.from(module.publicKey, 'base64'),
    enrolled_at: new Date(),
    screen_handle: screen.handle,
    paired_at: new Date(),
  })}`;
  await world.sql`update screens set sensor_paired = true where handle = ${screen.handle}`;
  await change(world, 'screen', screen.handle);
  return module;
}

export type CampaignRow = { handle: Handle<'campaign'>; id: string; creative: Handle<'creative'> };

/** A live campaign with one ready still of 6 s, whose whole budget is handed to the authority. */
export async function addCampaign(world: World, fields: Record<string, unknown> = {}): Promise<CampaignRow> {
  const now = new Date();
  const day = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const budget = (fields['budget_micros'] as number | undefined) ?? 1_000_000_000;
  const [creative] = await world.sql<{ handle: Handle<'creative'> }[]>`insert into creatives ${world.sql({
    workspace_handle: world.workspace,
    name: 'c',
    orientation: 'landscape',
    kind: 'still',
    duration_ms: 6000,
    filename: 'a.png',
    content_type: 'image/png',
    status: 'ready',
    sandbox: false,
    sha256: randomBytes(32).toString('hex'),
    bytes: 1234,
    created_at: now,
  })} returning handle`;
  const [campaign] = await world.sql<{ handle: Handle<'campaign'> }[]>`insert into campaigns ${world.sql({
    workspace_handle: world.workspace,
    name: 'c',
    category: 'technology',
    status: 'live',
    sandbox: false,
    currency: 'EUR',
    budget_micros: budget,
    handed_micros: budget,
    starts_on: day(-2),
    ends_on: day(30),
    targets: world.sql.json({ cities: [], venue_types: [], areas: [] }),
    rate_micros: 5_000,
    forecast: world.sql.json({}),
    created_at: now,
    ...fields,
  })} returning handle`;
  const handle = campaign!.handle;
  await world.sql`insert into campaign_creatives (campaign_handle, creative_handle) values (${handle}, ${creative!.handle})`;
  await world.authority.hand(handle, budget);
  await change(world, 'campaign', handle);
  return { handle, id: formatId('campaign', handle), creative: creative!.handle };
}
