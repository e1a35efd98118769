/**
 * The shortest whole story of the API: a venue is created, a screen is paired, a campaign goes live, is paused and
 * resumed. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  VENUE,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';

let api: TestApi;
let brand: TestWorkspace;
let ads: string;
let venues: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 1_000 });
  const house = await createWorkspace(api, { kind: 'venue' });
  ads = await createKey(api, brand);
  venues = await createKey(api, house, { surface: 'screen_manager' });
});
afterAll(() => api.close());

describe('from a venue to a campaign', () => {
  test('a venue is created, a screen pairs from both sides, and a campaign runs, pauses and resumes', async () => {
    const venue = await api.call('POST', '/v1/venues', {
      key: venues,
      body: { ...VENUE, opening_hours: { mon: [{ start: '18:00', end: '02:00' }] }, blocked_categories: ['alcohol'] },
    });
    expect(venue.status).toBe(201);
    expect(venue.body).toMatchObject({
      ...VENUE,
      opening_hours: { mon: [{ start: '18:00', end: '02:00' }] },
      blocked_categories: ['alcohol'],
    });

    const minted = await api.call('POST', '/v1/pairing', { key: venues, body: { venue_id: venue.body['id'] } });
    expect(minted.body).toMatchObject({
      code: expect.stringMatching(/^\d{6}$/),
      claim_url: `http://hub.test/pair/${minted.body['code']}`,
    });
    expect((await api.call('GET', `/v1/pairing/${minted.body['code']}`, { key: venues })).body).toMatchObject({
      claimed: false,
      screen_id: null,
    });

    const confirmed = await api.call('POST', `/v1/pairing/${minted.body['code']}/confirm`, {
      body: { platform: 'tizen', player: '1.0.0' },
    });
    expect(confirmed.status).toBe(201);
    expect(confirmed.body).toMatchObject({
      screen_id: expect.stringMatching(/^scr_/),
      device_token: expect.stringMatching(/^dt_/),
      socket_url: 'ws://delivery.test/v1/screens/socket',
    });
    expect((await api.call('GET', `/v1/pairing/${minted.body['code']}`, { key: venues })).body).toMatchObject({
      claimed: true,
      screen_id: confirmed.body['screen_id'],
    });

    const labelled = await api.call('POST', '/v1/screens', {
      key: venues,
      body: { venue_id: venue.body['id'], label: 'Behind the bar', code: minted.body['code'] },
    });
    expect(labelled.status).toBe(201);
    expect(labelled.body).toMatchObject({
      id: confirmed.body['screen_id'],
      label: 'Behind the bar',
      platform: 'tizen',
      status: 'offline',
      venue_type: 'entertainment.bars',
    });

    const creative = await createReadyCreative(api, ads);
    const created = await api.call('POST', '/v1/campaigns', {
      key: ads,
      body: campaignBody(api, [creative], {
        targets: { cities: ['berlin', 'Atlantis'], venue_types: ['entertainment'] },
      }),
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      status: 'pending_review',
      review: { waiting_for: 'rules' },
      refund_pending: { amount: 0 },
      budget: { amount: 100, currency: 'EUR' },
      spent: { amount: 0, currency: 'EUR' },
      rate: { amount: 0.0051, currency: 'EUR', unit: 'impression' },
      creatives: [{ id: creative, weight: 1, status: 'ready' }],
      warnings: [{ pointer: '/targets/cities/1', code: 'no_venue_in_city' }],
      forecast: { screens_eligible: 1, scan_rate_est: 0.0005 },
    });
    const { impressions_low: low, impressions_high: high } = created.body['forecast']!;
    expect(Number(high)).toBeGreaterThan(Number(low));
    expect((await api.call('GET', '/v1/wallet', { key: ads })).body).toMatchObject({
      balance: { amount: 900, currency: 'EUR' },
      reserved: { amount: 100, currency: 'EUR' },
      book: 'live',
    });

    const path = `/v1/campaigns/${created.body['id']}`;
    await api.review();
    expect((await api.call('PATCH', path, { key: ads, body: { status: 'paused' } })).body).toMatchObject({
      status: 'paused',
    });
    expect((await api.call('PATCH', path, { key: ads, body: { status: 'live', name: 'Winter' } })).body).toMatchObject({
      status: 'live',
      name: 'Winter',
    });
    const detail = await api.call('GET', path, { key: ads });
    expect(detail.status).toBe(200);
    expect(detail.body).toMatchObject({
      name: 'Winter',
      counters: {
        plays: 0,
        impressions: 0,
        scans: 0,
        late_plays: 0,
        spend: { amount: 0, currency: 'EUR' },
        screens_used: 0,
      },
      pacing: { expected_spend: { currency: 'EUR' }, actual_spend: { amount: 0, currency: 'EUR' } },
      creatives: [{ id: creative, weight: 1, status: 'ready', plays: 0, impressions: 0 }],
    });

    const audit = await api.sql<
      { action: string; source: string; actor_email: string }[]
    >`select action, source, actor_email from audit_entries where workspace_handle = ${brand.handle} order by number`;
    expect(audit.map(entry => entry.action)).toEqual([
      'creative.created',
      'creative.uploaded',
      'creative.ready',
      'campaign.created',
      'campaign.approved',
      'campaign.paused',
      'campaign.updated',
      'campaign.resumed',
    ]);
    expect(audit.at(-1)).toMatchObject({ source: 'API', actor_email: 'someone@example.com' });
    const events = await api.sql<
      { type: string }[]
    >`select type from outbox where workspace_handle = ${brand.handle} order by handle`;
    expect(events.map(event => event.type)).toEqual([
      'creative.uploaded',
      'creative.ready',
      'campaign.created',
      'campaign.approved',
      'campaign.paused',
      'campaign.resumed',
    ]);
  });
});
