import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../domain/id.ts';
import { createKey, createWorkspace, startApi, type TestApi } from './app-under-test.ts';

/** The webhook rows of sections 1, 4 and 6 of the interface specification, by name. */
let api: TestApi;
const keys = {} as Record<'ads_manager' | 'screen_manager' | 'agency', string>;

beforeAll(async () => {
  api = await startApi();
  const home = await createWorkspace(api, { kind: 'agency', funds: 1_000 });
  for (const surface of ['ads_manager', 'screen_manager', 'agency'] as const) keys[surface] = await createKey(api, home, { surface });
});
afterAll(() => api.close());

const subscribe = (surface: keyof typeof keys, events: string[]) => api.call('POST', '/v1/webhooks', { key: keys[surface], body: { url: 'https://hooks.example.com/', events } });

describe('section 1, rule 1: a token is scoped by surface, and so are the events that it may subscribe to', () => {
  test.each([
    ['ads_manager', 'screen.paired'], ['ads_manager', 'payout.paid'], ['agency', 'screen.online'], ['agency', 'payout.issued'],
    ['screen_manager', 'campaign.created'], ['screen_manager', 'invoice.issued'], ['screen_manager', 'scan.recorded'],
  ] as const)('a key of %s may not subscribe to %s', async (surface, type) => {
    expect(await subscribe(surface, ['audit.entry.created', type])).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer: '/events/1', code: 'not_allowed' }] } });
    const { id } = (await subscribe(surface, ['audit.entry.created'])).body;
    expect(await api.call('PATCH', `/v1/webhooks/${id}`, { key: keys[surface], body: { events: [type] } })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/events/0', code: 'not_allowed' }] } });
    expect((await api.call('GET', `/v1/webhooks/${id}`, { key: keys[surface] })).body['events']).toEqual(['audit.entry.created']);
  });

  test('a subscription of before shows what it is sent, and can still be changed', async () => {
    const { id } = (await subscribe('ads_manager', ['campaign.created'])).body;
    await api.sql`update webhooks set events = '{screen.paired,campaign.created}' where handle = ${parseId('webhook', id!)!}`;
    expect((await api.call('GET', `/v1/webhooks/${id}`, { key: keys.ads_manager })).body['events']).toEqual(['campaign.created']);
    expect((await api.call('PATCH', `/v1/webhooks/${id}`, { key: keys.ads_manager, body: { url: 'https://hooks.example.com/next' } })).body).toMatchObject({ url: 'https://hooks.example.com/next', events: ['campaign.created'] });
  });
});
