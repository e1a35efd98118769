/**
 * A client that knows nothing but the OpenAPI document can use the whole interface. The compiler checks every path,
 * field and answer below against the generated types, and then the calls go over HTTP to an API in this process on real
 * engines.
 */
import type { AddressInfo } from 'node:net';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createKey,
  createWorkspace,
  dateFromNow,
  MP4,
  startApi,
  VENUE,
  type TestApi,
} from '../support/app-under-test.ts';
import type { paths } from '../../../sdk/typescript/src/generated/openapi.d.ts';

let api: TestApi;
let baseUrl: string;
const keys = { ads: '', venues: '' };

beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  keys.ads = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
  keys.venues = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
});
afterAll(() => api.close());

const clientOf = (key: string) => createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

/** The answer of a call that must succeed. */
function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}

test('a generated client goes from a venue to a report', async () => {
  const venues = clientOf(keys.venues);
  const venue = dataOf(await venues.POST('/v1/venues', { body: { ...VENUE } }));
  const minted = dataOf(await venues.POST('/v1/pairing', { body: { venue_id: venue.id } }));
  const device = dataOf(
    await createClient<paths>({ baseUrl }).POST('/v1/pairing/{code}/confirm', {
      params: { path: { code: minted.code } },
      body: { platform: 'linux', player: '1.0.0' },
    }),
  );
  const screen = dataOf(
    await venues.POST('/v1/screens', { body: { venue_id: venue.id, label: 'Behind the bar', code: minted.code } }),
  );
  expect(screen.id).toBe(device.screen_id);
  expect(
    dataOf(await venues.GET('/v1/screens', { params: { query: { venue_id: venue.id } } })).data.map(({ id }) => id),
  ).toEqual([screen.id]);

  const ads = clientOf(keys.ads);
  const creative = dataOf(
    await ads.POST('/v1/creatives', {
      body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' },
    }),
  );
  const { pathname, search } = new URL(creative.upload_url!);
  const upload = await fetch(baseUrl + pathname + search, {
    method: 'PUT',
    headers: { 'content-type': creative.content_type! },
    body: MP4,
  });
  expect(upload.status).toBe(200);

  const campaign = dataOf(
    await ads.POST('/v1/campaigns', {
      params: { header: { 'Idempotency-Key': 'from a generated client' } },
      body: {
        name: 'Autumn',
        category: 'travel',
        budget: { amount: 100, currency: 'EUR' },
        creatives: [creative.id],
        schedule: { starts: dateFromNow(api, 0), ends: dateFromNow(api, 7) },
        landing_url: 'https://example.com/autumn',
      },
    }),
  );
  expect(campaign.forecast?.screens_eligible).toBe(1);
  expect(dataOf(await ads.GET('/v1/campaigns/{id}', { params: { path: { id: campaign.id } } })).counters.plays).toBe(0);
  const report = dataOf(
    await ads.GET('/v1/reporting/campaigns/{id}', { params: { path: { id: campaign.id }, query: { group: 'day' } } }),
  );
  expect(report).toMatchObject({ campaign_id: campaign.id, totals: { plays: 0 }, is_final: false });

  const refused = await ads.GET('/v1/campaigns/{id}', { params: { path: { id: 'cmp_0000000000000' } } });
  expect(refused.error).toMatchObject({ status: 404, code: 'not_found' });
});

test('the document and the reference page are served, only by this host', async () => {
  const served = await fetch(`${baseUrl}/v1/openapi.json`);
  expect(served.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await served.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://api.test' }] });

  const page = await fetch(`${baseUrl}/docs/reference`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  const html = await page.text();
  expect(html).not.toMatch(/https?:\/\//);
  for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const file = await fetch(baseUrl + path!);
    expect({ path, status: file.status, sniffed: file.headers.get('x-content-type-options') }).toEqual({
      path,
      status: 200,
      sniffed: 'nosniff',
    });
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
  expect((await fetch(`${baseUrl}/docs/reference/..%2fpackage.json`)).status).toBe(404);
});
