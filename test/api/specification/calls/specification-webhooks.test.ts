/**
 * The rows about webhooks in sections 1, 4 and 6 of docs/interface-specification.md: who may subscribe to what, and
 * what an event carries. Driven by calls to the API in this process on real engines; the events are read where the API
 * writes them.
 */
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentOffline } from '../../../../api/offline.ts';
import { deliveryBody, EVENT_SHAPES } from '../../../../api/webhooks/events.ts';
import { rejectReview } from '../../../../cli/admin/supply/reviews.ts';
import { parseId, type Handle } from '../../../../domain/id.ts';
import { EVENT_TYPES, mayHear } from '../../../../domain/webhook.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  upload,
  type TestApi,
} from '../../support/app-under-test.ts';
import { PIXEL } from '../../../support/media.ts';
import type { Document } from '../../../../api/openapi/document.ts';

let api: TestApi;
const keys = {} as Record<'ads_manager' | 'screen_manager' | 'agency', string>;

beforeAll(async () => {
  api = await startApi();
  const home = await createWorkspace(api, { kind: 'agency', funds: 1_000 });
  for (const surface of ['ads_manager', 'screen_manager', 'agency'] as const)
    keys[surface] = await createKey(api, home, { surface });
});
afterAll(() => api.close());

const subscribe = (surface: keyof typeof keys, events: string[]) =>
  api.call('POST', '/v1/webhooks', { key: keys[surface], body: { url: 'https://hooks.example.com/', events } });

describe('section 1, rule 1: a token is scoped by surface, and so are the events that it may subscribe to', () => {
  test.each([
    ['ads_manager', 'screen.paired'],
    ['ads_manager', 'payout.paid'],
    ['agency', 'screen.online'],
    ['agency', 'payout.issued'],
    ['screen_manager', 'campaign.created'],
    ['screen_manager', 'invoice.issued'],
    ['screen_manager', 'scan.recorded'],
  ] as const)('a key of %s may not subscribe to %s', async (surface, type) => {
    expect(await subscribe(surface, ['audit.entry.created', type])).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/events/1', code: 'not_allowed' }] },
    });
    const { id } = (await subscribe(surface, ['audit.entry.created'])).body;
    expect(
      await api.call('PATCH', `/v1/webhooks/${id}`, { key: keys[surface], body: { events: [type] } }),
    ).toMatchObject({ status: 422, body: { errors: [{ pointer: '/events/0', code: 'not_allowed' }] } });
    expect((await api.call('GET', `/v1/webhooks/${id}`, { key: keys[surface] })).body['events']).toEqual([
      'audit.entry.created',
    ]);
  });

  test('a subscription from before this rule shows what it is sent, and can still be changed', async () => {
    const { id } = (await subscribe('ads_manager', ['campaign.created'])).body;
    await api.sql`update webhooks set events = '{screen.paired,campaign.created}' where handle = ${parseId('webhook', id!)!}`;
    expect((await api.call('GET', `/v1/webhooks/${id}`, { key: keys.ads_manager })).body['events']).toEqual([
      'campaign.created',
    ]);
    expect(
      (
        await api.call('PATCH', `/v1/webhooks/${id}`, {
          key: keys.ads_manager,
          body: { url: 'https://hooks.example.com/next' },
        })
      ).body,
    ).toMatchObject({ url: 'https://hooks.example.com/next', events: ['campaign.created'] });
  });
});

describe('section 6: records look alike in events and in answers', () => {
  test('creative.rejected carries the rejection in its object, as campaign.rejected does', async () => {
    const made = (
      await api.call('POST', '/v1/creatives', {
        key: keys.ads_manager,
        body: { name: 'Bad', orientation: 'landscape', duration_ms: 10_000, filename: 'bad.png' },
      })
    ).body;
    await upload(api, made['upload_url']!, Buffer.concat([PIXEL.subarray(0, 40), Buffer.alloc(200)]), 'image/png');
    await api.render();
    const creative = await createReadyCreative(api, keys.ads_manager);
    await api.call('POST', '/v1/campaigns', { key: keys.ads_manager, body: campaignBody(api, [creative]) });
    const [campaign] = await api.sql<
      { handle: Handle<'campaign'> }[]
    >`select handle from campaigns order by handle desc limit 1`;
    if (campaign)
      await rejectReview(api.sql, new Date(api.clock.now()), { campaign: campaign.handle, reason: 'misleading' });
    const payloads = await api.sql<
      { type: string; payload: { object: Record<string, unknown>; previous: unknown } }[]
    >`select type, payload from outbox where type in ('creative.rejected', 'campaign.rejected') order by type`;
    expect(payloads.map(({ type }) => type)).toEqual(['campaign.rejected', 'creative.rejected']);
    for (const { type, payload } of payloads) {
      expect(
        Value.Check(deliveryBody(type as 'campaign.rejected'), {
          id: 'evt_x',
          type,
          created_at: '',
          workspace_id: '',
          data: payload,
        }),
      ).toBe(true);
      expect(payload).toMatchObject({
        object: {
          id: expect.any(String),
          status: 'rejected',
          rejection: { code: expect.any(String), detail: expect.any(String) },
        },
        previous: { status: expect.any(String) },
      });
      expect(Object.keys(payload).sort()).toEqual(['object', 'previous']);
    }
  });
});

