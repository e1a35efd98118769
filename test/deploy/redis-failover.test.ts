/**
 * Connections by way of Sentinels: a master, a replica and a Sentinel of this machine change places, and then one is
 * killed.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Queue, Worker } from 'bullmq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { SentinelGroup } from '../support/engines/sentinel-group.ts';
import { eventually } from '../support/network.ts';

const PASSWORD = 'pass/word@1';
let group: SentinelGroup;
let ports: SentinelGroup['ports'];
let url: string;

beforeAll(async () => {
  group = await SentinelGroup.start({ settings: ['appendonly yes', 'appendfsync always'], password: PASSWORD });
  ({ ports, url } = group);
});
afterAll(() => group.stop());

const portOf = async (redis: Redis): Promise<number> =>
  Number(((await redis.config('GET', 'port')) as [string, string])[1]);

test('a command moves from a demoted master to the new master and runs there', async () => {
  const commands = openRedis(url, { role: 'commands' });
  await redisReady(commands);
  expect(await portOf(commands)).toBe(ports.master);
  const sentinel = openRedis(`redis://127.0.0.1:${ports.sentinel}`, { role: 'worker' });
  // A replica that has just been found is no candidate until Sentinel has asked it how it is.
  await eventually(
    () =>
      sentinel.call('SENTINEL', 'FAILOVER', 'main').then(
        () => true,
        () => undefined,
      ),
    30_000,
  );
  await eventually(async () => {
    await commands.set('after', 'written').catch(() => undefined); // between two masters a write may find none
    return (await portOf(commands).catch(() => 0)) === ports.replica ? true : undefined;
  }, 30_000);
  expect([await commands.get('after'), (await commands.role())[0]]).toEqual(['written', 'master']);
  // The old master follows the new one before the next test kills that.
  await eventually(
    async () =>
      /connected_slaves:1\r?\nslave0:.*state=online/.test(await commands.info('replication')) ? true : undefined,
    30_000,
  );
  await eventually(async () => (/slaves=1/.test(await sentinel.info('sentinel')) ? true : undefined), 30_000);
  sentinel.disconnect();
  commands.disconnect();
}, 90_000);

test('connections through Sentinels, including queues, follow a failover, and answered writes are kept', async () => {
  const commands = openRedis(url, { role: 'commands' });
  const blocking = openRedis(url, { role: 'worker' });
  await Promise.all([redisReady(commands), redisReady(blocking)]);
  const [before, after] = [ports.replica, ports.master];
  expect(await portOf(commands)).toBe(before);
  await commands.set('before', 'kept');
  expect(await commands.wait(1, 5_000)).toBe(1);

  const worked: string[] = [];
  const worker = new Worker(
    'moved',
    job => {
      worked.push(job.name);
      return Promise.resolve();
    },
    { connection: blocking, drainDelay: 1 },
  );
  worker.on('error', () => undefined); // connections break on purpose
  const queue = new Queue('moved', { connection: commands });
  queue.on('error', () => undefined);
  await queue.add('first', {});
  await eventually(() => Promise.resolve(worked.includes('first') ? true : undefined), 20_000);

  group.kill('replica');
  await eventually(
    async () =>
      (await portOf(commands).catch(() => 0)) === after && (await commands.role())[0] === 'master' ? true : undefined,
    30_000,
  );
  expect(await commands.get('before')).toBe('kept');
  await queue.add('second', {});
  await eventually(() => Promise.resolve(worked.includes('second') ? true : undefined), 20_000);

  await worker.close();
  await queue.close();
  commands.disconnect();
  blocking.disconnect();
}, 120_000);

test('a server behind TLS is reached only with the certificate of its authority', async () => {
  const port = await freePort();
  const [key, certificate] = [join(group.folder, 'key.pem'), join(group.folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=redis.test',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  group.run('tls', [
    'port 0',
    `tls-port ${port}`,
    `tls-cert-file ${certificate}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${certificate}`,
    'tls-auth-clients no',
    `requirepass ${PASSWORD}`,
  ]);
  const address = `rediss://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
  const trusted = openRedis(`${address}?ca=${certificate}`, { role: 'worker' });
  await redisReady(trusted);
  expect(await trusted.ping()).toBe('PONG');
  trusted.disconnect();

  const heard: string[] = [];
  const stranger = openRedis(address, {
    role: 'commands',
    onError: error => heard.push((error as { code?: string }).code ?? error.message),
  });
  await eventually(() => Promise.resolve(heard.length > 0 ? true : undefined), 20_000);
  expect([heard[0], stranger.status === 'ready']).toEqual(['DEPTH_ZERO_SELF_SIGNED_CERT', false]);
  stranger.disconnect();
}, 60_000);
