/** The rules of the homes: what needs attention, which first steps are done, and the change against the week before. */
import { beforeAll, describe, expect, test, vi } from 'vitest';

/** Loaded as a browser loads them: their types are those of a browser, which the types of tests are not. */
const load = async <Module>(file: string) =>
  (await import(/* @vite-ignore */ new URL(`../../../../web/console/${file}`, import.meta.url).href)) as Module;
type Entry = { tone: string; name?: string; text: string; values?: object; link: { to: string; params?: object } };
type Facts = Readonly<Record<string, unknown>>;
const { brandAttention, venueAttention, agencyAttention, operatorAttention } = await load<{
  brandAttention: (facts: Facts) => Entry[];
  venueAttention: (facts: Facts) => Entry[];
  agencyAttention: (facts: Facts, now: number) => Entry[];
  operatorAttention: (facts: Facts, today: string) => Entry[];
}>('pages/home/attention.ts');
type Step = { text: string; isDone: boolean };
const { brandSteps, venueSteps, agencySteps, operatorSteps } =
  await load<Record<'brandSteps' | 'venueSteps' | 'agencySteps' | 'operatorSteps', (is: Facts) => Step[]>>(
    'pages/home/first-steps.ts',
  );
type Weeks = { now: number; before: number };
const { weeksOf, changeOf } = await load<{
  weeksOf: (rows: readonly Facts[], how: object) => Weeks;
  changeOf: (weeks: Weeks) => number | undefined;
}>('pages/home/weeks.ts');
const { loadLanguage } = await load<{ loadLanguage: (language: string) => Promise<void> }>('text/text.ts');

beforeAll(async () => {
  vi.stubGlobal('navigator', { languages: ['en-GB'] });
  vi.stubGlobal('document', { documentElement: {} });
  await loadLanguage('en');
});

/** An entry in a line: its tone, what it is about, and where it leads. */
const line = ({ tone, name, text, link: { to, params } }: Entry): string =>
  [tone, name ?? text, ...(name === undefined ? [] : [text]), to, ...Object.values(params ?? {})].join(' ');
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const value = (amount: number) => ({ value: amount, currency: 'EUR' });

describe('a brand', () => {
  const campaign = (name: string, status: string, spent = 50, expected = 50) => ({
    id: `cmp_${name}`,
    name,
    status,
    budget: eur(100),
    spent: eur(spent),
    expected_spend: eur(expected),
  });
  const wallet = (balance: number, topUps: object[] = []) => ({ balance: eur(balance), pending_top_ups: topUps });
  const nothing = { campaigns: [], rejectedCreatives: [], wallet: wallet(500), weekSpend: 100 };

  test.each<[string, Facts, string[]]>([
    ['nothing', {}, []],
    [
      'a campaign that keeps pace, has no verdict yet or is over',
      { campaigns: [campaign('A', 'live'), campaign('B', 'live', 0, 0), campaign('C', 'finished', 1)] },
      [],
    ],
    [
      'a campaign behind pace',
      { campaigns: [campaign('A', 'live', 20)] },
      ['bad A health.behind /campaigns/$id cmp_A'],
    ],
    [
      'campaigns that are rejected, in review and paused, the rejected one first',
      { campaigns: [campaign('A', 'paused'), campaign('B', 'pending_review'), campaign('C', 'rejected')] },
      [
        'bad C health.rejected /campaigns/$id cmp_C',
        'wait A health.paused /campaigns/$id cmp_A',
        'wait B health.review /campaigns/$id cmp_B',
      ],
    ],
    [
      'a rejected file',
      { rejectedCreatives: [{ id: 'cre_1', name: 'Film' }] },
      ['bad Film home.creativeRejected /creatives'],
    ],
    ['a wallet with less than a week of spend', { wallet: wallet(99) }, ['wait home.walletLow /wallet']],
    ['a wallet with exactly a week of spend', { wallet: wallet(100) }, []],
    ['an empty wallet that was used', { wallet: wallet(0) }, ['bad home.walletEmpty /wallet']],
    ['an empty wallet of a new brand', { wallet: wallet(0), weekSpend: 0 }, []],
    [
      'a top-up that is not paid',
      { wallet: wallet(500, [{ id: 'top_1', amount: eur(5) }]) },
      ['wait home.topUpAwaited /wallet'],
    ],
    ['a wallet that may not be read', { wallet: undefined }, []],
  ])('with %s', (_, facts, expected) => {
    expect(brandAttention({ ...nothing, ...facts }).map(line)).toEqual(expected);
  });

  test('starts with a creative, money and a booking, each ticked by its record', () => {
    const steps = (is: Facts) => brandSteps(is).map(({ text, isDone }) => `${text} ${isDone}`);
    expect(steps({ withCreative: true, funded: false, booked: false })).toEqual([
      'step.creative true',
      'step.topUp false',
      'step.book false',
    ]);
    expect(steps({ withCreative: undefined, funded: undefined, booked: true })).toEqual(['step.book true']);
  });
});

