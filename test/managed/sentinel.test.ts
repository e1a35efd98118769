/**
 * The whole product by way of Sentinels. The master is killed while screens play, its replica is promoted, and nothing
 * is lost or counted twice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { own } from '#engines/processes/owned.ts';
import { openRedis } from '#sql/redis.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { WHOLE } from '../fault/load/load.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { eventually } from '../support/network.ts';
import { verdictUnderLoad } from './product-under-load.ts';

let folder: string;
let url: string;
const servers: Record<string, ChildProcess> = {};

function start(name: string, lines: readonly string[], args: readonly string[] = []): void {
  mkdirSync(join(folder, name));
  const file = join(folder, name, 'redis.conf');
  writeFileSync(file, ['bind 127.0.0.1', `dir ${join(folder, name)}`, 'save ""', ...lines, ''].join('\n'));
  const child = spawn('redis-server', [file, ...args], { stdio: 'ignore' });
  servers[name] = child;
  void own(child, 'program');
}

beforeAll(async () => {
  folder = makeDataDir();
  const [master, replica, sentinel] = [await freePort(), await freePort(), await freePort()];
  const durable = ['appendonly yes', 'appendfsync always', 'maxmemory-policy noeviction'];
  start('master', [`port ${master}`, ...durable]);
  start('replica', [`port ${replica}`, `replicaof 127.0.0.1 ${master}`, 'repl-diskless-sync-delay 0', ...durable]);
  start(
    'sentinel',
    [
      `port ${sentinel}`,
      `sentinel monitor main 127.0.0.1 ${master} 1`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 5000',
    ],
    ['--sentinel'],
  );
  url = `redis+sentinel://127.0.0.1:${sentinel}/main`;
  const asked = openRedis(`redis://127.0.0.1:${replica}`, { role: 'worker' });
  const watcher = openRedis(`redis://127.0.0.1:${sentinel}`, { role: 'worker' });
  await eventually(
    async () => (/master_link_status:up/.test(await asked.info('replication')) ? true : undefined),
    60_000,
  );
  await eventually(async () => (/slaves=1/.test(await watcher.info('sentinel')) ? true : undefined), 60_000);
  asked.disconnect();
  watcher.disconnect();
}, 180_000);

afterAll(async () => {
  for (const server of Object.values(servers)) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }
  await removeDataDir(folder);
}, 60_000);

test('a failover under plays loses and doubles nothing: the authority is rebuilt', async () => {
  let generations: number[] = [];
  const verdict = await verdictUnderLoad({
    variables: { REDIS_URL: url },
    async strike({ sql }) {
      const generation = async (): Promise<number> =>
        (await sql<{ generation: number }[]>`select generation from authority_life`)[0]!.generation;
      const before = await generation();
      servers['master']!.kill('SIGKILL');
      const after = await eventually(async () => {
        const now = await generation();
        return now > before ? now : undefined;
      }, 120_000);
      generations = [before, after];
    },
  });
  expect(verdict).toEqual(WHOLE);
  expect(generations[1]).toBeGreaterThan(generations[0]!);
}, 420_000);
