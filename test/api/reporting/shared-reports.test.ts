/**
 * Reports that are shared by a link: what the holder of a link reads without a key, how a link ends, and what is
 * written down about it. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  type Answer,
  type TestApi,
} from '../support/app-under-test.ts';

const DAY_MS = 86_400_000;
let api: TestApi;
let key: string;
let campaign: string;

beforeAll(async () => {
  api = await startApi();
  const brand = await createWorkspace(api, { funds: 1_000_000_000 });
  key = await createKey(api, brand, { expiresAt: new Date(api.clock.now() + 900 * DAY_MS) });
  campaign = await book();
});
afterAll(() => api.close());

async function book(): Promise<string> {
  const creative = await createReadyCreative(api, key);
  return (await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative]) })).body['id']!;
}

let addresses = 0;
/** Reads are counted per address; each call comes from one of its own unless it says so. */
const nowhere = () => `198.51.100.${(addresses += 1)}`;
const told = ({ status, body }: Answer) => `${status} ${body?.['code'] ?? ''}`.trim();
const share = (body: object = {}, of = campaign) =>
  api.call('POST', `/v1/campaigns/${of}/shared-reports`, { key, body });
const read = (token: string, from = nowhere(), fields: object = {}) =>
  api.call('POST', '/v1/shared-reports/read', { body: { token, ...fields }, from });

describe('a shared report', () => {
  test("shows a person with the link the owner's report of that campaign only", async () => {
    const { body: made } = await share({ name: 'For the board' });
    expect(made['url']).toBe(`http://api.test/console/report#${made['token']}`);
    const { body } = await api.call('GET', `/v1/reporting/campaigns/${campaign}?group=day&group_by=city`, { key });
    const shown = await read(made['token']!);
    expect(shown).toMatchObject({
      status: 200,
      body: { workspace: { name: 'Test' }, campaign: { name: 'Autumn' }, expires_at: made['expires_at'] },
    });
    expect(shown.body['report']).toEqual({ ...(body as object), as_of: expect.any(String) });
    expect(JSON.stringify(shown.body)).not.toContain('For the board');
  });

  test.each([
    ['group=day&group_by=creative&tz=Europe/Berlin', { group_by: 'creative', tz: 'Europe/Berlin' }],
    ['group=day&group_by=hour', { group_by: 'hour' }],
  ])('answers %s as its owner is answered', async (query, fields) => {
    const { body: made } = await share();
    const { body } = await api.call('GET', `/v1/reporting/campaigns/${campaign}?${query}`, { key });
    const shown = await read(made['token']!, nowhere(), fields);
    expect(shown.body['report']).toEqual({ ...(body as object), as_of: expect.any(String) });
  });

  test('answers for the days that its reader chooses, and names the field of those that are none', async () => {
    const { body: made } = await share();
    const ask = (fields: object) => read(made['token']!, nowhere(), fields);
    const today = new Date(api.clock.now()).toISOString().slice(0, 10);
    const query = `from=${today}&to=${today}&group=hour&group_by=city`;
    const { body } = await api.call('GET', `/v1/reporting/campaigns/${campaign}?${query}`, { key });
    const shown = await ask({ from: today, to: today, group: 'hour' });
    expect(shown.body['report']).toEqual({ ...(body as object), as_of: expect.any(String) });
    const midnight = expect.objectContaining({ bucket: `${today}T00:00` });
    expect(shown.body['report']).toMatchObject({ series: expect.arrayContaining([midnight]) });
    const wrong = [{ from: today, to: '2020-01-01' }, { tz: 'Nowhere/Else' }, { group_by: 'venue' }, { group: 'year' }];
    const answers = await Promise.all(wrong.map(ask));
    expect(answers.map(answer => answer.body['errors'])).toMatchObject(
      ['/from', '/tz', '/group_by', '/group'].map(pointer => [{ pointer }]),
    );
  });

  test('has a link that is not a key and is stored as a hash', async () => {
    const { body: made } = await share();
    const token = made['token']!;
    expect((await api.call('GET', `/v1/reporting/campaigns/${campaign}`, { key: token })).status).toBe(401);
    const kept = JSON.stringify([
      await api.sql`select * from shared_reports`,
      await api.sql`select * from audit_entries`,
    ]);
    expect(kept).not.toContain(token.slice('report_'.length, -6));
    const { body: listed } = await api.call('GET', `/v1/campaigns/${campaign}/shared-reports`, { key });
    expect(JSON.stringify(listed)).not.toContain(token);
  });

  test('ends when a user ends it, with both changes in the audit log', async () => {
    const { body: made } = await share({ days: 7 });
    const end = () => api.call('DELETE', `/v1/shared-reports/${made['id']}`, { key });
    expect([(await end()).status, (await end()).status]).toEqual([204, 204]);
    expect(told(await read(made['token']!))).toBe('410 link_expired');
    const { body } = await api.call('GET', `/v1/campaigns/${campaign}/shared-reports?limit=1`, { key });
    expect(dataOf({ body })).toMatchObject([{ id: made['id'], status: 'ended' }]);
    expect(
      dataOf(await api.call('GET', `/v1/audit?entity_id=${made['id']}&kind=changes`, { key })).map(
        one => one['action'],
      ),
    ).toEqual(['shared_report.ended', 'shared_report.created']);
  });

  test('ends when its campaign is deleted', async () => {
    const other = await book();
    const { body: made } = await share({}, other);
    expect((await read(made['token']!)).status).toBe(200);
    await api.call('DELETE', `/v1/campaigns/${other}`, { key });
    expect(told(await read(made['token']!))).toBe('410 link_expired');
    expect(told(await share({}, other))).toBe('404 not_found');
  });

  test.each([0, 367, 1.5])('is not shared for %j days', async days => {
    const refused = await share({ days });
    expect(told(refused)).toBe('422 validation_failed');
    expect(refused.body['errors']).toMatchObject([{ pointer: '/days' }]);
  });

  test('is limited to fifty open links', async () => {
    const other = await book();
    const made = await Promise.all(Array.from({ length: 52 }, () => share({}, other)));
    expect(made.map(one => one.status).sort()).toEqual([...Array<number>(50).fill(201), 409, 409]);
  });

  test('is limited to 120 reads a minute from one address, and an invalid token gives 404', async () => {
    const answers = [];
    for (let tries = 0; tries < 121; tries++) answers.push(told(await read('report_none', '198.51.101.1')));
    expect(new Set(answers.slice(0, 120))).toEqual(new Set(['404 not_found']));
    expect(answers[120]).toBe('429 rate_limited');
  });

  test('expires after its days', async () => {
    const { body: made } = await share({ days: 2 });
    expect((await read(made['token']!)).status).toBe(200);
    api.clock.offsetMs += 2 * DAY_MS;
    expect(told(await read(made['token']!))).toBe('410 link_expired');
  });
});
