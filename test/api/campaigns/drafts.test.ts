/**
 * A draft needs a name alone. It is read, listed and changed with what it lacks, and leaves the state of a draft only
 * when it lacks nothing. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SUBMITTED_FIELDS, type SubmittedField } from '../../../domain/campaigns/campaign.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  type TestApi,
} from '../support/app-under-test.ts';
import { errorsOf, type Loose } from '../support/answer.ts';

let api: TestApi;
let key: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  key = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

const create = (body: Record<string, unknown>) => api.call('POST', '/v1/campaigns', { key, body });
const createDraft = async (body: Record<string, unknown> = {}) => {
  const created = await create({ name: 'Idea', status: 'draft', ...body });
  expect(created.status).toBe(201);
  return created.body;
};
const read = (id: string) => api.call('GET', `/v1/campaigns/${id}`, { key });
const change = (id: string, body: Record<string, unknown>) => api.call('PATCH', `/v1/campaigns/${id}`, { key, body });
const submit = (id: string, body: Record<string, unknown> = {}) => change(id, { ...body, status: 'pending_review' });

/** All that a campaign has when it is submitted. */
const complete = (): Record<SubmittedField, unknown> => {
  const { budget, creatives, schedule } = campaignBody(api, [creative]);
  return { category: 'travel_and_tourism', budget, creatives, schedule };
};
/** The same as a PATCH sends it. */
const changes = (): Record<SubmittedField, unknown> => ({ ...complete(), creatives: [{ id: creative }] });
const without = (fields: Record<SubmittedField, unknown>, ...missing: SubmittedField[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !missing.includes(name as SubmittedField)));

/** Each field alone, and all of them. */
const LACKS = [...SUBMITTED_FIELDS.map(field => [field]), [...SUBMITTED_FIELDS]].map(missing => ({
  missing,
  names: missing.join(', '),
}));
const pointersOf = ({ body }: { body: Loose }) => errorsOf(body).map(({ pointer }) => pointer);
const pointersTo = (fields: readonly SubmittedField[]) => fields.map(field => `/${field}`);

const LACKING = { category: null, budget: null, starts: null, ends: null, schedule: null, rate: null, forecast: null };

