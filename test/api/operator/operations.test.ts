/**
 * What the operator reads of how the installation runs: the last check of every invariant, alerts, dead letters, and
 * where screens stand. Driven by calls to the API in this process on real engines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registry } from '#runtime/metrics.ts';
import { jsonb } from '../../../sql/postgres.ts';
import { createKey, createWorkspace, dataOf, startApi, VENUE, type TestApi } from '../support/app-under-test.ts';

const HOUR_MS = 3_600_000;
let api: TestApi;
let operator: string;

beforeAll(async () => {
  api = await startApi();
  operator = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
});
afterAll(() => api.close());

const read = async (path: string) => (await api.call('GET', `/v1/operator/${path}`, { key: operator })).body;
const alertsOf = async () => (await read('status'))['alerts'];

async function noteCheck(agoMs: number, report: { breaches: object[]; unchecked: string[] }): Promise<void> {
  const at = new Date(api.clock.now() - agoMs);
  await api.sql`insert into verifications ${api.sql({ began_at: at, ended_at: at, breaches: report.breaches.length, report: jsonb(api.sql, report) })}`;
}

async function keepLetter(batch: string, reason: string, payload: object | string): Promise<void> {
  const kind = typeof payload === 'string' ? 'batch' : 'play';
  const step = kind === 'batch' ? 'decode' : 'verify';
  await api.sql`insert into dead_letters ${api.sql({ job_id: batch, kind, position: 0, step, reason, payload: jsonb(api.sql, payload), created_at: new Date(api.clock.now()) })}`;
}

test('calls are counted by client software for the operator and in the metrics', async () => {
  // The metrics are of the process, which runs other files, too.
  const counted = async () =>
    Number(
      /api_integration_calls_total\{integration="operations-board\/1.2.3"\} (\d+)/.exec(
        await registry.metrics(),
      )?.[1] ?? 0,
    );
  const before = await counted();
  const [one, other] = [await createWorkspace(api), await createWorkspace(api)];
  for (const [workspace, calls] of [
    [one, 2],
    [other, 1],
  ] as const) {
    const key = await createKey(api, workspace);
    for (let call = 0; call < calls; call += 1)
      await api.call('GET', '/v1/wallet', { key, headers: { 'x-service-sdk': 'operations-board/1.2.3' } });
  }
  const today = new Date(api.clock.now()).toISOString().slice(0, 10);
  await expect
    .poll(async () => (await read('integrations'))['integrations'], { timeout: 10_000 })
    .toEqual([{ integration: 'operations-board/1.2.3', calls: 3, workspaces: 2, last_day: today }]);
  expect((await counted()) - before).toBe(3);
  const brand = await createKey(api, one);
  expect(await api.call('GET', '/v1/operator/integrations', { key: brand })).toMatchObject({ status: 403 });
});

describe('the status of the installation', () => {
  test('has no alert and no consistency check at first', async () => {
    expect(await read('status')).toMatchObject({ alerts: [], last_check: null, dead_letters_waiting: 0 });
  });

  test('names each invariant with its breaches in the last consistency check', async () => {
    const breach = { invariant: 'charges', campaign: 7, detail: 'charged 2 micros more than was played' };
    await noteCheck(2 * HOUR_MS, { breaches: [], unchecked: [] });
    await noteCheck(HOUR_MS, { breaches: [breach], unchecked: ['rollups: ClickHouse is away'] });
    expect(await read('status')).toMatchObject({
      alerts: [
        { code: 'invariants_broken', count: 1 },
        { code: 'invariants_unchecked', count: 1 },
      ],
      last_check: {
        breaches: [{ invariant: 'charges', campaign_id: expect.stringMatching(/^cmp_/), detail: breach.detail }],
        unchecked: ['rollups: ClickHouse is away'],
      },
    });
    expect((await read('status'))['last_check']!['invariants']).toEqual([
      ...['batches', 'counted_bits', 'rollups'].map(name => ({ name, breaches: 0 })),
      { name: 'charges', breaches: 1 },
      ...['budgets', 'ledger', 'audit', 'outbox'].map(name => ({ name, breaches: 0 })),
    ]);
  });

  test('says so if no consistency check ran for three hours', async () => {
    await api.sql`delete from verifications`;
    await noteCheck(4 * HOUR_MS, { breaches: [], unchecked: [] });
    expect(await alertsOf()).toEqual([{ code: 'check_overdue', count: 4 }]);
    await noteCheck(HOUR_MS, { breaches: [], unchecked: [] });
    expect(await alertsOf()).toEqual([]);
  });
});

describe('dead letters', () => {
  test('are listed by reason, sent again once, and unreadable ones stay', async () => {
    await keepLetter('b-1', 'bad_signature', { playId: 'x' });
    await keepLetter('b-2', 'bad_signature', { playId: 'y' });
    await keepLetter('b-3', 'the payload is no batch', 'AAAA');
    expect(await read('dead-letters')).toMatchObject({
      waiting: 3,
      groups: [
        { kind: 'play', step: 'verify', reason: 'bad_signature', count: 2 },
        { kind: 'batch', step: 'decode', reason: 'the payload is no batch', count: 1 },
      ],
    });
    expect(await alertsOf()).toEqual([{ code: 'dead_letters', count: 3 }]);
    const retry = (body: object) => api.call('POST', '/v1/operator/dead-letters/retry', { key: operator, body });
    expect(await retry({ reason: 'bad_signature' })).toMatchObject({
      status: 200,
      body: { retried: 2, unreadable: 0 },
    });
    expect((await retry({})).body).toEqual({ retried: 0, unreadable: 1 });
    expect(await read('dead-letters')).toMatchObject({ waiting: 1 });
    const sent = await api.sql<
      { retried_as: string }[]
    >`select retried_as from dead_letters where retried_as is not null`;
    expect(sent).toHaveLength(2);
    expect(await api.playQueue.completed(sent.map(one => one.retried_as))).toMatchObject({ missing: [] });
    expect(dataOf(await api.call('GET', '/v1/audit?action=dead_letters.retried', { key: operator }))).toMatchObject([
      { diff: { retried: { to: 0 } } },
      { diff: { retried: { to: 2 } } },
    ]);
  });
});

describe('the places of the network', () => {
  test('are the cities with their numbers of screens and connected screens', async () => {
    const house = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    const venue = (await api.call('POST', '/v1/venues', { key: house, body: VENUE })).body['id']!;
    for (let screens = 0; screens < 2; screens++) {
      const { code } = (await api.call('POST', '/v1/pairing', { key: house, body: { venue_id: venue } })).body;
      await api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'linux', player: '1' } });
    }
    const { city, lat, lng } = VENUE;
    expect(await read('places')).toEqual({ places: [{ city, lat, lng, screens: 2, online: 0 }] });
  });
});
