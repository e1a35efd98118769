/**
 * Changing and deleting a campaign moves exactly the money that it should, also while the workers and delivery hold
 * parts of the budget. Results and pacing of a campaign are tested here too. The API and the jobs run in this process
 * on real engines, and the test plays the part of a delivery node towards the budget authority.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { takeBack } from '../../../workers/budgets/take-back.ts';
import { handBudgets } from '../../../workers/budgets/hand-budgets.ts';
import {
  campaignBody,
  chargePlay,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  dateFromNow,
  startApi,
  VENUE,
  type Loose,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { readAs, rowsOf } from '../support/answer.ts';

const MICROS = 1_000_000;
let api: TestApi;
let brand: TestWorkspace;
let key: string;
let creative: string;

beforeAll(async () => {
  api = await startApi();
  brand = await createWorkspace(api, { funds: 10_000 });
  // tests move the clock by months
  key = await createKey(api, brand, { expiresAt: new Date(api.clock.now() + 366 * 86_400_000) });
  creative = await createReadyCreative(api, key);
});
afterAll(() => api.close());

const create = (changes: Record<string, unknown> = {}) =>
  api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [creative], changes) });
const change = (id: string, body: Record<string, unknown>) => api.call('PATCH', `/v1/campaigns/${id}`, { key, body });
const read = (id: string) => api.call('GET', `/v1/campaigns/${id}`, { key });
const remove = (id: string) => api.call('DELETE', `/v1/campaigns/${id}`, { key });
const wallet = async () => {
  const { balance, reserved } = readAs<{ balance: { amount: number }; reserved: { amount: number } }>(
    (await api.call('GET', '/v1/wallet', { key })).body,
  );
  return [balance.amount, reserved.amount];
};
const handleOf = (id: string) => parseId('campaign', id)!;
const createLive = async (changes: Record<string, unknown> = {}): Promise<Loose> => {
  const { body } = await create(changes);
  await api.review();
  return body['id']!;
};
const actionsOf = async (id: string) =>
  (
    await api.sql<
      { action: string }[]
    >`select action from audit_entries where entity_type = 'campaign' and entity_handle = ${handleOf(id)} order by handle`
  ).map(row => row.action);
const reservationOf = async (id: string) =>
  (
    await api.sql<
      { micros: number }[]
    >`select balance_micros as micros from ledger_accounts where kind = 'reservation' and campaign_handle = ${handleOf(id)}`
  )[0]?.micros;
const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** Hands the authority what it lacks of `units`, as the workers do, and leases them to a node. */
async function lease(
  id: string,
  { epoch = 1, number = 1, units }: { epoch?: number; number?: number; units: number },
): Promise<void> {
  const missingMicros = units * MICROS - (await api.authority.amounts(handleOf(id))).free;
  if (missingMicros > 0) await api.authority.wantHand(handleOf(id), missingMicros);
  await handBudgets(api.workers);
  expect(await api.authority.grant(handleOf(id), epoch, number, units * MICROS)).toEqual({
    grantedMicros: units * MICROS,
    shortMicros: 0,
  });
}

const play = (epoch: number, issueNumber: number, units: number, cost = units) => ({
  epoch,
  issueNumber,
  reservationMicros: units * MICROS,
  costMicros: cost * MICROS,
});

const charge = (id: string, units: number): Promise<void> => chargePlay(api, handleOf(id), units * MICROS);

