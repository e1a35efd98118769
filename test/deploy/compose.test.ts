/**
 * What docker-compose.yml starts, started here: the same commands, environment, secrets in files and health checks, the
 * same configuration of Redis and HAProxy, on the embedded Postgres and ClickHouse. Screens and callers go through
 * HAProxy.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openClickhouse } from '#sql/clickhouse.ts';
import { CONNECTIONS, openPostgres, type Postgres } from '#sql/postgres.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { findOrInstall } from '../../engines/package-manager.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { balancerOf, Composed, redisConfigOf } from '../support/compose/composed.ts';
import {
  createCampaign,
  createCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
} from '../support/network.ts';
import { ScreenClient } from '../support/screen-client.ts';
import { place } from '../support/compose/containers.ts';

const SERVICES = ['api', 'delivery-1', 'delivery-2', 'ingest', 'workers'];

let composed: Composed;
let haproxy: string;
let balancer: string;
let apiUrl: string;
let socketUrl: string;
let server: Postgres;
let sql: Postgres;
let network: Network;
let database: string;
let migrated: number | null;

beforeAll(async () => {
  haproxy = await findOrInstall({ programs: ['haproxy'], debian: 'haproxy', brew: 'haproxy' });
  const [apiPort, socketPort, redisPort] = [await freePort(), await freePort(), await freePort()];
  apiUrl = `http://127.0.0.1:${apiPort}`;
  socketUrl = `ws://127.0.0.1:${socketPort}/v1/screens/socket`;
  database = `test_${randomBytes(6).toString('hex')}`;
  server = openPostgres(inject('databaseUrl'), { connectionsMax: 1, applicationName: 'marquee-test' });
  await server`create database ${server(database)}`;
  const postgresPort = await freePort();
  const urlOf = (url: string): string => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  composed = await Composed.prepare({
    folder: makeDataDir(),
    addresses: { PUBLIC_URL: apiUrl, DELIVERY_URL: socketUrl, LOG_LEVEL: 'error' },
    secrets: made => ({
      database_url: place.images
        ? made('database_url').replace('postgres:5432', `127.0.0.1:${postgresPort}`)
        : urlOf(inject('databaseUrl')),
      clickhouse_url: urlOf(inject('clickhouseUrl')),
      redis_url: made('redis_url').replace('redis:6379', `127.0.0.1:${redisPort}`),
    }),
  });
  await composed.startEngine('redis', { program: 'redis-server', file: redisConfigOf(composed, redisPort) });
  sql = openPostgres(await secret('database_url'), { connectionsMax: 2, applicationName: 'marquee-test' });
  if (place.images) await composed.startPostgres(postgresPort);
  await eventually(() => sql`select 1`.catch(() => undefined), 60_000);
  migrated = await composed.complete('migrate');
  for (const service of SERVICES) await composed.start(service);
  balancer = balancerOf(composed, { api: apiPort, sockets: socketPort });
});

afterAll(async () => {
  await sql?.end({ timeout: 5 });
  await composed?.stopAll();
  await server`drop database if exists ${server(database)} with (force)`;
  await server.end({ timeout: 5 });
  await removeDataDir(composed.folder);
});

const secret = async (name: string): Promise<string> =>
  (await readFile(`${composed.folder}/secrets/${name}`, 'utf8')).trim();

const playsCounted = async (): Promise<number> => {
  const [campaign] = (await network.brand.get<{ data: { id: string }[] }>('/v1/campaigns')).data;
  return (await network.brand.get<{ counters: { plays: number } }>(`/v1/campaigns/${campaign!.id}`)).counters.plays;
};

let messageId = 0;

describe('the services of docker-compose.yml', () => {
  test('find both schemas created by the migration service, which ends', () => {
    expect(migrated).toBe(0);
  });

  test('refuse to start with a missing secret, and name its file', () => {
    const env = { ...composed.environmentOf('ingest'), DATABASE_URL_FILE: '/run/secrets/database_url' };
    const [, ...args] = composed.compose.services['ingest']!.command!;
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('DATABASE_URL_FILE names /run/secrets/database_url, which cannot be read (ENOENT)'),
    ]);
  }, 60_000);

  test.each(SERVICES)(
    '%s becomes healthy by its own check',
    async service => {
      expect(await composed.healthy(service)).toBe(true);
    },
    120_000,
  );

  test('write the settings into Redis that the authority requires', async () => {
    const redis = openRedis(await secret('redis_url'), { role: 'commands' });
    await redisReady(redis);
    expect([await redis.config('GET', 'appendfsync'), await redis.config('GET', 'maxmemory-policy')]).toEqual([
      ['appendfsync', 'always'],
      ['maxmemory-policy', 'noeviction'],
    ]);
    redis.disconnect();
  });

  test('have a load balancer whose configuration has neither errors nor warnings', () => {
    const { status, stdout, stderr } = spawnSync(haproxy, ['-c', '-f', balancer], { encoding: 'utf8' });
    expect([status, `${stdout}${stderr}`.split('\n').filter(line => /WARNING|ALERT/.test(line))]).toEqual([0, []]);
  });
});

describe('through the balancer', () => {
  beforeAll(async () => {
    await composed.startEngine('haproxy', { program: haproxy, file: balancer });
    await eventually(
      async () => ((await fetch(`${apiUrl}/v1/openapi.json`).catch(() => undefined))?.ok ? true : undefined),
      30_000,
    );
    network = await createSmallNetwork(sql, apiUrl);
    await createCampaign(network.brand, { creatives: [await createCreative(network.brand)] });
  }, 120_000);

  test('a play goes from a screen into the report', async () => {
    const screen = await pairScreen(network, apiUrl);
    const { client } = await ScreenClient.connect(socketUrl, screen.token);
    const fill = await client.fill();
    const id = ++messageId;
    client.send({
      t: 'plays',
      id,
      plays: [{ play_id: fill.play_id, started_at: fill.starts_at, played_ms: fill.duration_ms }],
    });
    expect((await client.next('ack', id))['refused']).toEqual([]);
    const plays = await eventually(async () => (await playsCounted()) || undefined, 30_000);
    expect(plays).toBe(1);
    client.close();
  }, 90_000);

  test('only the socket path leads to delivery', async () => {
    expect((await fetch(socketUrl.replace('ws:', 'http:').replace('/v1/screens/socket', '/v1/campaigns'))).status).toBe(
      404,
    );
  });

  test('no service opens more connections than its budget', async () => {
    const names: Record<string, [keyof typeof CONNECTIONS, number]> = {
      'marquee-api': ['api', 1],
      delivery: ['delivery', 2],
      'marquee-ingest': ['ingest', 1],
      'marquee-workers': ['workers', 1],
    };
    const rows = await sql<{ name: string; open: number }[]>`
      select application_name as name, count(*) as open from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' group by 1`;
    const known = rows.filter(row => row.name in names);
    expect(known.length).toBeGreaterThanOrEqual(3); // ingest opens its one for a dead letter
    expect(known.filter(({ name, open }) => open > names[name]![1] * CONNECTIONS[names[name]![0]].postgres)).toEqual(
      [],
    );
    const redis = openRedis(await secret('redis_url'), { role: 'commands' });
    await redisReady(redis);
    const clients = String(await redis.call('CLIENT', 'LIST'))
      .trim()
      .split('\n').length;
    redis.disconnect();
    expect(clients - 1).toBeLessThanOrEqual(
      CONNECTIONS.api.redis + 2 * CONNECTIONS.delivery.redis + CONNECTIONS.ingest.redis + CONNECTIONS.workers.redis,
    );
  });

  test('screens are spread over the processes, and screens of a stopping one get 4008 and find the other', async () => {
    const screens = await Promise.all(Array.from({ length: 4 }, () => pairScreen(network, apiUrl)));
    const clients = await Promise.all(
      screens.map(async screen => (await ScreenClient.connect(socketUrl, screen.token)).client),
    );
    const sessionsOf = async (service: string): Promise<number> =>
      Number(
        /^delivery_sessions(?:\{.*\})? (\d+)/m.exec(
          await (await fetch(`http://127.0.0.1:${composed.port(service, '9100')}/metrics`)).text(),
        )![1],
      );
    expect([await sessionsOf('delivery-1'), await sessionsOf('delivery-2')]).toEqual([2, 2]);

    const closed = Promise.race(clients.map(async (client, index) => ({ index, code: await client.closed() })));
    expect(await composed.stop('delivery-1')).toBe(0);
    const { index, code } = await closed;
    expect(code).toBe(4008);
    const { client } = await ScreenClient.connect(socketUrl, screens[index]!.token);
    expect(await sessionsOf('delivery-2')).toBe(3);
    for (const each of [...clients, client]) each.close();
  }, 60_000);
});

const ADMIN = ['node', 'dist/programs/start.mjs', 'cli/admin/admin.ts'];
const BACKUP = '/var/lib/marquee/backups/first';

/** Plays in the backup. */
let playsKept: number;

