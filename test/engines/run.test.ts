/**
 * The start and the end of the embedded engines: how fast, how durable, and that nothing of them outlives its starter,
 * however that ends. Real engines in processes that are killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Redis } from 'ioredis';
import postgres from 'postgres';
import { afterEach, describe, expect, test } from 'vitest';
import { own } from '#engines/processes/owned.ts';
import { type Engines, type EngineUrls, startEngines } from '../../engines/run.ts';
import { commandLineOf } from '../../engines/processes/process-identity.ts';
import { eventually } from '../support/network.ts';
import { makeDataDir, removeDataDir, startTestEngines, sweepTestEngines } from '../support/engines/engines.ts';

const STARTER = join(import.meta.dirname, '../support/engines/engine-starter.ts');
/** A start of all three takes about so long on a machine with little else to do. */
const KILLED_MS_MAX = 3_000;
const KILLS = 12;

type Started = { urls: EngineUrls; pids: Engines['pids'] };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(
  options: Parameters<typeof startTestEngines>[0] = {},
): Promise<Awaited<ReturnType<typeof startTestEngines>>> {
  const engines = await startTestEngines(options);
  cleanups.push(() => engines.remove());
  return engines;
}

async function withPostgres<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

async function withClickHouse<T>(
  url: string,
  use: (client: ReturnType<typeof createClient>) => Promise<T>,
): Promise<T> {
  const client = createClient({ url, log: { level: ClickHouseLogLevel.OFF } });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function writeRows({ urls }: Started): Promise<void> {
  await withPostgres(urls.databaseUrl, async sql => {
    await sql`create table kept (id int)`;
    await sql`insert into kept values (1)`;
  });
  await withRedis(urls.redisUrl, redis => redis.set('kept', 'yes'));
  await withClickHouse(urls.clickhouseUrl, async client => {
    await client.command({ query: 'CREATE TABLE kept (id UInt8) ENGINE = MergeTree ORDER BY id' });
    await client.insert({ table: 'kept', format: 'JSONEachRow', values: [{ id: 1 }] });
  });
}

async function readRows(urls: EngineUrls): Promise<unknown[]> {
  return [
    [...(await withPostgres(urls.databaseUrl, sql => sql`select id from kept`))],
    await withRedis(urls.redisUrl, redis => redis.get('kept')),
    await withClickHouse(urls.clickhouseUrl, async client =>
      (await client.query({ query: 'SELECT id FROM kept', format: 'JSONEachRow' })).json(),
    ),
  ];
}

const KEPT = [[{ id: 1 }], 'yes', [{ id: 1 }]];

/** A zombie that nobody waits for is not alive, though a signal 0 would reach it. */
async function livingOf(pids: readonly number[]): Promise<number[]> {
  const lines = await Promise.all(pids.map(commandLineOf));
  return pids.filter((_, index) => lines[index] !== undefined);
}

/** Command lines of all processes that name a folder (Linux). */
function runningOn(folder: string): string[] {
  const pids = readdirSync('/proc').filter(name => Number(name) > 0);
  return pids.flatMap(pid => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
      return line.includes(folder) ? [line] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; started: Started }> {
  const child = spawn(process.execPath, ['--import', 'tsx', STARTER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  void own(child, 'program');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, started: JSON.parse(line.toString()) as Started };
}

describe('starting the engines', () => {
  test('takes less than 6 s on an empty folder, and a stop leaves no process and no lock', async () => {
    const began = performance.now();
    const engines = await start();
    const tookMs = performance.now() - began;
    console.info(`start of all on an empty folder: ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(6_000);
    const pids = Object.values(engines.pids);
    expect(pids).toHaveLength(4);
    await writeRows(engines);
    await engines.stop();
    expect(await livingOf(pids)).toEqual([]);

    const again = await startEngines({ dataDir: engines.dataDir, analystPassword: 'other', clickhousePort: 0 });
    cleanups.push(() => again.stop());
    expect(await readRows(again.urls)).toEqual(KEPT);
  });

  test('sets the settings that durability depends on', async () => {
    const { urls } = await start();
    const [row] = await withPostgres(
      urls.databaseUrl,
      sql =>
        sql`select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('max_connections') as connections, current_setting('timezone') as zone, current_user as name`,
    );
    expect(row).toEqual({ fsync: 'on', commit: 'on', connections: '200', zone: 'UTC', name: 'marquee' });
    const config = await withRedis(
      urls.redisUrl,
      redis => redis.config('GET', 'append*', 'maxmemory-policy', 'save') as Promise<string[]>,
    );
    const pairs = Object.fromEntries(
      config.flatMap((name, index) => (index % 2 === 0 ? [[name, config[index + 1]]] : [])),
    );
    expect(pairs).toMatchObject({
      appendonly: 'yes',
      appendfsync: 'always',
      'maxmemory-policy': 'noeviction',
      save: '',
    });
  });

  test('refuses wrong passwords everywhere', async () => {
    const { urls } = await start();
    const wrong = (url: string) => {
      const changed = new URL(url);
      changed.password = 'wrong';
      return changed.href;
    };
    await expect(withPostgres(wrong(urls.databaseUrl), sql => sql`select 1`)).rejects.toMatchObject({ code: '28P01' });
    await expect(
      withRedis(wrong(urls.redisUrl), redis => {
        redis.on('error', () => undefined);
        return redis.ping();
      }),
    ).rejects.toThrow(/WRONGPASS|NOAUTH/);
    await expect(
      withClickHouse(wrong(urls.clickhouseUrl), client => client.query({ query: 'SELECT 1' })),
    ).rejects.toMatchObject({ code: '516' });
  });

  test('is refused while a living process owns the folder', async () => {
    const engines = await start({ external: { databaseUrl: 'postgres://x', clickhouseUrl: 'http://x' } });
    await expect(startEngines({ dataDir: engines.dataDir, analystPassword: 'x' })).rejects.toThrow(
      `belong to the running process ${process.pid}`,
    );
    expect(await livingOf([engines.pids.redis!])).toHaveLength(1);
  });

  test('skips an engine given by URL', async () => {
    const external = { databaseUrl: 'postgres://elsewhere/db', clickhouseUrl: 'http://elsewhere:8123' };
    const engines = await start({ external });
    expect(Object.keys(engines.pids)).toEqual(['redis']);
    expect(engines.urls).toMatchObject(external);
  });

  test.runIf(process.getuid?.() === 0)(
    'PostgreSQL runs under a uid that no other program has, and takes over files that were of nobody',
    async () => {
      const dataDir = makeDataDir();
      cleanups.push(() => removeDataDir(dataDir));
      const owners = () =>
        new Set(
          readdirSync(join(dataDir, 'postgres', 'data'), { recursive: true, encoding: 'utf8' }).map(
            name => statSync(join(dataDir, 'postgres', 'data', name)).uid,
          ),
        );
      const first = await startEngines({ dataDir, analystPassword: 'x', clickhousePort: 0 });
      expect([...owners()]).toEqual([61_530]);
      expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(':61530:');
      expect(statSync(`/proc/${first.pids.postgres}`).uid).toBe(61_530);
      await first.stop();
      for (const name of ['.', ...readdirSync(join(dataDir, 'postgres'), { recursive: true, encoding: 'utf8' })])
        chownSync(join(dataDir, 'postgres', name), 65_534, 65_534); // as earlier versions left them
      const again = await startEngines({ dataDir, analystPassword: 'x', clickhousePort: 0 });
      expect([...owners()]).toEqual([61_530]);
      await again.stop();
    },
  );

  test.runIf(process.getuid?.() === 0)('names the folder that the user of PostgreSQL cannot enter', async () => {
    const outer = makeDataDir();
    cleanups.push(() => removeDataDir(outer));
    const closed = join(outer, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o700);
    await expect(
      startEngines({ dataDir: join(closed, 'data'), analystPassword: 'x', clickhousePort: 0 }),
    ).rejects.toThrow(`cannot enter ${closed}`);
  });
});

/** As `kill -9` does, with nothing said to anybody. */
async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('after a starter was killed', () => {
  test('its engines end on their own, with all acknowledged writes', async () => {
    const dataDir = makeDataDir();
    cleanups.push(() => removeDataDir(dataDir));
    const { child, started } = await startElsewhere(dataDir);
    await writeRows(started);
    await kill(child);
    await expect.poll(() => livingOf(Object.values(started.pids)), { timeout: 20_000 }).toEqual([]);
    const engines = await startEngines({ dataDir, analystPassword: 'x', clickhousePort: 0 });
    cleanups.push(() => engines.stop());
    expect(await readRows(engines.urls)).toEqual(KEPT);
  });

  test('a start right after the kill waits until they have ended', async () => {
    const dataDir = makeDataDir();
    cleanups.push(() => removeDataDir(dataDir));
    const { child, started } = await startElsewhere(dataDir);
    await writeRows(started);
    await kill(child);
    const engines = await startEngines({ dataDir, analystPassword: 'x', clickhousePort: 0 });
    cleanups.push(() => engines.stop());
    expect(await livingOf(Object.values(started.pids))).toEqual([]);
    expect(await readRows(engines.urls)).toEqual(KEPT);
  });

  test('the next start ends the engines of a starter whose warden was killed first', async () => {
    const dataDir = makeDataDir();
    cleanups.push(() => removeDataDir(dataDir));
    const { child, started } = await startElsewhere(dataDir);
    await writeRows(started);
    process.kill(child.pid!, 'SIGSTOP'); // or it would start another
    process.kill(Number((await readFile(join(dataDir, 'engines.warden'), 'utf8')).split(' ')[0]), 'SIGKILL');
    await kill(child);
    // Both of the embedded ClickHouse see their channels close; the other two wait for the next start.
    await expect
      .poll(() => livingOf([started.pids.clickhouse!, started.pids.clickhouse_analysts!]), { timeout: 8_000 })
      .toEqual([]);
    expect(await livingOf([started.pids.postgres!, started.pids.redis!])).toHaveLength(2);

    const engines = await startEngines({ dataDir, analystPassword: 'x', clickhousePort: 0 });
    cleanups.push(() => engines.stop());
    expect(await livingOf(Object.values(started.pids))).toEqual([]);
    expect(await readRows(engines.urls)).toEqual(KEPT);
  });

  test.runIf(process.platform === 'linux')(
    'amid its start, at whichever moment, nothing is left of it',
    async () => {
      const left: string[] = [];
      for (let atMs = 0; atMs < KILLED_MS_MAX; atMs += KILLED_MS_MAX / KILLS) {
        const dataDir = makeDataDir();
        const child = spawn(process.execPath, ['--import', 'tsx', STARTER, dataDir], { stdio: 'ignore' });
        await once(child, 'spawn');
        // The clock begins with its first engine: what comes before has started nothing.
        await expect
          .poll(() => runningOn(dataDir).length > 1 || child.exitCode !== null, { interval: 1, timeout: 20_000 })
          .toBe(true);
        await wait(atMs);
        await kill(child);
        await eventually(async () => runningOn(dataDir).length === 0 || undefined, 20_000).catch(() =>
          left.push(`${atMs} ms: ${runningOn(dataDir).join('; ')}`),
        );
        await removeDataDir(dataDir);
      }
      expect(left).toEqual([]);
    },
    180_000,
  );

  test('another process with the pid of an orphan is not touched', async () => {
    const dataDir = makeDataDir();
    cleanups.push(() => removeDataDir(dataDir));
    const stranger = spawn('sleep', ['60']);
    cleanups.push(async () => stranger.kill());
    for (const engine of ['postgres', 'redis', 'clickhouse'])
      await writeFile(join(dataDir, `${engine}.pid`), String(stranger.pid));
    for (const file of ['engines.owner', 'engines.warden'])
      await writeFile(join(dataDir, file), `${stranger.pid} another start time`);
    const engines = await startEngines({
      dataDir,
      analystPassword: 'x',
      external: { databaseUrl: 'postgres://x', clickhouseUrl: 'http://x' },
    });
    await engines.stop();
    expect(await livingOf([stranger.pid!])).toHaveLength(1);
  });

  test('a sweep of the folders of killed test runs spares running ones', async () => {
    const dead = makeDataDir();
    cleanups.push(() => removeDataDir(dead));
    const { child, started } = await startElsewhere(dead);
    const alive = await start({ external: { databaseUrl: 'postgres://x', clickhouseUrl: 'http://x' } });
    await kill(child);
    await sweepTestEngines();
    expect([existsSync(dead), await livingOf(Object.values(started.pids))]).toEqual([false, []]);
    expect(await livingOf([alive.pids.redis!])).toHaveLength(1);
  });
});

describe('under supervision', () => {
  test.each(['postgres', 'redis', 'clickhouse'] as const)(
    'a killed %s comes back on the same URL with its data',
    async name => {
      const events: string[] = [];
      let restarted: (pid: number) => void = () => undefined;
      const back = new Promise<number>(resolve => {
        restarted = resolve;
      });
      const engines = await start({
        supervise: true,
        onExit: (engine, pid) => events.push(`${engine} ${pid} ended`),
        onRestart: (engine, pid) => {
          events.push(`${engine} ${pid} runs`);
          restarted(pid);
        },
      });
      await writeRows(engines);
      const pid = engines.pids[name]!;
      const killed = performance.now();
      process.kill(pid, 'SIGKILL');
      const newPid = await back;
      console.info(`${name} runs again ${(performance.now() - killed).toFixed(0)} ms after kill -9`);
      expect(events).toEqual([`${name} ${pid} ended`, `${name} ${newPid} runs`]);
      expect(engines.pids[name]).toBe(newPid);
      expect(await readRows(engines.urls)).toEqual(KEPT);
    },
  );
});
