/**
 * Requests are counted by route and class of status, so that no caller can make new labels. The app runs in this
 * process without engines, and the test reads its metrics registry.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../../../api/wire/fastify.ts';
import { createAppOffline } from '../../../api/offline.ts';
import { registry } from '../../../runtime/metrics.ts';

let app: Api;
beforeAll(async () => {
  app = await createAppOffline();
});
afterAll(() => app.close());

async function countsByRoute(): Promise<Map<string, number>> {
  const { values } = await registry.getSingleMetric('api_request_seconds')!.get();
  return new Map(
    values
      .filter(value => (value as { metricName?: string }).metricName === 'api_request_seconds_count')
      .map(({ labels, value }) => [`${labels['method']} ${labels['route']} ${labels['status']}`, value]),
  );
}

describe('calls', () => {
  test('are counted by route pattern and status class, so that callers cannot create labels', async () => {
    const urls = ['/v1/campaigns/cmp_1', '/v1/campaigns/cmp_2', '/v1/campaigns?x=1', '/a', '/b', '/v1/c/%00', '/livez'];
    for (const url of urls) await app.inject({ method: 'GET', url });
    await app.inject({ method: 'PUT', url: '/v1/campaigns' });
    const counts = await countsByRoute();
    expect(counts.get('GET /v1/campaigns/:id 4xx')).toBe(2);
    expect(counts.get('GET unknown 4xx')).toBe(3);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(urls.length + 1);
    expect([...counts.keys()].filter(key => !/^(GET|PUT) (\/[a-z0-9/:_-]*|unknown) [2-5]xx$/.test(key))).toEqual([]);
  });

  test('are in flight until they are answered, and none remains', async () => {
    await Promise.all(['/livez', '/a', '/v1/campaigns'].map(url => app.inject({ method: 'GET', url })));
    const { values } = await registry.getSingleMetric('api_requests_in_flight')!.get();
    expect(values.map(({ value }) => value)).toEqual([0]);
  });
});
