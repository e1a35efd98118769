/** The lines of docs/operate/load.md, for a second and with ten connections: each gets answers, and no error. */
import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, createWorkspace, startApi, type TestApi } from '../api/support/app-under-test.ts';
import { blocksOf } from '../docs/blocks.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const LINES = blocksOf(join(ROOT, 'docs/operate/load.md'), 'sh')
  .filter(block => block.startsWith('npx autocannon'))
  .flatMap(block => block.split(/\n(?=npx)/))
  .map(line => ({ line, target: /"\$API(\S+)"/.exec(line)![1]! }));

let api: TestApi;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
  const { body } = await api.call('POST', '/v1/campaigns', { key, body: { name: 'First', status: 'draft' } });
  const { port } = api.app.server.address() as AddressInfo;
  environment = { ...process.env, API: `http://127.0.0.1:${port}`, KEY: key, ID: body['id'] };
});
afterAll(() => api.close());

test('the page has four lines', () => expect(LINES).toHaveLength(4));

test.each(LINES)('all calls of $target are answered', async ({ line }) => {
  const short = line.replace(/-c \d+ -d 60/, '-c 10 -d 1 -j');
  expect(short).not.toBe(line);
  const { stdout } = await promisify(execFile)('bash', ['-c', short], { cwd: ROOT, env: environment });
  const { '2xx': answered, non2xx, errors, timeouts } = JSON.parse(stdout) as Record<string, number>;
  expect({ non2xx, errors, timeouts }).toEqual({ non2xx: 0, errors: 0, timeouts: 0 });
  expect(answered).toBeGreaterThan(0);
});
