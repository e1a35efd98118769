/**
 * The analysts' process and engine: what it shows, and what somebody with the analyst's password can do to others. The
 * real engines of one installation, as a supervisor keeps them.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestEngines } from '../support/engines/engines.ts';

let engines: Awaited<ReturnType<typeof startTestEngines>>;
let admin: ClickHouseClient;

beforeAll(async () => {
  engines = await startTestEngines({
    external: { databaseUrl: 'postgres://elsewhere', redisUrl: 'redis://elsewhere' },
    supervise: true,
  });
  admin = createClient({ url: engines.urls.clickhouseUrl, log: { level: ClickHouseLogLevel.OFF } });
  await admin.command({
    query: 'CREATE TABLE plays (id UInt64, at Date) ENGINE = MergeTree PARTITION BY toYYYYMM(at) ORDER BY id',
  });
  await admin.command({ query: 'CREATE TABLE plays_by_day (at Date, n UInt64) ENGINE = SummingMergeTree ORDER BY at' });
  await admin.command({
    query: 'CREATE MATERIALIZED VIEW plays_to_day TO plays_by_day AS SELECT at, count() AS n FROM plays GROUP BY at',
  });
});
afterAll(async () => {
  await admin?.close();
  await engines?.remove();
});

type Reply = { status: number; body: string };

async function ask(sql: string, params: Record<string, string> = {}): Promise<Reply> {
  const { url, username, password } = engines.clickhouse;
  const reply = await fetch(`${url}/?${new URLSearchParams(params)}`, {
    method: 'POST',
    body: sql,
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
  });
  return { status: reply.status, body: await reply.text() };
}
const answerOf = async (sql: string) => (await ask(sql)).body.trim();
const insert = (rows: number, at = '2026-03-01') =>
  admin.command({ query: `INSERT INTO plays SELECT number, '${at}' FROM numbers(${rows})` });

describe('an analyst reads', () => {
  test('every row of an answered insert, in tables and rollups, while parts are added and merged', async () => {
    let written = Number(await answerOf('SELECT count() FROM plays'));
    for (let round = 0; round < 25; round += 1) {
      await insert(100, `2026-0${1 + (round % 3)}-01`);
      written += 100;
      if (round % 10 === 5) await admin.command({ query: 'OPTIMIZE TABLE plays FINAL' });
      expect(await answerOf('SELECT (SELECT count() FROM plays), (SELECT sum(n) FROM plays_by_day)')).toBe(
        `${written}\t${written}`,
      );
    }
  });

  test('tables as they are created, changed, renamed, emptied and dropped', async () => {
    await admin.command({ query: 'CREATE TABLE changing (a UInt8) ENGINE = MergeTree ORDER BY a' });
    await admin.command({ query: 'INSERT INTO changing VALUES (1)' });
    expect(await answerOf('SELECT * FROM changing')).toBe('1');
    await admin.command({ query: "ALTER TABLE changing ADD COLUMN b String DEFAULT 'new'" });
    expect(await answerOf('SELECT * FROM changing')).toBe('1\tnew');
    await admin.command({ query: 'CREATE VIEW seen AS SELECT a + 1 AS next FROM changing' });
    expect(await answerOf('SELECT * FROM seen')).toBe('2');
    await admin.command({ query: 'DROP VIEW seen' });
    await admin.command({ query: 'RENAME TABLE changing TO changed' });
    expect([(await ask('SELECT * FROM changing')).status, await answerOf('SELECT * FROM changed')]).toEqual([
      404,
      '1\tnew',
    ]);
    await admin.command({ query: "ALTER TABLE changed UPDATE b = 'changed' WHERE 1 SETTINGS mutations_sync = 1" });
    expect(await answerOf('SELECT * FROM changed')).toBe('1\tchanged');
    await admin.command({ query: 'TRUNCATE TABLE changed' });
    expect(await answerOf('SELECT count() FROM changed')).toBe('0');
    await admin.command({ query: 'DROP TABLE changed SYNC' });
    expect((await ask('SELECT * FROM changed')).status).toBe(404);
    await admin.command({ query: 'CREATE TABLE changed (c UInt8) ENGINE = MergeTree ORDER BY c' });
    expect(await answerOf('SELECT count() FROM changed')).toBe('0');
  });

  test('no row of a dropped month, and every row of the others', async () => {
    const before = Number(await answerOf('SELECT count() FROM plays'));
    await insert(50, '2020-01-01');
    expect(await answerOf('SELECT count() FROM plays')).toBe(String(before + 50));
    await admin.command({ query: 'ALTER TABLE plays DROP PARTITION 202001' });
    await insert(10);
    expect(await answerOf("SELECT count(), countIf(at < '2021-01-01') FROM plays")).toBe(`${before + 10}\t0`);
  });

  test('a database by its own name, and gets an error for an unknown one', async () => {
    await admin.command({ query: 'CREATE DATABASE other' });
    await admin.command({ query: 'CREATE TABLE other.things (a UInt8) ENGINE = MergeTree ORDER BY a' });
    expect(await ask('SELECT count() FROM things', { database: 'other' })).toEqual({ status: 200, body: '0\n' });
    await admin.command({ query: 'DROP DATABASE other SYNC' });
    expect((await ask('SELECT count() FROM things', { database: 'other' })).status).toBe(404);
    expect((await ask('SELECT 1', { database: 'never' })).status).toBe(404);
  });

  test('no table of people, because it is absent', async () => {
    await admin.command({ query: 'CREATE TABLE private_people (email String) ENGINE = MergeTree ORDER BY email' });
    expect(await answerOf("SELECT count() FROM system.tables WHERE name LIKE '%people'")).toBe('0');
    expect((await ask("SELECT * FROM merge(currentDatabase(), 'people$')")).status).toBe(403);
  });

  test('every row of a table whose parts are merged and deleted meanwhile', async () => {
    await admin.command({ query: 'CREATE TABLE merging (id UInt64) ENGINE = MergeTree ORDER BY id' });
    await admin.command({ query: 'SYSTEM STOP MERGES marquee.merging' });
    for (let part = 0; part < 12; part += 1)
      await admin.command({ query: `INSERT INTO merging SELECT number FROM numbers(${part}, 10)` });
    // Twelve parts of 0.2 s each, one after the other.
    const slow = ask('SELECT count(), sum(id), sum(sleepEachRow(0.02)) FROM merging');
    await expect.poll(() => answerOf('SHOW PROCESSLIST'), { timeout: 10_000 }).toContain('sleepEachRow(0.02)');
    await admin.command({ query: 'SYSTEM START MERGES marquee.merging' });
    await admin.command({ query: 'OPTIMIZE TABLE merging FINAL' });
    const merged = await admin.query({
      query: "SELECT path FROM system.parts WHERE table = 'merging' AND NOT active",
      format: 'JSONEachRow',
    });
    const paths = (await merged.json<{ path: string }>()).map(({ path }) => path);
    expect(paths.length).toBeGreaterThanOrEqual(12);
    for (const path of paths) rmSync(path, { recursive: true }); // as the engine does some minutes after a merge
    expect(await slow).toEqual({ status: 200, body: '120\t1200\t0\n' });
  });

  test("and leaves the owner's files as they are", async () => {
    await admin.command({ query: 'SYSTEM STOP MERGES' });
    const files = () =>
      readdirSync(join(engines.dataDir, 'clickhouse', 'data', 'store'), { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name))
        .map(path => `${path} ${statSync(path).mtimeMs} ${statSync(path).size}`)
        .sort();
    const before = files();
    expect(before.length).toBeGreaterThan(20);
    for (const sql of [
      'SELECT sum(id) FROM plays',
      'SELECT * FROM plays_by_day FORMAT Native',
      'DROP TABLE plays',
      'ALTER TABLE plays DROP PARTITION 202603',
      'SYSTEM RESTART DISK owner',
      'OPTIMIZE TABLE plays FINAL',
    ])
      await ask(sql);
    expect(files()).toEqual(before);
    await admin.command({ query: 'SYSTEM START MERGES' });
  });
});

describe("an analyst's tool", () => {
  test.each([
    'USE marquee',
    "SET max_execution_time = 5, output_format_json_quote_64bit_integers = 1, session_timezone = 'UTC'",
    'SET max_threads = 1, readonly = 1',
  ])('sends %s without harm', async sql => {
    expect(await ask(sql)).toEqual({ status: 200, body: '' });
  });

  test('gets an error for an unknown database', async () => {
    expect((await ask('USE never')).status).toBe(404);
  });

  test('reads its grants, its statements and its name', async () => {
    expect(await answerOf('SHOW GRANTS')).toBe('GRANT SELECT, SHOW ON *.* TO analyst');
    const { data } = JSON.parse(await answerOf('SHOW PROCESSLIST FORMAT JSON')) as { data: Record<string, unknown>[] };
    expect(data).toMatchObject([
      { user: 'analyst', query: expect.stringMatching(/^SELECT 'analyst' AS user.*FORMAT JSON$/s) as string },
    ]);
    const names = 'SELECT currentUser(), user() AS me, 1 WHERE currentUser() = {name:String} FORMAT TSVWithNames';
    expect(await ask(names, { param_name: 'analyst' })).toEqual({
      status: 200,
      body: 'currentUser()\tme\t1\nanalyst\tanalyst\t1\n',
    });
  });

  test.each([
    ['max_memory_usage', '1000000000', '2147483649'],
    ['max_threads', '1', '2'],
    ['max_execution_time', '5', '61'],
    ['readonly', '1', '2'],
  ])('sends a %s of %s, and is refused one of %s', async (name, lower, higher) => {
    expect(await ask(`SELECT getSetting('${name}')`, { [name]: lower })).toEqual({ status: 200, body: `${lower}\n` });
    expect(await ask('SELECT 1', { [name]: higher })).toMatchObject({ status: 500 });
  });
});

describe('an analyst cannot learn', () => {
  // A file that is there and one that is not; the answers must not tell them apart.
  test.each([
    'EXISTS TABLE default.`FILE`',
    'EXISTS default.`FILE`',
    'EXISTS VIEW default.`FILE`',
    'EXISTS DICTIONARY default.`FILE`',
    'DESCRIBE default.`FILE`',
    'DESCRIBE TABLE "default"."FILE"',
    'SELECT * FROM default.`FILE`',
    'SELECT * FROM DEFAULT . `FILE`',
    'SHOW CREATE TABLE default.`FILE`',
    'SHOW COLUMNS FROM `FILE` FROM default',
    'SHOW INDEXES IN `FILE` IN default',
    'EXPLAIN SELECT * FROM default.`FILE`',
    'EXPLAIN ESTIMATE SELECT * FROM default.`FILE`',
    'SELECT 1 IN default.`FILE`',
    "SELECT joinGet('default.FILE', 'a', 1)",
    "SELECT hasColumnInTable('default', 'FILE', 'a')",
    "SELECT dictGet('default.FILE', 'a', 1)",
    'SELECT * FROM view(SELECT * FROM default.`FILE`)',
    'WITH x AS (SELECT * FROM default.`FILE`) SELECT * FROM x',
    'SELECT * FROM `default.FILE`',
    'SELECT * FROM marquee.`FILE`',
    'SELECT * FROM `FILE`',
    'EXISTS `FILE`',
    "SELECT file('FILE')",
    "SELECT * FROM file('FILE', LineAsString)",
    "DESCRIBE file('FILE')",
    "SELECT count() FROM system.tables WHERE database = 'default' AND name = 'FILE'",
    'SELECT * FROM default.`/etc/host*`',
    "SELECT 1 FORMAT Template SETTINGS format_template_row = 'FILE'",
    "SELECT 1 INTO OUTFILE 'FILE'",
    "SELECT catboostEvaluate('FILE', 1)",
  ])('by %s which files exist', async sql => {
    const shown = async (file: string) => {
      const { status, body } = await ask(sql.replaceAll('FILE', file));
      return { status, body: body.replaceAll(file, 'FILE') };
    };
    const [there, absent] = [await shown('/etc/hostname'), await shown('/etc/hostnone')];
    expect(there).toEqual(absent);
    expect(there.body).not.toContain('root:');
  });

  test('a file by making one of its tables the default database', async () => {
    for (const file of ['/etc/passwd', '/etc/none'])
      expect(await ask(`SELECT * FROM \`${file}\``, { database: 'default' })).toMatchObject({
        status: 403,
        body: expect.stringContaining('ACCESS_DENIED') as string,
      });
    expect(await ask('EXISTS {d:Identifier}.`/etc/passwd`', { param_d: 'default' })).toMatchObject({ status: 403 });
  });

  test.each([
    'SELECT * FROM system.processes',
    'SELECT * FROM system.disks',
    'SELECT * FROM system.users',
    'SELECT * FROM system.server_settings',
    'SELECT * FROM system.query_log',
    'SELECT * FROM system.storage_policies',
    'SHOW GRANTS FOR default',
    'SHOW FULL PROCESSLIST',
    'SHOW USERS',
    'SHOW ACCESS',
    "SELECT getServerSetting('max_server_memory_usage')",
    "SELECT * FROM url('http://127.0.0.1:1/', CSV)",
    "SELECT * FROM remote('127.0.0.1:1', system.one)",
    "SELECT * FROM s3('http://127.0.0.1:1/b/x')",
    "SELECT * FROM executable('id', CSV, 'a String')",
    "SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd')",
  ])('anything by %s', async sql => {
    expect(await ask(sql)).toMatchObject({ status: 403, body: expect.stringContaining('ACCESS_DENIED') as string });
  });

  test('another role: the connection has dropped its own', async () => {
    expect(await answerOf('SELECT currentRoles(), enabledRoles()')).toBe('[]\t[]');
    for (const sql of [
      'SET ROLE keeper',
      'SET ROLE ALL',
      'SET DEFAULT ROLE keeper TO default',
      'EXECUTE AS default SELECT 1',
      'GRANT keeper TO default',
    ])
      expect([sql, (await ask(sql)).body]).toEqual([sql, expect.stringContaining('READONLY')]);
  });
});

/** Statements that are made to be expensive, with what they are answered: the code of the refusal, or rows. */
const BOMBS: Record<string, [sql: string, answer: RegExp]> = {
  columns: [`SELECT ${'1,'.repeat(130_000)}1`, /Code: 168\.|REQUEST_TOO_LARGE/],
  brackets: [`SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)}`, /Code: 306\./],
  'arrays in arrays': [`SELECT ${'['.repeat(100_000)}1${']'.repeat(100_000)}`, /Code: 306\./],
  'types in types': [`SELECT CAST('', '${'Array('.repeat(20_000)}UInt8${')'.repeat(20_000)}')`, /Code: 306\./],
  'heredocs that never close': [
    `SELECT ${Array.from({ length: 30_000 }, (_, index) => `$${index.toString(36)}$`).join(' ')}`,
    /Code: 497\./,
  ],
  'parameters that never close': [`SELECT ${'{a:'.repeat(80_000)}`, /Code: 62\./],
  'tables that double': [
    `WITH ${Array.from({ length: 24 }, (_, index) => (index === 0 ? 'c0 AS (SELECT 1 AS x)' : `c${index} AS (SELECT a.x AS x FROM c${index - 1} AS a, c${index - 1} AS b)`)).join(', ')} SELECT count() FROM c23`,
    /Code: 36\./,
  ],
  'a recursion without end': [
    'WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT sum(n) FROM t',
    /Code: 306\./,
  ],
  'JSON in JSON': [`SELECT JSONExtract(concat(repeat('[', 1000000), repeat(']', 1000000)), 'Array(String)')`, /^\[\]/],
  'a pattern that would backtrack': [
    "SELECT count() FROM numbers(1000) WHERE match(repeat('a', 100000), '(a*)*(a*)*(a*)*b')",
    /^0/,
  ],
  'a pattern beyond size': ["SELECT match('a', '((a{1,1000}){1,1000}){1,1000}')", /Code: 427\./],
  'a cross join': [
    'SELECT sum(length(x)) FROM (SELECT groupArray(a.number) AS x FROM numbers(1000000) AS a, numbers(1000000) AS b)',
    /Code: 241\./,
  ],
  'a sort of more than memory': [
    'SELECT number FROM numbers(500000000) ORDER BY cityHash64(number) LIMIT 400000000, 1',
    /Code: 241\./,
  ],
  'groups of more than memory': [
    'SELECT count() FROM (SELECT number AS k FROM numbers(1000000000) GROUP BY k)',
    /Code: 241\./,
  ],
  'a text of a gigabyte, replaced': [
    "SELECT length(replaceRegexpAll(repeat('a', 1000000), 'a', repeat('b', 100000)))",
    /Code: 241\./,
  ],
  'an array of a billion': ['SELECT length(groupArray(number)) FROM numbers(1000000000)', /Code: 241\./],
  'a sleep that is too long': ['SELECT sleep(600)', /Code: 160\./],
  'other limits': ['SELECT 1 SETTINGS max_execution_time = 0, max_memory_usage = 0', /Code: 164\./],
  'an answer without end, in a format with an end': [
    'SELECT number FROM numbers(3000000000000) FORMAT Parquet SETTINGS output_format_parquet_row_group_size = 1000000000000',
    /Code: (?:164|241)\./,
  ],
};

