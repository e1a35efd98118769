/**
 * Answers that are larger than what a server holds in memory (32 MiB, of an analyst 4 MiB), clients that go away, and
 * bodies in other encodings. The real embedded ClickHouse.
 */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync, deflateSync, gunzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestEngines } from '../support/engines/engines.ts';

let engines: Awaited<ReturnType<typeof startTestEngines>>;
let admin: ClickHouseClient;
let analyst: ClickHouseClient;

beforeAll(async () => {
  engines = await startTestEngines({
    external: { databaseUrl: 'postgres://elsewhere', redisUrl: 'redis://elsewhere' },
    supervise: true,
  });
  admin = createClient({ url: engines.urls.clickhouseUrl });
  analyst = createClient({ ...engines.clickhouse, database: 'marquee' });
});
afterAll(async () => {
  await Promise.all([admin?.close(), analyst?.close()]);
  await engines?.remove();
});

/** 40 MB in TabSeparated. */
const LARGE = 'SELECT repeat(char(97 + number % 26), 999) AS x FROM numbers(40000)';
const LARGE_BYTES = 40_000_000;

type Sent = {
  body?: Uint8Array | string;
  headers?: Record<string, string>;
  params?: Record<string, string>;
  user?: 'default' | 'analyst';
};

function open(sql: string, { body, headers = {}, params = {}, user = 'default' }: Sent = {}) {
  const services = new URL(engines.urls.clickhouseUrl);
  const { url, password } =
    user === 'analyst' ? engines.clickhouse : { url: services.origin, password: services.password };
  const auth = `${user}:${password}`;
  const request = httpRequest({
    port: new URL(url).port,
    method: 'POST',
    path: `/?${new URLSearchParams({ ...params, ...(body !== undefined && { query: sql }) })}`,
    auth,
    headers,
    agent: false,
  });
  request.on('error', () => undefined); // a test that goes away says so by its own means
  request.end(body ?? sql);
  return request;
}

