/** The port for operators of each service: liveness, readiness and metrics. A real server on a free port. */
import { afterEach, expect, test } from 'vitest';
import { counter } from '#runtime/metrics.ts';
import { startOpsServer, type OpsServer } from '#runtime/ops-server.ts';

let server: OpsServer | undefined;
afterEach(() => server?.close());

test('livez, readyz and metrics answer, and readyz follows the service', async () => {
  let ready = false;
  counter({ name: 'test_things_total', help: 'Things' }).inc(3);
  server = await startOpsServer({ port: 0, host: '127.0.0.1', isReady: () => ready });
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server!.port}${path}`);
    return { status: response.status, body: await response.text() };
  };
  expect((await get('/livez')).status).toBe(200);
  expect((await get('/readyz')).status).toBe(503);
  ready = true;
  expect((await get('/readyz')).status).toBe(200);
  expect((await get('/metrics')).body).toContain('test_things_total 3');
  expect((await get('/metrics')).body).toContain('nodejs_eventloop_lag_p99_seconds');
  expect((await get('/nothing')).status).toBe(404);
});
