/**
 * deploy/haproxy.cfg in each of its variants, run by the real HAProxy before a real API and a real delivery process:
 * the caller's address is right in each of them, and no caller can choose it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findOrInstall } from '#engines/package-manager.ts';
import { own } from '#engines/processes/owned.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { writeBalancerConfig } from '../../support/engines/balancer.ts';
import { writePem } from './tls-files.ts';
import {
  callBy,
  letIn,
  socketBy,
  startProxiedServices,
  wayOf,
  type Caller,
  type ProxiedServices,
} from './proxied-services.ts';

const FRONT = '127.0.0.9';
const SECOND_FRONT = '127.0.0.10';
const BALANCER = '127.0.0.8';
const FORGED = { 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'https', forwarded: 'for=203.0.113.2' };
const STARTED_MS_MAX = 10_000;

let services: ProxiedServices;
let program: string;
let folder: string;
let haproxy: ChildProcess;
let ports: { api: number; sockets: number; numbers: number; tls: number; acme: number };
let url: string;
let socketUrl: string;

beforeAll(async () => {
  program = await findOrInstall({ programs: ['haproxy'], debian: 'haproxy', brew: 'haproxy' });
  services = await startProxiedServices();
}, 120_000);
afterAll(() => services?.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-proxies-'));
});
afterEach(async () => {
  if (haproxy.exitCode === null) {
    const ended = once(haproxy, 'exit');
    haproxy.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Starts HAProxy as the compose file does, with these settings; resolves when it answers. */
async function start(settings: Record<string, string> = {}): Promise<void> {
  const [api, sockets, numbers, tls, acme] = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  ports = { api: api!, sockets: sockets!, numbers: numbers!, tls: tls!, acme: acme! };
  const { apiPort, socketPort, opsPort } = services;
  const config = writeBalancerConfig(folder, {
    api: [{ name: 'api-1', port: apiPort, opsPort }],
    delivery: [{ name: 'delivery-1', port: socketPort, opsPort }],
    ports,
    acme: ports.acme,
  });
  const env = { PATH: process.env['PATH'], PUBLIC_URL: `https://localhost:${ports.tls}`, ...settings };
  const judged = spawnSync(program, ['-c', '-f', config], { env, encoding: 'utf8' });
  expect([judged.status, judged.stderr.match(/.*(WARNING|ALERT).*/g)]).toEqual([0, null]);
  haproxy = spawn(program, ['-W', '-db', '-f', config], { env, stdio: 'ignore' });
  await once(haproxy, 'spawn');
  await own(haproxy, 'program');
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${ports.numbers}/healthz`)).ok).toBe(true), {
    timeout: STARTED_MS_MAX,
  });
  url = `http://127.0.0.1:${ports.api}/v1/campaigns`;
  socketUrl = `ws://127.0.0.1:${ports.sockets}/v1/screens/socket`;
}

/** Of these callers, each opens a socket and keeps it: whether delivery takes the last for another than the first. */
async function areTwo(...[one, other]: [Caller, Caller]): Promise<boolean> {
  const [first, second] = [await socketBy(one, socketUrl), await socketBy(other, socketUrl)];
  const isClosed = await Promise.race([
    second.closed().then(() => true),
    letIn(services, second).then(
      () => false,
      () => true,
    ),
  ]);
  await letIn(services, first);
  for (const client of [first, second]) client.close();
  return !isClosed;
}

describe('HAProxy by default', () => {
  beforeEach(() => start());

  test('passes on the address of each connection, whatever its caller claims', async () => {
    const calls = async (): Promise<void> => {
      await callBy({ from: '127.0.0.5', headers: FORGED }, url);
      await callBy({ from: '127.0.0.6', headers: { 'x-forwarded-for': '127.0.0.5' } }, url);
    };
    expect(await services.addressesOf(calls)).toEqual(['127.0.0.5', '127.0.0.6']);
    expect(
      (await callBy({ from: '127.0.0.5', headers: FORGED }, url)).headers.get('strict-transport-security'),
    ).toBeNull();
  });

  test('counts sockets by the address of each screen, whatever the screen claims', async () => {
    expect(await areTwo({ from: '127.0.0.5' }, { from: '127.0.0.5', headers: FORGED })).toBe(false);
    expect(
      await areTwo({ from: '127.0.0.5' }, { from: '127.0.0.6', headers: { 'x-forwarded-for': '127.0.0.5' } }),
    ).toBe(true);
  });

  test('accepts no PROXY header', async () => {
    const preamble = 'PROXY TCP4 203.0.113.1 127.0.0.1 4000 80\r\n';
    expect((await callBy({ from: '127.0.0.5', preamble }, url)).status).toBe(400);
  });
});

