/**
 * Section 8 (limits) of docs/interface-specification.md, row by row in its order. Driven by calls to the API in
 * this process on real engines; Redis time is set to the start of a minute where calls are counted.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimit } from '../../../../api/rate-limit/rate-limit.ts';
import { ATTEMPT_OFFSETS_MS, CLIENT_ERRORS_MAX } from '../../../../domain/webhook.ts';
import { forgetOldAudit } from '../../../../workers/upkeep/forget.ts';
import type { Handle } from '../../../../domain/id.ts';
import { issueInvoices } from '../../../../workers/invoices/issue-invoices.ts';
import { signedHeaders, signingSecret } from '../../../../workers/webhooks/attempts/signature.ts';
import { makeFile } from '../../../support/media.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  upload,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../../support/app-under-test.ts';
import { startMinute } from '../../support/limit-windows.ts';
import { CLOCK } from '../../../support/engines/redis.ts';

const DAY_MS = 24 * 3_600_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let api: TestApi;
let brand: TestWorkspace;
let key: string;
let venueKey: string;
let venue: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 10_000 });
  key = await createKey(api, brand, { expiresAt: new Date(api.clock.now() + 400 * DAY_MS) });
  venueKey = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  venue = (await api.call('POST', '/v1/venues', { key: venueKey, body: VENUE })).body['id']!;
});
afterAll(() => api.close());

const wallet = (as: string) => api.call('GET', '/v1/wallet', { key: as });
const limitsOf = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map(name => Number(headers[`x-ratelimit-${name}`]));
/** A key as POST /keys makes it, with the limits that every key has. */
const createPlainKey = async (): Promise<string> =>
  (await api.call('POST', '/v1/keys', { key, body: {} })).body['key']!;
const creative = (changes: object) =>
  api.call('POST', '/v1/creatives', {
    key,
    body: { name: 'A', orientation: 'landscape', duration_ms: 10_000, filename: 'a.mp4', ...changes },
  });
/** Calls until one is refused, at most `max` times, a hundred at a time. */
async function callOften(max: number, call: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < max)
    answers.push(...(await Promise.all(Array.from({ length: Math.min(100, max - answers.length) }, call))));
  return answers;
}

