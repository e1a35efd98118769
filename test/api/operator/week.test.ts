/** Plays and spend of all workspaces over the last seven days, as the operator's home shows them. On real engines. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, handleOf, parseId } from '../../../domain/id.ts';
import { readWeek } from '../../../api/operator/week/store.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  startApi,
  type TestApi,
} from '../support/app-under-test.ts';
import { readAs } from '../support/answer.ts';

const DAY_MS = 86_400_000;
let api: TestApi;
let operator: string;

beforeAll(async () => {
  api = await startApi();
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
});
afterAll(() => api.close());

/** A campaign of a brand of its own. */
async function book(currency: string): Promise<string> {
  const workspace = await createWorkspace(api, { funds: 1_000 });
  const key = await createKey(api, workspace);
  const creative = await createReadyCreative(api, key);
  const { body } = await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) });
  const id = body['id']!;
  await api.sql`update campaigns set currency = ${currency} where handle = ${parseId('campaign', id)!}`;
  return id;
}

type Plays = { campaign: string; daysAgo: number; count: number; late?: boolean; sandbox?: boolean };
let issued = 0;

/** So many plays of 1.5 each, on two screens, at the same moment of a day. */
async function play({ campaign, daysAgo, count, late = false, sandbox = false }: Plays): Promise<void> {
  const at = new Date(api.clock.now() - daysAgo * DAY_MS).toISOString().replace('T', ' ').replace('Z', '');
  await api.clickhouse.insert({
    table: 'plays_raw',
    format: 'JSONEachRow',
    values: Array.from({ length: count }, (_, index) => ({
      played_at: at,
      slot_at: at,
      received_at: at,
      campaign_id: campaign,
      creative_id: 'cre_1',
      screen_id: `scr_${index % 2}`,
      venue_id: 'ven_1',
      campaign_handle: parseId('campaign', campaign),
      epoch: 1,
      issue_number: (issued += 1),
      sandbox,
      late,
      played_ms: 10_000,
      impressions_thousandths: 1_500,
      rate_micros: 1_000,
      cost_micros: late ? 0 : 1_500_000,
      group_id: 'group',
      job_id: 'job',
    })),
  });
}

const week = async (key = operator) => (await api.call('GET', '/v1/operator/week', { key })).body;
const dayBefore = (days: number) => new Date(api.clock.now() - days * DAY_MS).toISOString().slice(0, 10);

test('without a play, both weeks are empty', async () => {
  expect(await week()).toMatchObject({
    from: dayBefore(6),
    to: dayBefore(0),
    as_of: expect.any(String),
    plays: { now: 0, before: 0 },
    spend: [],
  });
});

test('plays of all brands are added up by week, and spend by currency; late ones and those of the sandbox are not', async () => {
  const [euros, others, dollars] = [await book('EUR'), await book('EUR'), await book('USD')];
  for (const plays of [
    { campaign: euros, daysAgo: 0, count: 3 },
    { campaign: euros, daysAgo: 6, count: 2 },
    { campaign: others, daysAgo: 6, count: 4 },
    { campaign: euros, daysAgo: 7, count: 5 },
    { campaign: others, daysAgo: 13, count: 1 },
    { campaign: others, daysAgo: 14, count: 100 },
    { campaign: dollars, daysAgo: 1, count: 2 },
    { campaign: euros, daysAgo: 1, count: 50, late: true },
    { campaign: euros, daysAgo: 1, count: 60, sandbox: true },
  ])
    await play(plays);
  const answer = await week();
  expect(answer).toMatchObject({
    plays: { now: 11, before: 6 },
    spend: [
      { now: { amount: 13.5, currency: 'EUR' }, before: { amount: 9, currency: 'EUR' } },
      { now: { amount: 3, currency: 'USD' }, before: { amount: 0, currency: 'USD' } },
    ],
  });
  // The figures are those of the sums by campaign and day, which ClickHouse refuses to pass by here.
  const clickhouse = new Proxy(api.clickhouse, {
    get(target, name: keyof Clickhouse) {
      if (name !== 'query') return target[name];
      const query: Clickhouse['query'] = params =>
        target.query({ ...params, clickhouse_settings: { force_optimize_projection_name: 'campaign_day' } });
      return query;
    },
  });
  expect(await readWeek({ ...api, clickhouse }, api.clock.now())).toMatchObject({
    plays: answer['plays'],
    spend: answer['spend'],
  });
});

test('a play of a campaign that Postgres does not know is counted, and has no currency', async () => {
  const before = await week();
  await play({ campaign: formatId('campaign', handleOf('campaign', 999_999)), daysAgo: 0, count: 1 });
  const { now } = readAs<{ plays: { now: number } }>(before).plays;
  expect(await week()).toMatchObject({ plays: { now: now + 1 }, spend: before['spend'] });
});

test('the week is for the operator alone', async () => {
  expect((await week(await createKey(api, await createWorkspace(api))))['code']).toBe('wrong_surface');
});
