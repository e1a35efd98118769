/**
 * deploy/Caddyfile, run by the real Caddy before a real API and a real delivery process: one host name for both, TLS,
 * and the caller's own address. Its certificates come from Caddy's internal authority, so ACME is not part of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findOrInstall } from '#engines/package-manager.ts';
import { own } from '#engines/processes/owned.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { ROOT } from '../../support/architecture/source-files.ts';
import {
  callBy,
  letIn,
  socketBy,
  startProxiedServices,
  type Caller,
  type ProxiedServices,
} from './proxied-services.ts';

const FORGED = { 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'http' };

let services: ProxiedServices;
let folder: string;
let caddy: ChildProcess;
let port: number;
let certificate: string;

beforeAll(async () => {
  const program = await findOrInstall({ programs: ['caddy'], debian: 'caddy', brew: 'caddy' });
  services = await startProxiedServices();
  folder = mkdtempSync(join(tmpdir(), 'marquee-caddy-'));
  port = await freePort();
  const options = `{\nadmin off\nskip_install_trust\nhttp_port ${await freePort()}\nhttps_port ${port}\n}\n`;
  const config = join(folder, 'Caddyfile');
  writeFileSync(config, options + readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8'));
  caddy = spawn(program, ['run', '--adapter', 'caddyfile', '--config', config], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      HOST_NAME: 'localhost',
      API: `127.0.0.1:${services.apiPort}`,
      SOCKETS: `127.0.0.1:${services.socketPort}`,
    },
    stdio: 'ignore',
  });
  await once(caddy, 'spawn');
  await own(caddy, 'program');
  await vi.waitFor(
    async () => {
      certificate = readFileSync(join(folder, '.local/share/caddy/pki/authorities/local/root.crt'), 'utf8');
      await callBy({ from: '127.0.0.5', certificate }, `https://localhost:${port}/v1/campaigns`);
    },
    { timeout: 30_000 },
  );
}, 180_000);

afterAll(async () => {
  const ended = once(caddy, 'exit');
  caddy.kill('SIGTERM');
  await ended;
  await services.close();
  rmSync(folder, { recursive: true, force: true });
});

test("passes on the caller's real address, whatever it claims, and the use of TLS", async () => {
  const call = (from: string) =>
    callBy({ from, headers: FORGED, certificate }, `https://localhost:${port}/v1/campaigns`);
  expect(await services.addressesOf(() => Promise.all([call('127.0.0.5'), call('127.0.0.6')]))).toEqual([
    '127.0.0.5',
    '127.0.0.6',
  ]);
  expect((await call('127.0.0.5')).headers.get('strict-transport-security')).toBe('max-age=31536000');
});

test('routes screens of the same host name to delivery, which counts each by its own address', async () => {
  const open = (caller: Caller) => socketBy({ ...caller, certificate }, `wss://localhost:${port}/v1/screens/socket`);
  const [first, other] = [await open({ from: '127.0.0.5' }), await open({ from: '127.0.0.6', headers: FORGED })];
  const forger = await open({ from: '127.0.0.5', headers: FORGED });
  expect(await forger.closed()).toBe(4008);
  for (const client of [first, other]) {
    await letIn(services, client);
    client.close();
  }
});
