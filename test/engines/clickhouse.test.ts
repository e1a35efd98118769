/**
 * The embedded ClickHouse by its own HTTP protocol: the unmodified client, and plain requests as curl would send them.
 */
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestEngines } from '../support/engines/engines.ts';

let engines: Awaited<ReturnType<typeof startTestEngines>>;
/** Refusals are what these tests ask for; the client need not log them. */
const QUIET = { level: ClickHouseLogLevel.OFF };
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

type Reply = { status: number; body: string; headers: Headers };

async function send(path: string, init: RequestInit & { user?: 'default' | 'analyst' | 'none' } = {}): Promise<Reply> {
  const { user = 'default', ...rest } = init;
  const services = new URL(engines.urls.clickhouseUrl);
  const { url, password } =
    user === 'analyst' ? engines.clickhouse : { url: services.origin, password: services.password };
  const headers = new Headers(rest.headers);
  if (user !== 'none') headers.set('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  const reply = await fetch(`${url}${path}`, { ...rest, headers });
  return { status: reply.status, body: await reply.text(), headers: reply.headers };
}

function ask(
  sql: string,
  options: { user?: 'default' | 'analyst'; params?: Record<string, string> } = {},
): Promise<Reply> {
  return send(`/?${new URLSearchParams(options.params)}`, {
    method: 'POST',
    body: sql,
    ...(options.user && { user: options.user }),
  });
}

async function makeTable(name: string, columns = 'id UInt32, name String'): Promise<string> {
  await admin.command({ query: `CREATE TABLE ${name} (${columns}) ENGINE = MergeTree ORDER BY tuple()` });
  return name;
}

async function rowsOf(query: string, client = admin): Promise<unknown[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json();
}

describe.each([
  ['plain', {}],
  ['answers in gzip', { response: true }],
  ['requests in gzip', { request: true }],
  ['both in gzip', { request: true, response: true }],
  ['both in brotli', { request: { codec: 'br' }, response: { codec: 'br' } }],
] satisfies [string, ClickHouseClientConfigOptions['compression']][])(
  'the unmodified client, %s',
  (label, compression) => {
    let client: ClickHouseClient;
    let table: string;

    beforeAll(async () => {
      client = createClient({ url: engines.urls.clickhouseUrl, compression, log: QUIET });
      table = await makeTable(`matrix_${label.replaceAll(' ', '_')}`);
    });
    afterAll(() => client.close());

    test('pings both ways', async () => {
      expect(await client.ping()).toEqual({ success: true });
      expect(await client.ping({ select: true })).toEqual({ success: true });
    });

    test('inserts values and streams in three formats and reads them back', async () => {
      await client.insert({ table, format: 'JSONEachRow', values: [{ id: 1, name: 'one; {x:UInt8} FORMAT é' }] });
      await client.insert({
        table,
        format: 'CSV',
        values: Readable.from('2,"two, ""quoted"""\n', { objectMode: false }),
      });
      await client.insert({
        table,
        format: 'TabSeparated',
        values: Readable.from('3\tthree\\tx\n', { objectMode: false }),
        columns: ['id', 'name'],
      });
      await client.insert({ table, format: 'JSONEachRow', values: Readable.from([{ id: 4, name: 'four' }]) });
      expect(
        await (await client.query({ query: `SELECT * FROM ${table} ORDER BY id`, format: 'JSONEachRow' })).json(),
      ).toEqual([
        { id: 1, name: 'one; {x:UInt8} FORMAT é' },
        { id: 2, name: 'two, "quoted"' },
        { id: 3, name: 'three\tx' },
        { id: 4, name: 'four' },
      ]);
    });

    test('returns the number of written rows of an insert', async () => {
      const { summary } = await client.insert({ table, format: 'JSONEachRow', values: [{ id: 8 }, { id: 9 }] });
      expect(summary?.written_rows).toBe('2');
    });

    test('streams a large answer', async () => {
      const result = await client.query({ query: 'SELECT number AS n FROM numbers(200000)', format: 'JSONEachRow' });
      let count = 0;
      for await (const rows of result.stream()) count += rows.length;
      expect(count).toBe(200_000);
    });

    test('runs a command and an exec', async () => {
      await client.command({ query: `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS extra UInt8;` });
      const { stream } = await client.exec({ query: 'SELECT 42 FORMAT CSV' });
      expect(await text(stream)).toBe('42\n');
      await client.command({ query: `INSERT INTO ${table} (id, name) VALUES (100, 'VALUES ; FORMAT CSV')` });
      expect(await rowsOf(`SELECT name FROM ${table} WHERE id = 100`)).toEqual([{ name: 'VALUES ; FORMAT CSV' }]);
    });

    test('runs an exec with values', async () => {
      await text(
        (
          await client.exec({
            query: `INSERT INTO ${table} (id, name) FORMAT CSV`,
            values: Readable.from('200,x\n', { objectMode: false }),
          })
        ).stream,
      );
      expect(await rowsOf(`SELECT name FROM ${table} WHERE id = 200`)).toEqual([{ name: 'x' }]);
    });

    test('rejects with the code and type of ClickHouse', async () => {
      const fault = await client.query({ query: 'SELECT * FROM absent' }).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(ClickHouseError);
      expect(fault).toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' });
    });
  },
);

describe('query parameters', () => {
  const values: [type: string, value: unknown, shown: unknown][] = [
    ['String', "it's a \\ tab\t line\n é {x:UInt8}", "it's a \\ tab\t line\n é {x:UInt8}"],
    ['String', "'; DROP TABLE t --", "'; DROP TABLE t --"],
    ['UInt64', '18446744073709551615', '18446744073709551615'],
    ['Int64', -5, '-5'],
    ['Float64', 1.5, 1.5],
    ['Bool', true, true],
    ['Nullable(String)', null, null],
    ['Array(String)', ["a'b", 'c\\d'], ["a'b", 'c\\d']],
    ['Array(UInt32)', [1, 2], [1, 2]],
    ['Tuple(UInt8, String)', undefined, undefined],
    ['Map(String, UInt8)', { "k'": 1, l: 2 }, { "k'": 1, l: 2 }],
    ['DateTime', new Date('2026-01-02T03:04:05Z'), '2026-01-02 03:04:05'],
    ['DateTime64(3)', new Date('2026-01-02T03:04:05.678Z'), '2026-01-02 03:04:05.678'],
    ['Date', '2026-01-02', '2026-01-02'],
    ['UUID', '8d8ac610-566d-4ef0-9c22-186b2a5ed793', '8d8ac610-566d-4ef0-9c22-186b2a5ed793'],
  ];
  test.each(values.filter(([, value]) => value !== undefined))(
    '%s %j is bound on the server, in the URL and in a form',
    async (type, value, shown) => {
      for (const use_multipart_params of [false, true]) {
        const result = await admin.query({
          query: `SELECT {v:${type}} AS v`,
          query_params: { v: value },
          format: 'JSONEachRow',
          use_multipart_params,
          clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
        });
        expect(await result.json()).toEqual([{ v: shown }]);
      }
    },
  );

  test('an identifier is quoted, whatever it holds', async () => {
    await makeTable('`we``ird; name`');
    const result = await admin.query({
      query: 'SELECT count() AS n FROM {t:Identifier}',
      query_params: { t: 'we`ird; name' },
      format: 'JSONEachRow',
    });
    expect(await result.json()).toEqual([{ n: 0 }]);
  });

  test('work in limits, inserts of values, and DDL', async () => {
    await makeTable('bound');
    await admin.command({
      query: 'INSERT INTO {t:Identifier} VALUES ({id:UInt32}, {name:String})',
      query_params: { t: 'bound', id: 7, name: "s'even" },
    });
    const result = await admin.query({
      query: 'SELECT name FROM bound WHERE id = {id:UInt32} LIMIT {n:UInt8}',
      query_params: { id: 7, n: 1 },
      format: 'JSONEachRow',
    });
    expect(await result.json()).toEqual([{ name: "s'even" }]);
  });

  test('an invalid map, a missing value and a value of another type are refused', async () => {
    expect((await ask('SELECT {m:Map(String,UInt8)}', { params: { param_m: "{'a':sleep(3)}" } })).body).toContain(
      'BAD_QUERY_PARAMETER',
    );
    expect((await ask('SELECT {zz:UInt8}', { params: { param_a: '1' } })).body).toMatch(
      /Code: 456.*UNKNOWN_QUERY_PARAMETER/,
    );
    expect((await ask('SELECT {a:UInt8}', { params: { param_a: 'x' } })).status).toBe(400);
  });

  test('queries with parameters run side by side', async () => {
    const started = performance.now();
    await Promise.all(
      [1, 2, 3, 4].map(n =>
        admin
          .query({ query: 'SELECT sleep({n:Float64})', query_params: { n: 0.5 + n / 1000 } })
          .then(result => result.text()),
      ),
    );
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});

describe('settings', () => {
  test('last for their statement', async () => {
    const read = () => rowsOf("SELECT getSetting('max_threads') AS n, getSetting('max_result_bytes') AS b");
    const before = await read();
    for (let round = 0; round < 10; round++) {
      const result = await admin.query({
        query: "SELECT getSetting('max_threads') AS n",
        format: 'JSONEachRow',
        clickhouse_settings: { max_threads: 1 + round, max_result_bytes: '1000000' },
      });
      expect(await result.json()).toEqual([{ n: 1 + round }]);
    }
    for (let round = 0; round < 10; round++) expect(await read()).toEqual(before);
  });

  test('of one service do not affect other clients after a query, an error or an insert', async () => {
    const names = ['async_insert', 'date_time_output_format', 'output_format_json_quote_64bit_integers'];
    const asked = `SELECT ${names.map(name => `toString(getSetting('${name}'))`).join(", ' ', ")}`;
    const own = { async_insert: '0', date_time_output_format: 'iso', output_format_json_quote_64bit_integers: '1' };
    const [defaults, with_own] = [(await ask(asked)).body, (await ask(asked, { params: own })).body];
    expect(with_own).not.toBe(defaults);
    await makeTable('stays', 'id UInt32');
    const many = <T>(one: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 10 }, one));
    for (const before of [
      () => ask(asked, { params: own }),
      () => ask('SELECT throwIf(1)', { params: own }),
      () => ask('INSERT INTO stays FORMAT JSONEachRow {"id":1}', { params: own }),
    ]) {
      await many(before);
      expect(new Set((await many(() => ask(asked))).map(({ body }) => body))).toEqual(new Set([defaults]));
      expect(
        (await many(() => ask(asked, { params: { ...own, date_time_output_format: 'unix_timestamp' } }))).map(
          ({ body }) => body,
        ),
      ).toEqual(Array.from({ length: 10 }, () => with_own.replace('iso', 'unix_timestamp')));
    }
  });

  test('SET and USE do not reach the next request', async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => admin.command({ query: 'SET max_threads = 1, join_use_nulls = 1' })),
    );
    await admin.command({ query: 'USE system' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => rowsOf("SELECT getSetting('join_use_nulls') AS j, currentDatabase() AS d")),
    );
    expect(answers.every(([row]) => JSON.stringify(row) === '{"j":false,"d":"marquee"}')).toBe(true);
  });

  test('of the request are combined with those of an insert, which win', async () => {
    await makeTable('times', 'at DateTime');
    await admin.insert({
      table: 'times',
      format: 'JSONEachRow',
      values: [{ at: '2026-01-01T00:00:00Z' }],
      clickhouse_settings: { date_time_input_format: 'best_effort' },
    });
    const reply = await ask(
      `INSERT INTO times SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow {"at":"2026-01-02T00:00:00Z"}`,
      { params: { date_time_input_format: 'basic', max_threads: '1' } },
    );
    expect(reply.status).toBe(200);
    expect(await rowsOf('SELECT count() AS n FROM times')).toEqual([{ n: 2 }]);
  });

  test('the server is in UTC', async () => {
    expect(await rowsOf('SELECT timezone() AS z')).toEqual([{ z: 'UTC' }]);
  });
});