async function ask(
  sql: string,
  sent: Sent = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer; isBroken: boolean }> {
  const [reply] = (await once(open(sql, sent), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let isBroken = false;
  try {
    for await (const chunk of reply) chunks.push(chunk as Buffer);
  } catch {
    isBroken = true;
  }
  return { status: reply.statusCode!, headers: reply.headers, body: Buffer.concat(chunks), isBroken };
}

function rssMb(): number {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${engines.pids['clickhouse']}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

const running = async (text: string): Promise<number> => {
  const rows = await (
    await admin.query({
      query: `SELECT query FROM system.processes WHERE query LIKE '%${text}%' AND query NOT LIKE '%system.processes%'`,
      format: 'JSONEachRow',
    })
  ).json();
  return rows.length;
};
const pipes = () =>
  ['clickhouse', 'clickhouse_analysts'].flatMap(engine => {
    const folder = join(engines.dataDir, engine, 'results');
    return existsSync(folder) ? readdirSync(folder) : []; // it is made with the first pipe
  });

describe('an answer larger than the memory buffer', () => {
  test.each(['default', 'analyst'] as const)('comes whole to %s', async user => {
    const { status, body, headers } = await ask(LARGE, { user });
    expect([status, body.length, headers['x-clickhouse-format'], headers['transfer-encoding']]).toEqual([
      200,
      LARGE_BYTES,
      'TabSeparated',
      'chunked',
    ]);
    expect(body.subarray(-3).toString()).toMatch(/^[a-z]{2}\n$/);
    await expect.poll(pipes, { timeout: 5_000, interval: 20 }).toEqual([]); // removed when the last byte has gone
  });

  test('is one document in formats with a header and a footer', async () => {
    const result = await analyst.query({ query: LARGE, format: 'JSON' });
    const { rows, data } = (await result.json()) as { rows: number; data: unknown[] };
    expect([rows, data.length]).toEqual([40_000, 40_000]);
  });

  test("keeps the statement's own format, settings and comments", async () => {
    const { body, headers } = await ask(`${LARGE} FORMAT CSVWithNames SETTINGS max_threads = 1 -- the end`);
    expect([headers['x-clickhouse-format'], body.subarray(0, 6).toString(), body.length]).toEqual([
      'CSVWithNames',
      '"x"\n"a',
      LARGE_BYTES + 4 + 2 * 40_000,
    ]);
  });

  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('comes in %s', async (encoding, expand) => {
    const { body, headers } = await ask(LARGE, {
      params: { enable_http_compression: '1' },
      headers: { 'accept-encoding': encoding },
    });
    expect([headers['content-encoding'], body.length < 1_000_000, expand(body).length]).toEqual([
      encoding,
      true,
      LARGE_BYTES,
    ]);
  });

  test.skipIf(process.platform !== 'linux')('takes no more memory than a small one', async () => {
    await ask(LARGE);
    const before = rssMb();
    let peak = before;
    const [reply] = (await once(
      open('SELECT repeat(char(97 + number % 26), 999) FROM numbers(200000) SETTINGS max_block_size = 1000'),
      'response',
    )) as [IncomingMessage];
    let bytes = 0;
    let chunks = 0;
    for await (const chunk of reply) {
      bytes += (chunk as Buffer).length;
      if ((chunks += 1) % 200 === 0) peak = Math.max(peak, rssMb());
    }
    expect(bytes).toBe(200_000_000);
    expect(peak - before).toBeLessThan(120);
  });

  test('ends with the error and breaks if it fails midway', async () => {
    const { status, body, isBroken } = await ask(
      'SELECT repeat(char(97 + number % 26), 999), throwIf(number = 39999) FROM numbers(40000) SETTINGS max_block_size = 1000',
    );
    expect([status, isBroken]).toEqual([200, true]);
    expect(body.subarray(-2_000).toString()).toMatch(
      /Code: 395\. DB::Exception: .*FUNCTION_THROW_IF_VALUE_IS_NON_ZERO/,
    );
    await expect.poll(pipes, { timeout: 5_000, interval: 20 }).toEqual([]); // removed when the last byte has gone
  });

  test('is refused under a limit of the query, or cut off if the query asks for that', async () => {
    const refused = await ask(LARGE, { params: { max_result_bytes: '38000000' } });
    expect(refused.body.subarray(-2_000).toString()).toMatch(/Code: 396\./);
    const cut = await ask('SELECT number FROM numbers(100) SETTINGS max_block_size = 10', {
      user: 'analyst',
      params: { max_result_rows: '20', result_overflow_mode: 'break' },
    }).then(reply => reply.body.toString());
    expect(cut).toMatch(/SETTINGS|READONLY/); // an analyst changes no setting in the text
    expect(
      (
        await ask('SELECT number FROM numbers(100000)', {
          user: 'analyst',
          params: { max_result_rows: '20', result_overflow_mode: 'break' },
        })
      ).body
        .toString()
        .split('\n').length,
    ).toBeLessThan(100_000);
  });

  test('has the same limits for an analyst', async () => {
    const { body } = await ask(
      "SELECT getSetting('max_execution_time'), getSetting('max_memory_usage'), getSetting('max_threads'), getSetting('readonly'), repeat(char(97 + number % 26), 999) FROM numbers(40000)",
      { user: 'analyst' },
    );
    expect(body.length).toBeGreaterThan(33_554_432);
    expect(body.subarray(0, 19).toString()).toBe('60\t2147483648\t1\t1\ta');
  });

  test('leaves a small answer unchanged: complete, with its length and its summary', async () => {
    const { headers } = await ask('SELECT number FROM numbers(1000)');
    expect(headers['content-length']).toBe('3890');
    expect(JSON.parse(String(headers['x-clickhouse-summary']))).toMatchObject({
      result_rows: '1000',
      written_rows: '0',
    });
  });
});

describe('a client that goes away', () => {
  test('ends its running query', async () => {
    const query = 'SELECT count() FROM numbers(100000000001) WHERE NOT ignore(cityHash64(number))';
    const request = open(query);
    await expect.poll(() => running('100000000001'), { timeout: 5_000, interval: 20 }).toBe(1);
    request.destroy();
    await expect.poll(() => running('100000000001'), { timeout: 20_000, interval: 500 }).toBe(0);
  }, 40_000);

  test('ends its query in the middle of the answer', async () => {
    const [reply] = (await once(
      open('SELECT number, 100000000002 AS n FROM system.numbers', { user: 'default' }),
      'response',
    )) as [IncomingMessage];
    await once(reply, 'data');
    expect(await running('100000000002')).toBeGreaterThan(0);
    reply.destroy();
    await expect.poll(() => running('100000000002'), { timeout: 10_000, interval: 50 }).toBe(0);
    await expect.poll(pipes, { timeout: 5_000, interval: 50 }).toEqual([]);
  });

  test('as the answer begins leaves no query waiting for a reader', async () => {
    for (let client = 0; client < 12; client++) {
      const known = new Set(pipes());
      const request = open(
        "SELECT number, 100000000004 AS n FROM system.numbers SETTINGS result_overflow_mode = 'throw'",
      ); // a stream from the start
      await expect.poll(() => pipes().some(pipe => !known.has(pipe)), { timeout: 10_000, interval: 1 }).toBe(true);
      await setTimeout(2 * client); // the engine opens the pipe some milliseconds after it was made
      request.destroy();
    }
    await expect.poll(pipes, { timeout: 15_000, interval: 50 }).toEqual([]);
    expect(await running('100000000004')).toBe(0);
  }, 60_000);

  test('frees its slot for waiting queries', async () => {
    await ask('SELECT 1', { user: 'analyst' }); // their engine is open
    const sleepers = Array.from({ length: 3 }, () =>
      open('SELECT count() FROM numbers(100000000003) WHERE NOT ignore(cityHash64(number))', { user: 'analyst' }),
    );
    const another = () =>
      Promise.race([ask('SELECT 1', { user: 'analyst' }).then(() => 'answered'), setTimeout(1_000, 'waits')]);
    await expect.poll(another, { timeout: 10_000, interval: 20 }).toBe('waits');
    const waiting = ask('SELECT 1', { user: 'analyst' });
    for (const sleeper of sleepers) sleeper.destroy();
    expect((await waiting).body.toString()).toBe('1\n');
  }, 30_000);

  test('does not end an insert', async () => {
    await admin.command({ query: 'CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n' });
    const request = open('INSERT INTO kept SELECT number FROM numbers(3000000) WHERE NOT ignore(cityHash64(number))');
    await expect
      .poll(async () => (await running('INSERT INTO kept')) + Number((await rowsOf('kept')) > 0), {
        timeout: 5_000,
        interval: 10,
      })
      .toBeGreaterThan(0);
    request.destroy();
    await expect.poll(() => rowsOf('kept'), { timeout: 10_000, interval: 50 }).toBe(3_000_000);
  });
});

test('a failed query is released at once, not with the next one of its connection', async () => {
  const refused = await ask('SELECT throwIf(number = 5) FROM numbers(100000000005)');
  expect(refused.body.toString()).toContain('FUNCTION_THROW_IF_VALUE_IS_NON_ZERO');
  expect(await running('100000000005')).toBe(0);
});

async function rowsOf(table: string): Promise<number> {
  const [row] = await (
    await admin.query({ query: `SELECT count() AS n FROM ${table}`, format: 'JSONEachRow' })
  ).json<{ n: string }>();
  return Number(row!.n);
}

describe('bodies and answers in other encodings', () => {
  test('a request in deflate is read', async () => {
    expect(
      (
        await ask('', { body: new Uint8Array(deflateSync('SELECT 7')), headers: { 'content-encoding': 'deflate' } })
      ).body.toString(),
    ).toBe('7\n');
  });

  test('a request in zstd is read if Node supports it, and otherwise refused by name', async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Buffer };
    const body = new Uint8Array(zstdCompressSync?.('SELECT 8') ?? Buffer.from('SELECT 8'));
    const reply = await ask('', { body, headers: { 'content-encoding': 'zstd' } });
    expect(reply.body.toString()).toMatch(zstdCompressSync ? /^8\n$/ : /UNKNOWN_COMPRESSION_METHOD/);
  });

  test.each([
    ['gzip', 'gzip'],
    ['deflate', 'deflate'],
    ['gzip;q=0, deflate', 'deflate'],
    ['identity', undefined],
    ['br, gzip', 'gzip'],
  ])('Accept-Encoding: %s is answered in %s', async (accepted, expected) => {
    const { headers } = await ask('SELECT 1', {
      params: { enable_http_compression: '1' },
      headers: { 'accept-encoding': accepted },
    });
    expect(headers['content-encoding']).toBe(expected);
  });
});
