/**
 * TLS to Postgres, Redis and ClickHouse with an authority of our own: its certificate is trusted if the URL names it,
 * another one is refused, and so is a certificate for another host. Postgres and Redis speak TLS themselves; a proxy
 * does so for ClickHouse.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { own } from '#engines/processes/owned.ts';
import { readConfig } from '#runtime/config.ts';
import { createLog } from '#runtime/log.ts';
import { clickhouseVariables, postgresVariables } from '#sql/engine-variables.ts';
import { checkClickhouse, checkEngines, checkPostgres, checkRedis } from '#sql/preflight/requirements.ts';
import { openPostgres } from '#sql/postgres.ts';
import { openRedis, redisReady } from '#sql/redis.ts';
import { redisUrl } from '#sql/redis-url.ts';
import { freePort } from '../../cli/instance/free-port.ts';
import { launchPostgres, planPostgres } from '../../engines/postgres.ts';
import { makeDataDir, removeDataDir } from '../support/engines/engines.ts';

let folder: string;
const servers: ChildProcess[] = [];
let proxy: Server;
/** By engine: the URL with `localhost`, for which the certificate is. */
let urls: Record<'Postgres' | 'Redis' | 'ClickHouse', string>;
let clusterUrl: string;

const file = (name: string): string => join(folder, name);
const openssl = (...words: string[]): void => void execFileSync('openssl', words, { stdio: 'ignore' });

/** An authority, and a certificate of it for the name `localhost` alone. */
function makeCertificates(): void {
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-days',
    '2',
    '-subj',
    '/CN=authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  );
  openssl('req', ...key, '-subj', '/CN=engine', '-keyout', file('key.pem'), '-out', file('request.pem'));
  writeFileSync(file('names'), 'subjectAltName=DNS:localhost');
  const signing = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('names')];
  openssl('x509', '-req', '-days', '2', '-in', file('request.pem'), ...signing, '-out', file('cert.pem'));
}

async function startPostgres(): Promise<string> {
  const plan = await planPostgres(folder);
  for (const name of ['cert.pem', 'key.pem']) {
    copyFileSync(file(name), join(plan.folder, name));
    chmodSync(join(plan.folder, name), 0o600);
    if (plan.user) chownSync(join(plan.folder, name), plan.user.uid, plan.user.gid);
  }
  const settings = {
    ssl: 'on',
    ssl_cert_file: join(plan.folder, 'cert.pem'),
    ssl_key_file: join(plan.folder, 'key.pem'),
  };
  servers.push(await launchPostgres({ ...plan, settings }));
  return plan.url.replace('127.0.0.1', 'localhost');
}

async function startRedis(name: string, lines: readonly string[] = []): Promise<number> {
  const port = await freePort();
  mkdirSync(file(name));
  const tls = [
    `tls-cert-file ${file('cert.pem')}`,
    `tls-key-file ${file('key.pem')}`,
    `tls-ca-cert-file ${file('ca.pem')}`,
  ];
  const rest = ['bind 127.0.0.1', 'port 0', `tls-port ${port}`, 'tls-auth-clients no', 'save ""', `dir ${file(name)}`];
  writeFileSync(file(`${name}.conf`), [...rest, ...tls, ...lines, ''].join('\n'));
  const child = spawn('redis-server', [file(`${name}.conf`)], { stdio: 'ignore' });
  servers.push(child);
  void own(child, 'program');
  return port;
}

async function startClickhouse(): Promise<string> {
  const url = new URL(inject('clickhouseUrl'));
  const { hostname, port: portText } = url;
  const port = Number(portText);
  proxy = createServer({ cert: readFileSync(file('cert.pem')), key: readFileSync(file('key.pem')) }, near => {
    const far = connect(port, hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => [near, far].forEach(each => each.destroy()));
  });
  proxy.on('tlsClientError', () => undefined); // refused certificates are what is tested
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url.protocol = 'https:';
  url.hostname = 'localhost';
  url.port = String((proxy.address() as AddressInfo).port);
  url.pathname = '/default';
  return url.href;
}

beforeAll(async () => {
  folder = makeDataDir();
  makeCertificates();
  const postgres = await startPostgres();
  const redis = await startRedis('redis');
  const cluster = await startRedis('cluster', [
    'cluster-enabled yes',
    'tls-cluster yes',
    'cluster-announce-hostname localhost',
    'cluster-preferred-endpoint-type hostname',
  ]);
  const node = openRedis(`rediss://localhost:${cluster}?ca=${file('ca.pem')}`, { role: 'worker' });
  await redisReady(node).catch(() => undefined);
  await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  node.disconnect();
  clusterUrl = `rediss+cluster://localhost:${cluster}`;
  urls = { Postgres: postgres, Redis: `rediss://localhost:${redis}`, ClickHouse: await startClickhouse() };
});
afterAll(async () => {
  proxy?.close();
  for (const server of servers) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }
  await removeDataDir(folder);
});

type Engine = 'Postgres' | 'Redis' | 'ClickHouse';
const VARIABLES = { Postgres: 'DATABASE_URL', Redis: 'REDIS_URL', ClickHouse: 'CLICKHOUSE_URL' } as const;
const AUTHORITY = { Postgres: 'sslrootcert', Redis: 'ca', ClickHouse: 'ca' } as const;
const OFF = { Postgres: 'sslmode=no-verify', Redis: 'verify=none', ClickHouse: 'verify=none' } as const;

