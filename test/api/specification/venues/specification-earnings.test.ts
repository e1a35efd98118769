/**
 * Venues see what they earn, before any withdrawal and down to single plays (section 2 of docs/interface-
 * specification.md: "Earnings are calculated daily and are withdrawable on demand"). A chain has a bar in Berlin with
 * two screens of different ad ratios and one in Auckland, whose day begins half a day earlier. Plays go through ingest
 * and settlement on real engines in this process, and the figures are read over the API.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordOutcome, setHoldDays } from '../../../../cli/admin/money/payouts.ts';
import { commissionOf, earnedMicros } from '../../../../domain/money/commission.ts';
import { formatId, parseId, type Handle } from '../../../../domain/id.ts';
import { checkLedger } from '#audit/checks/ledger.ts';
import { addEarnings, giveAccount } from '../../support/earnings.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type Loose,
  type TestApi,
} from '../../support/app-under-test.ts';
import {
  IMPRESSIONS,
  PRICE,
  idOfScreen,
  idOfVenue,
  startWorld,
  type Bar,
  type Spot,
  type World,
} from '../../support/played.ts';
import { readAs, rowsOf as listOf } from '../../support/answer.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/**
 * 22:30 in Berlin in winter, 23:30 in summer; the next morning in Auckland. Six to thirty hours ago: all of it is over,
 * and none of it is older than the 48 hours in which a play is charged.
 */