describe('plain requests', () => {
  test('a GET reads in the default format and names it', async () => {
    const reply = await send('/?query=SELECT%201,%202');
    expect([reply.status, reply.body, reply.headers.get('x-clickhouse-format')]).toEqual([
      200,
      '1\t2\n',
      'TabSeparated',
    ]);
    expect(JSON.parse(reply.headers.get('x-clickhouse-summary')!)).toMatchObject({ read_rows: '1', written_rows: '0' });
    expect(reply.headers.get('x-clickhouse-timezone')).toBe('UTC');
  });

  test('the query id is given back', async () => {
    expect((await send('/?query=SELECT%201&query_id=mine')).headers.get('x-clickhouse-query-id')).toBe('mine');
    expect((await send('/?query=SELECT%201&query_id=a%0D%0Ab')).headers.get('x-clickhouse-query-id')).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });

  test('users may be in headers or in the URL, but not in both', async () => {
    const { password } = new URL(engines.urls.clickhouseUrl);
    expect(
      (
        await send('/?query=SELECT%201', {
          user: 'none',
          headers: { 'X-ClickHouse-User': 'default', 'X-ClickHouse-Key': password },
        })
      ).body,
    ).toBe('1\n');
    expect((await send(`/?query=SELECT%201&user=default&password=${password}`, { user: 'none' })).body).toBe('1\n');
    expect((await send(`/?query=SELECT%201&user=default&password=${password}`)).status).toBe(403);
  });

  test('default_format and database are accepted', async () => {
    expect(
      (
        await ask('SELECT 1 AS a, currentDatabase() AS d', {
          params: { default_format: 'JSONEachRow', database: 'default' },
        })
      ).body,
    ).toBe('{"a":1,"d":"default"}\n');
  });

  test('a statement in the URL and its rest in the body are joined', async () => {
    expect((await send('/?query=SELECT%201%20%2B', { method: 'POST', body: '1' })).body).toBe('2\n');
  });

  test('a statement with data in the body is split at the data', async () => {
    await makeTable('whole');
    expect((await ask('INSERT INTO whole (id, name) FORMAT CSV\n1,"a;b"\n2,"é"\n')).status).toBe(200);
    expect((await ask(`insert into whole values (3, 'x'), (4, 'y')`)).status).toBe(200);
    expect(await rowsOf('SELECT id, name FROM whole ORDER BY id')).toEqual([
      { id: 1, name: 'a;b' },
      { id: 2, name: 'é' },
      { id: 3, name: 'x' },
      { id: 4, name: 'y' },
    ]);
  });

  test('binary data may contain the end of a statement, and stays data', async () => {
    await makeTable('bytes', 'id UInt32');
    // Two line feeds are an empty line, behind which the engine would look for the next statement.
    const numbers = [0x0a0a0a0a, 0x3b0a0a3b, ...Buffer.from('\n\nDROP TABLE bytes;\n\n ')].map(id => id >>> 0);
    const data = Buffer.from(Uint32Array.from(numbers).buffer);
    const reply = await send('/?query=INSERT%20INTO%20bytes%20FORMAT%20RowBinary', { method: 'POST', body: data });
    expect([reply.status, reply.body]).toEqual([200, '']);
    expect(await rowsOf('SELECT id FROM bytes ORDER BY id')).toEqual(
      numbers.toSorted((one, other) => one - other).map(id => ({ id })),
    );
  });

  test('columns may be called format, values and settings', async () => {
    await makeTable('words', 'format UInt8, `values` UInt8, settings UInt8');
    await admin.insert({
      table: 'words',
      columns: ['format', 'values', 'settings'],
      format: 'JSONEachRow',
      values: [{ format: 1, values: 2, settings: 3 }],
    });
    await admin.command({ query: 'INSERT INTO words SELECT format + 1, values, settings FROM words' });
    const reply = await ask('SELECT format FROM words ORDER BY format');
    expect([reply.body, reply.headers.get('x-clickhouse-format')]).toEqual(['1\n2\n', 'TabSeparated']);
  });

  test('binary formats stay bytes', async () => {
    await makeTable('binary');
    const row = Buffer.from([255, 0, 0, 0, 3, 0, 200, 10]);
    expect(
      (await send('/?query=INSERT%20INTO%20binary%20FORMAT%20RowBinary', { method: 'POST', body: row })).status,
    ).toBe(200);
    const reply = await fetch(
      `${engines.urls.clickhouseUrl.replace(/\/\/.*@/, '//').replace('/marquee', '/')}?query=SELECT%20*%20FROM%20binary%20FORMAT%20RowBinary`,
      {
        headers: {
          authorization: `Basic ${Buffer.from(`default:${new URL(engines.urls.clickhouseUrl).password}`).toString('base64')}`,
        },
      },
    );
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(row);
  });

  test('an insert without data succeeds with no rows', async () => {
    await makeTable('empty');
    expect((await send('/?query=INSERT%20INTO%20empty%20FORMAT%20CSV', { method: 'POST', body: '' })).status).toBe(200);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('a body in %s is read', async (encoding, compress) => {
    const body = new Uint8Array(compress('SELECT 7'));
    expect((await send('/', { method: 'POST', body, headers: { 'content-encoding': encoding } })).body).toBe('7\n');
  });

  test('a multi-megabyte insert is one statement', async () => {
    await makeTable('large');
    const body = Array.from({ length: 100_000 }, (_, id) => `${id},"${'x'.repeat(100)}"`).join('\n');
    expect((await ask(`INSERT INTO large FORMAT CSV\n${body}`)).status).toBe(200);
    expect(
      await rowsOf(
        "SELECT (SELECT count() FROM large) AS n, count() AS parts FROM system.parts WHERE table = 'large' AND active",
      ),
    ).toEqual([{ n: 100_000, parts: 1 }]);
  });

  test('unknown paths are 404', async () => {
    expect((await send('/nothing')).status).toBe(404);
    expect((await send('/ping', { user: 'none' })).body).toBe('Ok.\n');
  });
});

describe('bad input', () => {
  const sent: [what: string, path: string, init: Parameters<typeof send>[1], status: number, type: string][] = [
    ['a malformed statement', '/', { method: 'POST', body: 'SELEC 1' }, 400, 'SYNTAX_ERROR'],
    ['an empty statement', '/', { method: 'POST', body: ' -- nothing' }, 400, 'SYNTAX_ERROR'],
    ['two statements', '/', { method: 'POST', body: 'SELECT 1; SELECT 2' }, 400, 'SYNTAX_ERROR'],
    ['an unknown table', '/', { method: 'POST', body: 'SELECT * FROM absent' }, 404, 'UNKNOWN_TABLE'],
    ['an unknown database', '/?database=absent', { method: 'POST', body: 'SELECT 1' }, 404, 'UNKNOWN_DATABASE'],
    ['an unknown setting', '/?no_such_setting=1', { method: 'POST', body: 'SELECT 1' }, 404, 'UNKNOWN_SETTING'],
    [
      'a setting whose name is SQL',
      '/?max_threads%3D1%2Creadonly=1',
      { method: 'POST', body: 'SELECT 1' },
      404,
      'UNKNOWN_SETTING',
    ],
    ['a bad value of a setting', '/?max_threads=many', { method: 'POST', body: 'SELECT 1' }, 400, ''],
    ['an unknown format', '/?default_format=a%27b', { method: 'POST', body: 'SELECT 1' }, 404, 'UNKNOWN_FORMAT'],
    ['a role', '/?role=admin', { method: 'POST', body: 'SELECT 1' }, 404, 'UNKNOWN_ROLE'],
    ['native compression', '/?decompress=1', { method: 'POST', body: 'SELECT 1' }, 501, 'NOT_IMPLEMENTED'],
    ['a write by GET', '/?query=CREATE%20TABLE%20x%20(a%20UInt8)%20ENGINE%20%3D%20Memory', {}, 500, 'READONLY'],
    [
      'broken gzip',
      '/',
      { method: 'POST', body: 'SELECT 1', headers: { 'content-encoding': 'gzip' } },
      400,
      'ZLIB_INFLATE_FAILED',
    ],
    [
      'cut gzip',
      '/',
      {
        method: 'POST',
        body: new Uint8Array(gzipSync('SELECT 1').subarray(0, 12)),
        headers: { 'content-encoding': 'gzip' },
      },
      400,
      'ZLIB_INFLATE_FAILED',
    ],
    [
      'an unknown encoding',
      '/',
      { method: 'POST', body: 'SELECT 1', headers: { 'content-encoding': 'lzma' } },
      500,
      'UNKNOWN_COMPRESSION_METHOD',
    ],
    [
      'a broken row',
      '/',
      { method: 'POST', body: 'INSERT INTO whole FORMAT JSONEachRow {"id":"x"}' },
      400,
      'CANNOT_PARSE',
    ],
    ['a client-side file', '/', { method: 'POST', body: "SELECT 1 INTO OUTFILE '/tmp/x'" }, 501, 'NOT_IMPLEMENTED'],
    [
      'rows for input()',
      '/',
      { method: 'POST', body: "INSERT INTO whole SELECT * FROM input('id UInt32, name String') FORMAT CSV 1,a" },
      501,
      'NOT_IMPLEMENTED',
    ],
    [
      'a broken form',
      '/',
      { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=q' } },
      400,
      'BAD_ARGUMENTS',
    ],
    [
      'a bearer token',
      '/',
      { user: 'none', method: 'POST', body: 'SELECT 1', headers: { authorization: 'Bearer x' } },
      403,
      'AUTHENTICATION_FAILED',
    ],
    ['no password', '/', { user: 'none', method: 'POST', body: 'SELECT 1' }, 403, 'AUTHENTICATION_FAILED'],
    [
      'an unknown user',
      '/?user=nobody&password=x',
      { user: 'none', method: 'POST', body: 'SELECT 1' },
      403,
      'AUTHENTICATION_FAILED',
    ],
  ];
  test.each(sent)('%s is refused in ClickHouse terms', async (_what, path, init, status, type) => {
    const reply = await send(path, init);
    expect([reply.status, reply.body]).toEqual([
      status,
      expect.stringMatching(
        new RegExp(`^Code: \\d+\\. DB::Exception: [\\s\\S]*\\([A-Z_]*${type}[A-Z_]*\\) \\(version `),
      ),
    ]);
    expect(reply.headers.get('x-clickhouse-exception-code')).toMatch(/^\d+$/);
  });

  test('the client sees a wrong password as code 516', async () => {
    const stranger = createClient({ ...engines.clickhouse, password: 'wrong', log: QUIET });
    await expect(stranger.query({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '516' });
    await stranger.close();
  });

  test('a body over 256 MiB is answered with 413 and not kept', async () => {
    const { port, password } = new URL(engines.urls.clickhouseUrl);
    const request = httpRequest({
      port,
      method: 'POST',
      path: `/?query=${encodeURIComponent('INSERT INTO whole FORMAT CSV')}`,
      auth: `default:${password}`,
    });
    const replied = once(request, 'response') as Promise<[IncomingMessage]>;
    Readable.from(
      (function* () {
        for (let sent = 0; sent < 257; sent++) yield Buffer.alloc(2 ** 20, 'x');
      })(),
    ).pipe(request);
    const [reply] = await replied;
    expect([reply.statusCode, await text(reply)]).toEqual([413, expect.stringContaining('REQUEST_TOO_LARGE')]);
  });
});

describe('a long statement', () => {
  const LONG = `SELECT ${'1,'.repeat(10_000_000)}1`;
  const users = ['default', 'analyst'] as const;

  test.each(users)('of 20 MB by %s is refused at once, and an insert meanwhile takes its usual time', async user => {
    const table = await makeTable(`beside_long_${user}`);
    const refused = ask(LONG, { user });
    const started = performance.now();
    await admin.insert({ table, format: 'JSONEachRow', values: [{ id: 1, name: 'x' }] });
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await refused).toMatchObject({ status: 413, body: expect.stringContaining('REQUEST_TOO_LARGE') as string });
  });

  test.each(users)('by %s without a length is refused as well', async user => {
    const services = new URL(engines.urls.clickhouseUrl);
    const { url, password } =
      user === 'analyst' ? engines.clickhouse : { url: services.origin, password: services.password };
    const request = httpRequest({ port: new URL(url).port, method: 'POST', path: '/', auth: `${user}:${password}` });
    const replied = once(request, 'response') as Promise<[IncomingMessage]>;
    Readable.from(
      (function* () {
        for (let sent = 0; sent < 20; sent++) yield LONG.slice(sent * 2 ** 20, (sent + 1) * 2 ** 20);
      })(),
    ).pipe(request);
    const [reply] = await replied;
    expect([reply.statusCode, await text(reply)]).toEqual([413, expect.stringContaining('REQUEST_TOO_LARGE')]);
  });

  test.each(users)('of 256 KiB by %s is read, and one byte more is refused', async user => {
    const ofLength = (bytes: number) => `SELECT length('${'x'.repeat(bytes - 17)}')`;
    expect((await ask(ofLength(262_144), { user })).body).toBe(`${262_144 - 17}\n`);
    expect((await ask(ofLength(262_145), { user })).status).toBe(413);
  });

  test('made long by a parameter is refused before it is assembled', async () => {
    for (const user of users) {
      const reply = await ask(`SELECT ${'{x:String},'.repeat(20_000)}1`, {
        user,
        params: { param_x: 'x'.repeat(100_000) },
      });
      expect([reply.status, reply.body]).toEqual([413, expect.stringContaining('REQUEST_TOO_LARGE')]);
    }
  });

  test('of an insert may be followed by as much data as before', async () => {
    const table = await makeTable('long_data');
    const rows = Array.from({ length: 40_000 }, (_, id) => `${id},"row of an insert"`).join('\n');
    expect((await ask(`INSERT INTO ${table} FORMAT CSV\n${rows}`)).status).toBe(200);
    expect(await rowsOf(`SELECT count() AS n FROM ${table}`)).toEqual([{ n: 40_000 }]);
    expect((await ask(`INSERT INTO ${table} SELECT ${'1,'.repeat(200_000)} 'x'`)).status).toBe(413);
  });
});

describe('the analyst', () => {
  test('reads tables and the harmless part of the system', async () => {
    await makeTable('public');
    expect(await rowsOf('SELECT count() AS n FROM public', analyst)).toEqual([{ n: 0 }]);
    for (const sql of [
      'SHOW TABLES',
      'DESCRIBE TABLE public',
      'EXPLAIN SELECT 1',
      'EXISTS TABLE public',
      'WITH 1 AS x SELECT x',
      '(SELECT 1)',
      'SELECT name FROM system.tables',
      'SELECT * FROM numbers(3)',
      'SHOW CREATE TABLE public',
      "SELECT 'file(' AS note",
    ]) {
      expect([sql, (await ask(sql, { user: 'analyst' })).status]).toEqual([sql, 200]);
    }
  });

  test('may bind parameters and choose the format of an answer', async () => {
    const result = await analyst.query({
      query: 'SELECT toUInt64({n:UInt8}) AS n',
      query_params: { n: 1 },
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    });
    expect(await result.json()).toEqual([{ n: '1' }]);
  });

  test.each([
    "INSERT INTO public VALUES (1, 'a')",
    'INSERT INTO public FORMAT CSV\n1,a',
    "INSERT INTO public SELECT 1, 'a'",
    'CREATE TABLE x (a UInt8) ENGINE = Memory',
    'DROP TABLE public',
    'TRUNCATE TABLE public',
    'ALTER TABLE public DELETE WHERE 1',
    'OPTIMIZE TABLE public',
    'SET max_threads = 8',
    'SET readonly = 0',
    'SET max_threads = 1, readonly = 0',
    'SET max_threads',
    'SET a = (SELECT 1)',
    'SYSTEM FLUSH LOGS',
    'KILL QUERY WHERE 1',
    "BACKUP TABLE public TO File('x')",
    'CREATE FUNCTION f AS (x) -> x',
    'CREATE TEMPORARY TABLE y (a UInt8)',
    'GRANT SELECT ON *.* TO analyst',
    'RENAME TABLE public TO private',
    'DETACH TABLE public',
    'CHECK TABLE public',
    'SELECT 1 SETTINGS max_execution_time = 3600',
    'SELECT 1 SETTINGS readonly = 0',
  ])('is refused %s as read-only', async sql => {
    const reply = await ask(sql, { user: 'analyst' });
    expect([reply.status, reply.body]).toEqual([500, expect.stringMatching(/^Code: 164\..*READONLY/s)]);
  });

  test.each([
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT file('/etc/passwd')",
    "SELECT arrayMap(file, ['/etc/passwd'])",
    "SELECT * APPLY(file) FROM (SELECT '/etc/passwd')",
    "SELECT `file`('/etc/passwd')",
    "SELECT 1.file('/etc/passwd')",
    "SELECT 0xfile('/etc/passwd'), file",
    "SELECT `fi\\x6ce`('/etc/passwd')",
    "SELECT fILE/* /* x */ */('/etc/passwd')",
    "SELECT “file”('/etc/passwd')",
    "DESCRIBE file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
    "DESCRIBE TABLE url('http://127.0.0.1:1/')",
    "SELECT * FROM s3('http://127.0.0.1:1/bucket/x', 'LineAsString')",
    "SELECT * FROM remote('127.0.0.1:1', system.one)",
    "SELECT * FROM executable('cat /etc/passwd', 'LineAsString', 'a String')",
    "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM sqlite('/tmp/x.db', 't')",
    "SELECT * FROM merge('system', 'processes')",
    "SELECT * FROM eval('SELECT file(''/etc/passwd'')')",
    "SELECT * FROM filesystem('/etc')",
    "SELECT * FROM cluster('default', system.one)",
    'SELECT * FROM system.processes',
    'SELECT * FROM "system" . `processes`',
    'SELECT * FROM system.errors',
    'SELECT * FROM system.server_settings',
    'USE system',
    'USE DATABASE `default`',
    'SHOW PROCESSLIST FORMAT TSV SETTINGS max_threads = 1',
    "SELECT hasColumnInTable('127.0.0.1:1', 'a', 'b', 'c')",
    "SELECT catboostEvaluate('/etc/passwd', 1)",
    'SELECT $$x$$, 1',
    "SELECT 1 IN (SELECT file('/etc/passwd') = '')",
    "SELECT aiGenerate('x', 'y')",
    'SELECT email FROM private_api_calls',
    'SELECT * FROM marquee.`private_api_calls`',
    "SHOW TABLES WHERE file('/etc/passwd') != ''",
  ])('is denied %s', async sql => {
    const reply = await ask(sql, { user: 'analyst' });
    expect([reply.status, reply.body]).toEqual([403, expect.stringMatching(/^Code: 497\..*ACCESS_DENIED/s)]);
    expect(reply.body).not.toContain('root:');
  });

  test('cannot write a file on the server', async () => {
    expect((await ask("SELECT 1 INTO OUTFILE '/tmp/marquee-outfile'", { user: 'analyst' })).status).toBe(501);
  });

  test('gains no access by a parameter, a database or a setting', async () => {
    expect(
      (await ask("SELECT {f:Identifier}('/etc/passwd')", { user: 'analyst', params: { param_f: 'file' } })).body,
    ).not.toContain('root:');
    expect(
      (await ask('SELECT * FROM {d:Identifier}.processes', { user: 'analyst', params: { param_d: 'system' } })).status,
    ).toBe(403);
    expect((await ask('SELECT * FROM processes', { user: 'analyst', params: { database: 'system' } })).status).toBe(
      403,
    );
    for (const name of [
      'readonly',
      'max_execution_time',
      'max_memory_usage',
      'max_threads',
      'format_schema',
      'max_result_bytes',
    ]) {
      expect([name, (await ask('SELECT 1', { user: 'analyst', params: { [name]: '0' } })).status]).toEqual([name, 500]);
    }
  });

  test('runs within its limits, even with its own settings', async () => {
    const sql =
      "SELECT getSetting('max_execution_time') AS t, getSetting('max_memory_usage') AS m, getSetting('max_threads') AS n, getSetting('readonly') AS r FORMAT TSV";
    expect((await ask(sql, { user: 'analyst' })).body).toBe('60\t2147483648\t1\t1\n');
    expect((await ask(sql, { user: 'analyst', params: { max_result_rows: '5' } })).body).toBe('60\t2147483648\t1\t1\n');
  });

  test('may set a shorter time for a statement, as many clients do, and no longer one', async () => {
    const asked = (seconds: string) =>
      ask("SELECT getSetting('max_execution_time') AS t, getSetting('max_memory_usage') AS m FORMAT TSV", {
        user: 'analyst',
        params: { max_execution_time: seconds, extremes: '1' },
      });
    for (const seconds of ['1', '30', '60']) expect((await asked(seconds)).body).toContain(`${seconds}\t2147483648\n`);
    for (const seconds of ['0', '61', '-1', '1e9', '600', '30.5', ''])
      expect([seconds, (await asked(seconds)).status]).toEqual([seconds, 500]);
  });

  test('sees no trace of the default user in its connections', async () => {
    await admin.command({ query: 'CREATE TABLE IF NOT EXISTS public2 (a UInt8) ENGINE = MergeTree ORDER BY a' });
    expect((await ask('SELECT count() FROM public2', { user: 'analyst' })).body).toBe('0\n');
  });
});

describe('side by side', () => {
  test('an insert does not wait for sleeping queries of analysts or of its own user', async () => {
    const table = await makeTable('beside');
    const started = performance.now();
    const sleeping = [1, 2, 3, 4, 5].map(() => ask('SELECT sleep(2)', { user: 'analyst' }));
    const own = [1, 2, 3, 4].map(() => ask('SELECT sleep(2)'));
    await ask('SELECT 1');
    const insertStarted = performance.now();
    await admin.insert({ table, format: 'JSONEachRow', values: [{ id: 1, name: 'x' }] });
    const insertMs = performance.now() - insertStarted;
    await Promise.all(own);
    const parallelMs = performance.now() - started;
    await Promise.all(sleeping);
    console.info(
      `insert behind 3 running analyst queries and 4 of its own user: ${insertMs.toFixed(1)} ms; four sleeps of 2 s: ${parallelMs.toFixed(0)} ms`,
    );
    expect(insertMs).toBeLessThan(500);
    expect(parallelMs).toBeLessThan(3_900);
  });

  test('waiting statements beyond the bound get 503', async () => {
    // The three connections sleep until all the others, of which 100 may wait, have come in.
    const sleeping = Array.from({ length: 3 }, () => ask('SELECT sleep(3)', { user: 'analyst' }));
    const replies = await Promise.all([
      ...sleeping,
      ...Array.from({ length: 107 }, () => ask('SELECT 1', { user: 'analyst' })),
    ]);
    const statuses = new Set(replies.map(reply => reply.status));
    expect([...statuses].sort()).toEqual([200, 503]);
  });
});

const TOKEN_SETTINGS = { async_insert: 0, deduplicate_blocks_in_dependent_materialized_views: 1 } as const;

describe('exactly once', () => {
  async function makeRollup(name: string): Promise<void> {
    await admin.command({
      query: `CREATE TABLE ${name}_raw (id UInt32, plays UInt32) ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 1000`,
    });
    await admin.command({
      query: `CREATE TABLE ${name}_sum (day UInt32, plays UInt64) ENGINE = SummingMergeTree ORDER BY day SETTINGS non_replicated_deduplication_window = 1000`,
    });
    await admin.command({
      query: `CREATE MATERIALIZED VIEW ${name}_view TO ${name}_sum AS SELECT id % 10 AS day, sum(plays) AS plays FROM ${name}_raw GROUP BY day`,
    });
  }
  const insert = (name: string, token: string, values: { id: number; plays: number }[]) =>
    admin.insert({
      table: `${name}_raw`,
      format: 'JSONEachRow',
      values,
      clickhouse_settings: { ...TOKEN_SETTINGS, insert_deduplication_token: token },
    });
  const totals = async (name: string) =>
    (
      await rowsOf(`SELECT (SELECT count() FROM ${name}_raw) AS raw, (SELECT sum(plays) FROM ${name}_sum) AS rollup`)
    )[0];

  test('a replayed insert changes neither table nor view, and the next one with another token is not swallowed', async () => {
    await makeRollup('once');
    const rows = Array.from({ length: 50 }, (_, id) => ({ id, plays: 2 }));
    await insert('once', 'group-1', rows);
    expect(await totals('once')).toEqual({ raw: 50, rollup: 100 });
    // reaches every pooled connection
    for (let replay = 0; replay < 10; replay++) await insert('once', 'group-1', rows);
    expect(await totals('once')).toEqual({ raw: 50, rollup: 100 });
    await insert('once', 'group-2', rows); // the same rows under another token are other plays
    expect(await totals('once')).toEqual({ raw: 100, rollup: 200 });
    await admin.insert({
      table: 'once_raw',
      format: 'JSONEachRow',
      values: [{ id: 1, plays: 1 }],
      clickhouse_settings: TOKEN_SETTINGS,
    });
    await insert('once', 'group-3', [{ id: 2, plays: 1 }]);
    expect(await totals('once')).toEqual({ raw: 102, rollup: 202 });
  });

  test('rows acknowledged before a kill -9 survive the restart, and their replay is still recognized', async () => {
    await makeRollup('killed');
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, plays: 3 }));
    for (let group = 0; group < 5; group++) await insert('killed', `group-${group}`, rows);
    const pid = engines.pids.clickhouse!;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => engines.pids.clickhouse, { timeout: 15_000 }).not.toBe(pid);
    await expect.poll(() => engines.pids.clickhouse, { timeout: 15_000 }).toBeGreaterThan(0);
    expect(await totals('killed')).toEqual({ raw: 5_000, rollup: 15_000 });
    await insert('killed', 'group-4', rows);
    expect(await totals('killed')).toEqual({ raw: 5_000, rollup: 15_000 });
  });
});
