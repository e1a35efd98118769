/**
 * The files of a deployment, as far as they can be judged without an engine for containers: docker-compose.yml, the
 * secrets, the image, and the configuration of ClickHouse.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
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
  ])('would not be with %s', (_fault, spoil) => {
    const file = parseCompose() as ComposeFile;
    spoil(file);
    expect(judge(file)).toBe(false);
  });

  test('asks for the addresses that nobody can guess', () => {
    expect(() => readCompose({ PUBLIC_URL: ADDRESSES.PUBLIC_URL })).toThrow(/^DELIVERY_URL is missing: the address/);
  });

  test.each(services)('%s is pinned, bounded and without rights', (_name, service) => {
    expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.deploy?.resources.limits).toEqual({
      cpus: expect.stringMatching(/^\d+$/),
      memory: expect.stringMatching(/^\d+[mg]$/),
    });
    expect(service.healthcheck).toBeDefined();
    expect(service.user ?? (service.build && 'node')).not.toMatch(/^(root|0)?$/); // the Dockerfile's last user is node
  });

  test.each(services)('%s uses only volumes, networks, secrets and files that are there', (_name, service) => {
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

  test.each(ownServices)('%s reads every secret from a file that it was given', (_name, service) => {
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

  test('says every time with its unit', () => {
    const times = services.flatMap(([name, service]) =>
      Object.entries({ ...service.healthcheck, stop_grace_period: service.stop_grace_period })
        .filter(([field, value]) => /interval|timeout|period/.test(field) && value !== undefined)
        .map(([field, value]) => `${name} ${field} ${String(value)}`),
    );
    expect(times.length).toBeGreaterThan(20);
    expect(times.filter(time => !/ \d+(ms|s|m)$/.test(time))).toEqual([]);
  });

  test('each delivery process has a name and a folder of its own', () => {
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

  test('makes every secret that the file mounts, in a folder that others cannot enter', () => {
    for (const { file } of Object.values(compose.secrets))
      expect(contentOf(relative('deploy/secrets', file))).toMatch(/^\S.*\n$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('keeps what is there', () => {
    const before = Object.fromEntries(readdirSync(folder).map(name => [name, contentOf(name)]));
    makeSecrets(folder);
    expect(Object.fromEntries(readdirSync(folder).map(name => [name, contentOf(name)]))).toEqual(before);
  });
});

describe('the image', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const copied = new Set(
    [...dockerfile.matchAll(/^COPY (?:--from=packages )?(\S+) \.\/\S+$/gm)].map(([, source]) =>
      source!.replace('/app/', ''),
    ),
  );
  const { dependencies, imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    imports: Record<string, string>;
  };
  const removed = new Set(['chdb']);

  /** What a file imports when it is loaded or later, as a path in the tree or the name of a package. Types vanish. */
  function importsOf(file: string): string[] {
    return [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(
        /(?:^|\n)\s*(?:import|export)\s(?!type\s)(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
      ),
    ]
      .map(match => (match[1] ?? match[2])!)
      .filter(target => !target.startsWith('node:'))
      .map(target => {
        if (target.startsWith('.')) return relative(ROOT, join(ROOT, dirname(file), target));
        const door = Object.entries(imports).find(
          ([name]) => target === name || (name.endsWith('*') && target.startsWith(name.slice(0, -1))),
        );
        return door ? door[1].slice(2).replace('*', target.slice(door[0].length - 1)) : target;
      });
  }

  test.each([...new Set(ownServices.map(([, { command }]) => command!.at(-1)!)), 'cli/admin/admin.ts'])(
    'holds all that %s loads',
    entry => {
      const seen = new Set<string>();
      const packages = new Set<string>();
      const walk = (file: string): void => {
        if (seen.has(file)) return;
        seen.add(file);
        for (const target of importsOf(file)) {
          if (/\.(ts|json)$/.test(target)) walk(target);
          else
            packages.add(
              target
                .split('/')
                .slice(0, target.startsWith('@') ? 2 : 1)
                .join('/'),
            );
        }
      };
      walk(entry);
      expect(seen.size).toBeGreaterThan(3);
      expect([...seen].filter(file => !copied.has(file.split('/')[0]!))).toEqual([]);
      expect([...packages].filter(name => !(name in dependencies) || removed.has(name))).toEqual([]);
    },
  );

  test('is built from what .dockerignore lets through', () => {
    const allowed = new Set(
      readFileSync(join(ROOT, '.dockerignore'), 'utf8')
        .split('\n')
        .filter(line => line.startsWith('!'))
        .map(line => line.slice(1)),
    );
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '));
    expect(sources.filter(name => !allowed.has(name))).toEqual([]);
    expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'patches'])); // what `npm ci` reads
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

  test('is well formed, and names profiles and quotas that are there', () => {
    const { users, profiles, quotas } = usersOf().clickhouse;
    const named = Object.entries(users).filter(([name]) => name !== '!');
    expect(named.map(([name]) => name)).toEqual(['marquee', 'analyst']);
    for (const [, { profile, quota }] of named) expect([profile in profiles, quota in quotas]).toEqual([true, true]);
    expect(() => create(readFileSync(join(ROOT, 'deploy/clickhouse/config.xml'), 'utf8'))).not.toThrow();
  });

  test('bounds what analysts take: of a statement, of all together, and behind the services', () => {
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