const SLOT_AT = Math.floor((Date.now() - 27.5 * HOUR_MS) / DAY_MS) * DAY_MS + 21.5 * HOUR_MS;
const dateIn = (zone: string, ms: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(ms);
const BERLIN_DAY = dateIn('Europe/Berlin', SLOT_AT);
const AUCKLAND_DAY = dateIn('Pacific/Auckland', SLOT_AT);
const RANGE = `from=${BERLIN_DAY}&to=${AUCKLAND_DAY}`;
const EXACT = (micros: number) => micros / 1_000_000;

let api: TestApi;
let world: World;
let berlin: Bar;
let auckland: Bar;
let stranger: Bar;
let travel: Spot;
let food: Spot;

beforeAll(async () => {
  api = await startApi();
  world = await startWorld(api);
  berlin = await world.openBar({ screens: 2, timezone: 'Europe/Berlin', adRatios: [0.9, 0.5] });
  auckland = await world.openBar({ screens: 1, timezone: 'Pacific/Auckland', of: berlin });
  stranger = await world.openBar({ screens: 1 });
  travel = await world.startCampaign('travel_and_tourism');
  food = await world.startCampaign('food_and_beverage_services');
  await world.play(travel, { bar: berlin, startsAt: SLOT_AT, plays: 5 });
  await world.play(food, { bar: berlin, screen: 1, startsAt: SLOT_AT, plays: 3 });
  await world.settle();
  await world.play(food, { bar: berlin, startsAt: SLOT_AT + 600_000, plays: 2 });
  await world.play(travel, { bar: auckland, startsAt: SLOT_AT, plays: 4 });
  await world.play(travel, { bar: stranger, startsAt: SLOT_AT, plays: 6 });
  await world.settle();
  // nothing is left to charge it to: it is late
  await world.play(travel, { bar: berlin, startsAt: SLOT_AT + 1_200_000, plays: 1, charged: false });
}, 120_000);
afterAll(async () => {
  await world.close();
  await api.close();
});

const ok = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.raw.toString()}`);
  return answer;
};
const earnings = async (query = '', key = berlin.key) =>
  ok(await api.call('GET', `/v1/payouts/earnings?${RANGE}${query}`, { key })).body;
const plays = async (query = '', key = berlin.key) =>
  dataOf(ok(await api.call('GET', `/v1/payouts/earnings/plays?${RANGE}&limit=100${query}`, { key })));
const rowsOf = (body: Loose) =>
  listOf<Row>(body['data']).map(row => ({
    key: row.key,
    plays: row.plays,
    revenue: row.ad_revenue.value,
    earnings: row.earnings.value,
  }));
type Value = { value: number };
type Row = { key: string | null; plays: number } & Record<
  'ad_revenue' | 'earnings' | 'available' | 'held' | 'withdrawn' | 'reversed',
  Value
>;
const totalOf = (body: Loose) => listOf<Row>(body['totals'])[0]!;
const micros = (amount: number) => Math.round(amount * 1_000_000);
const balanceOf = async (bar: Bar) =>
  (
    await api.sql<
      { micros: number }[]
    >`select balance_micros as micros from ledger_accounts where kind = 'earnings' and book = 'live' and workspace_handle = ${bar.owner} and currency = 'EUR'`
  )[0]!.micros;
const facts = { hasSensor: false, dailyVisitors: VENUE.daily_visitors, dwellMinutes: VENUE.dwell_minutes };
/** What settlement books for plays that it settles together at one commission. */
const shareOf = (count: number, adRatio: number) => earnedMicros(count * PRICE, commissionOf({ adRatio, ...facts }));

describe('GET /v1/payouts/earnings', () => {
  test('adds up days of the venues, newest first, to the earnings on the ledger', async () => {
    const body = await earnings();
    expect(rowsOf(body)).toEqual([
      { key: AUCKLAND_DAY, plays: 4, revenue: EXACT(4 * PRICE), earnings: EXACT(shareOf(4, 0.9)) },
      {
        key: BERLIN_DAY,
        plays: 10,
        revenue: EXACT(10 * PRICE),
        earnings: EXACT(shareOf(5, 0.9) + shareOf(3, 0.5) + shareOf(2, 0.9)),
      },
    ]);
    expect(AUCKLAND_DAY).not.toBe(BERLIN_DAY);
    expect(micros(totalOf(body).earnings.value)).toBe(await balanceOf(berlin));
    expect(body).toMatchObject({
      from: BERLIN_DAY,
      to: AUCKLAND_DAY,
      group_by: 'day',
      not_settled: [],
      has_more: false,
      as_of: expect.stringMatching(/Z$/),
    });
  });

  test.each([
    [
      'screen',
      () => [
        [idOfScreen(auckland), 4, shareOf(4, 0.9)],
        [idOfScreen(berlin, 1), 3, shareOf(3, 0.5)],
        [idOfScreen(berlin), 7, shareOf(5, 0.9) + shareOf(2, 0.9)],
      ],
    ],
    [
      'venue',
      () => [
        [idOfVenue(auckland), 4, shareOf(4, 0.9)],
        [idOfVenue(berlin), 10, shareOf(5, 0.9) + shareOf(3, 0.5) + shareOf(2, 0.9)],
      ],
    ],
    [
      'category',
      () => [
        ['travel_and_tourism', 9, shareOf(5, 0.9) + shareOf(4, 0.9)],
        ['food_and_beverage_services', 5, shareOf(3, 0.5) + shareOf(2, 0.9)],
      ],
    ],
  ] as const)('groups the same earnings by %s, exact to the millionth', async (group, expected) => {
    const body = await earnings(`&group_by=${group}`);
    expect(rowsOf(body).map(row => [row.key, row.plays, micros(row.earnings)])).toEqual(expected());
    expect(totalOf(body)).toEqual(totalOf(await earnings()));
  });

  test('names screens and venues, and narrows to one of them', async () => {
    expect(
      dataOf(
        await api.call('GET', `/v1/payouts/earnings?${RANGE}&group_by=screen&venue=${idOfVenue(berlin)}`, {
          key: berlin.key,
        }),
      ).map(row => row['name']),
    ).toEqual(['Wall 1', 'Wall 0']);
    expect(rowsOf(await earnings(`&screen=${idOfScreen(berlin, 1)}`))).toEqual([
      { key: BERLIN_DAY, plays: 3, revenue: EXACT(3 * PRICE), earnings: EXACT(shareOf(3, 0.5)) },
    ]);
  });

  test('names what is not settled yet apart, and the next settlement moves it into the rows', async () => {
    const before = totalOf(await earnings());
    await world.play(travel, { bar: auckland, startsAt: SLOT_AT + HOUR_MS, plays: 3 });
    await world.play(travel, { bar: stranger, startsAt: SLOT_AT + HOUR_MS, plays: 2 });
    const waiting = await earnings();
    expect(totalOf(waiting)).toEqual(before);
    expect(waiting['not_settled']).toEqual([
      { currency: 'EUR', plays: 3, ad_revenue: { value: EXACT(3 * PRICE), currency: 'EUR' } },
    ]);
    expect((await earnings(`&venue=${idOfVenue(berlin)}`))['not_settled']).toEqual([]);
    expect((await plays(`&venue=${idOfVenue(auckland)}`)).filter(play => play['state'] === 'not_settled')).toHaveLength(
      3,
    );
    await world.settle();
    const after = await earnings();
    expect(after['not_settled']).toEqual([]);
    expect([totalOf(after).plays, micros(totalOf(after).earnings.value)]).toEqual([
      before.plays + 3,
      await balanceOf(berlin),
    ]);
  });

  test('is paged without a gap or a repeat, and a cursor of another grouping is refused', async () => {
    const seen: (string | null)[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const body = await earnings(`&group_by=screen&limit=1${cursor}`);
      seen.push(...rowsOf(body).map(row => row.key));
      cursor = `&cursor=${body['next_cursor']}`;
    }
    const { next_cursor: first } = await earnings('&group_by=screen&limit=1');
    expect(
      (await api.call('GET', `/v1/payouts/earnings?${RANGE}&group_by=venue&cursor=${first}`, { key: berlin.key })).body[
        'code'
      ],
    ).toBe('bad_cursor');
    expect(seen).toEqual([idOfScreen(auckland), idOfScreen(berlin, 1), idOfScreen(berlin)]);
  });

  test('answers a table to whoever accepts CSV', async () => {
    const answer = await api.call('GET', `/v1/payouts/earnings?${RANGE}&group_by=category`, {
      key: berlin.key,
      headers: { accept: 'text/csv' },
    });
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="earnings-by-category.csv"',
    ]);
    expect(answer.raw.toString().split('\r\n')[0]).toBe(
      'category,name,currency,plays,impressions,ad_revenue,earnings,available,held,withdrawn,reversed',
    );
  });

  test('shows earnings from before screens were kept without a screen, and counts them', async () => {
    const old = await world.openBar({ screens: 1 });
    await addEarnings(api, { workspace: old.owner, venue: old.venue, amount: 12.5, day: '2026-03-01' });
    const body = ok(
      await api.call('GET', '/v1/payouts/earnings?from=2026-03-01&to=2026-03-01&group_by=screen', { key: old.key }),
    ).body;
    expect(rowsOf(body)).toEqual([{ key: null, plays: 10, revenue: 25, earnings: 12.5 }]);
  });

  test.each([
    ['a day that is none', 'from=2026-02-30'],
    ['a range that ends before it begins', 'from=2026-03-02&to=2026-03-01'],
    ['more than a year', 'from=2024-01-01&to=2026-01-01'],
    ['an unknown group', 'group_by=brand'],
    ['a venue that is none', 'venue=cmp_x'],
    ['a screen that is none', 'screen=1'],
  ])('refuses %s', async (_name, query) => {
    expect(await api.call('GET', `/v1/payouts/earnings?${query}`, { key: berlin.key })).toMatchObject({
      status: 400,
      body: { code: 'bad_query_parameter' },
    });
  });

  test('shows no other workspace, no play money to live keys, and nothing to brands', async () => {
    expect(rowsOf(await earnings('', stranger.key)).map(row => row.plays)).toEqual([8]);
    expect(rowsOf(await earnings(`&venue=${idOfVenue(stranger)}`))).toEqual([]);
    const [user] = await api.sql<
      { handle: Handle<'user'> }[]
    >`select handle from users where workspace_handle = ${berlin.owner}`;
    const sandbox = await createKey(
      api,
      { handle: berlin.owner, user: user!.handle },
      { surface: 'screen_manager', mode: 'test' },
    );
    expect(rowsOf(await earnings('', sandbox))).toEqual([]);
    expect(await plays('', sandbox)).toEqual([]);
    expect((await api.call('GET', '/v1/payouts/earnings', { key: travel.key })).body['code']).toBe('wrong_surface');
  });
});

describe('GET /v1/payouts/earnings/plays', () => {
  test('shows when and where each play was, its category, price and share, and not whose it was', async () => {
    const [play] = await plays(`&screen=${idOfScreen(berlin, 1)}`);
    const commission = commissionOf({ adRatio: 0.5, ...facts });
    expect(play).toEqual({
      play_id: expect.stringMatching(/^ply_[0-9a-z]{13}-1-[0-9a-z]+$/),
      starts_at: new Date(SLOT_AT + 40_000).toISOString(),
      venue_id: idOfVenue(berlin),
      screen_id: idOfScreen(berlin, 1),
      screen_label: 'Wall 1',
      category: 'food_and_beverage_services',
      state: 'settled',
      impressions: IMPRESSIONS / 1_000,
      price: { value: EXACT(PRICE), currency: 'EUR' },
      commission_tier: commission.tier,
      commission_rate: commission.shareMillionths / 1_000_000,
      earnings: { value: EXACT(earnedMicros(PRICE, commission)), currency: 'EUR' },
    });
    expect(JSON.stringify(await plays())).not.toMatch(/cmp_|cre_/);
  });

  test('has every counted play once over its pages, and those that are not charged without a share', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const answer = ok(
        await api.call('GET', `/v1/payouts/earnings/plays?${RANGE}&limit=4${cursor}`, { key: berlin.key }),
      );
      seen.push(...dataOf(answer).map(play => String(play['play_id'])));
      cursor = answer.body['next_cursor'] === (null as unknown) ? '' : `&cursor=${answer.body['next_cursor']}`;
    } while (cursor !== '');
    expect([seen.length, new Set(seen).size]).toEqual([18, 18]);
    const states = (await plays()).map(play => play['state']);
    expect([
      states.filter(state => state === 'settled').length,
      states.filter(state => state === 'not_charged').length,
    ]).toEqual([17, 1]);
    expect((await plays()).find(play => play['state'] === 'not_charged')).toMatchObject({
      price: { value: 0 },
      earnings: null,
    });
  });

  test('shows the commission that held when a play was settled, also after a change on the same day', async () => {
    const bar = await world.openBar({ screens: 1, adRatios: [0.4] });
    await world.play(food, { bar, startsAt: SLOT_AT, plays: 1 });
    await world.settle();
    await api.sql`update screens set ad_ratio = 0.8 where handle = ${bar.screens[0]!}`;
    api.clock.offsetMs += 1_000;
    await world.play(food, { bar, startsAt: SLOT_AT + 60_000, plays: 1 });
    await world.settle();
    const rates = (await plays('', bar.key)).map(play => Number(play['commission_rate']));
    expect(rates).toEqual([0.8, 0.4].map(adRatio => commissionOf({ adRatio, ...facts }).shareMillionths / 1_000_000));
  });
});

describe('what becomes of earnings', () => {
  let bar: Bar;
  beforeAll(async () => {
    bar = await world.openBar({ screens: 2 });
    await world.play(travel, { bar, startsAt: SLOT_AT, plays: 30 });
    await world.play(food, { bar, screen: 1, startsAt: SLOT_AT, plays: 12 });
    await world.settle();
  });
  const byScreen = async () => listOf<Row>((await earnings('&group_by=screen', bar.key))['data']);

  test('is available as soon as it is settled', async () => {
    expect(totalOf(await earnings('', bar.key))).toMatchObject({
      available: { value: EXACT(await balanceOf(bar)) },
      held: { value: 0 },
    });
  });

  test('is held for the first days if the operator says so, and available afterwards', async () => {
    const hold = (days: string) => setHoldDays(api.sql, new Date(api.clock.now()), { workspace: bar.owner, days });
    await hold('7');
    expect(totalOf(await earnings('', bar.key))).toMatchObject({
      available: { value: 0 },
      held: { value: EXACT(await balanceOf(bar)) },
    });
    const offsetMs = api.clock.offsetMs;
    api.clock.offsetMs += 9 * DAY_MS;
    const released = totalOf(await earnings('', bar.key));
    api.clock.offsetMs = offsetMs;
    await hold('default');
    expect(released).toMatchObject({ available: { value: EXACT(await balanceOf(bar)) }, held: { value: 0 } });
  });

  test('is shared by screens when it was withdrawn in part, and the parts are the withdrawal', async () => {
    await giveAccount(api, bar.owner);
    const before = await byScreen();
    ok(await api.call('POST', '/v1/payouts', { key: bar.key, body: { amount: { value: 3.01, currency: 'EUR' } } }));
    const rows = await byScreen();
    expect(rows.map(row => row.earnings.value)).toEqual(before.map(row => row.earnings.value));
    expect(rows.reduce((sum, row) => sum + micros(row.withdrawn.value), 0)).toBe(3_010_000);
    for (const row of rows)
      expect(micros(row.earnings.value)).toBe(
        micros(row.available.value) + micros(row.held.value) + micros(row.withdrawn.value),
      );
    expect(rows.every(row => row.withdrawn.value > 0)).toBe(true);
  });

  test('goes back from the screen whose plays were taken out, and stands there as reversed', async () => {
    const before = await byScreen();
    await world.takeOut(bar, { screen: 0, from: SLOT_AT, to: SLOT_AT + 200_000 }); // ten of its thirty
    const rows = await byScreen();
    expect(rows[0]).toEqual({ ...before[0]!, withdrawn: expect.anything(), available: expect.anything() });
    const [was, is] = [before[1]!, rows[1]!];
    expect(is).toMatchObject({ plays: was.plays - 10, ad_revenue: { value: EXACT(20 * PRICE) } });
    expect(micros(is.earnings.value) + micros(is.reversed.value)).toBe(micros(was.earnings.value));
    expect(rows.reduce((sum, row) => sum + micros(row.available.value) + micros(row.held.value), 0)).toBe(
      await balanceOf(bar),
    );
    expect(
      (await plays(`&screen=${idOfScreen(bar)}`, bar.key)).filter(play => play['state'] === 'taken_out'),
    ).toHaveLength(10);
  });

  test('leaves a ledger that balances', async () => {
    expect(await checkLedger(api.sql)).toEqual([]);
  });
});

describe('the statement of a month', () => {
  let bar: Bar;
  let months: [string, string, string];
  /** Two months that begin after the clocks of the machine, so that nothing else is booked in them. */
  const monthAfter = (count: number) => {
    const now = new Date();
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1);
  };
  const moveTo = (ms: number) => {
    api.clock.offsetMs = ms - Date.now();
  };
  const withdraw = async (amount: number) =>
    String(
      ok(await api.call('POST', '/v1/payouts', { key: bar.key, body: { amount: { value: amount, currency: 'EUR' } } }))
        .body['id'],
    );
  const statement = async (month: string, query = '') =>
    readAs<Statement>(ok(await api.call('GET', `/v1/payouts/statements/${month}${query}`, { key: bar.key })).body);
  type Statement = {
    is_final: boolean;
    pdf_url: string;
    by_screen: { screen_id: string; plays: number; earnings: Value }[];
    adjustment_lines: { finding_id: string; reversed: Value }[];
    withdrawal_lines: { payout_id: string; amount: Value; sending_fee: Value; status: string }[];
    returned_lines: { payout_id: string }[];
  } & Record<Sum, Value>;
  type Sum = 'opening_balance' | 'earnings' | 'adjustments' | 'withdrawals' | 'returned' | 'closing_balance';
  /** What the ledger has on the account of the bar before a moment, and of a kind within a month. */
  const ledger = async (month: string) =>
    (
      await api.sql<Record<string, number>[]>`
    select coalesce(sum(p.amount_micros) filter (where t.posted_at < m.first), 0)::bigint as opening, coalesce(sum(p.amount_micros) filter (where t.posted_at < m.next), 0)::bigint as closing,
      coalesce(sum(p.amount_micros) filter (where t.kind = 'earning' and t.posted_at >= m.first and t.posted_at < m.next), 0)::bigint as earned,
      coalesce(-sum(p.amount_micros) filter (where t.kind = 'earning_reversed' and t.posted_at >= m.first and t.posted_at < m.next), 0)::bigint as reversed,
      coalesce(-sum(p.amount_micros) filter (where t.kind = 'payout_issued' and t.posted_at >= m.first and t.posted_at < m.next), 0)::bigint as withdrawn,
      coalesce(sum(p.amount_micros) filter (where t.kind = 'payout_failed' and t.posted_at >= m.first and t.posted_at < m.next), 0)::bigint as returned
    from (select ${`${month}-01`}::timestamptz as first, ${`${month}-01`}::timestamptz + interval '1 month' as next) m,
      ledger_accounts a join ledger_postings p on p.account_handle = a.handle join ledger_transactions t on t.handle = p.transaction_handle
    where a.kind = 'earnings' and a.book = 'live' and a.workspace_handle = ${bar.owner} and a.currency = 'EUR'`
    )[0]!;

  beforeAll(async () => {
    bar = await world.openBar({ screens: 2 });
    months = [monthAfter(1), monthAfter(2), monthAfter(3)].map(ms =>
      new Date(ms).toISOString().slice(0, 7),
    ) as typeof months;
    moveTo(monthAfter(1) + 20 * DAY_MS);
    await giveAccount(api, bar.owner);
    await world.play(travel, { bar, startsAt: SLOT_AT, plays: 40 });
    await world.settle();
    moveTo(monthAfter(2)); // the first moment of the month
    await world.play(food, { bar, screen: 1, startsAt: SLOT_AT, plays: 21 });
    await world.settle();
    moveTo(monthAfter(2) + 9 * DAY_MS);
    const failed = await withdraw(4);
    await withdraw(2.34);
    moveTo(monthAfter(2) + 12 * DAY_MS);
    await world.takeOut(bar, { screen: 0, from: SLOT_AT, to: SLOT_AT + 100_000 });
    await recordOutcome(api.sql, new Date(api.clock.now()), { payout: parseId('payout', failed)!, outcome: 'failed' });
    moveTo(monthAfter(3) - 60_000); // and its last minute
    await world.play(travel, { bar, startsAt: SLOT_AT + HOUR_MS, plays: 7 });
    await world.settle();
    moveTo(monthAfter(3) + 2 * HOUR_MS);
    await world.play(travel, { bar, startsAt: SLOT_AT + 2 * HOUR_MS, plays: 3 });
    await world.settle();
  }, 60_000);
  afterAll(() => {
    api.clock.offsetMs = 0;
  });

  test('is the ledger to the millionth, over a month with a reversal, two withdrawals and one that failed', async () => {
    for (const month of months) {
      const [shown, booked] = [await statement(month), await ledger(month)];
      const sums = (
        ['opening_balance', 'earnings', 'adjustments', 'withdrawals', 'returned', 'closing_balance'] as const
      ).map(name => micros(shown[name].value));
      expect(sums).toEqual([
        booked['opening'],
        booked['earned'],
        booked['reversed'],
        booked['withdrawn'],
        booked['returned'],
        booked['closing'],
      ]);
      expect(sums[5]).toBe(sums[0]! + sums[1]! - sums[2]! - sums[3]! + sums[4]!);
      expect(shown.by_screen.reduce((sum, row) => sum + micros(row.earnings.value), 0)).toBe(booked['earned']);
    }
    expect(micros((await statement(months[2])).closing_balance.value)).toBe(await balanceOf(bar));
    expect((await ledger(months[1]))['reversed']).toBeGreaterThan(0);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('names the screens, the findings, the withdrawals and what came back', async () => {
    const shown = await statement(months[1]);
    expect(shown.by_screen.map(row => [row.screen_id, row.plays])).toEqual([
      [idOfScreen(bar), 7],
      [idOfScreen(bar, 1), 21],
    ]);
    expect(shown.adjustment_lines).toEqual([
      { at: expect.any(String), finding_id: expect.stringMatching(/^fnd_/), reversed: shown.adjustments },
    ]);
    expect(shown.withdrawal_lines.map(row => [row.amount.value, row.sending_fee.value, row.status])).toEqual([
      [4, 1.5, 'failed'],
      [2.34, 1.5, 'issued'],
    ]);
    expect(shown.returned_lines.map(row => row.payout_id)).toEqual([shown.withdrawal_lines[0]!.payout_id]);
    expect([shown.is_final, (await statement(months[2])).is_final]).toEqual([true, false]);
  });

  test('are listed newest first, page by page, and one by its month', async () => {
    const first = ok(await api.call('GET', '/v1/payouts/statements?limit=2', { key: bar.key }));
    expect(dataOf(first).map(row => row['month'])).toEqual([months[2], months[1]]);
    const second = ok(
      await api.call('GET', `/v1/payouts/statements?limit=2&cursor=${first.body['next_cursor']}`, { key: bar.key }),
    );
    expect(second.body).toMatchObject({ data: [{ month: months[0], opening_balance: { value: 0 } }], has_more: false });
    expect(dataOf(await api.call('GET', `/v1/payouts/statements?month=${months[1]}`, { key: bar.key }))).toHaveLength(
      1,
    );
  });

  test('is a table whose lines add up to the closing balance, for whoever accepts CSV', async () => {
    const answer = await api.call('GET', `/v1/payouts/statements/${months[1]}`, {
      key: bar.key,
      headers: { accept: 'text/csv' },
    });
    const lines = answer.raw
      .toString()
      .trim()
      .split('\r\n')
      .slice(1)
      .map(line => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
    const amounts = lines.map(cells => micros(Number(cells[6])));
    expect(lines.map(cells => cells[0])).toEqual([
      'opening_balance',
      'earnings',
      'earnings',
      'adjustment',
      'withdrawal',
      'withdrawal',
      'returned',
      'closing_balance',
    ]);
    expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(amounts.at(-1));
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="statement-${months[1]}-EUR.csv"`);
  });

  test('is a PDF behind an address that needs no key, for 24 hours, and cannot be turned to another month or workspace', async () => {
    const { pathname, search } = new URL((await statement(months[1])).pdf_url);
    const pdf = await api.call('GET', pathname + search);
    expect([pdf.status, pdf.headers['content-type'], pdf.raw.subarray(0, 5).toString()]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    expect((await api.call('GET', pathname.replace(months[1], months[0]) + search)).status).toBe(404);
    expect(
      (await api.call('GET', pathname.replace(/ws_[a-z0-9]+/, formatId('workspace', stranger.owner)) + search)).status,
    ).toBe(404);
    api.clock.offsetMs += DAY_MS + 1_000;
    expect((await api.call('GET', pathname + search)).body['code']).toBe('link_expired');
    api.clock.offsetMs -= DAY_MS + 1_000;
  });

  test('of a month without bookings is of zeros, of one to come there is none, and play money has none', async () => {
    expect(await statement('2026-01')).toMatchObject({
      opening_balance: { value: 0 },
      closing_balance: { value: 0 },
      by_screen: [],
    });
    expect(await statement(months[1], '?currency=JPY')).toMatchObject({
      currency: 'JPY',
      closing_balance: { value: 0 },
    });
    for (const month of ['2099-12', '2026-13', 'today'])
      expect((await api.call('GET', `/v1/payouts/statements/${month}`, { key: bar.key })).status).toBe(404);
    const [user] = await api.sql<
      { handle: Handle<'user'> }[]
    >`select handle from users where workspace_handle = ${bar.owner}`;
    const sandbox = await createKey(
      api,
      { handle: bar.owner, user: user!.handle },
      { surface: 'screen_manager', mode: 'test', expiresAt: new Date(api.clock.now() + DAY_MS) },
    );
    expect((await api.call('GET', `/v1/payouts/statements/${months[1]}`, { key: sandbox })).status).toBe(404);
    expect((await api.call('GET', '/v1/payouts/statements', { key: sandbox })).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  test('of another workspace is its own', async () => {
    expect(ok(await api.call('GET', `/v1/payouts/statements/${months[1]}`, { key: stranger.key })).body).toMatchObject({
      earnings: { value: 0 },
      by_screen: [],
    });
  });
});

test('a workspace without venues has earned nothing', async () => {
  const key = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
  expect(await earnings('', key)).toMatchObject({ data: [], totals: [], not_settled: [] });
  expect(await plays('', key)).toEqual([]);
});
