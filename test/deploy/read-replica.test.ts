/**
 * Reads that go to a replica of Postgres only while it follows. A primary and a hot standby that streams from it, both
 * real.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { createReads, type Reads } from '#sql/read-replica.ts';
import { launchPostgres, planPostgres, type PostgresPlan } from '../../engines/postgres.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { eventually } from '../support/network.ts';

let dataDir: string;
let primary: Postgres;
let replica: Postgres;
let reads: Reads;
const servers: ChildProcess[] = [];

/** A standby from a copy of the primary's files, as pg_basebackup makes it. */
async function copyAsStandby(from: PostgresPlan, sql: Postgres): Promise<PostgresPlan> {
  const folder = join(dataDir, 'standby');
  const cluster = join(folder, 'data');
  const port = await freePort();
  await mkdir(folder);
  const session = await sql.reserve();
  await session`select pg_backup_start('standby', true)`;
  await cp(from.cluster, cluster, { recursive: true, filter: source => !source.endsWith('postmaster.pid') });
  const [stop] = await session<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`;
  session.release();
  await writeFile(join(cluster, 'backup_label'), stop!.labelfile);
  await writeFile(join(cluster, 'standby.signal'), '');
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${from.port} user=marquee password=${from.password}'\n`,
  );
  if (from.user) await ownAll(folder, from.user);
  return { ...from, folder, cluster, port, url: from.url.replace(`:${from.port}/`, `:${port}/`) };
}

async function ownAll(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chown(join(entry.parentPath, entry.name), uid, gid);
  await chown(folder, uid, gid);
  await chmod(join(folder, 'data'), 0o700);
}

beforeAll(async () => {
  dataDir = makeDataDir();
  const plan = await planPostgres(dataDir);
  servers.push(await launchPostgres(plan));
  primary = openPostgres(plan.url, { connectionsMax: 2, applicationName: 'marquee-test' });
  await primary`create table notes (number integer)`;
  const standby = await copyAsStandby(plan, primary);
  servers.push(await launchPostgres(standby));
  replica = openPostgres(standby.url, { connectionsMax: 2, applicationName: 'marquee-test' });
  reads = createReads({ primary, replica, pollMs: 50 });
});

afterAll(async () => {
  await reads?.close();
  await Promise.all([primary?.end({ timeout: 1 }), replica?.end({ timeout: 1 })]);
  await Promise.all(
    servers.map(async server => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    }),
  );
  await removeDataDir(dataDir);
});

let number = 0;
/** The workers' writes, which say how far a replica has come. */
const write = () => primary`insert into notes values (${(number += 1)})`;
const untilReads = (from: Postgres): Promise<Postgres> =>
  eventually(async () => {
    await write();
    return reads.sql() === from ? from : undefined;
  }, 30_000);

test('a replica that follows is read from, and has the written rows', async () => {
  await untilReads(replica);
  const most = await eventually(async () => {
    const [row] = await replica<{ most: number }[]>`select max(number) as most from notes`;
    return row?.most === number ? row.most : undefined;
  });
  expect([reads.sql() === replica, most]).toEqual([true, number]);
}, 60_000);

test('a stalled replica is skipped after five seconds, and read from again when it has caught up', async () => {
  await replica`select pg_wal_replay_pause()`;
  expect(await untilReads(primary)).toBe(primary);
  await replica`select pg_wal_replay_resume()`;
  expect(await untilReads(replica)).toBe(replica);
}, 90_000);

test('a server that is not a replica is never read from', async () => {
  const mistaken = createReads({ primary: replica, replica: primary, pollMs: 10 });
  for (let looks = 0; looks < 20; looks += 1) {
    await write();
    expect(mistaken.sql()).toBe(replica);
  }
  await mistaken.close();
});

test('reads go to the primary if the replica is down', async () => {
  servers[1]!.kill('SIGKILL');
  await untilReads(primary);
  expect(await reads.sql()`select 1 as one`).toEqual([{ one: 1 }]);
}, 60_000);
