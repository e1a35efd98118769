/** The greeting of the demo: pure, on stand-ins that have what it prints. */
import { expect, test } from 'vitest';
import { greetingOf } from '../../../cli/demo/messages.ts';
import type { DemoNetwork } from '../../../cli/demo/network/network.ts';
import type { Instance } from '../../../cli/instance/instance.ts';

// The greeting reads these fields alone.
const instance = {
  apiUrl: 'http://127.0.0.1:1',
  deliveryUrl: 'ws://127.0.0.1:2',
  clickhouse: { url: 'http://127.0.0.1:3', username: 'analyst', password: 'secret' },
} as unknown as Instance;
const ROLES = ['brand', 'venue', 'agency', 'operator'];
// Likewise.
const network = {
  keys: { ads_manager: 'sk_live_1', screen_manager: 'sk_live_2', load_test: 'sk_live_3' },
  roles: ROLES.map(role => ({ role, path: `/console/sign-in#${role}` })),
  screens: [],
  campaigns: [],
} as unknown as DemoNetwork;

const greeting = (isVerbose: boolean) => greetingOf(instance, { network, player: '', isVerbose });

test('the greeting of the demo begins with a sign-in link for each role', () => {
  const links = [...greeting(false).matchAll(/http\S+/g)].map(([link]) => link);
  expect(links.slice(0, 4)).toEqual(ROLES.map(role => `http://127.0.0.1:1/console/sign-in#${role}`));
});

test('the greeting names the address of screens and the account of ClickHouse only with --verbose', () => {
  for (const text of ['ws://127.0.0.1:2', 'http://127.0.0.1:3', 'secret']) {
    expect(greeting(false)).not.toContain(text);
    expect(greeting(true)).toContain(text);
  }
});
