/**
 * Why a campaign won or lost a slot, as venues and brands may read it. Decisions of one screen are written to the real
 * ClickHouse as delivery writes them, and read back by calls to the API in this process.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REASON_NUMBER, type NoFillReason } from '../../../domain/plays/decision.ts';
import type { JournalEntry, RecordedCampaign } from '../../../domain/plays/decision-journal.ts';
import { type DecisionRecord, emptyRecord, RecordBuffer } from '../../../domain/plays/decision-record.ts';
import { formatId, parseId, type Handle } from '../../../domain/id.ts';
import { startPresence } from '../../../delivery/screens/presence.ts';
import { createLog } from '../../../runtime/log.ts';
import { handle } from '../../support/handle.ts';
import {
  campaignBody,
  createKey,
  createReadyCreative,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Loose,
  type TestApi,
} from '../support/app-under-test.ts';
import { rowsOf } from '../support/answer.ts';

const SLOT_MS = 15_000;
const DAY_MS = 86_400_000;
const EPOCH = 5;
const RUN = 2;
const FIRST = 100;

let api: TestApi;
let brand: string;
let house: string;
let campaign: string;
let other: string;
let screen: string;
let creative: string;
/** When the first of the recorded slots begins; the next ones follow every 15 s. */
let from: number;

/**
 * Slots of one screen: the campaign wins, a campaign of another brand wins, nobody has money, the last slot has no
 * journal. A third campaign wants another city.
 */
beforeAll(async () => {
  api = await startApi();
  brand = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
  const rival = await createKey(api, await createWorkspace(api, { funds: 1_000 }));
  house = await createKey(api, await createWorkspace(api), {
    surface: 'screen_manager',
    expiresAt: new Date(api.clock.now() + 2 * DAY_MS),
  });
  creative = await createReadyCreative(api, brand);
  const create = async (key: string, own: string, changes = {}): Promise<string> => {
    const created = await api.call('POST', '/v1/campaigns', { key, body: campaignBody(api, [own], changes) });
    expect(created).toMatchObject({ status: 201 });
    return created.body['id']!;
  };
  campaign = await create(brand, creative);
  other = await create(rival, await createReadyCreative(api, rival), { category: 'vehicles' });
  const elsewhere = await create(rival, await createReadyCreative(api, rival));
  const venue = (await api.call('POST', '/v1/venues', { key: house, body: VENUE })).body['id']!;
  const { code } = (await api.call('POST', '/v1/pairing', { key: house, body: { venue_id: venue } })).body;
  screen = (await api.call('POST', `/v1/pairing/${code}/confirm`, { body: { platform: 'linux', player: '1' } })).body[
    'screen_id'
  ]!;
  from = api.clock.now() - 600_000;
  await insertDecisions([campaignOf(campaign), campaignOf(other), campaignOf(elsewhere)], parseId('venue', venue)!);
});
afterAll(() => api.close());

const campaignOf = (id: string) => parseId('campaign', id)!;

