/**
 * The hourly review of traffic finds screens whose plays or scans are not like those of their peers, holds their
 * earnings, and lets the operator decide. The jobs and the API run in this process on real engines, with sixteen honest
 * bars and a suspicious one written into ClickHouse.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide, showFinding, showFindings } from '../../cli/admin/supply/findings.ts';
import { formatId, parseId, type Handle } from '../../domain/id.ts';
import type { FindingState } from '#domain/plays/traffic/traffic-finding.ts';
import { reviewTrafficJob } from '../../workers/traffic/review-traffic.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../api/support/app-under-test.ts';
import { addEarnings, giveAccount } from '../api/support/earnings.ts';
import { handle } from '../support/handle.ts';
import { rowsOf } from '../api/support/answer.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
type Bar = { owner: TestWorkspace; key: string; venue: Handle<'venue'>; screen: Handle<'screen'> };
/**
 * What a screen did in the hours before this one: `plays` spread over `hours`, their impressions, how much their starts
 * stray.
 */
type Did = {
  plays: number;
  hours: number;
  impressions: number;
  jitterMs?: number;
  campaign?: Handle<'campaign'>;
  daysAgo?: number;
  audience?: number;
  sandbox?: boolean;
  audienceNumber?: number;
};

let api: TestApi;
let honest: Bar[];
let rogue: Bar;
let hourMs: number;
/** One clock for the jobs, the API and the operator: the audit lists entries by their time. */
const now = () => new Date(api.clock.now());

beforeAll(async () => {
  api = await startApi();
  // The last noon (UTC), whatever the time is: the hour does not end under the test, and the day before it is parts of
  // two days in every time zone of the venues.
  hourMs = Math.floor(Date.now() / DAY_MS - 0.5) * DAY_MS + DAY_MS / 2;
  api.clock.offsetMs = hourMs + 5 * 60_000 - Date.now();
  const owners = await Promise.all(Array.from({ length: 4 }, openOwner));
  honest = [];
  for (let index = 0; index < 16; index += 1) honest.push(await openBar(owners[index % 4]!));
  for (const [index, bar] of honest.entries())
    await did(bar, { plays: 400 + 10 * index, hours: 12, impressions: 2 + 0.3 * index, jitterMs: 60 + index });
  rogue = await openBar(await openOwner());
});
afterAll(() => api.close());

async function openOwner(): Promise<{ owner: TestWorkspace; key: string }> {
  const owner = await createWorkspace(api, { kind: 'venue' });
  await giveAccount(api, owner.handle);
  return {
    owner,
    key: await createKey(api, owner, {
      surface: 'screen_manager',
      expiresAt: new Date(api.clock.now() + 400 * DAY_MS),
    }),
  };
}

