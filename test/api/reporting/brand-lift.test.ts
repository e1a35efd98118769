/**
 * Answers to brand surveys come in, and the report compares those who saw the ads with those who did not. Driven by
 * calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { errorsOf } from '../support/answer.ts';

let api: TestApi;
let brand: TestWorkspace;
let key: string;
let campaign: string;
let without: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 1_000 });
  key = await createKey(api, brand);
  const creative = await createReadyCreative(api, key);
  const create = async (changes: object) =>
    (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], { ...changes }) })).body['id']!;
  campaign = await create({ brand_lift: true, name: 'Lifted' });
  without = await create({});
});
afterAll(() => api.close());

const answer = (changes: object = {}) => ({
  campaign_id: campaign,
  group: 'exposed',
  question: 'recall',
  positive: true,
  respondent: 'someone',
  ...changes,
});
const send = (responses: unknown, as = key) =>
  api.call('POST', '/v1/reporting/brand-lift/responses', { key: as, body: { responses } });
const lift = (query = '', as = key) => api.call('GET', `/v1/reporting/brand-lift${query}`, { key: as });

describe('brand lift', () => {
  test('is empty before the first answer', async () => {
    expect(dataOf(await lift())).toMatchObject([
      {
        campaign_id: campaign,
        name: 'Lifted',
        intent: {
          exposed: { sample: 0, positive: 0, rate: null },
          delta: null,
          confidence_interval: null,
          significant: false,
        },
      },
    ]);
  });

  test('returns the delta of each question with samples and interval; a person counts once per question', async () => {
    // Newcombe's first example: 56 of 70 against 48 of 80.
    const people = (group: string, sample: number, positive: number) =>
      Array.from({ length: sample }, (_, index) =>
        answer({ group, positive: index < positive, respondent: `${group} ${index}` }),
      );
    expect(await send([...people('exposed', 70, 56), ...people('control', 80, 48)])).toMatchObject({
      status: 201,
      body: { accepted: 150, duplicates: 0 },
    });
    expect(
      (
        await send([
          answer({ respondent: 'exposed 1', positive: false }),
          answer({ respondent: 'exposed 1', question: 'intent' }),
          answer({ respondent: 'exposed 1', question: 'intent', group: 'control' }),
        ])
      ).body,
    ).toEqual({ accepted: 1, duplicates: 2 });
    const [record] = dataOf(await lift(`?campaign_id=${campaign}`));
    expect(record).toMatchObject({
      recall: {
        exposed: { sample: 70, positive: 56, rate: 0.8 },
        control: { sample: 80, positive: 48, rate: 0.6 },
        delta: 0.2,
        confidence_interval: { low: 0.052431, level: 0.95 },
        significant: true,
      },
      intent: { exposed: { sample: 1 }, control: { sample: 0 }, delta: null },
      awareness: { exposed: { sample: 0 } },
    });
  });

  test('keeps no name of a respondent', async () => {
    const rows = await api.sql<{ respondent_hash: Buffer }[]>`select * from brand_lift_responses limit 3`;
    expect(JSON.stringify(rows)).not.toContain('exposed 1');
    expect(rows[0]!.respondent_hash).toHaveLength(32);
  });

  test('accepts all answers or none, and says which one is wrong', async () => {
    const before = await api.sql`select count(*) from brand_lift_responses`;
    expect(
      await send([answer({ respondent: 'new' }), answer({ campaign_id: without }), answer({ campaign_id: 'cmp_x' })]),
    ).toMatchObject({
      status: 422,
      body: {
        errors: [
          { pointer: '/responses/1/campaign_id', code: 'brand_lift_off' },
          { pointer: '/responses/2/campaign_id', code: 'unknown_campaign' },
        ],
      },
    });
    expect(await api.sql`select count(*) from brand_lift_responses`).toEqual(before);
  });

  test.each([
    [[], '/responses', 'too_short'],
    [[{}], '/responses/0/campaign_id', 'required'],
    [[{ ...answer(), campaign_id: 'cmp_x', group: 'other' }], '/responses/0/group', 'not_allowed'],
    [[{ ...answer(), question: 'love' }], '/responses/0/question', 'not_allowed'],
    [[{ ...answer(), positive: 'yes' }], '/responses/0/positive', 'wrong_type'],
    [[{ ...answer(), respondent: '' }], '/responses/0/respondent', 'too_short'],
    [[{ ...answer(), email: 'x' }], '/responses/0/email', 'unknown_field'],
    [Array.from({ length: 1_001 }, () => 1), '/responses', 'too_long'],
  ])('refuses a bad body (%#)', async (responses, pointer, code) => {
    const { status, body } = await send(responses);
    expect([status, errorsOf(body).map(fault => [fault.pointer, fault.code])]).toEqual([
      422,
      expect.arrayContaining([[pointer, code]]),
    ]);
  });

  test('is limited to its workspace, its book and keys that may write', async () => {
    const other = await createKey(api, await createWorkspace(api));
    expect((await send([answer()], other)).body['errors']).toMatchObject([{ code: 'unknown_campaign' }]);
    expect((await lift(`?campaign_id=${campaign}`, other)).status).toBe(404);
    expect((await send([answer()], await createKey(api, brand, { mode: 'test' }))).status).toBe(422);
    expect((await send([answer()], await createKey(api, brand, { access: 'read_only' }))).status).toBe(403);
    expect(await lift(`?campaign_id=${without}`)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });
});
