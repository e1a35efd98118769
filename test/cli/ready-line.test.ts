/** The ready line of the demo and of an installation: pure, on stand-ins that have what the line says. */
import { expect, test } from 'vitest';
import { accessOf } from '../../cli/demo/messages.ts';
import type { DemoNetwork } from '../../cli/demo/network/network.ts';
import type { Instance } from '../../cli/instance/instance.ts';
import { readyLine } from '../../cli/instance/ready-line.ts';

// The line reads these fields alone.
const instance = {
  apiUrl: 'http://127.0.0.1:1',
  deliveryUrl: 'ws://127.0.0.1:2',
  ops: () => ({}),
  pids: () => ({}),
} as unknown as Instance;

test('the ready line of the demo has the keys and a sign-in link for each role', () => {
  // Likewise.
  const network = {
    keys: { ads_manager: 'sk_live_1' },
    roles: [{ role: 'brand', path: '/console/sign-in#one' }],
  } as unknown as DemoNetwork;
  expect(readyLine(instance, accessOf(instance, network))).toMatchObject({
    event: 'ready',
    keys: { ads_manager: 'sk_live_1' },
    console: { brand: 'http://127.0.0.1:1/console/sign-in#one' },
  });
});

test('the ready line of an installation has neither', () => {
  expect(Object.keys(readyLine(instance))).toEqual(['event', 'api', 'delivery', 'clickhouse', 'ops', 'pids']);
});