describe('limits (section 8)', () => {
  test('a key makes 600 calls a minute, or as many as the operator has raised it to', async () => {
    const made = (await api.call('POST', '/v1/keys', { key, body: {} })).body;
    expect(made['limits']).toEqual({ per_minute: 600, per_second: 200 });
    await api.sql`update keys set per_second_max = 10000 where hash = sha256(${made['key']!}::bytea)`;
    await startMinute(api);
    const answers = await callOften(620, () => wallet(made['key']!));
    expect([
      answers.filter(answer => answer.status === 200).length,
      answers.filter(answer => answer.status === 429).length,
    ]).toEqual([600, 20]);
    const raised = await createKey(api, brand, { perMinuteMax: 700 });
    expect(limitsOf(await wallet(raised)).slice(0, 2)).toEqual([700, 699]);
  });

  test('a key makes 200 calls within a second, and can call again in the next', async () => {
    const own = await createKey(api, brand, { perMinuteMax: 600, perSecondMax: 200 });
    // Counted at once and not through the app: a slow machine would need more than a second for so many calls.
    const limit = createRateLimit({ redis: api.redis, now: api.clock.now, redisMsMax: 10_000 });
    const [row] = await api.sql<
      { key: Handle<'key'> }[]
    >`select handle as key from keys where hash = sha256(${own}::bytea)`;
    await startMinute(api);
    const taken = await Promise.all(
      Array.from({ length: 260 }, async () =>
        limit.take({ caller: row!.key, home: brand.handle, perMinuteMax: 600, perSecondMax: 200 }, undefined),
      ),
    );
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(200);
    expect(taken.at(-1)).toMatchObject({ allowed: false, limit: 600, remaining: 400 });
    await api.redis.incrby(CLOCK, 1_000);
    expect((await wallet(own)).status).toBe(200);
  });

  test('a key asks for 50 forecasts a minute, and its other calls go on', async () => {
    const own = await createPlainKey();
    await startMinute(api);
    const body = {
      budget: { amount: 10, currency: 'EUR' },
      schedule: { starts: dateFromNow(api, 0), ends: dateFromNow(api, 1) },
    };
    const answers = await callOften(55, () => api.call('POST', '/v1/forecasts', { key: own, body }));
    expect([
      answers.filter(answer => answer.status === 200).length,
      answers.filter(answer => answer.status === 429).length,
    ]).toEqual([50, 5]);
    expect(limitsOf(answers[0]!)[0]).toBe(50);
    expect((await wallet(own)).status).toBe(200);
  });

  test('a key asks for 50 exports of the audit a minute, refused ones included', async () => {
    const own = await createPlainKey();
    await startMinute(api);
    const answers = await callOften(55, () =>
      api.call('POST', '/v1/audit/export', { key: own, body: { destination: { type: 'signed_url' }, from: 'no day' } }),
    );
    expect([
      answers.filter(answer => answer.status === 422).length,
      answers.filter(answer => answer.status === 429).length,
    ]).toEqual([50, 5]); // a refused call counts as well
    expect(limitsOf(answers[0]!)[0]).toBe(50);
  });

  test.each([
    [5_999, 422],
    [6_000, 201],
    [15_000, 201],
    [20_000, 201],
    [20_001, 422],
  ])('a video lasts 6 to 20 seconds: one of %i ms is answered %i', async (durationMs, status) => {
    expect((await creative({ duration_ms: durationMs })).status).toBe(status);
  });

  test.each([
    [5_999, 422],
    [6_000, 201],
    [15_000, 201],
    [15_001, 422],
  ])(
    'a still lasts 6 to 15 seconds, with sound or without: one of %i ms is answered %i',
    async (durationMs, status) => {
      const [silent, withAudio] = [
        await creative({ filename: 'a.png', duration_ms: durationMs }),
        await creative({ filename: 'a.png', duration_ms: durationMs, audio_filename: 'a.mp3' }),
      ];
      expect([silent.status, withAudio.status]).toEqual([status, status]);
      const hasAddress = [silent, withAudio].map(({ body }) => typeof body['audio_upload_url'] === 'string');
      expect(hasAddress).toEqual([false, status === 201]);
    },
  );

  test('a pairing code has 6 digits and is refused after 60 seconds', async () => {
    const before = api.clock.now();
    const { body } = await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } });
    expect(body['code']).toMatch(/^[0-9]{6}$/);
    expect(Date.parse(body['expires_at']!) - 60_000).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body['expires_at']!) - 60_000).toBeLessThanOrEqual(api.clock.now());
    const label = () =>
      api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label: 'Bar', code: body['code'] } });
    api.clock.offsetMs += 60_001;
    expect(await label()).toMatchObject({ status: 410, body: { code: 'pairing_code_expired' } });
  });

  test.each([
    [0, 200],
    [1, 200],
    [0.35, 200],
    [-0.01, 422],
    [1.01, 422],
    ['50%', 422],
  ])('the ad ratio of a screen and of a playlist is 0 to 1: %s is answered %i', async (ratio, status) => {
    const { code } = (await api.call('POST', '/v1/pairing', { key: venueKey, body: { venue_id: venue } })).body;
    const screen = (
      await api.call('POST', '/v1/screens', { key: venueKey, body: { venue_id: venue, label: 'Bar', code } })
    ).body['id'];
    expect(
      (await api.call('PATCH', `/v1/screens/${screen}`, { key: venueKey, body: { ad_ratio: ratio } })).status,
    ).toBe(status);
    expect(
      (
        await api.call('POST', '/v1/playlists', {
          key: venueKey,
          body: { name: 'Day', items: [{ type: 'ad_slot', weight: 1 }], ad_ratio: ratio },
        })
      ).status,
    ).toBe(status === 200 ? 201 : status);
  });

  test('one round of the review makes a campaign live that needs no person', async () => {
    const { body } = await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [await createReadyCreative(api, key)]),
    });
    await api.review();
    expect((await api.call('GET', `/v1/campaigns/${body['id']}`, { key })).body['status']).toBe('live');
  });

  test('one round of the workers makes an upload ready', async () => {
    const made = (await creative({ filename: 'a.png' })).body;
    await upload(
      api,
      made['upload_url']!,
      await makeFile('a.png', ['-f', 'lavfi', '-i', 'color=red:size=160x90', '-frames:v', '1']),
      'image/png',
    );
    await api.render();
    expect((await api.call('GET', `/v1/creatives/${made['id']}`, { key })).body['status']).toBe('ready');
  });

  test('a report says up to which moment it holds all plays, less than 90 seconds ago', async () => {
    const { body } = await api.call('POST', '/v1/campaigns', {
      key,
      body: campaignBody(api, [await createReadyCreative(api, key)]),
    });
    const report = (await api.call('GET', `/v1/reporting/campaigns/${body['id']}`, { key })).body;
    expect(api.clock.now() - api.clock.offsetMs - Date.parse(report['as_of']!)).toBeLessThan(90_000);
  });

  test("the link to an invoice's PDF works for 24 hours", async () => {
    const [row] = await api.sql<{ handle: number }[]>`
      insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, starts_on, ends_on, targets, rate_micros, forecast, created_at)
      values (${brand.handle}, 'Billed', 'food', 'live', false, 'EUR', 1000000, '2026-03-01', '2026-03-31', '{}', 1000, '{}', now()) returning handle`;
    await api.sql`insert into campaign_months (campaign_handle, month, plays, impressions_thousandths, gross_micros, discount_micros) values (${row!.handle}, '2026-03-01', 10, 12345, 5000000, 0)`;
    await api.sql`insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros, discount_micros) values (${brand.handle}, false, '2026-03-01', 'EUR', 5000000, 0)`;
    await issueInvoices({ ...api.workers, now: () => new Date('2026-04-01T00:10:00Z') });
    const [invoice] = dataOf(await api.call('GET', '/v1/invoices', { key }));
    expect(Date.parse(invoice!['pdf_expires_at']!) - api.clock.now()).toBeGreaterThan(DAY_MS - 60_000);
    expect(Date.parse(invoice!['pdf_expires_at']!) - api.clock.now()).toBeLessThanOrEqual(DAY_MS);
    const { pathname, search } = new URL(invoice!['pdf_url']!);
    expect((await api.call('GET', pathname + search)).headers['content-type']).toBe('application/pdf');
    const before = api.clock.offsetMs;
    api.clock.offsetMs += DAY_MS + 1_000;
    expect(await api.call('GET', pathname + search)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
    api.clock.offsetMs = before;
  });

  test('the audit is kept for 7 years on the top plan, for 2 years on others', async () => {
    const plans = { standard: await createWorkspace(api), top: await createWorkspace(api) };
    await api.sql`update workspaces set plan = 'top' where handle = ${plans.top.handle}`;
    const ages = [1, 3, 8];
    for (const { handle } of Object.values(plans)) {
      await api.sql`insert into audit_heads (workspace_handle, number, hash) values (${handle}, ${ages.length}, ${Buffer.alloc(32)})`;
      for (const [index, years] of [...ages].reverse().entries()) {
        await api.sql`
          insert into audit_entries (workspace_handle, number, at, actor_type, source, action, entity_type, entity_handle, diff, hash)
          values (${handle}, ${index + 1}, now() - make_interval(years => ${years}), 'system', 'SYSTEM', 'campaign.paused', 'campaign', ${years}, '{}', ${Buffer.alloc(32)})`;
      }
    }
    while ((await forgetOldAudit(api.workers)) > 0);
    const kept = await api.sql<{ workspace: number; years: number[] }[]>`
      select workspace_handle as workspace, array_agg(entity_handle::int order by entity_handle) as years from audit_entries
      where workspace_handle in (${plans.standard.handle}, ${plans.top.handle}) group by 1 order by 1`;
    expect(kept).toEqual([
      { workspace: plans.standard.handle, years: [1] },
      { workspace: plans.top.handle, years: [1, 3] },
    ]);
  });

  // The rows Webhook answer (2xx within 5 seconds) and Webhook auto-disable over real receivers:
  // test/workers/webhooks.test.ts.
  test('a webhook is disabled after 24 answers of 4xx in a row, and a delivery is tried for 24 hours', () => {
    expect([CLIENT_ERRORS_MAX, ATTEMPT_OFFSETS_MS.at(-1)]).toEqual([24, DAY_MS]);
  });

  test('the time by which a receiver refuses old deliveries is signed with the body', () => {
    const headers = signedHeaders({
      id: 'evt_1',
      body: '{"a":1}',
      secrets: [signingSecret(SECRET)],
      at: 1_790_000_000,
    });
    const hex = createHmac('sha256', SECRET).update('1790000000.{"a":1}').digest('hex');
    expect(headers['x-service-signature']).toBe(`t=1790000000,v1=${hex}`);
  });

  test('a key lasts 90 days, and one that was rotated works for 24 hours more', async () => {
    const made = (await api.call('POST', '/v1/keys', { key, body: {} })).body;
    const next = (await api.call('POST', `/v1/keys/${made['id']}/rotate`, { key })).body;
    const lasts = (record: typeof made) => Date.parse(record['expires_at']!) - Date.parse(record['created_at']!);
    expect([lasts(made), lasts(next)]).toEqual([90 * DAY_MS, 90 * DAY_MS]);
    const listed = dataOf(await api.call('GET', '/v1/keys?limit=100', { key })).find(
      record => record['id'] === made['id'],
    )!;
    expect(Math.round((Date.parse(listed['expires_at']!) - api.clock.now()) / 60_000)).toBe(24 * 60);
  });
});