describe('HAProxy behind an HTTP proxy', () => {
  beforeEach(() => start({ TRUSTED_PROXIES: `${FRONT} 127.0.0.10/31` }));

  test('distinguishes callers by the entry of that proxy, even over one connection', async () => {
    const { dispatcher } = wayOf({ from: FRONT });
    const calls = async (): Promise<void> => {
      for (const chain of ['198.51.100.1', '203.0.113.7, 198.51.100.2', '198.51.100.3:4711'])
        await fetch(url, { dispatcher, headers: { authorization: 'Bearer hello', 'x-forwarded-for': chain } });
    };
    expect(await services.addressesOf(calls)).toEqual(['198.51.100.1', '198.51.100.2', '198.51.100.3']);
    await dispatcher.close();
  });

  test('follows several proxies, and stops at an entry that is not an address', async () => {
    const calls = async (): Promise<void> => {
      await callBy({ from: FRONT, headers: { 'x-forwarded-for': `203.0.113.1, 198.51.100.4, ${SECOND_FRONT}` } }, url);
      await callBy({ from: FRONT, headers: { 'x-forwarded-for': `203.0.113.1, unknown, ${SECOND_FRONT}` } }, url);
      await callBy({ from: FRONT, headers: { 'x-forwarded-for': '203.0.113.1, unknown' } }, url);
    };
    expect(await services.addressesOf(calls)).toEqual([SECOND_FRONT, FRONT, '198.51.100.4'].toSorted());
  });

  test('trusts no other sender', async () => {
    expect(await services.addressesOf(() => callBy({ from: '127.0.0.5', headers: FORGED }, url))).toEqual([
      '127.0.0.5',
    ]);
  });

  test('trusts only that proxy about the use of TLS', async () => {
    const hstsOf = async (from: string) =>
      (await callBy({ from, headers: FORGED }, url)).headers.get('strict-transport-security');
    expect([await hstsOf(FRONT), await hstsOf('127.0.0.5')]).toEqual(['max-age=31536000', null]);
  });

  test('counts sockets for the screens behind that proxy', async () => {
    const screen = (address: string): Caller => ({ from: FRONT, headers: { 'x-forwarded-for': address } });
    expect(await areTwo(screen('198.51.100.1'), screen('198.51.100.2'))).toBe(true);
    expect(await areTwo(screen('198.51.100.1'), screen('203.0.113.1, 198.51.100.1'))).toBe(false);
  });
});

describe('HAProxy behind a TCP balancer', () => {
  beforeEach(() => start({ PROXY_PROTOCOL_FROM: BALANCER }));
  const by = (address: string, headers?: Record<string, string>): Caller => ({
    from: BALANCER,
    preamble: `PROXY TCP4 ${address} 127.0.0.1 4000 80\r\n`,
    ...(headers && { headers }),
  });

  test('uses the address from the PROXY header of the balancer, whatever the caller claims', async () => {
    expect(await services.addressesOf(() => callBy(by('198.51.100.5', FORGED), url))).toEqual(['198.51.100.5']);
    expect(await areTwo(by('198.51.100.5'), by('198.51.100.6'))).toBe(true);
    expect(await areTwo(by('198.51.100.5'), by('198.51.100.5', FORGED))).toBe(false);
  });

  test('refuses a PROXY header from any other sender, and a balancer without one', async () => {
    expect((await callBy({ ...by('198.51.100.5'), from: '127.0.0.5' }, url)).status).toBe(400);
    await expect(callBy({ from: BALANCER }, url)).rejects.toThrow('fetch failed');
    expect(await services.addressesOf(() => callBy({ from: '127.0.0.5' }, url))).toEqual(['127.0.0.5']);
  });
});

describe('HAProxy with certificates', () => {
  let certificates: string;
  let certificate: string;
  let acme: Server | undefined;
  beforeEach(async () => {
    certificates = join(folder, 'certificates');
    mkdirSync(certificates);
    certificate = writePem(certificates, 'localhost');
    await start({ CERTIFICATES: certificates, PROXY_PROTOCOL_FROM: BALANCER, TRUSTED_PROXIES: FRONT });
    acme = createServer((request, response) => void response.end(`challenge ${request.url}`)).listen(ports.acme);
    await once(acme, 'listening');
  });
  afterEach(() => acme?.close());
  const secureUrl = (): string => `https://localhost:${ports.tls}/v1/campaigns`;
  const secureSocketUrl = (): string => socketUrl.replace('ws:', 'wss:').replace('127.0.0.1', 'localhost');

  test('terminates TLS for the API, says so, and passes on the caller', async () => {
    const call = () => callBy({ from: '127.0.0.5', headers: FORGED, certificate }, secureUrl());
    expect(await services.addressesOf(call)).toEqual(['127.0.0.5']);
    expect((await call()).headers.get('strict-transport-security')).toBe('max-age=31536000');
    const preamble = 'PROXY TCP4 198.51.100.5 127.0.0.1 4000 80\r\n';
    expect(await services.addressesOf(() => callBy({ from: BALANCER, preamble, certificate }, secureUrl()))).toEqual([
      '198.51.100.5',
    ]);
  });

  test('redirects plain HTTP to PUBLIC_URL, except challenges and calls that reached a trusted proxy over TLS', async () => {
    const plain = await callBy({ from: '127.0.0.5', headers: FORGED }, `${url}?limit=1`);
    expect([plain.status, plain.headers.get('location')]).toEqual([308, `${secureUrl()}?limit=1`]);
    const path = '/.well-known/acme-challenge/token';
    expect(await (await fetch(`http://127.0.0.1:${ports.api}${path}`)).text()).toBe(`challenge ${path}`);
    expect((await callBy({ from: FRONT, headers: FORGED }, url)).status).toBe(401);
  });

  test('keeps sockets through a reload, and uses the new certificate for new connections', async () => {
    const client = await socketBy({ from: '127.0.0.5', certificate }, secureSocketUrl());
    await letIn(services, client);
    const renewed = writePem(certificates, 'localhost');
    haproxy.kill('SIGUSR2');
    const other = await vi.waitFor(() => socketBy({ from: '127.0.0.5', certificate: renewed }, secureSocketUrl()), {
      timeout: STARTED_MS_MAX,
    });
    client.send({ t: 'slot', id: 1 });
    expect(await client.next('fill', 1)).toBeDefined();
    for (const each of [client, other]) each.close();
  });

  test('accepts no screen without TLS', async () => {
    await expect(socketBy({ from: '127.0.0.5' }, socketUrl)).rejects.toThrow('no socket at');
  });
});