async function insertDecisions([own, rival, elsewhere]: Handle<'campaign'>[], venue: Handle<'venue'>): Promise<void> {
  const slot = { screen: parseId('screen', screen)!, maxDurationMs: SLOT_MS };
  const fill = (of: Handle<'campaign'>, at: number) => ({
    ...slot,
    answer: -1,
    campaign: of,
    creative: parseId('creative', creative)!,
    durationMs: 10_000,
    costMicros: 1_000,
    startsAtMs: from + at * SLOT_MS,
  });
  const noFill = (reason: NoFillReason, at: number) => ({
    ...slot,
    answer: REASON_NUMBER[reason],
    startsAtMs: from + at * SLOT_MS,
  });
  const records = [fill(own!, 0), fill(rival!, 1), noFill('budget_exhausted', 2)].map(record => ({
    ...emptyRecord(),
    ...record,
    decidedAtMs: record.startsAtMs,
  }));
  const state: JournalEntry[] = [
    { k: 'begin', atMs: from, baseMs: from, leadMax: 1, campaigns: 3 },
    ...[
      recorded(own!, 'travel_and_tourism'),
      recorded(rival!, 'vehicles'),
      {
        ...recorded(elsewhere!, 'travel_and_tourism'),
        targets: { cities: ['Rome'], citiesFolded: ['rome'], venueTypes: [], areas: [], orientations: [] },
      },
    ].map((facts): JournalEntry => ({
      k: 'state',
      handle: facts.handle,
      facts,
      category: facts.category,
      workspace: facts.workspace,
      counters: { charged: 0, issued: 0, ahead: 0, heldBack: 0, secondHour: 0, turns: [0, 0], credits: [] },
      money: { held: 1_000_000, exhausted: false, planRoom: 0 },
    })),
  ];
  const venueFacts = {
    handle: venue,
    type: 'entertainment.bars',
    cityFolded: 'berlin',
    lat: 52.52,
    lng: 13.4,
    timezone: 'Europe/Berlin',
    dailyVisitors: 400,
    dwellMinutes: 45,
    audienceMax: 100,
    screensNear: 1,
    blockedCategories: [],
    restrictions: [],
  };
  const changes: JournalEntry[] = [
    {
      k: 'screen',
      next: FIRST,
      screen: {
        handle: slot.screen,
        venue,
        orientation: 'landscape',
        adRatio: 1,
        sensor: false,
        sandbox: false,
        blockedCategories: [],
      },
      venue: venueFacts,
      creditMs: 0,
      last: handle('campaign', 0),
      recent: [],
    },
    {
      k: 'campaign',
      next: FIRST + 1,
      handle: own!,
      facts: { ...recorded(own!, 'travel_and_tourism'), status: 'paused' },
    },
    ...[own!, rival!].map((each): JournalEntry => ({
      k: 'money',
      next: FIRST + 2,
      campaign: each,
      held: 0,
      exhausted: true,
      planRoom: 0,
    })),
    { k: 'campaign', next: FIRST + 2, handle: own!, facts: recorded(own!, 'travel_and_tourism') },
  ];
  const text = (entries: readonly JournalEntry[]) => entries.map(entry => JSON.stringify(entry)).join('\n');
  const part = { at: spell(from), node_epoch: EPOCH, run: RUN, group_id: 'g' };
  await api.clickhouse.insert({
    table: 'private_decision_journal',
    format: 'JSONEachRow',
    values: [
      { ...part, part: 'state', number: 0, body: text(state) },
      { ...part, part: 'changes', number: 9, body: text(changes) },
      { ...part, part: 'decisions', number: FIRST, body: bytesOf(records).toString('base64') },
    ],
  });
  const unrecorded = { ...emptyRecord(), ...fill(rival!, 3), decidedAtMs: from + 3 * SLOT_MS };
  await api.clickhouse.insert({
    table: 'decisions',
    format: 'JSONEachRow',
    values: [...records.map((record, at) => rowOf(record, FIRST + at, RUN)), rowOf(unrecorded, FIRST + 3, 0)],
  });
}

function recorded(of: Handle<'campaign'>, category: string): RecordedCampaign {
  const day = Math.floor(from / DAY_MS);
  return {
    handle: of,
    workspace: handle('workspace', of),
    status: 'live',
    sandbox: false,
    category,
    budgetMicros: 1_000_000_000,
    chargedMicros: 0,
    frequencyPerHourMax: 0,
    targets: { cities: [], citiesFolded: [], venueTypes: [], areas: [], orientations: [] },
    flight: { startsOn: day - 3, endsOn: day + 7 },
    creatives: [
      { handle: handle('creative', 1), orientation: 'landscape', durationMs: 10_000, weight: 1, ready: true },
    ],
  };
}

function bytesOf(records: readonly DecisionRecord[]): Buffer {
  const buffer = new RecordBuffer(records.length);
  for (const record of records) buffer.add(record);
  return Buffer.from(buffer.bytes(0, records.length));
}

function rowOf(record: DecisionRecord, number: number, run: number) {
  return {
    decided_at: spell(record.decidedAtMs),
    starts_at: spell(record.startsAtMs),
    screen_id: screen,
    campaign_id: record.answer < 0 ? formatId('campaign', record.campaign) : '',
    creative_id: record.answer < 0 ? creative : '',
    reason: record.answer < 0 ? '' : 'budget_exhausted',
    max_duration_ms: SLOT_MS,
    duration_ms: record.durationMs,
    offline_plan: false,
    sandbox: false,
    node_epoch: EPOCH,
    run,
    number,
    revision: 1,
    plan_version: 0,
    group_id: 'g',
  };
}

const spell = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
const ofScreen = (query = '', key = house) => api.call('GET', `/v1/screens/${screen}/decisions${query}`, { key });
const ofCampaign = (query = '', key = brand) => api.call('GET', `/v1/campaigns/${campaign}/decisions${query}`, { key });