describe('response headers on rate-limited calls (section 8)', () => {
  test('X-RateLimit-Limit is how often the key may call a minute, X-RateLimit-Remaining how often it still may', async () => {
    const own = await createKey(api, brand, { perMinuteMax: 5 });
    await startMinute(api);
    const seen = [];
    for (let call = 0; call < 6; call += 1) seen.push(limitsOf(await wallet(own)).slice(0, 2));
    expect(seen).toEqual([
      [5, 4],
      [5, 3],
      [5, 2],
      [5, 1],
      [5, 0],
      [5, 0],
    ]);
  });

  test('X-RateLimit-Reset is in how many seconds the key may call as often again', async () => {
    const own = await createKey(api, brand, { perMinuteMax: 2 });
    await startMinute(api);
    await wallet(own);
    const [, left, reset] = limitsOf(await wallet(own));
    expect(left).toBe(0);
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
    await api.redis.incrby(CLOCK, reset! * 1_000);
    expect([(await wallet(own)).status, limitsOf(await wallet(own))[1]]).toEqual([200, 0]);
  });

  test('Retry-After stands on a 429 alone, and after so many seconds the call is answered', async () => {
    const own = await createKey(api, brand, { perMinuteMax: 1 });
    await startMinute(api);
    const [first, second] = [await wallet(own), await wallet(own)];
    expect([
      first.status,
      first.headers['retry-after'],
      second.status,
      Number.isInteger(Number(second.headers['retry-after'])),
    ]).toEqual([200, undefined, 429, true]);
    await api.redis.incrby(CLOCK, Number(second.headers['retry-after']) * 1_000);
    expect((await wallet(own)).status).toBe(200);
  });
});

describe('what section 8 leaves open', () => {
  test('a page has at most 100 records, a body 1 MiB, and an upload 200 MiB', async () => {
    expect([
      (await api.call('GET', '/v1/campaigns?limit=100', { key })).status,
      (await api.call('GET', '/v1/campaigns?limit=101', { key })).status,
    ]).toEqual([200, 400]);
    const payload = (bytes: number) => ({
      key,
      payload: `{"name":"${'x'.repeat(bytes - 11)}"}`,
      headers: { 'content-type': 'application/json' },
    });
    expect([
      (await api.call('POST', '/v1/campaigns', payload(1024 * 1024))).status,
      (await api.call('POST', '/v1/campaigns', payload(1024 * 1024 + 1))).status,
    ]).toEqual([422, 413]);
    const made = (await creative({})).body;
    const { pathname, search } = new URL(made['upload_url']!);
    const tooLarge = await api.call('PUT', pathname + search, {
      payload: Buffer.from('x'),
      headers: { 'content-type': 'video/mp4', 'content-length': String(200 * 1024 * 1024 + 1) },
    });
    expect(tooLarge).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });
});
