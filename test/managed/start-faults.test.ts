/**
 * Every program on engines, folders and clocks that are wrong: it ends by itself with one line. The line names the
 * variable to change, holds no secret, and has no stack.
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedis, redisReady, type Redis } from '#sql/redis.ts';
import { programOf, type ProgramName } from '../../runtime/programs/program.ts';
import { freshClickhouse, freshPostgres, freshRedisUrl } from '../support/engines/databases.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

const run = promisify(execFile);
const PROGRAMS = {
  api: ['api/main.ts'],
  delivery: ['delivery/main.ts'],
  ingest: ['ingest/main.ts'],
  workers: ['workers/main.ts'],
  migrate: ['cli/migrate.ts'],
  admin: ['cli/admin/admin.ts', 'workspace', 'list'],
} as const satisfies Record<string, readonly [ProgramName, ...string[]]>;
type Program = keyof typeof PROGRAMS;
type Variables = Record<string, string>;

/** Waits of ten seconds for an engine that is down, on a machine that does several things. */
const RUN_MS_MAX = 90_000;
const WRONG_SECRET = 'not-the-secret-of-anybody';
const NOBODY = '127.0.0.1:1';
const HOUR_MS = 3_600_000;
/** Shifts the clock of a process. */
const LATE = `data:text/javascript,${encodeURIComponent(`const now=Date.now;Date.now=()=>now()+${HOUR_MS}`)}`;

const limited = `limited_${randomBytes(4).toString('hex')}`;
let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let clickhouse: Awaited<ReturnType<typeof freshClickhouse>>;
let redis: Redis;
let redisAddress: string;
let dataDir: string;
let variables: Variables;
let closedClickhouse: Server;
const proxies: TcpProxy[] = [];

beforeAll(async () => {
  [postgres, clickhouse, redisAddress] = await Promise.all([freshPostgres(), freshClickhouse(), freshRedisUrl()]);
  dataDir = makeDataDir();
  redis = openRedis(redisAddress, { role: 'commands' });
  await redisReady(redis);
  await redis.call('ACL', 'SETUSER', limited, 'on', `>${limited}`, '~*', '&*', '+@all', '-eval');
  await postgres.sql.unsafe(`create role ${limited} login password '${limited}';
    grant select on all tables in schema public to ${limited}`);
  closedClickhouse = await startClosedClickhouse();
  variables = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redisAddress,
    CLICKHOUSE_URL: clickhouse.url,
    DATA_DIR: join(dataDir, 'data'),
    STORAGE_URL: `file:${join(dataDir, 'storage')}`,
    PUBLIC_URL: 'http://127.0.0.1:1',
    DELIVERY_URL: 'ws://127.0.0.1:1/v1/screens/socket',
    SIGNING_KEYS: `1:${Buffer.alloc(16, 7).toString('base64')}`,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
    DELIVERY_PORT: '0',
  };
});
afterAll(async () => {
  await redis.call('ACL', 'DELUSER', limited);
  redis.disconnect();
  await postgres.sql.unsafe(`drop owned by ${limited}; drop role ${limited}`);
  closedClickhouse.close();
  await Promise.all([
    postgres.drop(),
    clickhouse.drop(),
    removeDataDir(dataDir),
    ...proxies.map(proxy => proxy.close()),
  ]);
});

const changed = (url: string, change: (url: URL) => void): string => {
  const parsed = new URL(url);
  change(parsed);
  return parsed.href;
};
const withPassword = (url: string): string => changed(url, parsed => (parsed.password = WRONG_SECRET));
const asLimited = (url: string): string =>
  changed(url, parsed => {
    parsed.username = limited;
    parsed.password = limited;
  });

/** The engine as if it had another version. */
async function throughVersion(url: string, replaced: readonly [string, string]): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const proxy = await TcpProxy.start({ host, port: Number(port) });
  proxies.push(proxy);
  proxy.replaced = replaced;
  return changed(url, parsed => (parsed.port = String(proxy.port)));
}