describe('a draft with only a name', () => {
  test('is created, and shows missing fields as null', async () => {
    const draft = await createDraft();
    const shown = { name: 'Idea', status: 'draft', ...LACKING, creatives: [], spent: { amount: 0, currency: 'EUR' } };
    expect(draft).toMatchObject({ ...shown, targets: { cities: [] }, review: null, warnings: [] });
    expect(await read(draft['id']!)).toMatchObject({
      status: 200,
      body: { ...shown, pacing: { expected_spend: { amount: 0 }, ratio: null }, counters: { plays: 0 } },
    });
  });

  test.each(['created_at', 'name', 'starts', 'ends', 'budget'].flatMap(sort => [sort, `-${sort}`]))(
    'is in the list sorted by %s, where pages of one show every campaign once',
    async sort => {
      const home = await createKey(api, await createWorkspace(api));
      const own = await createReadyCreative(api, home);
      const post = (body: Record<string, unknown>) => api.call('POST', '/v1/campaigns', { key: home, body });
      for (const name of ['A', 'C', 'E']) await post({ name, status: 'draft' });
      for (const [name, amount] of [['B', 1] as const, ['D', 1_000] as const])
        await post(
          campaignBody(api, [own], {
            name,
            status: 'draft',
            budget: { amount, currency: 'EUR' },
            schedule: { starts: dateFromNow(api, amount), ends: dateFromNow(api, amount) },
          }),
        );
      const names: unknown[] = [];
      for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
        const query = new URLSearchParams({ sort, limit: '1', ...(cursor !== undefined && { cursor }) });
        const { body } = await api.call('GET', `/v1/campaigns?${query}`, { key: home });
        names.push(...dataOf({ body }).map(({ name }) => name));
        cursor = body['next_cursor'] ?? undefined;
        expect(page).toBeLessThan(5);
      }
      const ascending: Record<string, string> = { created_at: 'ACEBD', name: 'ABCDE', budget: 'ACEBD' };
      const wanted = ascending[sort.replace('-', '')] ?? 'BDACE';
      expect(names.join('')).toBe(sort.startsWith('-') ? [...wanted].reverse().join('') : wanted);
    },
  );

  test('matches no date range and no category', async () => {
    const home = await createKey(api, await createWorkspace(api));
    await api.call('POST', '/v1/campaigns', { key: home, body: { name: 'Idea', status: 'draft' } });
    const list = async (query: string) => dataOf(await api.call('GET', `/v1/campaigns?${query}`, { key: home })).length;
    expect([await list('status=draft'), await list('q=idea'), await list('count=true')]).toEqual([1, 1, 1]);
    expect([await list('from=2000-01-01'), await list('to=2090-01-01'), await list('category=travel')]).toEqual([
      0, 0, 0,
    ]);
  });

  test('has empty reports: alone, beside another campaign, and behind a shared link', async () => {
    const { id } = await createDraft();
    const booked = (await create(campaignBody(api, [creative]))).body['id']!;
    const empty = { status: 200, body: { totals: { plays: 0 } } };
    expect(await api.call('GET', `/v1/reporting/campaigns/${id}`, { key })).toMatchObject(empty);
    for (const ids of [[id], [id, booked]])
      expect(await api.call('GET', `/v1/reporting/campaigns?campaign_id=${ids.join(',')}`, { key })).toMatchObject(
        empty,
      );
    expect(await api.call('GET', `/v1/campaigns/${id}/results`, { key })).toMatchObject({ status: 200 });
    expect(await api.call('GET', `/v1/campaigns/${id}/places`, { key })).toMatchObject({
      status: 200,
      body: { data: [] },
    });
    const { body: shared } = await api.call('POST', `/v1/campaigns/${id}/shared-reports`, { key, body: {} });
    const token = String(shared['url'])
      .split(/[/#?=]/)
      .at(-1);
    expect(await api.call('POST', '/v1/shared-reports/read', { body: { token } })).toMatchObject({
      status: 200,
      body: { campaign: { name: 'Idea', starts: null, ends: null } },
    });
  });

  test('takes no supply from other campaigns and leaves their forecasts unchanged', async () => {
    const plan = { budget: { amount: 100, currency: 'EUR' }, schedule: complete().schedule };
    const forecast = async () => (await api.call('POST', '/v1/forecasts', { key, body: plan })).body;
    const before = await forecast();
    const { id } = await createDraft();
    expect(await forecast()).toEqual(before);
    expect(await api.call('POST', '/v1/forecasts', { key, body: { ...plan, campaign_id: id } })).toMatchObject({
      status: 200,
    });
  });

  test('is deleted like any other', async () => {
    const { id } = await createDraft();
    expect((await api.call('DELETE', `/v1/campaigns/${id}`, { key })).status).toBe(204);
    expect((await read(id!)).body).toMatchObject({ status: 'deleted', ...LACKING });
  });
});

describe('missing fields of a draft', () => {
  test('are added one by one, and the forecast starts with a budget and days', async () => {
    const { id } = await createDraft();
    const fields = changes();
    expect((await change(id!, { category: fields.category })).body).toMatchObject({
      ...LACKING,
      category: 'travel_and_tourism',
    });
    const { body: budgeted } = await change(id!, { budget: fields.budget });
    expect(budgeted).toMatchObject({ budget: fields.budget, schedule: null, rate: null, forecast: null });
    expect((await change(id!, { creatives: fields.creatives })).body).toMatchObject({ creatives: [{ id: creative }] });
    const { body: scheduled } = await change(id!, { schedule: fields.schedule });
    expect(scheduled).toMatchObject({
      schedule: fields.schedule,
      starts: `${dateFromNow(api, 0)}T00:00:00Z`,
      rate: { unit: 'impression' },
      forecast: { screens_eligible: 0 },
    });
    const audit = dataOf(await api.call('GET', `/v1/audit?entity_id=${id}`, { key }));
    expect(audit.map(({ diff }) => diff)).toMatchObject([
      { schedule: { from: null, to: fields.schedule } },
      { creatives: { from: [] } },
      { budget: { from: null, to: fields.budget } },
      { category: { from: null, to: 'travel_and_tourism' } },
      { name: { from: null, to: 'Idea' }, status: { to: 'draft' } },
    ]);
    expect(await submit(id!)).toMatchObject({ status: 200, body: { status: 'pending_review' } });
    await api.review();
    expect((await read(id!)).body['status']).toBe('live');
  });

  test.each(LACKS)('keep the draft from being submitted: $names', async ({ missing }) => {
    const { id } = await createDraft(without(complete(), ...missing));
    const before = (await read(id!)).body;
    const refused = await submit(id!, { name: 'Renamed' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(pointersOf(refused)).toEqual(pointersTo(missing));
    expect((await read(id!)).body).toEqual(before);
  });

  test.each(LACKS)('may come with the submission: $names', async ({ missing }) => {
    const { id } = await createDraft(without(complete(), ...missing));
    const added = Object.fromEntries(missing.map(field => [field, changes()[field]]));
    const { body } = await submit(id!, added);
    expect(body).toMatchObject({
      status: 'pending_review',
      schedule: complete().schedule,
      category: 'travel_and_tourism',
    });
    expect([body['rate'], body['forecast']]).not.toContain(null);
  });

  test.each(LACKS)('are required for any other campaign: $names', async ({ missing }) => {
    const refused = await create({ name: 'Idea', ...without(complete(), ...missing) });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(pointersOf(refused)).toEqual(pointersTo(missing));
  });

  test.each([...SUBMITTED_FIELDS])('cannot be taken away again: %s', async field => {
    const draft = (await createDraft(complete()))['id']!;
    const booked = (await create(campaignBody(api, [creative], { budget: { amount: 1, currency: 'EUR' } }))).body[
      'id'
    ]!;
    for (const id of [draft, booked]) {
      const before = (await read(id)).body;
      const refused = await change(id, { [field]: null });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: `/${field}` }] } });
      expect((await read(id)).body).toEqual(before);
    }
  });

  test('may be added by another call while the draft is submitted, and count in its forecast', async () => {
    const { id } = await createDraft(without(complete(), 'budget'));
    const waiting = async () =>
      (await api.sql`select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')`).length;
    const answers: ReturnType<typeof submit>[] = [];
    await api.sql.begin(async tx => {
      await tx`update campaigns set budget_micros = 1000000 where handle = (select max(handle) from campaigns)`;
      answers.push(submit(id!));
      await expect.poll(waiting).toBe(1);
    });
    const [{ status, body }] = (await Promise.all(answers)) as [Awaited<ReturnType<typeof submit>>];
    expect([status, body['status']]).toEqual([200, 'pending_review']);
    expect([body['rate'], body['forecast']]).not.toContain(null);
  });

  test('are checked if they are present', async () => {
    expect(pointersOf(await create({ name: 'Idea', status: 'draft', category: 'nonsense' }))).toEqual(['/category']);
    expect(pointersOf(await create({ status: 'draft' }))).toEqual(['/name']);
    const yen = await create({ name: 'Idea', status: 'draft', budget: { amount: 1, currency: 'JPY' } });
    expect(pointersOf(yen)).toEqual(['/budget/currency']);
  });
});

