/**
 * Connections to Postgres and the variables of the services, as docs/operate/variables.md and docker-compose.yml have
 * them, against the code. Files are read; nothing is started.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONNECTIONS, POSTGRES_KEPT_FREE } from '#sql/connection-budget.ts';
import { readCompose, ROOT } from '../support/compose/compose.ts';
import { JOBS } from '../../workers/jobs.ts';

type Service = keyof typeof CONNECTIONS;
const guide = readFileSync(join(ROOT, 'docs/operate/variables.md'), 'utf8');
const compose = readCompose({
  PUBLIC_URL: 'https://ads.example',
  DELIVERY_URL: 'wss://screens.example/v1/screens/socket',
});
const maxConnections = Number(/max_connections=(\d+)/.exec(compose.services['postgres']!.command!.join(' '))![1]);
const sumOf = (counts: Record<Service, number>): number =>
  (Object.keys(CONNECTIONS) as Service[]).reduce(
    (sum, service) => sum + counts[service] * CONNECTIONS[service].postgres,
    0,
  );

describe('connections', () => {
  test('match the table in docs/operate/variables.md', () => {
    const rows = [...guide.matchAll(/^\| (api|delivery|ingest|workers) \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(
      ([, service, postgres, clickhouse, redis]) => [
        service,
        { postgres: Number(postgres), clickhouse: Number(clickhouse), redis: Number(redis) },
      ],
    );
    expect(Object.fromEntries(rows)).toEqual(CONNECTIONS);
  });

  test('of all processes of docker-compose.yml, with two workers, stay under max_connections', () => {
    const deliveries = Object.keys(compose.services).filter(name => name.startsWith('delivery-')).length;
    expect(sumOf({ api: 4, delivery: deliveries, ingest: 2, workers: 2 }) + POSTGRES_KEPT_FREE).toBeLessThanOrEqual(
      maxConnections,
    );
  });

  test('of four delivery, two ingest, two api and two workers processes match the guide', () => {
    expect(guide).toContain(`take ${sumOf({ api: 2, delivery: 4, ingest: 2, workers: 2 })}.`);
  });

  test('of the workers suffice for every job to hold its lock and work at the same time', () => {
    expect(2 * JOBS.length + 14).toBeLessThanOrEqual(CONNECTIONS.workers.postgres - 1);
  });
});

describe('docs/operate/variables.md', () => {
  test('names exactly the variables that services read', () => {
    const read = new Set(
      [
        'api/configuration.ts',
        'delivery/configuration.ts',
        'ingest/configuration.ts',
        'workers/configuration.ts',
        'runtime/lifecycle.ts',
        'runtime/programs/delivery-memory.ts', // its C library reads it
        'sql/engine-variables.ts',
        'authority/connection.ts',
        'cli/migrate.ts',
      ].flatMap(file =>
        [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:^ +|\{ )([A-Z][A-Z_]+): /gm)].map(match => match[1]!),
      ),
    );
    const table = guide.slice(guide.indexOf('## Variables'), guide.indexOf('## Connections'));
    const named = new Set(
      [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
        [...cell!.matchAll(/`([A-Z_]+)`/g)].map(match => match[1]!),
      ),
    );
    expect([...named].sort()).toEqual([...read].sort());
  });
});