describe('PATCH /v1/campaigns/{id}', () => {
  test('changes every field, records one entry with the differences, and reaches delivery', async () => {
    const id = await createLive();
    const second = await createReadyCreative(api, key, 'Second');
    const before = (await api.sql<{ n: number }[]>`select count(*) as n from change_log`)[0]!.n;
    const answer = await change(id, {
      name: ' Winter ',
      schedule: { starts: dateFromNow(api, 1), ends: dateFromNow(api, 20) },
      targets: { cities: ['Berlin'], days: ['mon'] },
      creatives: [{ id: creative, weight: 3 }, { id: second }],
      landing_url: 'https://example.com/winter',
      frequency: { max_per_hour: 4 },
      brand_lift: true,
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'live',
        name: 'Winter',
        schedule: { starts: dateFromNow(api, 1), ends: dateFromNow(api, 20) },
        targets: { cities: ['Berlin'], days: ['mon'] },
        landing_url: 'https://example.com/winter',
        frequency: { max_per_hour: 4 },
        brand_lift: true,
        creatives: expect.arrayContaining([
          { id: creative, weight: 3, status: 'ready' },
          { id: second, weight: 1, status: 'ready' },
        ]),
      },
    });
    expect((await api.sql<{ n: number }[]>`select count(*) as n from change_log`)[0]!.n).toBe(before + 1);
    expect(await actionsOf(id)).toEqual(['campaign.created', 'campaign.approved', 'campaign.updated']);
    const [entry] = await api.sql<
      { diff: Record<string, unknown> }[]
    >`select diff from audit_entries where action = 'campaign.updated' order by handle desc limit 1`;
    expect(Object.keys(entry!.diff).sort()).toEqual([
      'brand_lift',
      'creatives',
      'frequency',
      'landing_url',
      'name',
      'schedule',
      'targets',
    ]);
    expect(entry!.diff).toMatchObject({
      name: { from: 'Autumn', to: 'Winter' },
      frequency: { from: null, to: { max_per_hour: 4 } },
    });
  });

  test('an empty change writes nothing, and null removes landing page and frequency', async () => {
    const id = await createLive({ frequency: { max_per_hour: 9 } });
    await change(id, {
      name: 'Autumn',
      budget: eur(100),
      creatives: [{ id: creative, weight: 1 }],
      frequency: { max_per_hour: 9 },
    });
    expect(await actionsOf(id)).toEqual(['campaign.created', 'campaign.approved']);
    expect((await change(id, { landing_url: null, frequency: null })).body).toMatchObject({
      landing_url: null,
      frequency: null,
    });
  });

  test('a raise reserves the difference, a cut refunds it, and a raise beyond the wallet changes nothing', async () => {
    const id = await createLive();
    const [balance, reserved] = await wallet();
    expect((await change(id, { budget: eur(150) })).body).toMatchObject({ budget: { amount: 150 } });
    expect(await wallet()).toEqual([balance! - 50, reserved! + 50]);
    expect((await change(id, { budget: eur(30), name: 'Cut' })).body).toMatchObject({
      budget: { amount: 30 },
      refund_pending: { amount: 0 },
    });
    expect(await wallet()).toEqual([balance! + 70, reserved! - 70]);
    expect(await change(id, { budget: eur(1_000_000), name: 'Raised' })).toMatchObject({
      status: 409,
      body: {
        code: 'insufficient_funds',
        detail: `Needs 999970.00 EUR; the wallet has ${(balance! + 70).toFixed(2)} EUR. Add money or lower the budget.`,
      },
    });
    expect((await read(id)).body).toMatchObject({ budget: { amount: 30 }, name: 'Cut' });
    expect(await wallet()).toEqual([balance! + 70, reserved! - 70]);
  });

  test('of a draft moves no money', async () => {
    const { body } = await create({ status: 'draft' });
    const before = await wallet();
    expect((await change(body['id']!, { budget: eur(70) })).body).toMatchObject({
      budget: { amount: 70 },
      status: 'draft',
    });
    expect(await wallet()).toEqual(before);
    await change(body['id']!, { budget: eur(80), status: 'pending_review' });
    expect(await wallet()).toEqual([before[0]! - 80, before[1]! + 80]);
  });

  test('a budget below spend and holds is refused as a conflict; a cut down to that is refunded at once', async () => {
    const id = await createLive();
    const handle = handleOf(id);
    const [balance, reserved] = await wallet();
    await lease(id, { units: 40 });
    await api.authority.count('cut-1', handle, [play(1, 0, 10), play(1, 1, 10, 4)]);
    expect(await change(id, { budget: eur(33) })).toMatchObject({
      status: 409,
      body: { code: 'state_conflict', detail: expect.stringContaining('34.00 EUR') },
    });
    // the hold is over
    expect(await api.authority.grant(handle, 1, 2, MICROS)).toEqual({ grantedMicros: MICROS, shortMicros: 0 });
    await api.authority.giveBack(handle, 1, 1, MICROS);
    expect((await change(id, { budget: eur(34) })).body).toMatchObject({
      budget: { amount: 34 },
      refund_pending: { amount: 6 },
    }); // when it was committed
    expect((await read(id)).body).toMatchObject({ refund_pending: { amount: 0 } });
    expect(await wallet()).toEqual([balance! + 66, reserved! - 66]);
    expect(await api.authority.amounts(handle)).toEqual({
      handed: 40 * MICROS,
      free: 0,
      open: 20 * MICROS,
      inDoubt: 0,
      spent: 14 * MICROS,
      returned: 6 * MICROS,
    });
    // Raised again, the workers hand out what is left of the new budget and no more.
    await change(id, { budget: eur(50) });
    await api.authority.wantHand(handle, 100 * MICROS);
    await handBudgets(api.workers);
    expect(await api.authority.amounts(handle)).toMatchObject({ handed: 56 * MICROS, free: 16 * MICROS });
  });

  test('asks the authority before its transaction, so that no lock is held meanwhile', async () => {
    const id = await createLive();
    await lease(id, { units: 5 });
    const { hold } = api.authority;
    let unlocked: readonly unknown[] = [];
    api.authority.hold = async (...asked) => {
      const amounts = await hold(...asked);
      unlocked = await api.sql`select handle from campaigns where handle = ${handleOf(id)} for update skip locked`;
      return amounts;
    };
    expect((await change(id, { budget: eur(50) })).status).toBe(200);
    api.authority.hold = hold;
    expect(unlocked).toEqual([{ handle: handleOf(id) }]);
  });

  test('a raise that became a cut, because another raise came first, is still compared with what screens hold', async () => {
    const id = await createLive();
    await lease(id, { units: 30 });
    const { hold } = api.authority;
    const held: number[] = [];
    api.authority.hold = (...asked) => {
      held.push(asked[0]);
      return hold(...asked);
    };
    const waiting = async (count: number) =>
      expect
        .poll(
          async () =>
            (await api.sql`select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')`).length,
        )
        .toBe(count);
    const answers: Promise<{ status: number }>[] = [];
    await api.sql.begin(async tx => {
      await tx`select 1 from campaigns where handle = ${handleOf(id)} for update`;
      answers.push(change(id, { budget: eur(200) }));
      await waiting(1);
      answers.push(
        api.call('PATCH', `/v1/campaigns/${id}`, {
          key,
          body: { budget: eur(120) },
          headers: { 'idempotency-key': 'a raise that became a cut' },
        }),
      );
      await waiting(2);
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    api.authority.hold = hold;
    expect(held).toEqual([handleOf(id)]);
    expect((await read(id)).body).toMatchObject({ budget: { amount: 120 } });
  });

  test('a cut of handed money is refused and changes nothing while the authority is down', async () => {
    const id = await createLive();
    await lease(id, { units: 5 });
    const before = await wallet();
    const { hold } = api.authority;
    api.authority.hold = () => Promise.reject(new Error('Connection is closed.'));
    expect(await change(id, { budget: eur(50) })).toMatchObject({ status: 503, body: { code: 'engine_unavailable' } });
    api.authority.hold = hold;
    expect(await wallet()).toEqual(before);
    expect((await read(id)).body).toMatchObject({ budget: { amount: 100 } });
  });

  test('of a live campaign keeps to the rules of its review', async () => {
    const id = await createLive();
    expect(await change(id, { landing_url: 'https://10.0.0.1/' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/landing_url', code: 'not_public' }] },
    });
    expect(await change(id, { targets: { orientations: ['portrait'] } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/targets/orientations', code: 'creative_orientation' }] },
    });
    const waiting = (
      await api.call('POST', '/v1/creatives', {
        key,
        body: { name: 'W', orientation: 'landscape', duration_ms: 9_000, filename: 'w.mp4' },
      })
    ).body['id']!;
    expect(await change(id, { creatives: [{ id: waiting }] })).toMatchObject({
      status: 409,
      body: { code: 'creative_not_ready' },
    });
    expect((await read(id)).body).toMatchObject({
      status: 'live',
      landing_url: 'https://example.com/autumn',
      creatives: [{ id: creative }],
    });
  });

  test('a creative of another workspace is answered like one that does not exist', async () => {
    const other = await createReadyCreative(api, await createKey(api, await createWorkspace(api)));
    expect(await change(await createLive(), { creatives: [{ id: other }] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/creatives/0', code: 'unknown_creative' }] },
    });
  });

  test('of a rejected campaign moves no money and does not make it live', async () => {
    const id = await createLive({ category: 'tobacco' });
    expect((await read(id)).body).toMatchObject({ status: 'rejected', rejection: { code: 'prohibited_category' } });
    const before = await wallet();
    expect(await change(id, { budget: eur(10) })).toMatchObject({
      status: 200,
      body: { status: 'rejected', budget: eur(10) },
    });
    expect(await wallet()).toEqual(before);
    expect(await change(id, { status: 'live' })).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect((await change(id, { name: 'Never' })).status).toBe(200);
  });

  test('many cuts and raises at once end in one budget and a ledger that agrees with it', async () => {
    const id = await createLive();
    await lease(id, { units: 20 });
    const answers = await Promise.all([60, 140, 25, 90, 15, 200].map(amount => change(id, { budget: eur(amount) })));
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 200, 200, 200, 200, 409]);
    await takeBack(api.workers);
    const { budget, refund_pending: pending } = readAs<{
      budget: { amount: number };
      refund_pending: { amount: number };
    }>((await read(id)).body);
    expect(await reservationOf(id)).toBe(Math.round((budget.amount + pending.amount) * MICROS));
    expect(pending.amount).toBe(0);
  });
});

describe('DELETE /v1/campaigns/{id}', () => {
  test('of a live campaign pauses it, removes it from every list, and refunds the unspent budget', async () => {
    const [balance, reserved] = await wallet();
    const id = await createLive();
    expect(await remove(id)).toMatchObject({ status: 204, body: undefined });
    expect(await wallet()).toEqual([balance, reserved]);
    expect((await read(id)).body).toMatchObject({
      id,
      status: 'deleted',
      deleted_at: expect.stringMatching(/Z$/),
      counters: { plays: 0 },
    });
    expect((await remove(id)).status).toBe(204);
    expect(await change(id, { name: 'x' })).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
    expect((await api.call('GET', `/v1/campaigns/${id}/results`, { key })).status).toBe(200);
    expect((await api.call('GET', `/v1/reporting/campaigns/${id}`, { key })).status).toBe(200);
    expect((await api.call('GET', '/v1/campaigns?limit=100&status=paused', { key })).raw.toString()).not.toContain(id);
    expect((await api.call('GET', '/v1/campaigns?limit=100&status=deleted', { key })).raw.toString()).toContain(id);
    expect((await api.call('GET', '/v1/campaigns?limit=100', { key })).raw.toString()).not.toContain(id);
    expect(await actionsOf(id)).toEqual([
      'campaign.created',
      'campaign.approved',
      'campaign.paused',
      'campaign.deleted',
    ]);
  });

  test.each(['draft', 'pending_review', 'rejected'])('of one that is %s refunds what was reserved', async status => {
    const before = await wallet();
    const { body } = await create(
      status === 'draft' ? { status } : status === 'rejected' ? { category: 'tobacco' } : {},
    );
    if (status === 'rejected') await api.review();
    expect((await read(body['id']!)).body['status']).toBe(status);
    expect((await remove(body['id']!)).status).toBe(204);
    expect(await wallet()).toEqual(before);
    await api.review();
    expect(await actionsOf(body['id']!)).not.toContain('campaign.approved');
  });

  test('refunds free money at once and money held for screens as its plays end, until nothing is left', async () => {
    const [balance, reserved] = await wallet();
    const id = await createLive();
    const handle = handleOf(id);
    await lease(id, { units: 30 });
    await api.authority.count('del-1', handle, [play(1, 0, 5)]);
    await charge(id, 5);
    expect((await remove(id)).status).toBe(204);
    expect(await wallet()).toEqual([balance! - 30, reserved! + 25]);
    expect((await api.call('GET', '/v1/wallet', { key })).body).toMatchObject({ refund_pending: { amount: 25 } });
    // An offline screen reports one play, gives one back; the node gives back the rest.
    await api.authority.count('del-2', handle, [play(1, 1, 10, 6)]);
    await charge(id, 6);
    await takeBack(api.workers);
    expect(await wallet()).toEqual([balance! - 26, reserved! + 15]);
    await api.authority.release(handle, 1, 2, 5 * MICROS);
    await api.authority.giveBack(handle, 1, 1, 10 * MICROS);
    await Promise.all([takeBack(api.workers), takeBack(api.workers)]);
    await takeBack(api.workers);
    expect(await wallet()).toEqual([balance! - 11, reserved]);
    expect((await api.call('GET', '/v1/wallet', { key })).body).toMatchObject({ refund_pending: { amount: 0 } });
    expect(await reservationOf(id)).toBe(0);
    expect(await api.authority.amounts(handle)).toEqual({
      handed: 30 * MICROS,
      free: 0,
      open: 0,
      inDoubt: 0,
      spent: 11 * MICROS,
      returned: 19 * MICROS,
    });
    expect(
      await api.sql`select handed_micros, take_back_micros, returned_micros, charged_micros from campaigns where handle = ${handle}`,
    ).toEqual([
      {
        handed_micros: 30 * MICROS,
        take_back_micros: 30 * MICROS,
        returned_micros: 19 * MICROS,
        charged_micros: 11 * MICROS,
      },
    ]);
  });

  test('succeeds while the authority is down; the workers return the money later', async () => {
    const before = await wallet();
    const id = await createLive();
    await lease(id, { units: 10 });
    await api.authority.giveBack(handleOf(id), 1, 1, 10 * MICROS);
    const { hand } = api.authority;
    api.authority.hand = () => Promise.reject(new Error('Connection is closed.'));
    expect((await remove(id)).status).toBe(204);
    api.authority.hand = hand;
    expect(await wallet()).toEqual([before[0]! - 10, before[1]! + 10]);
    await takeBack(api.workers);
    expect(await wallet()).toEqual(before);
  });
});

describe('approval by the agency', () => {
  test("a client's campaign waits for an owner or admin of its agency, and then for the rules", async () => {
    const agency = await createWorkspace(api, { kind: 'agency' });
    const client = await createWorkspace(api, { funds: 1_000 });
    await api.sql`update workspaces set approval = 'agency' where handle = ${agency.handle}`;
    await api.sql`update workspaces set parent_handle = ${agency.handle} where handle = ${client.handle}`;
    const own = await createKey(api, client);
    const ready = await createReadyCreative(api, own);
    const headers = { 'x-workspace-id': formatId('workspace', client.handle) };
    const asAgency = await createKey(api, agency, { surface: 'agency' });
    const body = campaignBody(api, [ready]);

    const waiting = await api.call('POST', '/v1/campaigns', { key: own, body });
    expect(waiting.body).toMatchObject({ status: 'pending_review', review: { waiting_for: 'agency' } });
    const path = `/v1/campaigns/${waiting.body['id']}`;
    const approvals = (key: string) => api.call('GET', '/v1/agency/approvals?count=true', { key });
    expect((await approvals(asAgency)).body).toMatchObject({
      data: [{ campaign_id: waiting.body['id'], client: { id: headers['x-workspace-id'], name: 'Test' } }],
      total: 1,
    });
    const otherAgency = await createWorkspace(api, { kind: 'agency' });
    expect(dataOf(await approvals(await createKey(api, otherAgency, { surface: 'agency' })))).toEqual([]);
    await api.review();
    expect((await api.call('PATCH', path, { key: own, body: { status: 'pending_review' } })).body).toMatchObject({
      review: { waiting_for: 'agency' },
    });

    const [manager] = await api.sql<
      { handle: Handle<'user'> }[]
    >`insert into users (workspace_handle, email, role, created_at) values (${agency.handle}, 'manager@example.com', 'manager', now()) returning handle`;
    const asManager = await createKey(api, { handle: agency.handle, user: manager!.handle }, { surface: 'agency' });
    expect(
      (await api.call('PATCH', path, { key: asManager, headers, body: { status: 'pending_review' } })).body,
    ).toMatchObject({ review: { waiting_for: 'agency' } });

    expect(await api.call('PATCH', path, { key: asAgency, headers, body: { status: 'pending_review' } })).toMatchObject(
      { status: 200, body: { status: 'pending_review', review: { waiting_for: 'rules' } } },
    );
    await api.review();
    expect((await api.call('GET', path, { key: own })).body).toMatchObject({ status: 'live', review: null });
    expect(dataOf(await approvals(asAgency))).toEqual([]);
    expect(await actionsOf(waiting.body['id']!)).toEqual([
      'campaign.created',
      'campaign.agency_approved',
      'campaign.approved',
    ]);

    // What the agency creates itself needs no approval by it, and a client with a setting of its own follows that.
    expect((await api.call('POST', '/v1/campaigns', { key: asAgency, headers, body })).body).toMatchObject({
      review: { waiting_for: 'rules' },
    });
    await api.sql`update workspaces set approval = 'none' where handle = ${client.handle}`;
    expect((await api.call('POST', '/v1/campaigns', { key: own, body })).body).toMatchObject({
      review: { waiting_for: 'rules' },
    });
  });
});

describe('GET /v1/campaigns/{id}/results', () => {
  test('groups plays and scans by day and hour of a zone, and by screen', async () => {
    const id = await createLive();
    const venues = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
    const venue = (await api.call('POST', '/v1/venues', { key: venues, body: VENUE })).body['id']!;
    const midnight = Math.floor(api.clock.now() / 86_400_000) * 86_400_000;
    const at = (minutes: number) =>
      new Date(midnight + minutes * 60_000).toISOString().replace('T', ' ').replace('Z', '');
    const row = (issue: number, minutes: number, screen: string) => ({
      played_at: at(minutes),
      slot_at: at(minutes),
      received_at: at(minutes),
      campaign_id: id,
      creative_id: creative,
      screen_id: screen,
      venue_id: venue,
      campaign_handle: handleOf(id),
      epoch: 1,
      issue_number: issue,
      sandbox: false,
      late: false,
      played_ms: 10_000,
      audience: null,
      impressions_thousandths: 2_500,
      rate_micros: 4_000,
      cost_micros: 10_000,
      group_id: 'g',
      job_id: 'j',
    });
    await api.clickhouse.insert({
      table: 'plays_raw',
      format: 'JSONEachRow',
      values: [row(1, 5, 'scr_a'), row(2, 70, 'scr_a'), row(3, 75, 'scr_b')],
    });
    await api.clickhouse.insert({
      table: 'scans_raw',
      format: 'JSONEachRow',
      values: [
        {
          scan_id: 'scan_r',
          scanned_at: at(80),
          slot_at: at(80),
          campaign_id: id,
          creative_id: creative,
          screen_id: 'scr_b',
          venue_id: venue,
          daypart: 'night',
          sandbox: false,
          group_id: 'g',
        },
      ],
    });
    const results = async (query = '') => (await api.call('GET', `/v1/campaigns/${id}/results${query}`, { key })).body;
    const day = dateFromNow(api, 0);
    expect(await results()).toMatchObject({
      campaign_id: id,
      tz: 'UTC',
      by_day: [{ day, plays: 3, impressions: 8, scans: 1, spend: eur(0.03) }],
      by_hour: [
        { hour: `${day}T00:00`, plays: 1, impressions: 3, scans: 0, spend: eur(0.01) },
        { hour: `${day}T01:00`, plays: 2, impressions: 5, scans: 1, spend: eur(0.02) },
      ],
      by_screen: [
        { screen_id: 'scr_a', venue_id: venue, plays: 2, scans: 0 },
        { screen_id: 'scr_b', venue_id: venue, plays: 1, scans: 1 },
      ],
    });
    await change(id, { schedule: { starts: day, ends: dateFromNow(api, 60) } });
    expect(await results(), 'the hours of a campaign that ends in two months').toMatchObject({
      by_hour: [
        { hour: `${day}T00:00`, plays: 1 },
        { hour: `${day}T01:00`, plays: 2 },
      ],
    });
    const before = dateFromNow(api, -1);
    expect(await results('?tz=America/New_York')).toMatchObject({
      tz: 'America/New_York',
      by_day: [{ day: before, plays: 3 }],
    });
    expect(await results(`?from=${dateFromNow(api, 1)}`)).toMatchObject({ by_day: [], by_hour: [], by_screen: [] });
    expect((await api.call('GET', `/v1/campaigns/${id}/results?tz=Mars`, { key })).status).toBe(400);
    const detail = (await read(id)).body;
    expect(detail).toMatchObject({
      counters: { plays: 3, screens_used: 2, scans: 1 },
      pacing: { actual_spend: eur(0.03) },
    });
    const today = rowsOf<{ hour: string; actual_spend: { amount: number }; expected_spend: { amount: number } }>(
      detail['pacing']!['today'],
    );
    expect(today.length).toBe(new Date(api.clock.now()).getUTCHours() + 1);
    expect(today[0]).toMatchObject({ hour: `${day}T00:00`, actual_spend: eur(0.01) });
    // The hour that has begun counts as far as it is over: both figures of one page say the same.
    const amount = Number(detail['pacing']!['expected_spend']!['amount']);
    expect(today.reduce((sum, { expected_spend }) => sum + expected_spend.amount, 0)).toBeCloseTo(amount, 4);
  });
});

describe('pacing of the campaign detail', () => {
  const HOUR_MS = 3_600_000;
  /** Expected spend of a campaign of ten days for 100, with so much charged already. */
  const expected = async (id: string) => Number((await read(id)).body['pacing']!['expected_spend']!['amount']);

  /** The same as the list has it, which asks for no figures. */
  const expectedInList = async (id: string) => {
    const { body } = await api.call('GET', '/v1/campaigns', { key });
    const listed = rowsOf<{ id: string; expected_spend: { amount: number } }>(body['data']).find(one => one.id === id);
    return listed?.expected_spend.amount;
  };

  test('runs from the moment the campaign went live, not from an earlier start date', async () => {
    const schedule = { starts: dateFromNow(api, -5), ends: dateFromNow(api, 4) };
    const { body } = await create({ schedule });
    const id = body['id']!;
    expect(await expected(id), 'while it waits for its review').toBe(0);
    await api.review();
    expect(await expected(id)).toBeLessThan(1);
    const daysLeft = 5 - (api.clock.now() % (24 * HOUR_MS)) / (24 * HOUR_MS);
    api.clock.offsetMs += 24 * HOUR_MS;
    expect(await expected(id)).toBeCloseTo(100 / daysLeft, 0);
    expect(await expectedInList(id)).toBeCloseTo(100 / daysLeft, 0);
    api.clock.offsetMs -= 24 * HOUR_MS;
  });

  test('starts again from the spend when the campaign is resumed', async () => {
    const id = await createLive();
    await change(id, { status: 'paused' });
    await api.sql`update campaigns set handed_micros = 40000000, charged_micros = 40000000 where handle = ${handleOf(id)}`;
    api.clock.offsetMs += 3 * 24 * HOUR_MS;
    await change(id, { status: 'live' });
    expect(await expected(id)).toBeCloseTo(40, 0);
    api.clock.offsetMs += 100 * 24 * HOUR_MS;
    expect(await expected(id)).toBe(100);
    api.clock.offsetMs -= 103 * 24 * HOUR_MS;
  });
});
