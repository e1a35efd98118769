/** How the memory of a delivery process is set is the same wherever one is started. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { DELIVERY_ENV, DELIVERY_NODE_OPTIONS } from '#runtime/programs/delivery-memory.ts';
import { ROOT } from '../../support/architecture/source-files.ts';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const TUNABLES = DELIVERY_ENV.GLIBC_TUNABLES;
const COMMAND = ['node', ...DELIVERY_NODE_OPTIONS, 'dist/programs/start.mjs', 'delivery/main.ts'];

test('npm run start:delivery uses the same memory as the supervisor', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(scripts['start:delivery']).toBe(`GLIBC_TUNABLES=${TUNABLES} exec ${COMMAND.join(' ')}`);
});

test.each(['delivery-1', 'delivery-2'])('the compose file starts %s with it', name => {
  const { services } = parse(textOf('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { command: string[]; environment: Record<string, string> }>;
  };
  expect(services[name]).toMatchObject({ command: COMMAND, environment: { GLIBC_TUNABLES: TUNABLES } });
});

test('the chart and the systemd unit use it too', () => {
  const chart = textOf('deploy/helm/templates/delivery.yaml');
  expect(chart).toContain(`command: [${COMMAND.join(', ')}]`);
  expect(chart).toContain(`{name: GLIBC_TUNABLES, value: ${TUNABLES}}`);
  const unit = textOf('deploy/systemd/marquee-delivery@.service');
  expect(unit).toContain(`ExecStart=/usr/bin/${COMMAND.join(' ')}\n`);
  expect(unit).toContain(`Environment=GLIBC_TUNABLES=${TUNABLES}\n`);
});
