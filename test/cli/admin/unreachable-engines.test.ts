/**
 * The operator's tool on engines that are not there, or that take a connection and say nothing: each command ends by
 * itself, with one sentence that names the variable. An engine that answers is not given up, however slow it is.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPostgres } from '#sql/postgres.ts';
import { checkClickhouse, checkPostgres, checkRedis } from '#sql/preflight/requirements.ts';
import { freshClickhouse, freshPostgres } from '../../support/engines/databases.ts';
import { programOf } from '../../../runtime/programs/program.ts';

const NOBODY = '127.0.0.1:1';
const REFUSED = `connect ECONNREFUSED ${NOBODY}`;
const run = promisify(execFile);
let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;
beforeAll(async () => {
  [postgres, clickhouse] = await Promise.all([freshPostgres(), freshClickhouse()]);
});
afterAll(() => Promise.all([postgres.drop(), clickhouse.drop()]));

type Ending = { code: number; stderr: string };

/** Runs a command where nobody is at the address of one engine. */
async function adminWithout(variable: keyof typeof AWAY, words: readonly string[]): Promise<Ending> {
  const { file, execArgv } = programOf('cli/admin/admin.ts');
  const there = { DATABASE_URL: postgres.url, REDIS_URL: inject('redisUrl'), CLICKHOUSE_URL: clickhouse.url };
  const { code = 0, stderr } = (await run(process.execPath, [...execArgv, file, ...words], {
    env: { ...process.env, ...there, SIGNING_KEYS: 'of no matter', [variable]: AWAY[variable] },
    timeout: 50_000,
  }).catch((error: unknown) => error)) as Partial<Ending> & { stderr: string };
  return { code, stderr };
}
const AWAY = {
  DATABASE_URL: `postgres://${NOBODY}/marquee`,
  REDIS_URL: `redis://${NOBODY}`,
  CLICKHOUSE_URL: `http://${NOBODY}/marquee`,
} as const;

const OF_BOTH = ['verify', 'rollups mend --month 202611', 'job run settle-spend', 'play show p'];
const OF_REDIS = [...OF_BOTH, 'node list', 'node gone n', 'node shed n --share 0.5', 'dead-letters retry'];
const OF_CLICKHOUSE = [...OF_BOTH, 'upgrade --check', 'backup --out /nowhere', 'restore --from /nowhere'];
const OF_POSTGRES = [...OF_REDIS, 'workspace list', 'job list', 'finding list'];

describe('npm run admin, with an engine that is down', () => {
  test.each([
    ['REDIS_URL', 'Redis', OF_REDIS],
    ['CLICKHOUSE_URL', 'ClickHouse', OF_CLICKHOUSE],
    ['DATABASE_URL', 'Postgres', OF_POSTGRES],
  ] as const)('ends with a sentence about %s', async (variable, engine, commands) => {
    const endings = await Promise.all(commands.map(command => adminWithout(variable, command.split(' '))));
    const sentence = `${engine} does not answer where ${variable} says: ${REFUSED}\n`;
    expect(endings).toEqual(commands.map(() => ({ code: 1, stderr: sentence })));
  });
});

describe('an engine', () => {
  let stranger: Server;
  /** What the engine says to each piece that it hears. */
  let answer: (heard: string) => string;
  let address: string;
  beforeAll(async () => {
    const listen = (socket: Socket): unknown =>
      socket.on('error', () => undefined).on('data', heard => socket.write(answer(heard.toString())));
    stranger = createServer(listen).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    address = `127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    stranger.close();
  });

  test('that accepts a connection and stays silent is given up', async () => {
    answer = () => '';
    const within = { withinMs: 200 };
    const sql = openPostgres(`postgres://${address}/marquee`, { connectionsMax: 1, applicationName: 'test' });
    const sentence = (engine: string, name: string) =>
      `${engine} does not answer where ${name} says: nothing came within 0.2 s`;
    const url = `postgres://${address}/marquee`;
    await expect(checkPostgres(sql, { url, needs: 'connection', limit: within })).rejects.toThrow(
      sentence('Postgres', 'DATABASE_URL'),
    );
    await expect(checkRedis(`redis://${address}`, within)).rejects.toThrow(sentence('Redis', 'REDIS_URL'));
    await expect(checkClickhouse(`http://${address}`, 'connection', within)).rejects.toThrow(
      sentence('ClickHouse', 'CLICKHOUSE_URL'),
    );
    await sql.end({ timeout: 0 });
  });

  test('that is still loading its data counts as reached', async () => {
    answer = heard => repliesOf(heard, '$30\r\nredis_version:7.2.0\r\nloading:1\r\n');
    await expect(checkRedis(`redis://${address}`)).resolves.toBeUndefined();
  });

  test('that wants a missing password is named with its own message', async () => {
    answer = heard => repliesOf(heard, '-NOAUTH Authentication required.\r\n');
    await expect(checkRedis(`redis://${address}`)).rejects.toThrow(
      'Redis refuses the user or the password of REDIS_URL: NOAUTH Authentication required.',
    );
  });
});

/** One reply of Redis for each command of a piece: its state for INFO, and consent to all others. */
function repliesOf(heard: string, state: string): string {
  const commands = heard.split(/\*\d+\r\n/).slice(1);
  return commands.map(command => (/\binfo\b/i.test(command) ? state : '+OK\r\n')).join('');
}