test('admin backup writes into its volume from the container of the workers', async () => {
  playsKept = await playsCounted();
  const taken = await composed.command('workers', [...ADMIN, 'backup', '--out', BACKUP]);
  expect(taken).toMatchObject({ code: 0, output: expect.stringContaining('backups/first') });
}, 120_000);

const KILLED = [
  'ingest',
  'delivery-2',
  'redis',
  'api',
  'workers',
  'haproxy',
  ...(place.isContainers ? ['postgres'] : []),
];

/** Reports one play as screens do: it connects again when a socket ends, and keeps the play until it is answered. */
function playOn({ token }: { token: string }): Promise<unknown[]> {
  let unanswered: object | undefined;
  return eventually(async () => {
    const client = (await ScreenClient.connect(socketUrl, token).catch(() => undefined))?.client;
    if (!client) return undefined;
    try {
      if (!unanswered) {
        const { play_id, starts_at, duration_ms } = await client.fill();
        unanswered = { play_id, started_at: starts_at, played_ms: duration_ms };
      }
      const id = ++messageId;
      client.send({ t: 'plays', id, plays: [unanswered] });
      return (await client.next('ack', id))['refused'] as unknown[];
    } catch (error) {
      if (/socket closed/.test(String(error))) return undefined;
      throw error;
    } finally {
      client.close();
    }
  }, 60_000);
}