/** ClickHouse whose user may not read the tables: the embedded one has one user, who may. */
async function startClosedClickhouse(): Promise<Server> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const query = await bodyOf(request);
    if (query.includes('plays_raw')) {
      response.writeHead(403, { 'x-clickhouse-exception-code': '497' });
      response.end('Code: 497. DB::Exception: marquee: Not enough privileges. (ACCESS_DENIED)');
      return;
    }
    const answered = await fetch(`${new URL(clickhouse.url).origin}${request.url}`, {
      method: 'POST',
      body: query,
      headers: { authorization: request.headers.authorization! },
    });
    response.end(await answered.text());
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

type Ending = { code: number; stdout: string; stderr: string };

async function endingOf(program: Program, change: Variables): Promise<Ending> {
  const [source, ...words] = PROGRAMS[program];
  const { file, execArgv } = programOf(source);
  const env = { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...variables, ...change };
  const ending: unknown = await run(process.execPath, [...execArgv, file, ...words], {
    env,
    timeout: RUN_MS_MAX,
  }).catch((error: unknown) => error);
  const { code = 0, stdout, stderr } = ending as Partial<Ending> & Pick<Ending, 'stdout' | 'stderr'>;
  return { code, stdout, stderr };
}

/** What the line says, of a service's JSON or of a command's sentence. */
function sentenceOf(
  program: Program,
  { code, stdout, stderr }: Ending,
): { code: number; stdout: string; line: string } {
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  const isCommand = program === 'migrate' || program === 'admin';
  const line = isCommand ? lines[0]! : (JSON.parse(lines[0]!) as { msg: string }).msg;
  return { code, stdout, line: isCommand ? line : line.replace(`${program} cannot start: `, '') };
}

/** A wrong password meets every program; other faults, which the same check finds, one or two. */
const OF_POSTGRES = ['api', 'delivery', 'ingest', 'workers', 'migrate', 'admin'] as const;
const OF_REDIS = ['api', 'delivery', 'ingest', 'workers'] as const;
const OF_CLICKHOUSE = ['api', 'ingest', 'workers', 'migrate'] as const;

type Fault = {
  title: string;
  programs: readonly Program[];
  change: () => Variables | Promise<Variables>;
  line: RegExp;
};

