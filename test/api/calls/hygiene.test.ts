/**
 * What the API answers before it asks any engine: ambiguous requests, methods, types and sizes of bodies, request ids,
 * security headers, proxies and the access log. The app runs without engines; raw bytes go over a real socket. One
 * route that takes a body without a key stands for all of them.
 */
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trusting } from '#runtime/ingress/forwarded-for.ts';
import type { Api } from '../../../api/wire/fastify.ts';
import type { ApiDependencies } from '../../../api/app.ts';
import { createAppOffline } from '../../../api/offline.ts';

const BODY_ROUTE = '/v1/pairing/123456/confirm';

let app: Api;
let port: number;
beforeAll(async () => {
  app = await createAppOffline();
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/**
 * Everything that the server says to these bytes until it ends the connection, or until it has been quiet for a moment.
 */
function exchange(bytes: string | Buffer, quietMs = 300): Promise<{ text: string; closed: boolean }> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    let timer = setTimeout(() => end(false), 5_000);
    const end = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed });
    };
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(() => end(false), quietMs);
    });
    socket.on('end', () => end(true)).on('error', () => end(true));
  });
}

const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const HOST = 'Host: api.test\r\n';
const smuggled = `GET /livez HTTP/1.1\r\n${HOST}\r\n`;

describe('bytes that two servers could read differently are refused, and nothing after them is answered', () => {
  test.each([
    [
      'two lengths that differ',
      `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}${smuggled}`,
      400,
    ],
    [
      'two lengths that agree',
      `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${smuggled}`,
      400,
    ],
    [
      'a length and chunks',
      `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      400,
    ],
    [
      'an encoding that is not the last one',
      `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
      400,
    ],
    [
      'an unknown encoding',
      `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      400,
    ],
    ['a space before the colon', `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Length : 2\r\n\r\n{}${smuggled}`, 400],
    ['a folded header', `GET /livez HTTP/1.1\r\n${HOST}X-A: 1\r\n Content-Length: 60\r\n\r\n${smuggled}`, 400],
    ['a bare carriage return in a header', `GET /livez HTTP/1.1\r\n${HOST}X-A: 1\rX-B: 2\r\n\r\n${smuggled}`, 400],
    ['a negative length', `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n${smuggled}`, 400],
    ['a length in another base', `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Length: 0x10\r\n\r\n${smuggled}`, 400],
    [
      'a chunk of no size',
      `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n${smuggled}`,
      400,
    ],
    ['a NUL in a header', `GET /livez HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n${smuggled}`, 400],
    ['no host', `GET /livez HTTP/1.1\r\n\r\n${smuggled}`, 400],
    ['headers of 20 kB', `GET /livez HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(20_000)}\r\n\r\n${smuggled}`, 431],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
  ])('%s', async (_name, bytes, status) => {
    const { text, closed } = await exchange(bytes);
    expect({ statuses: statusesOf(text), closed }).toEqual({ statuses: [status], closed: true });
  });

  test('two whole requests on one connection get two answers', async () => {
    expect(statusesOf((await exchange(smuggled + smuggled)).text)).toEqual([200, 200]);
  });
});

describe('methods', () => {
  test.each([
    ['OPTIONS', '/v1/campaigns', 405, 'GET, HEAD, POST'],
    ['PUT', '/v1/campaigns', 405, 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/openapi.json', 405, 'GET, HEAD'],
    ['HEAD', '/v1/audit/export', 405, 'POST'],
    ['OPTIONS', '/nothing', 404, undefined],
  ] as const)('%s %s is %i', async (method, url, status, allow) => {
    const answer = await app.inject({ method, url });
    expect({
      status: answer.statusCode,
      allow: answer.headers['allow'],
      cors: answer.headers['access-control-allow-origin'],
    }).toEqual({ status, allow, cors: undefined });
  });

  test('HEAD is GET without its body, and needs the same key', async () => {
    const [get, head] = [
      await app.inject({ method: 'GET', url: '/v1/openapi.json' }),
      await app.inject({ method: 'HEAD', url: '/v1/openapi.json' }),
    ];
    expect({ status: head.statusCode, body: head.body, bytes: head.headers['content-length'] }).toEqual({
      status: 200,
      body: '',
      bytes: String(get.rawPayload.length),
    });
    expect((await app.inject({ method: 'HEAD', url: '/v1/campaigns' })).statusCode).toBe(401);
  });

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'BREW'])('%s reaches nothing', async method => {
    const { text } = await exchange(`${method} /livez HTTP/1.1\r\n${HOST}X-Secret: mirrored\r\n\r\n`);
    expect(statusesOf(text).filter(status => status < 400)).toEqual([]);
    expect(text).not.toContain('mirrored');
  });
});

describe('bodies', () => {
  const post = (payload: string | Buffer, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: BODY_ROUTE, payload, headers });

  test.each([
    ['application/json', 422],
    ['application/json; charset=utf-8', 422],
    ['APPLICATION/JSON', 422],
    ['text/plain', 415],
    ['text/json', 415],
    ['application/jsonx', 415],
    ['application/merge-patch+json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/octet-stream', 415],
    ['text/plain, application/json', 415],
    ['json', 415],
  ])('of the type %s are answered %i', async (type, status) => {
    expect((await post('{"platform":1}', { 'content-type': type })).statusCode).toBe(status);
  });

  test('without a type are answered 415', async () => {
    const { text } = await exchange(`POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`);
    expect(statusesOf(text)).toEqual([415]);
    expect(text).toContain('unsupported_media_type');
  });

  test('of 4 KiB are read without a key, and one byte more gives 413, even in chunks', async () => {
    const text = (bytes: number) => `{"platform":"${'x'.repeat(bytes - 15)}"}`;
    const headers = { 'content-type': 'application/json' };
    expect(text(4 * 1024)).toHaveLength(4 * 1024);
    expect((await post(text(4 * 1024), headers)).statusCode).toBe(422);
    expect((await post(text(4 * 1024 + 1), headers)).json()).toMatchObject({ status: 413, code: 'body_too_large' });
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const chunked = await exchange(
      `POST ${BODY_ROUTE} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`,
    );
    expect(statusesOf(chunked.text)).toEqual([413]);
  });

  test.each([
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"player":{"__proto__":null}}',
    '{"a":[{"__proto__":1}]}',
    '{"\\u005f_proto__":1}',
  ])('with the key of a prototype are 400: %s', async payload => {
    expect((await post(payload, { 'content-type': 'application/json' })).json()).toMatchObject({
      status: 400,
      code: 'malformed_json',
    });
  });

  test.each(['', '{', '{"a":1}{"b":2}', 'undefined', '{a:1}', '\u0000'])(
    'that are not JSON are 400: %j',
    async payload => {
      expect(
        (await post(payload, { 'content-type': 'application/json', 'content-length': String(payload.length) }))
          .statusCode,
      ).toBe(400);
    },
  );
});

describe('request ids', () => {
  test('are generated here for each request, whatever the caller sends', async () => {
    const answers = await Promise.all(
      ['x-request-id', 'request-id', 'x-correlation-id'].map(name =>
        app.inject({ method: 'GET', url: '/v1/campaigns', headers: { [name]: 'forged' } }),
      ),
    );
    const ids = answers.map(answer => answer.headers['x-request-id']);
    expect(new Set(ids).size).toBe(3);
    for (const answer of answers) {
      expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{24}$/);
      expect(answer.json()).toMatchObject({ request_id: answer.headers['x-request-id'] });
    }
  });
});

describe('security headers', () => {
  test.each([
    ['GET', '/v1/campaigns', 401, 'no-store'],
    ['GET', '/v1/nothing', 404, 'no-store'],
    ['PUT', '/v1/campaigns', 405, 'no-store'],
    ['GET', '/v1/openapi.json', 200, 'no-store'],
    ['POST', BODY_ROUTE, 415, 'no-store'],
    ['GET', '/livez', 200, undefined],
    ['GET', '/nothing', 404, undefined],
    ['GET', '/s/forged', 404, undefined],
    ['GET', '/v1/%zz', 404, 'no-store'],
  ] as const)('%s %s', async (method, url, status, cache) => {
    const answer = await app.inject({
      method,
      url,
      ...(method === 'POST' && { payload: 'x', headers: { 'content-type': 'text/plain' } }),
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(answer.headers['cache-control']).toBe(cache);
    expect(answer.headers['strict-transport-security']).toBeUndefined();
    for (const name of ['server', 'x-powered-by']) expect(answer.headers[name]).toBeUndefined();
  });
});

describe('headers of a proxy', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.test' };
  async function ask(trustProxy: string | undefined, headers: Record<string, string>) {
    const { log, lines } = createLines();
    const other = await createAppOffline({
      log,
      ...(trustProxy !== undefined && { trustProxy: trusting(trustProxy) }),
    });
    const answer = await other.inject({ method: 'GET', url: '/v1/campaigns', headers });
    await other.close();
    return { ip: lines()[0]!['ip'], hsts: answer.headers['strict-transport-security'] };
  }

  test('are ignored unless a proxy is configured', async () => {
    expect(await ask(undefined, forwarded)).toEqual({ ip: '127.0.0.1', hsts: undefined });
  });
  test('are ignored when they come from another address than the configured one', async () => {
    expect(await ask('10.0.0.0/8', forwarded)).toEqual({ ip: '127.0.0.1', hsts: undefined });
  });
  test("are trusted from the configured one: the client's address, and TLS", async () => {
    expect(await ask('127.0.0.1', forwarded)).toEqual({ ip: '203.0.113.9', hsts: 'max-age=31536000' });
  });
  test('are trusted for the last hop only, not for earlier entries from the client', async () => {
    expect(await ask('127.0.0.1', { ...forwarded, 'x-forwarded-for': '198.51.100.1, 203.0.113.9' })).toMatchObject({
      ip: '203.0.113.9',
    });
  });
  test.each([
    ['an IPv4 address with a port', '198.51.100.2:1044', '198.51.100.2'],
    ['an IPv6 address with a port', '[2001:db8::1]:2000', '2001:db8::1'],
    ['an IPv6 address in brackets', '[2001:db8::1]', '2001:db8::1'],
    ['a chain with ports', '203.0.113.9:4, 198.51.100.2:1044', '198.51.100.2'],
    ['text that is no address', 'unknown', '127.0.0.1'],
    ['text before an address', '<script>, 198.51.100.2:1', '198.51.100.2'],
    ['text behind an address', '198.51.100.2, <script>', '127.0.0.1'],
    ['an address in other words', '0x7f000001', '127.0.0.1'],
    ['nothing', '', '127.0.0.1'],
  ])('count the caller of %s by the bare address', async (_, header, ip) => {
    expect(await ask('127.0.0.1', { 'x-forwarded-for': header })).toMatchObject({ ip });
  });
});

/** A log whose lines a test can read. */
function createLines(): { log: ApiDependencies['log']; lines: () => Record<string, unknown>[] } {
  let text = '';
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  return {
    log: pino({ level: 'info' }, sink),
    lines: () =>
      text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Record<string, unknown>)
        .filter(line => line['msg'] === 'answered'),
  };
}

describe('the access log', () => {
  const key = `sk_live_${'Ab1'.repeat(16)}`;
  test.each([
    [
      'GET',
      `/v1/campaigns/cmp_0123456789abc?cursor=hidden`,
      { route: '/v1/campaigns/:id', id: 'cmp_0123456789abc', status: 401 },
    ],
    ['GET', `/v1/campaigns/${key}`, { route: '/v1/campaigns/:id', status: 401 }],
    ['GET', `/${key}/x?a=hidden`, { route: 'unknown', status: 404 }],
    [
      'PUT',
      '/uploads/cre_0123456789abc?expires=1788253200000&signature=hidden',
      { route: '/uploads/:id', id: 'cre_0123456789abc', status: 404 },
    ],
    ['GET', '/v1/pairing/482913', { route: '/v1/pairing/:code', status: 401 }],
    ['OPTIONS', '/v1/campaigns', { route: '/v1/campaigns', status: 405 }],
  ] as const)('has one line for %s %s, and no secret', async (method, url, expected) => {
    const { log, lines } = createLines();
    const other = await createAppOffline({ log });
    const answer = await other.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${key}`,
        cookie: 'hidden=1',
        'idempotency-key': 'hidden',
        'x-hidden': '482913',
      },
    });
    await other.close();
    expect(lines()).toHaveLength(1);
    const { id, ...line } = lines()[0]!;
    expect({ ...line, ...(id !== undefined && { id }) }).toMatchObject({
      ...expected,
      method,
      request_id: answer.headers['x-request-id'],
      ms: expect.any(Number),
      ip: '127.0.0.1',
    });
    expect(id).toBe('id' in expected ? expected.id : undefined);
    expect(JSON.stringify(lines())).not.toMatch(/hidden|sk_live_|482913|signature|Bearer/);
  });
});