describe('a service that is killed comes back', () => {
  let screen: { token: string };
  let counted: number;

  beforeAll(async () => {
    await composed.start('delivery-1'); // stopped by the test before
    screen = await pairScreen(network, apiUrl);
    counted = await playsCounted();
  });

  test.each(KILLED)(
    '%s, and the next play is counted',
    async service => {
      await composed.killAndRestart(service);
      expect(await playOn(screen)).toEqual([]);
      counted += 1;
      await expect.poll(playsCounted, { timeout: 60_000 }).toBe(counted);
      expect(!SERVICES.includes(service) || (await composed.healthy(service))).toBe(true);
    },
    180_000,
  );
});

/** Both databases as they are on a new machine; Redis knows nothing. */
async function loseEverything(): Promise<void> {
  for (const service of SERVICES) await composed.stop(service);
  await sql.end({ timeout: 5 });
  const { pathname, href } = new URL(await secret('database_url'));
  const name = pathname.slice(1);
  const maintenance = openPostgres(Object.assign(new URL(href), { pathname: '/template1' }).href, {
    connectionsMax: 1,
    applicationName: 'marquee-test',
  });
  await maintenance`drop database ${maintenance(name)} with (force)`;
  await maintenance`create database ${maintenance(name)}`;
  await maintenance.end({ timeout: 5 });
  sql = openPostgres(href, { connectionsMax: 2, applicationName: 'marquee-test' });
  const clickhouse = openClickhouse(inject('clickhouseUrl'), { application: 'marquee-test', connectionsMax: 1 });
  await clickhouse.command({ query: `drop database ${database} sync` });
  await clickhouse.close();
  const redis = openRedis(await secret('redis_url'), { role: 'commands' });
  await redisReady(redis);
  await redis.flushall();
  redis.disconnect();
}

test('a lost installation comes back from its backup, with the plays counted by then, and counts the next play', async () => {
  await loseEverything();
  expect(await composed.complete('migrate')).toBe(0);
  expect(await composed.command('workers', [...ADMIN, 'restore', '--from', BACKUP])).toMatchObject({ code: 0 });
  for (const service of SERVICES) await composed.start(service);
  for (const service of SERVICES) await composed.healthy(service);
  await expect.poll(() => playsCounted().catch(() => undefined), { timeout: 60_000 }).toBe(playsKept);
  expect(await playOn(await pairScreen(network, apiUrl))).toEqual([]);
  await expect.poll(playsCounted, { timeout: 60_000 }).toBe(playsKept + 1);
  expect(await composed.command('workers', [...ADMIN, 'verify'])).toMatchObject({ code: 0 });
}, 300_000);
