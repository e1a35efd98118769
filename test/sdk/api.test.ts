/** The SDK against the API itself: from a creative to a campaign, its report, lists in pages, refusals and repeats. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMarquee, MarqueeError, type Marquee } from '../../sdk/typescript/src/index.ts';
import { createKey, createWorkspace, dateFromNow, MP4, startApi, type TestApi } from '../api/support/app-under-test.ts';

let api: TestApi;
let baseUrl: string;
let marquee: Marquee;

beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  marquee = createMarquee({ baseUrl, key: await createKey(api, await createWorkspace(api, { funds: 1_000 })) });
});
afterAll(() => api.close());

test('a campaign is booked, listed and reported', async () => {
  const creative = await marquee.post('/v1/creatives', {
    body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' },
  });
  const { pathname, search } = new URL(creative.upload_url!);
  const headers = { 'content-type': creative.content_type! };
  expect((await fetch(baseUrl + pathname + search, { method: 'PUT', headers, body: MP4 })).status).toBe(200);
  const body = {
    category: 'travel' as const,
    budget: { amount: 100, currency: 'EUR' as const },
    creatives: [creative.id],
    schedule: { starts: dateFromNow(api, 0), ends: dateFromNow(api, 7) },
    landing_url: 'https://example.com/autumn',
  };
  const names = ['Autumn', 'Harvest', 'Winter'];
  const made: string[] = [];
  for (const name of names) made.push((await marquee.post('/v1/campaigns', { body: { ...body, name } })).id);

  const listed: string[] = [];
  for await (const { name } of marquee.list('/v1/campaigns', { query: { limit: '1', sort: 'created_at' } }))
    listed.push(name);
  expect(listed).toEqual(names);

  const path = { id: made[0]! };
  expect((await marquee.patch('/v1/campaigns/{id}', { path, body: { name: 'Autumn again' } })).name).toBe(
    'Autumn again',
  );
  expect((await marquee.get('/v1/reporting/campaigns/{id}', { path })).totals.plays).toBe(0);
  expect(await marquee.csv('/v1/reporting/campaigns/{id}', { path, query: { group: 'day' } })).toMatch(
    /^[a-z_]+(,[a-z_]+)+/,
  );
});

test('a lost answer is repeated, and the effect happens once', async () => {
  let lost = 0;
  const forgetful = createMarquee({
    baseUrl,
    key: await createKey(api, await createWorkspace(api)),
    fetch: async request => {
      const response = await fetch(request);
      if (request.method === 'GET' || lost++ > 0) return response;
      throw new TypeError('the connection was reset');
    },
    retries: { sleep: () => Promise.resolve() },
  });
  const made = await forgetful.post('/v1/webhooks', {
    body: { url: 'https://hooks.example.com/', events: ['campaign.approved'] },
  });
  expect(lost).toBe(2);
  const ids: string[] = [];
  for await (const { id } of forgetful.list('/v1/webhooks')) ids.push(id);
  expect(ids).toEqual([made.id]);
});

test('a refusal is an error with its code, and the faults of its fields', async () => {
  const absent = await marquee
    .get('/v1/campaigns/{id}', { path: { id: 'cmp_0000000000000' } })
    .catch((e: unknown) => e);
  expect(absent).toBeInstanceOf(MarqueeError);
  expect(absent).toMatchObject({ code: 'not_found', status: 404, requestId: expect.stringMatching(/^req_/) });
  const wrong = await marquee
    .post('/v1/webhooks', { body: { url: 'nothing', events: ['campaign.approved'] } })
    .catch((e: unknown) => e);
  expect(wrong).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/url' }] });
  const keyless = await createMarquee({ baseUrl })
    .get('/v1/wallet')
    .catch((e: unknown) => e);
  expect(keyless).toMatchObject({ code: 'missing_key', status: 401 });
});