describe('a receiver keeps its copy of a campaign without asking again', () => {
  test('an event of a campaign tells all that its PATCH changed, before and after', async () => {
    const creative = await createReadyCreative(api, keys.ads_manager);
    const { id } = (
      await api.call('POST', '/v1/campaigns', { key: keys.ads_manager, body: campaignBody(api, [creative]) })
    ).body;
    await api.sql`update campaigns set status = 'live', review_waits_for = null where handle = ${parseId('campaign', id!)!}`;
    const before = (await api.call('GET', `/v1/campaigns/${id}`, { key: keys.ads_manager })).body;
    await api.call('PATCH', `/v1/campaigns/${id}`, {
      key: keys.ads_manager,
      body: { status: 'paused', name: 'Autumn, again', frequency: { max_per_hour: 2 } },
    });
    const [event] = await api.sql<
      { payload: object }[]
    >`select payload from outbox where type = 'campaign.paused' order by handle desc limit 1`;
    expect(event!.payload).toEqual({
      object: { id, name: 'Autumn, again', status: 'paused', frequency: { max_per_hour: 2 } },
      previous: { name: before['name'], status: 'live', frequency: null },
    });
    expect(
      Value.Check(deliveryBody('campaign.paused'), {
        id: 'evt_x',
        type: 'campaign.paused',
        created_at: '',
        workspace_id: '',
        data: event!.payload,
      }),
    ).toBe(true);
  });
});

describe('every event is described, and can be tried', () => {
  test('the document has each of the 20 types under webhooks, with a schema, the headers and an example that fits', async () => {
    const { webhooks } = (await documentOffline()) as Document & {
      webhooks: Record<
        string,
        {
          post: {
            parameters: { name: string }[];
            requestBody: { content: { 'application/json': { example: unknown } } };
          };
        }
      >;
    };
    expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES]);
    for (const type of EVENT_TYPES) {
      expect(webhooks[type]!.post.parameters.map(({ name }) => name)).toEqual([
        'X-Service-Signature',
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
      expect([
        type,
        Value.Check(deliveryBody(type), webhooks[type]!.post.requestBody.content['application/json'].example),
      ]).toEqual([type, true]);
    }
  });

  test('POST /webhooks/{id}/simulate queues the sample of any type that the surface may see, and of no other', async () => {
    for (const surface of ['ads_manager', 'screen_manager', 'agency'] as const) {
      const { id } = (await subscribe(surface, ['audit.entry.created'])).body;
      for (const type of EVENT_TYPES) {
        const answer = await api.call('POST', `/v1/webhooks/${id}/simulate`, { key: keys[surface], body: { type } });
        const expected = mayHear(surface, type)
          ? { status: 201, body: { status: 'pending', event: { type } } }
          : { status: 422, body: { errors: [{ pointer: '/type', code: 'not_allowed' }] } };
        expect([type, answer]).toMatchObject([type, expected]);
      }
    }
    const [row] = await api.sql<
      { payload: unknown; dispatched: boolean }[]
    >`select payload, dispatched_at is not null as dispatched from outbox where type = 'payout.failed'`;
    // nobody else is sent it
    expect(row).toEqual({ payload: { ...EVENT_SHAPES['payout.failed'].sample, simulated: true }, dispatched: true });
    const { id } = (await subscribe('ads_manager', ['campaign.created'])).body;
    await api.call('PATCH', `/v1/webhooks/${id}`, { key: keys.ads_manager, body: { status: 'disabled' } });
    expect(
      (
        await api.call('POST', `/v1/webhooks/${id}/simulate`, {
          key: keys.ads_manager,
          body: { type: 'campaign.created' },
        })
      ).status,
    ).toBe(409);
  });
});
