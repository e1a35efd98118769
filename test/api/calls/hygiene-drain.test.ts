/**
 * An API that has to stop closes idle connections, answers the requests that it has begun, and ends in time. Tested
 * over real sockets, first with an app without engines in this process, then with a process of its own that gets
 * SIGTERM.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drainApp } from '../../../api/http/drain.ts';
import { createAppOffline } from '../../../api/offline.ts';
import { freshClickhouse, freshPostgres, freshRedisUrl } from '../../support/engines/databases.ts';
import { programOf } from '../../../runtime/programs/program.ts';

const IDLE = 50;
const HOST = 'Host: api.test\r\n';
const BODY = '{"platform":1}';
/** A request whose body stays away until it is sent. */
const SLOW_HEAD = `POST /v1/pairing/123456/confirm HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

type Caller = { socket: Socket; text: () => string; answered(count: number): Promise<void>; ended: Promise<unknown> };

async function call(port: number, bytes: string): Promise<Caller> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket
    .on('data', chunk => {
      text += String(chunk);
    })
    .on('error', () => undefined); // a reset is an end as well
  const ended = once(socket, 'close');
  await once(socket, 'connect');
  socket.write(bytes);
  const answers = () => text.split('HTTP/1.1 ').length - 1;
  return {
    socket,
    text: () => text,
    ended,
    answered: async count => {
      while (answers() < count) await once(socket, 'data');
    },
  };
}

/** Connections that were answered once and wait for their next request. */
async function openIdle(port: number): Promise<Caller[]> {
  const callers = await Promise.all(
    Array.from({ length: IDLE }, () => call(port, `GET /livez HTTP/1.1\r\n${HOST}\r\n`)),
  );
  await Promise.all(callers.map(caller => caller.answered(1)));
  return callers;
}

async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const refused = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return refused;
}

describe('an app that drains', () => {
  test('closes idle connections at once, answers pending requests and ends after the last one', async () => {
    const app = await createAppOffline();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const idle = await openIdle(port);
    const slow = await call(port, SLOW_HEAD);
    const served = once(app.server, 'request');
    await served;
    const from = performance.now();
    const drained = drainApp(app);
    await Promise.all(idle.map(caller => caller.ended));
    expect(await isRefused(port)).toBe(true);
    slow.socket.write(BODY);
    await Promise.all([slow.ended, drained]);
    expect(slow.text()).toMatch(/^HTTP\/1\.1 422 /);
    expect(performance.now() - from).toBeLessThan(2_000);
  });

  test('cuts off an endless request when the drain time is over', async () => {
    const app = await createAppOffline();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const served = once(app.server, 'request');
    const slow = await call((app.server.address() as AddressInfo).port, SLOW_HEAD);
    await served;
    const from = performance.now();
    await drainApp(app, { patienceMs: 300 });
    await slow.ended;
    expect(slow.text()).toBe('');
    expect(performance.now() - from).toBeLessThan(2_000);
  });
});

describe('the process on SIGTERM', () => {
  let child: ChildProcess;
  let port: number;
  let release: () => Promise<unknown>;

  beforeAll(async () => {
    const [postgres, clickhouse, redisUrl, folder] = await Promise.all([
      freshPostgres(),
      freshClickhouse(),
      freshRedisUrl(),
      mkdtemp(join(tmpdir(), 'marquee-drain-')),
    ]);
    const { file, execArgv } = programOf('api/main.ts');
    child = fork(file, [], {
      execArgv,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {
        ...process.env,
        PORT: '0',
        OPS_PORT: '0',
        DATABASE_URL: postgres.url,
        CLICKHOUSE_URL: clickhouse.url,
        REDIS_URL: redisUrl,
        PUBLIC_URL: 'http://api.test',
        DELIVERY_URL: 'ws://delivery.test',
        SIGNING_KEYS: `1:${randomBytes(16).toString('base64')}`,
        STORAGE_URL: pathToFileURL(folder).href,
        LOG_LEVEL: 'error',
        ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      },
    });
    const [message] = (await once(child, 'message')) as [{ ready: { port: number } }];
    port = message.ready.port;
    release = () => Promise.all([postgres.drop(), clickhouse.drop(), rm(folder, { recursive: true })]);
  });
  afterAll(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await release();
  });

  test('ends within ten seconds with 50 idle connections and one pending request', async () => {
    const idle = await openIdle(port);
    const slow = await call(port, `${SLOW_HEAD}${BODY.slice(0, 5)}`);
    // the slow request's head was read before this one's
    await call(port, `GET /livez HTTP/1.1\r\n${HOST}\r\n`).then(probe => probe.answered(1));
    const from = performance.now();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await Promise.all(idle.map(caller => caller.ended));
    expect(await isRefused(port)).toBe(true);
    slow.socket.write(BODY.slice(5));
    const [code] = await exited;
    const ms = Math.round(performance.now() - from);
    expect({ code, answered: slow.text().slice(0, 12) }).toEqual({ code: 0, answered: 'HTTP/1.1 422' });
    expect(ms).toBeLessThan(5_000);
  });
});