describe('a venue', () => {
  const none = { rows: [], total: 0 };
  const screen = (label: string) => ({ id: `scr_${label}`, label });
  const venue = (status: string | null) => ({ id: 'ven_1', name: 'Bar', figures: { review: status && { status } } });
  const nothing = {
    offline: none,
    unconnected: none,
    venues: [venue(null), venue('approved')],
    lastPayout: { status: 'paid', amount: value(5) },
    balances: [{ available: value(80) }],
    hasAccount: true,
  };

  test.each<[string, Facts, string[]]>([
    ['nothing', {}, []],
    [
      'a dark screen',
      { offline: { rows: [screen('Door')], total: 1 } },
      ['bad Door home.screenOffline /screens/$id scr_Door'],
    ],
    [
      'more dark screens than are shown',
      { offline: { rows: [screen('Door')], total: 3 } },
      ['bad Door home.screenOffline /screens/$id scr_Door', 'bad home.screensOffline /screens'],
    ],
    [
      'a screen that never came',
      { unconnected: { rows: [screen('Bar')], total: 1 } },
      ['wait Bar home.screenIdle /screens/$id scr_Bar'],
    ],
    ['figures that wait', { venues: [venue('pending')] }, ['wait Bar home.venueWaits /venues/$id ven_1']],
    ['figures that were rejected', { venues: [venue('rejected')] }, ['bad Bar home.venueRejected /venues/$id ven_1']],
    [
      'a payout that failed',
      { lastPayout: { status: 'failed', amount: value(5) } },
      ['bad home.payoutFailed /earnings'],
    ],
    ['money and no account', { hasAccount: false }, ['wait home.accountMissing /earnings']],
    ['neither money nor an account', { hasAccount: false, balances: [{ available: value(0) }] }, []],
    ['an account that may not be read', { hasAccount: undefined }, []],
  ])('with %s', (_, facts, expected) => {
    expect(venueAttention({ ...nothing, ...facts }).map(line)).toEqual(expected);
  });

  test('counts the unnamed screens', () => {
    const offline = { rows: [screen('Door')], total: 1_201 };
    expect(venueAttention({ ...nothing, offline })[1]!.values).toEqual({ count: '1,200' });
  });

  test('starts with a venue, its hours, a screen and an account', () => {
    const steps = venueSteps({ withVenue: true, withHours: false, withScreen: false, withAccount: undefined });
    expect(steps.map(({ text, isDone }) => [text, isDone])).toEqual([
      ['step.venue', true],
      ['step.hours', false],
      ['step.screen', false],
    ]);
  });
});

describe('an agency', () => {
  const now = Date.parse('2026-09-11T00:00:00Z'); // ten days of the month have passed
  const client = (name: string, balance: number, spend: number) => {
    return { id: `ws_${name}`, name, wallet: { balance: eur(balance) }, mtd_spend: eur(spend) };
  };

  test('sees clients whose money runs out, the emptiest first, and approvals', () => {
    const clients = [client('Fine', 1_000, 100), client('Soon', 50, 100), client('Empty', 0, 100), client('New', 0, 0)];
    expect(agencyAttention({ clients, approvals: 2 }, now).map(line)).toEqual([
      'bad Empty risk.empty /clients/$id ws_Empty',
      'wait home.approvalsWait /approvals',
      'wait Soon risk.soon /clients/$id ws_Soon',
    ]);
    expect(agencyAttention({ clients: [client('Fine', 1_000, 100)], approvals: 0 }, now)).toEqual([]);
  });

  test('starts with a client, its money and its first campaign', () => {
    const steps = agencySteps({ withClient: true, withMoney: true, spending: false });
    expect(steps.map(({ isDone }) => isDone)).toEqual([true, true, false]);
  });
});

describe('the operator', () => {
  const nothing = {
    status: { alerts: [], screens: { online: 3, offline: 0 } },
    reviews: 0,
    figures: 0,
    signUps: 0,
    findings: 0,
    payouts: 0,
    cases: 0,
    invoices: [{ due_on: '2026-09-11' }],
  };

  test.each<[string, Facts, string[]]>([
    ['nothing, and an invoice that is due today', {}, []],
    [
      'an invoice that was due yesterday',
      { invoices: [{ due_on: '2026-09-10' }] },
      ['bad home.invoicesOverdue /billing'],
    ],
    [
      'an alert and a dark screen',
      { status: { alerts: [{ code: 'plays_behind', count: 7 }], screens: { online: 3, offline: 1 } } },
      ['bad home.alertsWait /operations', 'bad home.networkOffline /network'],
    ],
    [
      'something in each list',
      { reviews: 1, figures: 1, signUps: 1, findings: 1, payouts: 1, cases: 1 },
      [
        'wait home.reviewsWait /reviews',
        'wait home.figuresWait /reviews',
        'wait home.signUpsWait /workspaces',
        'wait home.findingsWait /findings',
        'wait home.payoutsWait /payouts',
        'wait home.casesWait /refunds',
      ],
    ],
  ])('with %s', (_, facts, expected) => {
    expect(operatorAttention({ ...nothing, ...facts }, '2026-09-11').map(line)).toEqual(expected);
  });

  test('starts with a venue, a brand and a screen', () => {
    expect(operatorSteps({ withVenue: false, withBrand: true, withScreen: false }).map(one => one.isDone)).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('the week', () => {
  const rows = [
    { day: '2026-09-04', plays: 10 },
    { day: '2026-09-05', plays: 2 },
    { day: '2026-09-11', plays: 3 },
    { day: '2026-09-12', plays: 4 }, // of a venue where it is tomorrow already
  ];
  const how = {
    firstDay: '2026-09-05',
    dayOf: ({ day }: { day: string }) => day,
    valueOf: (row: { plays: number }) => row.plays,
  };

  test('is the seven days that end today, compared with all earlier days', () => {
    expect(weeksOf(rows, how)).toEqual({ now: 9, before: 10 });
  });

  test.each([
    [{ now: 9, before: 10 }, -0.1],
    [{ now: 30, before: 10 }, 2],
    [{ now: 0, before: 10 }, -1],
    [{ now: 9, before: 0 }, undefined],
  ])('of %o has changed by %d', (weeks, change) => {
    expect(changeOf(weeks)).toBe(change);
  });
});