async function openBar({ owner, key }: { owner: TestWorkspace; key: string }): Promise<Bar> {
  const venue = parseId('venue', (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!)!;
  return { owner, key, venue, screen: await addScreen(owner, venue) };
}

async function addScreen(owner: TestWorkspace, venue: number): Promise<Handle<'screen'>> {
  const [row] = await api.sql<
    { handle: Handle<'screen'> }[]
  >`insert into screens (workspace_handle, venue_handle, label, ad_ratio, sandbox, created_at) values (${owner.handle}, ${venue}, 'Wall', 0.5, false, now()) returning handle`;
  return row!.handle;
}

let issued = 0;
async function did(
  { venue, screen }: Bar,
  {
    plays,
    hours,
    impressions,
    jitterMs = 60,
    campaign = handle('campaign', 1),
    daysAgo = 0,
    audience,
    sandbox = false,
    audienceNumber = 0,
  }: Did,
): Promise<void> {
  const first = hourMs - daysAgo * DAY_MS - hours * HOUR_MS;
  await api.clickhouse.command({
    query: `
    insert into plays_raw (played_at, slot_at, received_at, campaign_id, creative_id, screen_id, venue_id, campaign_handle, epoch, issue_number, sandbox, late, played_ms, audience, impressions_thousandths, rate_micros, cost_micros, group_id, job_id, audience_number)
    select slot_at + interval ${jitterMs === 0 ? '0' : `(number * 7919) % ${Math.round(jitterMs * 3.46)}`} millisecond, fromUnixTimestamp64Milli(toInt64(${first}) + intDiv(number * ${hours * HOUR_MS}, ${plays})) as slot_at, slot_at + interval 11 second,
      '${formatId('campaign', campaign)}', '${formatId('creative', handle('creative', 1))}', '${formatId('screen', screen)}', '${formatId('venue', venue)}', ${campaign}, 1, ${issued} + number, ${sandbox}, false, 10000, ${audience ?? 'null'}, ${Math.round(impressions * 1_000)}, 1000, ${Math.round(impressions * 1_000)}, 'g', 'j', ${audienceNumber}
    from numbers(${plays})`,
  });
  issued += plays;
}

async function scanned(
  { venue, screen }: Bar,
  { count, slotMs, campaign = handle('campaign', 1) }: { count: number; slotMs: number; campaign?: Handle<'campaign'> },
): Promise<void> {
  await api.clickhouse.command({
    query: `
    insert into scans_raw (scan_id, scanned_at, slot_at, campaign_id, creative_id, screen_id, venue_id, daypart, sandbox, group_id)
    select concat('s', toString(${issued} + number)), fromUnixTimestamp64Milli(toInt64(${slotMs})), fromUnixTimestamp64Milli(toInt64(${slotMs})), '${formatId('campaign', campaign)}', '${formatId('creative', handle('creative', 1))}', '${formatId('screen', screen)}', '${formatId('venue', venue)}', 'evening', false, 'g'
    from numbers(${count})`,
  });
  issued += count;
}

const review = () => reviewTrafficJob({ clickhouseUrl: api.engines.clickhouseUrl, everyMs: 0 }).job.run(api.workers);
const findings = async (status?: FindingState) =>
  (await showFindings(api.sql, { status }))['findings'] as Record<string, unknown>[];
const of = async (bar: Bar, status?: FindingState) =>
  (await findings(status)).filter(finding => finding['venue_id'] === formatId('venue', bar.venue));
const handleOf = (finding: Record<string, unknown>) => parseId('finding', String(finding['id']))!;
const balance = async ({ key }: Bar) =>
  rowsOf<Record<string, unknown>>((await api.call('GET', '/v1/payouts/balance', { key })).body['balances']);
const withdraw = ({ key }: Bar, body: object = {}): Promise<Answer> => api.call('POST', '/v1/payouts', { key, body });
const holds = async ({ key }: Bar) => dataOf(await api.call('GET', '/v1/payouts/holds', { key }));
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe('the review of traffic', () => {
  test('finds nothing in a network of slightly different screens', async () => {
    await did(rogue, { plays: 480, hours: 12, impressions: 4 });
    expect(await review()).toBe(0);
    expect(await findings()).toEqual([]);
  });

  test('holds the earnings of a venue whose screen is far from its peers, and shows the evidence to the operator', async () => {
    for (const [ago, amount] of [
      [0, 40],
      [1, 30],
      [30, 20],
    ] as const)
      await addEarnings(api, {
        workspace: rogue.owner.handle,
        venue: rogue.venue,
        amount,
        day: day(hourMs - ago * DAY_MS),
      });
    await did(rogue, { plays: 2_000, hours: 12, impressions: 500 });
    expect(await review()).toBe(2);
    const [volume, audience] = (await of(rogue)).sort((a, b) => (String(a['rule']) < String(b['rule']) ? 1 : -1));
    expect(volume).toMatchObject({
      status: 'open',
      rule: 'venue_volume@1',
      concerns: 'plays',
      workspace_id: formatId('workspace', rogue.owner.handle),
      screen_id: null,
      holding: true,
      from: new Date(hourMs - DAY_MS).toISOString(),
      to: new Date(hourMs).toISOString(),
    });
    const shown = await showFinding(api.sql, handleOf(audience!));
    expect(shown).toMatchObject({
      rule: 'audience@1',
      screen_id: formatId('screen', rogue.screen),
      evidence: { plays: 2_480, impressions_per_play: 404, peer_venues: 16, peer_owners: 4 },
      thresholds: { score_min: 6 },
      holds: [{ value: 70, currency: 'EUR' }],
    });
    expect((shown['evidence'] as Record<string, number>)['times_peers']).toBeGreaterThan(80);
    expect(await balance(rogue)).toMatchObject([
      { available: { value: 20 }, held: { value: 70 }, under_review: { value: 70 }, next_release_at: null },
    ]);
    expect(await withdraw(rogue, { amount: { value: 21, currency: 'EUR' } })).toMatchObject({
      status: 409,
      body: {
        code: 'earnings_held',
        detail:
          '20.00 EUR can be withdrawn now; 70.00 EUR is held, 70.00 EUR of it under review (GET /v1/payouts/holds).',
      },
    });
    expect((await withdraw(rogue)).body).toMatchObject({
      amount: { value: 20 },
      line_items: [{ first_day: day(hourMs - 30 * DAY_MS), last_day: day(hourMs - 30 * DAY_MS) }],
    });
  });

  test('tells the owner the held amount and the subject, and not the method', async () => {
    const told = await holds(rogue);
    expect(told.map(hold => hold['concerns']).sort()).toEqual(['audience', 'plays']);
    for (const hold of told)
      expect(hold).toMatchObject({ status: 'under_review', held: [{ value: 70, currency: 'EUR' }], decided_at: null });
    const entries = dataOf(await api.call('GET', '/v1/audit?action=finding.raised', { key: rogue.key }));
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({
      actor: { type: 'system' },
      entity: { type: 'finding', id: expect.stringMatching(/^fnd_/) },
      diff: { status: { to: 'under_review' }, venue_id: { to: formatId('venue', rogue.venue) } },
    });
    for (const text of [JSON.stringify(told), JSON.stringify(entries)])
      expect(text).not.toMatch(/@1|score|peers|threshold|venue_volume/);
    expect(await holds(honest[0]!)).toEqual([]);
    const sandbox = await createKey(api, rogue.owner, { surface: 'screen_manager', mode: 'test' });
    expect(dataOf(await api.call('GET', '/v1/payouts/holds', { key: sandbox }))).toEqual([]);
    const page = await api.call('GET', '/v1/payouts/holds?limit=1', { key: rogue.key });
    expect(
      dataOf(await api.call('GET', `/v1/payouts/holds?limit=1&cursor=${page.body['next_cursor']}`, { key: rogue.key })),
    ).toHaveLength(1);
  });

  test('reviews the same hours again without duplicate findings', async () => {
    const before = await of(rogue);
    expect(await review()).toBe(0);
    expect((await of(rogue)).map(finding => finding['id'])).toEqual(before.map(finding => finding['id']));
    expect(dataOf(await api.call('GET', '/v1/audit?action=finding.raised', { key: rogue.key }))).toHaveLength(2);
    // the hour is not over
    expect(await reviewTrafficJob({ clickhouseUrl: api.engines.clickhouseUrl }).job.run(api.workers)).toBe(0);
  });
});

test('a review is abandoned at a drain, without findings', async () => {
  const { job, stop } = reviewTrafficJob({ clickhouseUrl: api.engines.clickhouseUrl, everyMs: 0 });
  const before = await api.sql`select reviewed_at from traffic_reviews`;
  const running = job.run(api.workers);
  stop();
  expect(await running).toBe(0);
  expect(await api.sql`select reviewed_at from traffic_reviews`).toEqual(before);
});

describe('the operator', () => {
  test('clears findings, which releases the earnings and prevents the same finding for a month', async () => {
    const [first, second] = await of(rogue);
    expect(
      await decide(api.sql, now(), { finding: handleOf(first!), decision: 'clear', note: 'A football final' }),
    ).toEqual({ id: first!['id'], status: 'cleared' });
    // the other finding is about the same days
    expect(await balance(rogue)).toMatchObject([{ available: { value: 0 }, under_review: { value: 70 } }]);
    await decide(api.sql, now(), { finding: handleOf(second!), decision: 'clear', note: undefined });
    expect(await balance(rogue)).toMatchObject([
      { available: { value: 70 }, held: { value: 0 }, under_review: { value: 0 } },
    ]);
    expect((await holds(rogue)).map(hold => [hold['status'], hold['held'], hold['decided_at'] !== null])).toEqual([
      ['released', [], true],
      ['released', [], true],
    ]);
    expect(await showFinding(api.sql, handleOf(first!))).toMatchObject({
      status: 'cleared',
      note: 'A football final',
      holds: [],
    });
    expect(JSON.stringify(await holds(rogue))).not.toContain('football');
    expect(await review()).toBe(0);
    await api.sql`update findings set decided_at = decided_at - interval '31 days'`;
    expect(await review()).toBe(2);
    expect((await withdraw(rogue)).body).toMatchObject({ code: 'earnings_held' });
  });

  test('upholds a finding, and the earnings stay held', async () => {
    for (const finding of await of(rogue, 'open'))
      await decide(api.sql, now(), { finding: handleOf(finding), decision: 'uphold', note: undefined });
    expect(await balance(rogue)).toMatchObject([
      { available: { value: 0 }, held: { value: 70 }, under_review: { value: 70 } },
    ]);
    expect((await holds(rogue)).map(hold => hold['status'])).toEqual(['upheld', 'upheld', 'released', 'released']);
    expect(await review()).toBe(0); // those hours have been decided about
    expect(
      dataOf(await api.call('GET', '/v1/audit?entity=finding', { key: rogue.key }))
        .slice(0, 2)
        .map(entry => [entry['action'], entry['actor']!['type']]),
    ).toEqual([
      ['finding.upheld', 'operator'],
      ['finding.upheld', 'operator'],
    ]);
  });

  test.each([
    [
      'one that is decided',
      async () =>
        decide(api.sql, now(), {
          finding: handleOf((await findings('upheld'))[0]!),
          decision: 'clear',
          note: undefined,
        }),
      'The finding is upheld already.',
    ],
    [
      'one that is not there',
      () => decide(api.sql, now(), { finding: handle('finding', 999_999), decision: 'clear', note: undefined }),
      'There is no finding fnd_',
    ],
    [
      'with an empty note',
      async () => decide(api.sql, now(), { finding: handleOf((await findings())[0]!), decision: 'clear', note: ' ' }),
      '--note takes',
    ],
    [
      'the evidence of one that is not there',
      () => showFinding(api.sql, handle('finding', 999_999)),
      'There is no finding fnd_',
    ],
  ])('is told of %s', async (_name, act, message) => {
    await expect(act()).rejects.toThrow(message);
  });
});

describe('a screen with impossible behavior', () => {
  test('is found if it plays at fixed times, day and night, with constant counts of people', async () => {
    const bar = await openBar(rogue);
    await did(bar, { plays: 700, hours: 24, impressions: 3, jitterMs: 0, audience: 3 });
    expect(await review()).toBe(3);
    expect((await of(bar)).map(finding => [finding['rule'], finding['concerns'], finding['screen_id']]).sort()).toEqual(
      [
        ['around_the_clock@1', 'times', formatId('screen', bar.screen)],
        ['even_times@1', 'times', formatId('screen', bar.screen)],
        ['steady_audience@1', 'audience', formatId('screen', bar.screen)],
      ],
    );
  });

  test("is found if its own figures are far above a vendor's figures for the same venue", async () => {
    const bar = await openBar(rogue);
    const measured = { ...bar, screen: await addScreen(rogue.owner, bar.venue) };
    await did(measured, { plays: 120, hours: 12, impressions: 1, audienceNumber: 3 });
    await did(bar, { plays: 480, hours: 12, impressions: 6 });
    await review();
    const found = (await of(bar)).filter(({ rule }) => rule === 'own_audience@1');
    expect(found).toMatchObject([{ concerns: 'audience', status: 'open' }]);
    expect(await showFinding(api.sql, handleOf(found[0]!))).toMatchObject({
      evidence: { own_plays: 480, own_people_a_second: 0.6, measured_plays: 120, measured_people_a_second: 0.1 },
    });
  });

  test('is found by scans of codes without a play', async () => {
    const [bar, good] = [await openBar(rogue), honest[0]!];
    const slotMs = hourMs - 4 * DAY_MS;
    await did(good, { plays: 4, hours: 1, impressions: 3, daysAgo: 4, campaign: handle('campaign', 3) });
    for (const each of [bar, good])
      await scanned(each, { count: 30, slotMs: slotMs - 10 * 60_000, campaign: handle('campaign', 3) });
    // of today: the plays may still be reported
    await scanned(bar, { count: 25, slotMs: hourMs - HOUR_MS, campaign: handle('campaign', 3) });
    expect(await review()).toBe(1);
    expect(await of(bar)).toMatchObject([
      { rule: 'scans_without_plays@1', concerns: 'scans', to: new Date(hourMs - 2 * DAY_MS).toISOString() },
    ]);
    expect(await showFinding(api.sql, handleOf((await of(bar))[0]!))).toMatchObject({
      evidence: { scans: 30, without_play: 30 },
    });
  });

  test('is found if its codes are not scanned although others are', async () => {
    const bar = await openBar(rogue);
    for (const each of [...honest.slice(0, 8), bar])
      await did(each, { plays: 50, hours: 1, impressions: 400, campaign: handle('campaign', 2), daysAgo: 3 });
    for (const each of honest.slice(0, 8))
      await scanned(each, { count: 60, slotMs: hourMs - 3 * DAY_MS - 10 * 60_000, campaign: handle('campaign', 2) });
    expect(await review()).toBe(1);
    expect(await of(bar)).toMatchObject([
      { rule: 'plays_without_scans@1', screen_id: null, from: new Date(hourMs - 7 * DAY_MS).toISOString() },
    ]);
    expect(await showFinding(api.sql, handleOf((await of(bar))[0]!))).toMatchObject({
      evidence: { scans: 0, expected: 60, impressions: 20_000 },
    });
  });

  test('in the sandbox is not reviewed', async () => {
    const bar = await openBar(rogue);
    await did(bar, { plays: 2_000, hours: 12, impressions: 900, sandbox: true });
    expect(await review()).toBe(0);
  });
});
