/**
 * What strangers and impatient holders of a key can do to others is bounded: slow bodies and uploads, large bodies
 * without a key, many keys, crowds of scans and floods of refused calls. Each test sends the input and checks the
 * answer. The API runs in this process on real engines; what must arrive byte by byte is sent over real sockets.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { encodeScanCode } from '../../../domain/plays/play.ts';
import { parseId } from '../../../domain/id.ts';
import { createLog } from '../../../runtime/log.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  MP4,
  startApi,
  upload,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { readAs } from '../support/answer.ts';

const BODY_MS_MAX = 1_500;
const HEAD_MS_MAX = 900;
const CONFIRM = '/v1/pairing/000000/confirm';
let api: TestApi;
let brand: TestWorkspace;
let key: string;
let port: number;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  api = await startApi({
    bodyMsMax: BODY_MS_MAX,
    headMsMax: HEAD_MS_MAX,
    log: createLog('api', 'warn', { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) }),
  });
  brand = await createWorkspace(api, { funds: 1_000 });
  key = await createKey(api, brand);
  port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => api.close());
beforeEach(() => void (lines.length = 0));

/** Sends this text as it is. Answers status, body and how long it took; `after` is sent a byte at a time. */
async function send(text: string, after = ''): Promise<{ status: number; body: Record<string, unknown>; ms: number }> {
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // a reset is one of its ends
  socket.write(text);
  const drip = setInterval(() => {
    if (after !== '') socket.write(after[0]!);
  }, 200);
  let answer = '';
  await new Promise<void>(resolve => {
    socket.on('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('utf8');
      if (/\r\n\r\n[^]*\}\s*$/.test(answer)) resolve();
    });
  });
  clearInterval(drip);
  socket.destroy();
  return {
    status: Number(answer.slice(9, 12)),
    body: JSON.parse(/\r\n\r\n([^]*)$/.exec(answer)?.[1] || '{}') as Record<string, unknown>,
    ms: performance.now() - startedAt,
  };
}
const requestOf = (method: string, path: string, headers: readonly string[], body = ''): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: api.test', ...headers, '', body].join('\r\n');
const JSON_TYPE = 'Content-Type: application/json';
const lengthOf = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`;

describe('a body without a key', () => {
  const deep = `{"platform":"linux","player":[${'{},'.repeat(300_000)}{}]}`;

  test('of a megabyte is refused by its length before any of it is read', async () => {
    expect(await send(requestOf('POST', CONFIRM, [JSON_TYPE, `Content-Length: ${deep.length}`]))).toMatchObject({
      status: 413,
      body: { code: 'body_too_large', detail: 'A body is at most 4 KiB here.' },
    });
  });

  test('is not read when its address has no guess left', async () => {
    const address = '198.51.100.77';
    const confirm = (payload: string) =>
      api.app.inject({
        method: 'POST',
        url: CONFIRM,
        remoteAddress: address,
        headers: { 'content-type': 'application/json' },
        payload,
      });
    for (let guess = 0; guess < 20; guess += 1)
      expect((await confirm('{"platform":"linux","player":"1"}')).statusCode).toBe(404);
    for (const payload of ['{"platform":"linux","player":"1"}', 'no json', deep])
      expect((await confirm(payload)).statusCode).toBe(429);
  });

  test.each([
    ['POST', '/nothing'],
    ['POST', '/v1/nothing'],
    ['PUT', '/v1/campaigns'],
    ['PATCH', '/player'],
    ['POST', '/s/abc'],
    ['POST', '/v1/campaigns'],
  ])('is not read by %s %s, which accepts no body without a key', async (method, path) => {
    const { statusCode } = await api.app.inject({
      method: method as 'POST',
      url: path,
      headers: { 'content-type': 'application/json' },
      payload: 'no json',
    });
    expect([401, 404, 405]).toContain(statusCode); // and not 400, which it would be had it been parsed
  });
});

test.each([
  ['Authorization', [`Authorization: Bearer sk_live_other`]],
  ['X-Workspace-Id', ['X-Workspace-Id: ws_1', 'X-Workspace-Id: ws_2']],
  ['X-Mode', ['X-Mode: live', 'X-Mode: test']],
  ['Idempotency-Key', ['Idempotency-Key: a', 'idempotency-key: b']],
  ['Host', ['Host: other.test']],
  ['Content-Type', [JSON_TYPE, 'Content-Type: text/plain']],
])('a call with two headers %s is 400 and says so', async (_name, more) => {
  const { status, body } = await send(requestOf('GET', '/v1/wallet', [`Authorization: Bearer ${key}`, ...more]));
  expect([status, body['code']]).toEqual([400, 'repeated_header']);
});

describe('a body that comes slowly', () => {
  test('ends the connection after a limited time', async () => {
    const { status, body, ms } = await send(
      requestOf('POST', '/v1/campaigns', [`Authorization: Bearer ${key}`, JSON_TYPE, 'Content-Length: 1000']),
      '{',
    );
    expect([status, body['code']]).toEqual([408, 'body_too_slow']);
    expect(ms).toBeGreaterThan(BODY_MS_MAX - 100);
    expect(ms).toBeLessThan(BODY_MS_MAX + 5_000);
  });

  test('is accepted in two pieces within the time', async () => {
    const body = JSON.stringify({ orientation: 'landscape' });
    const socket = connect(port, '127.0.0.1');
    socket.write(
      requestOf('POST', '/v1/creatives', [`Authorization: Bearer ${key}`, JSON_TYPE, lengthOf(body)], body.slice(0, 5)),
    );
    setTimeout(() => socket.write(body.slice(5)), 300);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString('latin1', 9, 12)).toBe('422');
    socket.destroy();
  });
});

test('a head that comes a byte at a time ends the connection after a limited time', async () => {
  const { status, ms } = await send('GET /v1/wallet HTTP/1.1\r\nX-Slow: ', 'x');
  expect(status).toBe(408);
  expect(ms).toBeGreaterThan(HEAD_MS_MAX - 100);
  expect(ms).toBeLessThan(HEAD_MS_MAX + 5_000);
});

test('a refused connection is gone within a second, even if its client neither sends nor closes', async () => {
  const connections = promisify(api.app.server.getConnections.bind(api.app.server));
  const before = await connections();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write('GET /v1/wallet HTTP/1.1\r\nX-Slow: ');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString('latin1', 9, 12)).toBe('408');
  await vi.waitUntil(async () => (await connections()) <= before, { timeout: 1_000 });
  socket.destroy();
});

describe('a file', () => {
  /** Sends the head and the first byte of an upload, and then so many bytes every tenth of a second. */
  async function sendSlowly(
    bytesPerTenth: number,
    bytes: Buffer,
  ): Promise<{ status: number; ms: number; url: string }> {
    const created = await api.call('POST', '/v1/creatives', {
      key,
      body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' },
    });
    const { pathname, search } = new URL(created.body['upload_url']!);
    const startedAt = performance.now();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // a reset is one of its ends
    socket.write(requestOf('PUT', pathname + search, ['Content-Type: video/mp4', `Content-Length: ${bytes.length}`]));
    let at = 0;
    const drip = setInterval(() => {
      if (at < bytes.length) socket.write(bytes.subarray(at, (at += bytesPerTenth)));
    }, 100);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    clearInterval(drip);
    socket.destroy();
    return {
      status: Number(answer.toString('latin1', 9, 12)),
      ms: performance.now() - startedAt,
      url: created.body['upload_url']!,
    };
  }

  test('that comes with less than 8 KiB a second is refused, and its address is free again', async () => {
    const { status, ms, url } = await sendSlowly(100, MP4);
    expect(status).toBe(408);
    expect(ms).toBeLessThan(BODY_MS_MAX + 5_000);
    expect((await upload(api, url, MP4, 'video/mp4')).status).toBe(200);
  });

  test('that comes faster may take as long as it needs', async () => {
    const { status, ms } = await sendSlowly(4_000, Buffer.concat([MP4, Buffer.alloc(100_000)]));
    expect(status).toBe(200);
    expect(ms).toBeGreaterThan(BODY_MS_MAX);
  });
});

/** Resolves when the API begins to read the file of the next upload that it admits. */
function nextFileIsRead(): Promise<void> {
  const { receive } = api.storage;
  return new Promise(resolve => {
    api.storage.receive = (...given) => {
      api.storage.receive = receive;
      resolve();
      return receive.apply(api.storage, given);
    };
  });
}

/**
 * A file that takes as long to arrive as a test needs: it comes with five times the least rate. `rest` sends what is
 * missing at once.
 */
function sendWhileNeeded(head: (length: number) => string): { socket: Socket; rest: () => void } {
  const file = Buffer.concat([MP4, Buffer.alloc(4_000_000)]);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // a reset is one of its ends
  socket.write(head(file.length));
  let at = 0;
  const drip = setInterval(() => {
    socket.write(file.subarray(at, (at += 4_000)));
  }, 100);
  socket.once('close', () => clearInterval(drip));
  return {
    socket,
    rest: () => {
      clearInterval(drip);
      socket.write(file.subarray(at));
    },
  };
}

test('of 25 simultaneous uploads to one address is read once, and refused 24 times before the body', async () => {
  const created = await api.call('POST', '/v1/creatives', {
    key,
    body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' },
  });
  const { pathname, search } = new URL(created.body['upload_url']!);
  const headOf = (length: number) =>
    requestOf('PUT', pathname + search, ['Content-Type: video/mp4', `Content-Length: ${length}`]);
  const head = headOf(MP4.length);
  const isRead = nextFileIsRead();
  const { socket: first, rest } = sendWhileNeeded(headOf);
  await isRead;
  const others = await Promise.all(Array.from({ length: 24 }, () => send(head))); // nothing of their files is sent
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 409));
  rest();
  const [answer] = (await once(first, 'data')) as [Buffer];
  expect(answer.toString('latin1', 9, 12)).toBe('200');
  first.destroy();
  expect((await upload(api, created.body['upload_url']!, MP4, 'video/mp4')).status).toBe(409);
});

test('an upload frees its address if its sender disconnects', async () => {
  const created = await api.call('POST', '/v1/creatives', {
    key,
    body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' },
  });
  const { pathname, search } = new URL(created.body['upload_url']!);
  const isRead = nextFileIsRead();
  const { socket: first } = sendWhileNeeded(length =>
    requestOf('PUT', pathname + search, [
      'Content-Type: video/mp4',
      `Content-Length: ${length}`,
      'Expect: 100-continue',
    ]),
  );
  await isRead;
  const second = requestOf('PUT', pathname + search, ['Content-Type: video/mp4', 'Content-Length: 9'], 'no video.');
  expect((await send(second)).status).toBe(409);
  first.destroy();
  await expect
    .poll(async () => (await upload(api, created.body['upload_url']!, MP4, 'video/mp4')).status, { timeout: 5_000 })
    .toBe(200);
});

test('a sender that disconnects after its body was refused does not crash the process', async () => {
  const { server } = api.app;
  const isHeard = new Promise(resolve => {
    server.once('request', (request: IncomingMessage) =>
      setImmediate(() => resolve(request.emit('error', new Error('aborted')))),
    );
  });
  const answer = await send(requestOf('GET', '/v1/campaigns', [`Authorization: Bearer ${key}`]));
  expect([await isHeard, answer.status]).toEqual([true, 200]);
});

describe('keys', () => {
  test('are at most a hundred per workspace, even if many are created at once; a revoked one makes room', async () => {
    const mine = await createWorkspace(api);
    const first = await createKey(api, mine);
    await Promise.all(Array.from({ length: 93 }, () => createKey(api, mine)));
    const made = await Promise.all(
      Array.from({ length: 10 }, () => api.call('POST', '/v1/keys', { key: first, body: {} })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 201, 409, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'too_many_keys' });
    const one = made.find(({ status }) => status === 201)!.body;
    // a key can always take the place of another
    expect((await api.call('POST', `/v1/keys/${one['id']}/rotate`, { key: first })).status).toBe(201);
    expect((await api.call('POST', '/v1/keys', { key: first, body: {} })).status).toBe(409);
    for (const { id } of dataOf(await api.call('GET', '/v1/keys?limit=3', { key: first })))
      await api.call('DELETE', `/v1/keys/${id}`, { key: first });
    expect((await api.call('POST', '/v1/keys', { key: first, body: {} })).status).toBe(201);
  });

  test('of one workspace share five times the limit of one key', async () => {
    const mine = await createWorkspace(api);
    const keys = await Promise.all(Array.from({ length: 8 }, () => createKey(api, mine, { perMinuteMax: 4 })));
    const toEndMs = 60_000 - (Date.now() % 60_000);
    if (toEndMs < 5_000) await new Promise(resolve => setTimeout(resolve, toEndMs)); // one clock minute for all of them
    const answers = [];
    for (const each of keys)
      for (let call = 0; call < 4; call += 1) answers.push(await api.call('GET', '/v1/wallet', { key: each }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers[0]!.headers).toMatchObject({
      'x-ratelimit-limit': '4',
      'x-ratelimit-workspace-limit': '20',
      'x-ratelimit-workspace-remaining': '19',
    });
    expect(answers.at(-1)).toMatchObject({
      status: 429,
      body: {
        detail: expect.stringContaining(
          'The keys of this workspace together have used up their 20 calls of this minute',
        ),
      },
      headers: {
        'x-ratelimit-remaining': '4',
        'x-ratelimit-workspace-remaining': '0',
        'x-ratelimit-bucket': 'workspace_requests/minute',
      },
    });
  });
});

describe('scans', () => {
  let codeOf: (slotMinute: number) => string;
  let campaign: string;
  beforeAll(async () => {
    const owner = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    const venue = (await api.call('POST', '/v1/venues', { key: owner, body: VENUE })).body['id']!;
    const { code } = readAs<{ code: string }>(
      (await api.call('POST', '/v1/pairing', { key: owner, body: { venue_id: venue } })).body,
    );
    const screen = (
      await api.app.inject({
        method: 'POST',
        url: `/v1/pairing/${code}/confirm`,
        payload: { platform: 'linux', player: '1' },
      })
    ).json<{ screen_id: string }>().screen_id;
    const creative = await createReadyCreative(api, key);
    campaign = (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) })).body['id']!;
    codeOf = slotMinute =>
      encodeScanCode(
        {
          campaign: parseId('campaign', campaign)!,
          creative: parseId('creative', creative)!,
          screen: parseId('screen', screen)!,
          slotMinute,
        },
        api.signingKeys.current,
      );
  });

  const queued = async (): Promise<number> => {
    const names = await api.redis.keys(`*${api.queueName}:api-*`);
    const payloads = await Promise.all(names.map(name => api.redis.hget(name, 'data')));
    return payloads.reduce(
      (total, data) => total + (data === null ? 0 : (JSON.parse(data) as { events: number }).events),
      0,
    );
  };
  const uncounted = async (): Promise<Record<string, number>> => {
    const result = await api.clickhouse.query({
      query:
        'select rule, toUInt32(sum(scans)) as scans from scans_not_counted where campaign_id = {campaign:String} group by rule',
      query_params: { campaign },
      format: 'JSONEachRow',
    });
    return Object.fromEntries(
      (await result.json<{ rule: string; scans: number }>()).map(({ rule, scans }) => [rule, scans]),
    );
  };
  const follow = async (slotMinute: number, number: number, remoteAddress: string): Promise<number> =>
    (
      await api.app.inject({
        method: 'GET',
        url: `/s/${codeOf(slotMinute)}`,
        remoteAddress,
        headers: { 'user-agent': `Mozilla/5.0 (phone ${number})` },
      })
    ).statusCode;

  test('of a code from one address count twenty times an hour for any user agent; all are redirected, and the rest are recorded with the rule', async () => {
    const answers = [await follow(100, 0, '203.0.113.9')]; // and again within ten seconds
    for (let number = 0; number < 60; number += 1) answers.push(await follow(100, number, '203.0.113.9'));
    expect(answers).toEqual(answers.map(() => 302));
    expect(await follow(100, 0, '203.0.113.10')).toBe(302); // another address counts
    await expect.poll(queued, { timeout: 5_000, interval: 50 }).toBe(21);
    await expect
      .poll(uncounted, { timeout: 10_000, interval: 200 })
      .toEqual({ 'scan_crowd@1': 40, 'scan_repeat@1': 1 });
  });

  test.each([
    ['a preview in WhatsApp', { 'user-agent': 'WhatsApp/2.23.20.0 A' }],
    ['a preview in Slack', { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    ['a preview in Facebook', { 'user-agent': 'facebookexternalhit/1.1' }],
    ['a preview in Telegram', { 'user-agent': 'TelegramBot (like TwitterBot)' }],
    ['a crawler', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['a script', { 'user-agent': 'curl/8.5.0' }],
    ['a client without a name', { 'user-agent': ' ' }],
    ['a prefetch', { 'user-agent': 'Mozilla/5.0 (phone one)', 'sec-purpose': 'prefetch' }],
    ['a prerender', { 'user-agent': 'Mozilla/5.0 (phone one)', 'sec-purpose': 'prefetch;prerender' }],
    ['an older prefetch', { 'user-agent': 'Mozilla/5.0 (phone one)', purpose: 'prefetch' }],
    ['a preview of a page', { 'user-agent': 'Mozilla/5.0 (phone one)', purpose: 'preview' }],
  ])('by %s are redirected and not counted, and do not use up the count of a person', async (_, headers) => {
    const machines = async () => (await uncounted())['scan_machine@1'] ?? 0;
    const [before, counted] = [await machines(), await queued()];
    const minute = 300 + before;
    const of = (sent: Record<string, string>) =>
      api.app.inject({ method: 'GET', url: `/s/${codeOf(minute)}`, remoteAddress: '203.0.113.20', headers: sent });
    expect((await of(headers)).headers['location']).toBe('https://example.com/autumn');
    await expect.poll(machines, { timeout: 10_000, interval: 100 }).toBe(before + 1);
    expect(await queued()).toBe(counted);
    await of({ 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1' });
    await expect.poll(queued, { timeout: 5_000, interval: 50 }).toBe(counted + 1);
  });

  test('repeated by one client are redirected from memory, without a Redis call each time', async () => {
    const asked = async () => Number(/cmdstat_incr:calls=(\d+)/.exec(await api.redis.info('commandstats'))?.[1] ?? 0);
    const counted = await queued();
    await follow(150, 1, '203.0.113.12');
    await expect.poll(queued, { timeout: 5_000, interval: 50 }).toBe(counted + 1);
    const before = await asked();
    for (let repeat = 0; repeat < 40; repeat += 1) expect(await follow(150, 1, '203.0.113.12')).toBe(302);
    // Another file of the run has the same server, and may ask it once or twice meanwhile.
    expect((await asked()) - before).toBeLessThan(10);
  });

  test('of one screen and campaign from one address count a hundred times an hour over all codes', async () => {
    const before = await queued();
    for (let minute = 0; minute < 6; minute += 1)
      for (let number = 0; number < 20; number += 1) await follow(200 + minute, number, '203.0.113.11');
    await expect.poll(queued, { timeout: 5_000, interval: 50 }).toBe(before + 100);
    await expect
      .poll(async () => (await uncounted())['scan_screen_crowd@1'], { timeout: 10_000, interval: 200 })
      .toBe(20);
  });
});

test('the newest audit entry belongs to the change committed last, even if its call came first', async () => {
  const now = Date.now();
  const rename = (to: string, at: number) =>
    inUnitOfWork(
      api.sql,
      { actor: { type: 'user', source: 'API', handle: brand.user }, now: new Date(at) },
      async unit => {
        await unit.tx`update workspaces set name = ${to} where handle = ${brand.handle}`;
        unit.audit({
          workspace: brand.handle,
          action: 'workspace.renamed',
          entityType: 'workspace',
          entityHandle: brand.handle,
          diff: { name: { from: null, to } },
        });
      },
    );
  await rename('first', now);
  await rename('second', now - 700); // waited for the row
  const entries = dataOf(await api.call('GET', '/v1/audit?action=workspace.renamed', { key }));
  expect(entries.map(entry => readAs<{ name: { to: string } }>(entry['diff']).name.to)).toEqual(['second', 'first']);
  const [workspace] = await api.sql<{ name: string }[]>`select name from workspaces where handle = ${brand.handle}`;
  expect(workspace!.name).toBe('second');
});

describe('the log', () => {
  test('has a line for each refused call, with its request, its key and its code', async () => {
    const answers = [
      await api.call('GET', '/v1/campaigns/cmp_0', { key }),
      await api.call('GET', '/v1/wallet'),
      await api.call('POST', '/v1/campaigns', { key, body: {} }),
      await api.call('GET', '/v1/wallet', { key }),
    ];
    const refused = lines.filter(line => line['msg'] === 'refused');
    expect(refused).toEqual(
      answers
        .slice(0, 3)
        .map(({ status, body }) =>
          expect.objectContaining({
            level: 40,
            request_id: body['request_id'],
            status,
            code: body['code'],
            ip: '127.0.0.1',
          }),
        ),
    );
    expect(refused.map(line => typeof line['key'])).toEqual(['string', 'undefined', 'string']);
  });

  test('has no more than twenty such lines a second, and the next one says how many are missing', async () => {
    const second = Math.floor(Date.now() / 1_000);
    await expect.poll(() => Math.floor(Date.now() / 1_000), { interval: 5 }).toBeGreaterThan(second);
    await Promise.all(Array.from({ length: 300 }, () => api.call('GET', '/v1/wallet')));
    const bySecond = new Map<string, number>();
    for (const { time } of lines)
      bySecond.set(String(time).slice(0, 19), (bySecond.get(String(time).slice(0, 19)) ?? 0) + 1);
    expect(Math.max(...bySecond.values())).toBeLessThanOrEqual(21);
    await new Promise(resolve => setTimeout(resolve, 1_100));
    await api.call('GET', '/v1/wallet');
    expect(lines.reduce((sum, line) => sum + Number(line['unsaid'] ?? 0), 0) + lines.length).toBe(301);
  });
});