async function check(engine: Engine, url: string): Promise<void> {
  const limit = { withinMs: 20_000 };
  if (engine === 'Redis') return checkRedis(url, limit);
  if (engine === 'ClickHouse') return checkClickhouse(url, 'schema', limit);
  const sql = openPostgres(url, { connectionsMax: 1, applicationName: 'test' });
  try {
    await checkPostgres(sql, { url, needs: 'schema', limit });
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** The URL that trusts our authority, or Node's. */
function trusting(engine: Engine, ca?: string, mode = 'require'): string {
  const options = [
    ...(engine === 'Postgres' ? [`sslmode=${mode}`] : []),
    ...(ca ? [`${AUTHORITY[engine]}=${ca}`] : []),
  ];
  return options.length === 0 ? urls[engine] : `${urls[engine]}?${options.join('&')}`;
}
const byAddress = (url: string): string => url.replace('localhost', '127.0.0.1');

describe.each(['Postgres', 'Redis', 'ClickHouse'] as const)('TLS to %s', engine => {
  test('succeeds with the certificate authority in the URL', async () => {
    await expect(check(engine, trusting(engine, file('ca.pem')))).resolves.toBeUndefined();
  });

  test('refuses a certificate of an unknown authority with one line', async () => {
    const variable = VARIABLES[engine];
    await expect(check(engine, trusting(engine))).rejects.toThrow(
      new RegExp(
        `^The certificate of ${engine} is not trusted: (unable to verify the first|self-signed) certificate.* Add ${AUTHORITY[engine]}=/path/ca.pem to ${variable}, or ${OFF[engine]} to verify nothing$`,
      ),
    );
  });

  test('refuses a certificate for another host with one line', async () => {
    await expect(check(engine, byAddress(trusting(engine, file('ca.pem'))))).rejects.toThrow(
      new RegExp(
        `^The certificate of ${engine} is for another host than ${VARIABLES[engine]} names: .*127\\.0\\.0\\.1 is not in the cert's list: ?$`,
      ),
    );
  });

  test('verifies nothing if the URL disables verification', async () => {
    await expect(check(engine, `${byAddress(urls[engine])}?${OFF[engine]}`)).resolves.toBeUndefined();
  });
});

describe('sslmode of Postgres', () => {
  test.each(['require', 'verify-full'])('%s verifies the host', async mode => {
    await expect(check('Postgres', byAddress(trusting('Postgres', file('ca.pem'), mode)))).rejects.toThrow(
      /another host/,
    );
  });

  test('verify-ca verifies the authority and not the host', async () => {
    await expect(
      check('Postgres', byAddress(trusting('Postgres', file('ca.pem'), 'verify-ca'))),
    ).resolves.toBeUndefined();
    await expect(check('Postgres', trusting('Postgres', undefined, 'verify-ca'))).rejects.toThrow(/not trusted/);
  });

  test('a server without TLS is refused if TLS is required', async () => {
    await expect(check('Postgres', `${inject('databaseUrl')}?sslmode=require`)).rejects.toThrow(
      /^Postgres does not (speak TLS|answer) where DATABASE_URL says: /,
    );
  });

  test('URL parameters of other clients do not reach the server', async () => {
    const url = `${trusting('Postgres', file('ca.pem'))}&channel_binding=require`;
    await expect(check('Postgres', url)).resolves.toBeUndefined();
  });
});

test('a Redis cluster whose nodes announce host names is reached over TLS', async () => {
  const url = `${clusterUrl}?ca=${file('ca.pem')}`;
  await expect(checkRedis(url)).resolves.toBeUndefined();
  // The client of a cluster hides the reason of its nodes.
  await expect(checkRedis(clusterUrl)).rejects.toThrow(/^Redis does not answer where REDIS_URL says: /);
});

test('a start without verification warns of each such variable', async () => {
  const lines: string[] = [];
  const log = createLog('test', 'warn', { write: line => lines.push(line) });
  await checkEngines(
    { DATABASE_URL: `${urls.Postgres}?${OFF.Postgres}`, REDIS_URL: `${urls.Redis}?${OFF.Redis}` },
    { needs: 'connection', log },
  );
  expect(lines.map(line => (JSON.parse(line) as { variable: string }).variable)).toEqual(['DATABASE_URL', 'REDIS_URL']);
});

test.each([
  [
    'DATABASE_URL',
    'postgres://a/b?sslmode=always',
    'sslmode is one of disable, prefer, require, verify-ca, verify-full, no-verify',
  ],
  [
    'DATABASE_URL',
    'postgres://a/b?sslmode=require&sslrootcert=/none.pem',
    'sslrootcert names /none.pem, which cannot be read (ENOENT)',
  ],
  [
    'DATABASE_URL',
    'postgres://a/b?sslrootcert=/none.pem',
    'sslrootcert needs sslmode=verify-full, verify-ca or require',
  ],
  [
    'DATABASE_URL',
    'postgres://10.0.0.1,10.0.0.2/b?sslmode=require',
    'over TLS, several hosts must be given by their names',
  ],
  ['REDIS_URL', 'rediss://a?ca=/none.pem', 'ca names /none.pem, which cannot be read (ENOENT)'],
  ['REDIS_URL', 'redis://a?verify=none', 'verify is for rediss:// alone'],
  ['REDIS_URL', 'rediss://a?verify=some', 'verify has one value, none'],
  ['CLICKHOUSE_URL', 'https://a/b?ca=/none.pem', 'ca names /none.pem, which cannot be read (ENOENT)'],
  ['CLICKHOUSE_URL', 'http://a/b?ca=/none.pem', 'ca is for https:// alone'],
] as const)('%s=%s is refused: %s', (variable, value, fault) => {
  const spec = { ...postgresVariables(), ...clickhouseVariables(), REDIS_URL: redisUrl() };
  const { [variable]: field } = spec;
  expect(() => readConfig({ [variable]: field }, { [variable]: value })).toThrow(`  ${variable}: ${fault}`);
});