const FAULTS: readonly Fault[] = [
  {
    title: 'no host of that name for Postgres',
    programs: ['workers', 'admin'],
    change: () => ({ DATABASE_URL: 'postgres://x:y@no-such-host.invalid/x' }),
    line: /^Postgres does not answer where DATABASE_URL says: getaddrinfo \w+ no-such-host\.invalid$/,
  },
  {
    title: 'a refused port of Postgres',
    programs: ['api', 'migrate'],
    change: () => ({ DATABASE_URL: `postgres://x:y@${NOBODY}/x` }),
    line: /^Postgres does not answer where DATABASE_URL says: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  },
  {
    title: 'a wrong password of Postgres',
    programs: OF_POSTGRES,
    change: () => ({ DATABASE_URL: withPassword(postgres.url) }),
    line: /^Postgres refuses the user or the password of DATABASE_URL: password authentication failed for user "\w+"$/,
  },
  {
    title: 'an absent database of Postgres',
    programs: ['ingest', 'migrate'],
    change: () => ({ DATABASE_URL: changed(postgres.url, url => (url.pathname = '/nowhere')) }),
    line: /^Postgres has no database of the name in DATABASE_URL: database "nowhere" does not exist$/,
  },
  {
    title: 'a database of Postgres without the schema',
    programs: ['delivery'],
    change: () => ({ DATABASE_URL: changed(postgres.url, url => (url.pathname = '/postgres')) }),
    line: /^The database of DATABASE_URL shows its user no tables: run `npm run migrate`, or grant usage$/,
  },
  {
    title: 'a user of Postgres that may only read',
    programs: ['workers'],
    change: () => ({ DATABASE_URL: asLimited(postgres.url) }),
    line: /^The user of DATABASE_URL may not select, insert, update and delete in \w+, \w+, \w+ of Postgres$/,
  },
  {
    title: 'a user of Postgres that may not create tables',
    programs: ['migrate'],
    change: () => ({ DATABASE_URL: asLimited(postgres.url) }),
    line: /^The user of DATABASE_URL may not create tables in the schema public of Postgres$/,
  },
  {
    title: 'a user of the direct way to Postgres that may not create tables',
    programs: ['migrate'],
    change: () => ({ DATABASE_DIRECT_URL: asLimited(postgres.url) }),
    line: /^The user of DATABASE_DIRECT_URL may not create tables in the schema public of Postgres$/,
  },
  {
    title: 'an old Postgres',
    programs: ['api', 'admin'],
    change: async () => ({ DATABASE_URL: await throughVersion(postgres.url, ['18.', '15.']) }),
    line: /^Postgres 15\.\d+ \(DATABASE_URL\) is too old: it must be 16\.0 or newer$/,
  },
  {
    title: 'no host of that name for Redis',
    programs: ['delivery'],
    change: () => ({ REDIS_URL: 'redis://:y@no-such-host.invalid' }),
    line: /^Redis does not answer where REDIS_URL says: getaddrinfo \w+ no-such-host\.invalid$/,
  },
  {
    title: 'a refused port of Redis',
    programs: ['ingest'],
    change: () => ({ REDIS_URL: `redis://${NOBODY}` }),
    line: /^Redis does not answer where REDIS_URL says: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  },
  {
    title: 'a wrong password of Redis',
    programs: OF_REDIS,
    change: () => ({ REDIS_URL: withPassword(redisAddress) }),
    line: /^Redis refuses the user or the password of REDIS_URL: WRONGPASS .*$/,
  },
  {
    title: 'an absent database of Redis',
    programs: ['workers'],
    change: () => ({ REDIS_URL: changed(redisAddress, url => (url.pathname = '/9999')) }),
    line: /^Redis has no database of the name in REDIS_URL: ERR DB index is out of range$/,
  },
  {
    title: 'a user of Redis that may run no scripts',
    programs: ['api'],
    change: () => ({ REDIS_URL: asLimited(redisAddress) }),
    line: /^The user of REDIS_URL lacks a right in Redis: NOPERM .*'eval'.*$/,
  },
  {
    title: 'an old Redis',
    programs: ['delivery'],
    change: async () => ({ REDIS_URL: await throughVersion(redisAddress, ['redis_version:7', 'redis_version:6']) }),
    line: /^Redis 6\.[\d.]+ \(REDIS_URL\) is too old: it must be 7\.0 or newer$/,
  },
  {
    title: 'a Dragonfly',
    programs: ['ingest'],
    change: async () => ({
      REDIS_URL: await throughVersion(redisAddress, ['used_memory_human:', 'dragonfly_version:']),
    }),
    line: /^REDIS_URL names a Dragonfly, which refuses scripts that reach undeclared keys: use Redis or Valkey$/,
  },
  {
    title: 'no host of that name for ClickHouse',
    programs: ['api'],
    change: () => ({ CLICKHOUSE_URL: 'http://x:y@no-such-host.invalid:8123/x' }),
    line: /^ClickHouse does not answer where CLICKHOUSE_URL says: getaddrinfo \w+ no-such-host\.invalid$/,
  },
  {
    title: 'a refused port of ClickHouse',
    programs: ['workers'],
    change: () => ({ CLICKHOUSE_URL: `http://x:y@${NOBODY}/x` }),
    line: /^ClickHouse does not answer where CLICKHOUSE_URL says: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  },
  {
    title: 'a wrong password of ClickHouse',
    programs: OF_CLICKHOUSE,
    change: () => ({ CLICKHOUSE_URL: withPassword(clickhouse.url) }),
    line: /^ClickHouse refuses the user or the password of CLICKHOUSE_URL: \w+: Authentication failed: .*$/,
  },
  {
    title: 'an absent database of ClickHouse',
    programs: ['ingest'],
    change: () => ({ CLICKHOUSE_URL: changed(clickhouse.url, url => (url.pathname = '/nowhere')) }),
    line: /^ClickHouse has no database of the name in CLICKHOUSE_URL: Database nowhere does not exist\.$/,
  },
  {
    title: 'a database of ClickHouse without the schema',
    programs: ['api'],
    change: () => ({ CLICKHOUSE_URL: changed(clickhouse.url, url => (url.pathname = '/system')) }),
    line: /^The database of CLICKHOUSE_URL has no tables: run `npm run migrate`$/,
  },
  {
    title: 'a user of ClickHouse that may not read',
    programs: ['workers'],
    change: () => ({
      CLICKHOUSE_URL: changed(
        clickhouse.url,
        url => (url.port = String((closedClickhouse.address() as AddressInfo).port)),
      ),
    }),
    line: /^The user of CLICKHOUSE_URL lacks a right in ClickHouse: marquee: Not enough privileges\. ?$/,
  },
  {
    title: 'an old ClickHouse',
    programs: ['ingest', 'migrate'],
    change: async () => ({ CLICKHOUSE_URL: await throughVersion(clickhouse.url, ['26.', '24.']) }),
    line: /^ClickHouse 24\.[\d.]+ \(CLICKHOUSE_URL\) is too old: it must be 26\.3 or newer$/,
  },
  {
    title: 'a clock an hour ahead',
    programs: ['delivery', 'migrate'],
    change: () => ({ NODE_OPTIONS: `--import ${LATE}` }),
    line: /^The clock of this machine is 3[56]\d\d s ahead of that of Postgres \(DATABASE_URL\): set both by NTP/,
  },
];