describe('GET /v1/screens/{id}/decisions', () => {
  test('shows each slot with its winner, newest first, and why each other campaign lost', async () => {
    const { status, body } = await ofScreen();
    expect(status).toBe(200);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    const slots = rowsOf<Loose>(body['data']);
    expect(slots.map(slot => slot['starts_at'])).toEqual(
      [3, 2, 1, 0].map(at => new Date(from + at * SLOT_MS).toISOString()),
    );
    expect(slots).toMatchObject([
      { winner: { campaign_id: other }, no_fill: null, explanation: 'not_recorded', losers: [], losers_by_reason: [] },
      {
        winner: null,
        no_fill: 'budget_exhausted',
        explanation: 'complete',
        losers: [
          { campaign_id: campaign, category: 'travel_and_tourism', reason: 'budget_exhausted' },
          { campaign_id: other, category: 'vehicles', reason: 'budget_exhausted' },
        ],
        losers_by_reason: [
          { reason: 'budget_exhausted', campaigns: 2 },
          { reason: 'targeting', campaigns: 1 },
        ],
      },
      {
        winner: { campaign_id: other, category: 'vehicles' },
        explanation: 'complete',
        losers: [{ campaign_id: campaign, reason: 'paused' }],
      },
      {
        winner: { campaign_id: campaign, creative_id: creative, category: 'travel_and_tourism', duration_ms: 10_000 },
        no_fill: null,
        losers: [{ campaign_id: other, reason: 'outranked' }],
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/budget_micros|held|issued/);
  });

  test('is paged, and narrowed to a range of at most 24 hours', async () => {
    const first = await ofScreen('?limit=3');
    expect([dataOf(first).length, first.body['has_more']]).toEqual([3, true]);
    const rest = await ofScreen(`?limit=3&cursor=${first.body['next_cursor']}`);
    expect(dataOf(rest).map(slot => slot['starts_at'])).toEqual([new Date(from).toISOString()]);
    const range = `?from=${new Date(from + SLOT_MS).toISOString()}&to=${new Date(from + 3 * SLOT_MS).toISOString()}`;
    expect(dataOf(await ofScreen(range))).toHaveLength(2);
    for (const wrong of [
      '?from=2026-01-01&to=2026-01-03',
      '?from=2026-01-02&to=2026-01-01',
      '?from=2026-02-30&to=2026-03-02T10:00Z',
      '?from=2026-02-28T10:00Z&to=2026-02-29',
      '?from=yesterday',
    ]) {
      expect([wrong, (await ofScreen(wrong)).body['code']]).toEqual([wrong, 'bad_query_parameter']);
    }
    expect((await ofScreen(`?cursor=${Buffer.from('1').toString('base64url')}`)).body['code']).toBe('bad_cursor');
    expect(dataOf(await ofScreen('?from=9999-12-31T00:00:00Z&to=9999-12-31T12:00:00Z'))).toEqual([]);
  });

  test('shows only the winner of slots older than a day, and says so', async () => {
    api.clock.offsetMs += DAY_MS;
    try {
      const slots = dataOf(
        await ofScreen(`?from=${new Date(from).toISOString()}&to=${new Date(from + 60_000).toISOString()}`),
      );
      expect(slots.map(slot => slot['explanation'])).toEqual(Array(4).fill('expired'));
      expect(slots[3]).toMatchObject({ winner: { campaign_id: campaign }, losers: [] });
    } finally {
      api.clock.offsetMs -= DAY_MS;
    }
  });

  test('shows only screens of the venue', async () => {
    const stranger = await createKey(api, await createWorkspace(api), { surface: 'screen_manager' });
    expect([(await ofScreen('', stranger)).status, (await ofScreen('', brand)).body['code']]).toEqual([
      404,
      'wrong_surface',
    ]);
  });
});

describe('GET /v1/operator/screens/{id}/decisions', () => {
  test('shows the slots of any screen with the names of all campaigns, including those for other screens', async () => {
    const key = await createKey(api, await createWorkspace(api, { kind: 'operator' }), { surface: 'operator' });
    const { status, body } = await api.call('GET', `/v1/operator/screens/${screen}/decisions`, { key });
    expect(status).toBe(200);
    const slots = rowsOf<Loose>(body['data']);
    expect(slots).toHaveLength(4);
    expect(slots[3]).toMatchObject({
      winner: { campaign_id: campaign, name: 'Autumn', workspace: { name: 'Test' } },
      losers: [
        { campaign_id: other, reason: 'outranked', name: 'Autumn', workspace: { name: 'Test' } },
        { reason: 'targeting', name: 'Autumn' },
      ],
    });
    const play = await createKey(api, await createWorkspace(api, { kind: 'operator' }), {
      surface: 'operator',
      mode: 'test',
    });
    expect((await api.call('GET', `/v1/operator/screens/${screen}/decisions`, { key: play })).status).toBe(404);
  });
});

describe('GET /v1/screens/now', () => {
  const ofNow = async (key = house, query = `?screen=${screen}`) =>
    dataOf(await api.call('GET', `/v1/screens/now${query}`, { key }));
  const newest = { campaign_id: '', creative_id: '', category: 'vehicles', duration_ms: 10_000 };

  test('shows the current ad, and afterwards the newest ad of the last day', async () => {
    const last = { ...newest, campaign_id: other, creative_id: creative };
    const startsAt = from + 3 * SLOT_MS;
    const before = api.clock.offsetMs;
    try {
      api.clock.offsetMs += startsAt + 5_000 - api.clock.now();
      const shown = { ...last, starts_at: new Date(startsAt).toISOString() };
      expect(await ofNow()).toEqual([{ screen_id: screen, ad: shown, last_ad: shown, reported: null }]);
      api.clock.offsetMs += 60_000;
      expect(await ofNow()).toEqual([{ screen_id: screen, ad: null, last_ad: shown, reported: null }]);
      api.clock.offsetMs += DAY_MS;
      expect(await ofNow()).toEqual([{ screen_id: screen, ad: null, last_ad: null, reported: null }]);
    } finally {
      api.clock.offsetMs = before;
    }
  });

  test('shows the newest reported ad beside the assigned one, even after an older report', async () => {
    const log = createLog('test', 'fatal');
    const report = async (of: string, startedAt: number): Promise<void> => {
      const play = { campaign: campaignOf(of), creative: parseId('creative', creative)!, startedAt, playedMs: 9_870 };
      const presence = startPresence({ sql: api.sql, log });
      presence.note(parseId('screen', screen)!, { online: true, atMs: api.clock.now(), play });
      presence.note(parseId('screen', screen)!, { online: true, atMs: api.clock.now() });
      await presence.close();
    };
    const reported = { ...newest, campaign_id: campaign, creative_id: creative, category: 'travel_and_tourism' };
    const startedAt = from + 40;
    await report(campaign, startedAt);
    const wanted = { ...reported, duration_ms: 9_870, starts_at: new Date(startedAt).toISOString() };
    expect(await ofNow()).toMatchObject([{ last_ad: { campaign_id: other }, reported: wanted }]);
    await report(other, startedAt - SLOT_MS);
    expect((await ofNow())[0]!['reported']).toEqual(wanted);
    await report(other, startedAt + SLOT_MS);
    expect((await ofNow())[0]!['reported']).toMatchObject({ campaign_id: other, category: 'vehicles' });
  });

  test('shows no screens of other workspaces, and none if the call names none', async () => {
    const stranger = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    expect([await ofNow(stranger), await ofNow(house, ''), await ofNow(house, '?screen=nothing')]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('GET /v1/campaigns/{id}/decisions', () => {
  test('shows which slots the campaign got and why it lost others, and nothing about other campaigns', async () => {
    const { status, body } = await ofCampaign();
    expect(status).toBe(200);
    expect(dataOf({ body })).toEqual(
      [
        { outcome: 'lost', reason: 'budget_exhausted', rule: null, creative_id: null, at: 2 },
        { outcome: 'lost', reason: 'paused', rule: null, creative_id: null, at: 1 },
        { outcome: 'won', reason: null, rule: null, creative_id: creative, at: 0 },
      ].map(({ at, ...slot }) => ({
        screen_id: screen,
        starts_at: new Date(from + at * SLOT_MS).toISOString(),
        decided_at: new Date(from + at * SLOT_MS).toISOString(),
        max_duration_ms: SLOT_MS,
        offline_plan: false,
        ...slot,
      })),
    );
    expect(JSON.stringify(body)).not.toContain(other);
  });

  test('is paged', async () => {
    const first = await ofCampaign('?limit=2');
    expect(dataOf(first).map(slot => slot['outcome'])).toEqual(['lost', 'lost']);
    expect(
      dataOf(await ofCampaign(`?limit=2&cursor=${first.body['next_cursor']}`)).map(slot => slot['outcome']),
    ).toEqual(['won']);
  });

  test('is visible only to the brand of the campaign', async () => {
    const stranger = await createKey(api, await createWorkspace(api));
    expect([(await ofCampaign('', stranger)).status, (await ofCampaign('', house)).body['code']]).toEqual([
      404,
      'wrong_surface',
    ]);
  });
});