describe('a draft with missing fields stays a draft', () => {
  test('when a user resumes or pauses it, when the operator decides, and when the rules review it', async () => {
    const operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
    const id = (await createDraft())['id']!;
    for (const status of ['live', 'paused'])
      expect(await change(id, { status })).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    for (const [move, body] of [['approve', undefined] as const, ['reject', { reason: 'content' }] as const])
      expect(
        (await api.call('POST', `/v1/operator/reviews/${id}/${move}`, { key: operator, ...(body && { body }) })).status,
      ).toBeGreaterThanOrEqual(400);
    await api.review();
    expect((await read(id)).body).toMatchObject({ status: 'draft', ...LACKING });
  });

  test.each(['category', 'budget_micros', 'starts_on', 'ends_on', 'rate_micros', 'forecast'])(
    'because the table refuses another state without %s',
    async column => {
      const id = (await create(campaignBody(api, [creative], { budget: { amount: 1, currency: 'EUR' } }))).body['id'];
      const name = String(id);
      await expect(
        api.sql`update campaigns set ${api.sql({ [column]: null })} where handle = (select max(handle) from campaigns)`,
      ).rejects.toThrow(/campaigns_(draft|days)_check/);
      expect((await read(name)).body['status']).toBe('pending_review');
    },
  );
});