const RUNS = FAULTS.flatMap(({ title, programs, ...fault }) => programs.map(program => ({ title, program, ...fault })));

test.concurrent.each(RUNS)(
  '$title: $program ends with one line',
  async ({ program, change, line }) => {
    const ending = await endingOf(program, await change());
    const { line: said, ...rest } = sentenceOf(program, ending);
    expect(said).toMatch(line);
    expect(rest).toEqual({ code: 1, stdout: '' });
    for (const secret of [WRONG_SECRET, ...['DATABASE_URL', 'REDIS_URL', 'CLICKHOUSE_URL'].map(passwordOf)])
      expect(ending.stderr).not.toContain(secret);
  },
  RUN_MS_MAX,
);

const passwordOf = (variable: string): string => new URL(variables[variable]!).password;

/** Root may mount; elsewhere nothing here can be full. */
const MOUNTS = process.platform === 'linux' && process.getuid?.() === 0;

describe.runIf(MOUNTS)('a full disk', () => {
  let full: string;
  beforeAll(() => {
    full = join(dataDir, 'full');
    mkdirSync(full);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', full]);
    writeFileSync(join(full, 'taken'), Buffer.alloc(48 * 1024));
  });
  afterAll(() => {
    execFileSync('umount', [full]);
  });

  test.each([
    ['api', 'DATA_DIR', ''],
    ['delivery', 'DATA_DIR', ''],
    ['api', 'STORAGE_URL', 'file:'],
    ['workers', 'STORAGE_URL', 'file:'],
  ] as const)('ends %s with one line about %s', async (program, variable, scheme) => {
    const ending = await endingOf(program, { [variable]: `${scheme}${full}` });
    expect(sentenceOf(program, ending)).toEqual({
      code: 1,
      stdout: '',
      line: `${variable} names ${full}, which cannot be written: Error: ENOSPC: no space left on device, write`,
    });
  });
});