describe('an analyst cannot stop others', () => {
  test.each(Object.entries(BOMBS))(
    'by %s',
    async (_name, [sql, answer]) => {
      const bomb = ask(sql);
      const started = performance.now();
      await insert(1);
      // hundreds of times what it takes: it waits for nothing of theirs
      expect(performance.now() - started).toBeLessThan(5_000);
      expect((await bomb).body.slice(0, 2_000)).toMatch(answer);
    },
    90_000,
  );

  test('with 400 silent connections: half of them are closed, and the services have their own port', async () => {
    const port = Number(new URL(engines.clickhouse.url).port);
    const sockets = Array.from({ length: 400 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    let closed = 0;
    for (const socket of sockets)
      socket.once('close', () => {
        closed += 1;
      });
    await expect.poll(() => closed, { timeout: 10_000 }).toBeGreaterThanOrEqual(200);
    await insert(1);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => answerOf('SELECT 1').catch(() => ''), { timeout: 10_000 }).toBe('1');
  });

  test('by killing their own process: the services continue, and analysts are served again', async () => {
    const pid = engines.pids['clickhouse_analysts']!;
    process.kill(pid, 'SIGKILL');
    await insert(1);
    await expect.poll(() => answerOf('SELECT 1').catch(() => ''), { timeout: 20_000 }).toBe('1');
    expect(engines.pids['clickhouse_analysts']).not.toBe(pid);
  }, 30_000);

  test('with a statement that ignores its limit: its process ends 20 s later, and analysts are served again', async () => {
    const pid = engines.pids['clickhouse_analysts']!;
    const distances = Array.from(
      { length: 200 },
      (_, index) => `editDistance(repeat('a', 60000), repeat('b', ${60_000 + index}))`,
    ); // seconds each, worked out before the query begins
    await expect(ask(`SELECT ${distances.join(',')}`)).rejects.toThrow('fetch failed');
    await insert(1);
    await expect.poll(() => answerOf('SELECT 1').catch(() => ''), { timeout: 20_000 }).toBe('1');
    expect(engines.pids['clickhouse_analysts']).not.toBe(pid);
  }, 180_000);

  test('and reads on when the engine that holds the data was killed', async () => {
    const written = Number(await answerOf('SELECT count() FROM plays'));
    process.kill(engines.pids['clickhouse']!, 'SIGKILL');
    const { status } = await ask('SELECT count() FROM plays');
    expect([200, 503]).toContain(status);
    await expect
      .poll(
        () =>
          insert(1).then(
            () => answerOf('SELECT count() FROM plays'),
            () => '',
          ),
        { timeout: 30_000, interval: 200 },
      )
      .toBe(String(written + 1));
  }, 60_000);
});

test.skipIf(process.platform !== 'linux')(
  "everything that the analysts' process does waits for the services, and is the first to go when memory runs out",
  async () => {
    await answerOf('SELECT count() FROM numbers(1000000)');
    const pid = engines.pids['clickhouse_analysts']!;
    // Of proc(5): nice is field 19. The engine's own watch over memory puts itself in front, where it may.
    const niceOf = (thread: string) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]);
    const nices = readdirSync(`/proc/${pid}/task`).map(niceOf);
    const nicer = Math.min(getPriority(engines.pids['clickhouse']) + 5, 19);
    expect(nices.filter(nice => nice === nicer).length).toBeGreaterThanOrEqual(nices.length - 1);
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
  },
);
