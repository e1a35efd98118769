/**
 * A month in virtual time: three brands and an agency with two clients pay for two thousand plays in five venues,
 * through ingest and settlement. Then every euro that was charged is found again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordOutcome, setHoldDays } from '../../cli/admin/money/payouts.ts';
import { settleInvoice, setInvoiceAddress } from '../../cli/admin/money/invoices.ts';
import { changeOperator } from '../../cli/admin/money/operator.ts';
import { createWorkspace as createParty, fundWallet, ownerOf } from '../../cli/operator.ts';
import { formatId, parseId, type Handle, type Kind } from '../../domain/id.ts';
import { encodePlayId, type PlayFacts } from '../../domain/plays/play.ts';
import { startStreams } from '../../ingest/streams.ts';
import type { PlayReport } from '../../ingest/queue/batch.ts';
import { checkLedger } from '#audit/checks/ledger.ts';
import { openRedis, redisReady, type Redis } from '../../sql/redis.ts';
import { handBudgets } from '../../workers/budgets/hand-budgets.ts';
import { issueInvoices } from '../../workers/invoices/issue-invoices.ts';
import { proveInvoices } from '../../workers/invoices/prove-invoices.ts';
import { settleSpend } from '../../workers/settlement/settle-spend.ts';
import { silentLog } from '../ingest/harness.ts';
import {
  campaignBody,
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
} from '../api/support/app-under-test.ts';
import { rowsOf } from '../api/support/answer.ts';
import { runVerifier, saveInvoice, verifySaved, type SavedInvoice } from './support/verify-invoice.ts';
import { brokenRules, readFacts } from '../api/e-invoices/en16931-rules.ts';
import { officialFaults } from '../api/e-invoices/official-rules.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const PLAYS = 2_000;
/** The official rules of some dozen documents, each in Saxon: a minute on a busy machine. */
const RULES_MS_MAX = 180_000;
/** The owner of venues who has agreed to self-billing. */
const BAR = {
  name: 'The bar',
  address: 'Road 2',
  city: 'Munich',
  postalCode: '80331',
  country: 'DE',
  vatId: 'DE987654321',
};
const EPOCH = 1;

type Payer = {
  name: string;
  workspace: number;
  key: string;
  headers: Record<string, string>;
  currency: string;
  budget: number;
  rateMicros: number;
};
type Running = { payer: Payer; campaign: Handle<'campaign'>; creative: Handle<'creative'>; issued: number };
type Place = { venue: Handle<'venue'>; screen: Handle<'screen'>; owner: number };

let api: TestApi;
let ingest: { close(): Promise<void> };
let connections: Redis[];
let monthStart: number;
let payers: Payer[];
let places: Place[];
let campaigns: Running[];
let agencyKey: string;
let agency: Handle<'workspace'>;
const owners: { workspace: number; key: string }[] = [];

const handleOf = <K extends Kind>(kind: K, id: string): Handle<K> => parseId(kind, id)!;
const at = (day: number, hour = 0) => monthStart + (day - 1) * DAY_MS + hour * HOUR_MS;
const moveTo = (ms: number) => {
  api.clock.offsetMs = ms - Date.now();
};
const later = () => new Date(monthStart + 400 * DAY_MS);
const ok = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.raw.toString()}`);
  return answer;
};
const sums = async <T>(query: string): Promise<T> => (await api.sql.unsafe<Record<string, number>[]>(query))[0] as T;
const balances = async (kind: string, currency: string): Promise<number> =>
  (
    await sums<{ micros: number }>(
      `select coalesce(sum(balance_micros), 0)::bigint as micros from ledger_accounts where kind = '${kind}' and currency = '${currency}'`,
    )
  ).micros;

beforeAll(async () => {
  api = await startApi();
  const now = new Date();
  // ahead of the clock of Redis, so that no play is late
  monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1);
  moveTo(at(1, 1));
  connections = [
    openRedis(api.engines.redisUrl, { role: 'commands' }),
    openRedis(api.engines.redisUrl, { role: 'worker' }),
  ];
  await redisReady(connections[0]!);
  ingest = await startStreams({
    commands: connections[0]!,
    blocking: connections[1]!,
    clickhouse: api.clickhouse,
    sql: api.sql,
    keys: api.signingKeys,
    log: silentLog,
    queueName: api.queueName,
  });
  places = await openVenues();
  payers = [...(await openBrands()), ...(await openClients())];
  await placeParties();
  campaigns = [];
  for (const payer of payers) for (const share of [0.6, 0.4]) campaigns.push(await startCampaign(payer, share));
  await playMonth();
}, 120_000);
afterAll(async () => {
  await ingest.close();
  for (const connection of connections) connection.disconnect();
  await api.close();
});

/** Five venues of three owners: one owns three, and pays no heed to sensing modules; one has them. */
async function openVenues(): Promise<Place[]> {
  const made: Place[] = [];
  for (const [index, count] of [3, 1, 1].entries()) {
    const owner = await createWorkspace(api, { kind: 'venue' });
    const key = await createKey(api, owner, { surface: 'screen_manager', expiresAt: later() });
    owners.push({ workspace: owner.handle, key });
    await setHoldDays(api.sql, new Date(api.clock.now()), { workspace: owner.handle, days: '7' });
    if (index === 0)
      await setInvoiceAddress(api.sql, new Date(api.clock.now()), {
        ...BAR,
        workspace: owner.handle,
        selfBilling: true,
      });
    ok(
      await api.call('PUT', '/v1/payouts/account', {
        key,
        body: { holder: 'The bar', iban: 'DE89370400440532013000' },
      }),
    );
    for (let number = 0; number < count; number += 1) {
      const city = ['Berlin', 'Lisbon', 'Tokyo', 'Berlin', 'New York'][made.length]!;
      const timezone = ['Europe/Berlin', 'Europe/Lisbon', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York'][
        made.length
      ]!;
      const venue = handleOf(
        'venue',
        ok(
          await api.call('POST', '/v1/venues', {
            key,
            body: {
              ...VENUE,
              city,
              timezone,
              daily_visitors: 300 * (made.length + 1),
              dwell_minutes: 8 + 10 * made.length,
            },
          }),
        ).body['id']!,
      );
      const [screen] = await api.sql<{ handle: Handle<'screen'> }[]>`
        insert into screens (workspace_handle, venue_handle, label, ad_ratio, sensor_paired, sandbox, created_at)
        values (${owner.handle}, ${venue}, 'Wall', ${0.3 + 0.15 * made.length}, ${index === 1}, false, now()) returning handle`;
      made.push({ venue, screen: screen!.handle, owner: owner.handle });
    }
  }
  return made;
}

async function openBrands(): Promise<Payer[]> {
  const made: Payer[] = [];
  for (const [name, currency, budget, rateMicros] of [
    ['Brand one', 'EUR', 9_000, 31_234],
    ['Brand two', 'EUR', 12_000, 17_001],
    ['Brand three', 'JPY', 900_000, 1_999_999],
  ] as const) {
    const workspace = await createParty(api.sql, new Date(api.clock.now()), {
      kind: 'brand',
      name,
      currency,
      plan: 'standard',
    });
    await fundWallet(api.sql, new Date(api.clock.now()), { workspace, amountMicros: budget * 1_000_000, book: 'live' });
    const key = await createKey(
      api,
      { handle: workspace, user: (await ownerOf(api.sql, workspace))! },
      { expiresAt: later() },
    );
    made.push({ name, workspace, key, headers: {}, currency, budget, rateMicros });
  }
  return made;
}

async function openClients(): Promise<Payer[]> {
  agency = await createParty(api.sql, new Date(api.clock.now()), {
    kind: 'agency',
    name: 'The agency',
    currency: 'EUR',
    plan: 'top',
  });
  await fundWallet(api.sql, new Date(api.clock.now()), {
    workspace: agency,
    amountMicros: 100_000_000_000,
    book: 'live',
  });
  agencyKey = await createKey(
    api,
    { handle: agency, user: (await ownerOf(api.sql, agency))! },
    { surface: 'agency', expiresAt: later() },
  );
  const made: Payer[] = [];
  for (const [name, billingModel, budget, rateMicros] of [
    ['Client direct', 'pass-through', 15_000, 300_003],
    ['Client through', 'agency-billed', 50_000, 1_300_007],
  ] as const) {
    const id = ok(
      await api.call('POST', '/v1/agency/clients', {
        key: agencyKey,
        body: { name, billing_model: billingModel, currency: 'EUR' },
      }),
    ).body['id']!;
    ok(
      await api.call('POST', `/v1/agency/clients/${id}/transfers`, {
        key: agencyKey,
        body: { amount: { amount: budget, currency: 'EUR' }, direction: 'to_client' },
      }),
    );
    ok(
      await api.call('PATCH', `/v1/agency/clients/${id}`, {
        key: agencyKey,
        body: { case_study: billingModel === 'agency-billed' },
      }),
    );
    made.push({
      name,
      workspace: handleOf('workspace', id),
      key: agencyKey,
      headers: { 'x-workspace-id': id },
      currency: 'EUR',
      budget,
      rateMicros,
    });
  }
  return made;
}

/** The seller is in Germany. Payers are at home, in France with a VAT id, in Japan and in Switzerland. */
async function placeParties(): Promise<void> {
  await changeOperator(api.sql, new Date(), {
    name: 'The operator',
    address: 'Street 1',
    city: 'Berlin',
    postalCode: '10115',
    country: 'DE',
    vatId: 'DE123456789',
    iban: 'DE89370400440532013000',
  });
  const places = [
    { city: 'Bonn', postalCode: '53111', country: 'DE' },
    { city: 'Lyon', postalCode: '69001', country: 'FR', vatId: 'FR12345678901' },
    { city: 'Tokyo', postalCode: '100-0001', country: 'JP' },
    { city: 'Zug', postalCode: '6300', country: 'CH', vatId: 'CHE123456789' },
  ];
  const workspaces = [...payers.slice(0, 4).map(payer => payer.workspace), agency];
  for (const [index, workspace] of workspaces.entries())
    await setInvoiceAddress(api.sql, new Date(api.clock.now()), {
      workspace: workspace as Handle<'workspace'>,
      name: `Payer ${index}`,
      address: 'Road 2',
      ...(places[index] ?? places[0]!),
    });
}

async function startCampaign(payer: Payer, share: number): Promise<Running> {
  const day = (number: number) => new Date(at(number)).toISOString().slice(0, 10);
  const creative = ok(
    await api.call('POST', '/v1/creatives', {
      key: payer.key,
      headers: payer.headers,
      body: { name: 'Spot', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' },
    }),
  ).body['id']!;
  const [row] = await api.sql<
    { handle: Handle<'creative'> }[]
  >`update creatives set status = 'ready', sha256 = ${'0'.repeat(64)} where handle = ${handleOf('creative', creative)} returning handle`;
  const body = campaignBody(api, [creative], {
    name: `${payer.name} ${share}`,
    budget: { amount: payer.budget * share, currency: payer.currency },
    schedule: { starts: day(1), ends: day(31) },
  });
  const campaign = handleOf(
    'campaign',
    ok(await api.call('POST', '/v1/campaigns', { key: payer.key, headers: payer.headers, body })).body['id']!,
  );
  await api.review();
  await api.authority.wantHand(campaign, payer.budget * share * 1_000_000);
  await handBudgets(api.workers);
  await api.authority.grant(campaign, EPOCH, 1, payer.budget * share * 1_000_000);
  return { payer, campaign, creative: row!.handle, issued: 0 };
}

/**
 * The plays of every day in one batch, settled the same evening. Deterministic, so that a failure can be looked at
 * again.
 */
async function playMonth(): Promise<void> {
  let number = 0;
  for (let day = 1; day <= 28; day += 1) {
    const reports: PlayReport[] = [];
    const until = Math.round((PLAYS * day) / 28);
    for (; number < until; number += 1) reports.push(playOf(number, day));
    await settle(`day-${day}`, reports, at(day, 23));
    if (day === 14) await withdraw();
  }
}

function playOf(number: number, day: number): PlayReport {
  const running = campaigns[number % campaigns.length]!;
  const place = places[(number * 7 + day) % places.length]!;
  const startsAt = at(day, 0) + ((number * 37) % 1_380) * 60_000;
  const impressions = 20_000 + ((number * 7_919) % 60_000);
  const isMeasured = place.venue === places[3]!.venue;
  const facts: PlayFacts = {
    campaign: running.campaign,
    creative: running.creative,
    screen: place.screen,
    venue: place.venue,
    sandbox: false,
    plan: false,
    sensor: isMeasured,
    startsAt,
    durationMs: 10_000,
    rateMicros: running.payer.rateMicros,
    impressionsEst: impressions,
    impressionsMax: impressions,
    audience: 0,
    epoch: EPOCH,
    issueNumber: (running.issued += 1),
  };
  return {
    playId: encodePlayId(facts, api.signingKeys.current),
    screen: place.screen,
    startedAt: startsAt,
    playedMs: 10_000,
    receivedAt: startsAt + 11_000,
    ...(isMeasured && { audience: Math.floor(impressions / 1_000) }),
  };
}

async function settle(id: string, plays: PlayReport[], ms: number): Promise<void> {
  await api.playQueue.add({ id, plays, scans: [], releases: [] });
  while ((await api.playQueue.completed([id])).done.length === 0)
    await new Promise(resolve => {
      setTimeout(resolve, 5);
    });
  while ((await settleSpend({ ...api.workers, now: () => new Date(ms) })) > 0);
}

/** What the agency's report says of these days, in micro-units. */
async function spentOfAgency(fromMs: number, toMs: number): Promise<number> {
  const [from, to] = [fromMs, toMs].map(ms => new Date(ms).toISOString().slice(0, 10));
  const { body } = ok(await api.call('GET', `/v1/agency/reports?from=${from}&to=${to}`, { key: agencyKey }));
  return Math.round(Number(body['totals']!['platform_cost']!['amount']) * 1e6);
}

const payouts: { id: string; value: number }[] = [];

let heldBack: Answer;

/**
 * In the middle of the month, when the first week's earnings have been released: the chain takes a part twice, of which
 * one fails; the one with sensing modules takes all that is released; the third asks for more than that first.
 */
async function withdraw(): Promise<void> {
  moveTo(at(15));
  heldBack = await api.call('POST', '/v1/payouts', {
    key: owners[2]!.key,
    body: { amount: { value: 1_000, currency: 'JPY' } },
  });
  for (const [owner, body] of [
    [0, { amount: { value: 123.45, currency: 'EUR' } }],
    [0, { amount: { value: 250, currency: 'EUR' } }],
    [1, {}],
    [2, { amount: { value: 900, currency: 'JPY' } }],
  ] as const) {
    const { body: made } = ok(await api.call('POST', '/v1/payouts', { key: owners[owner]!.key, body }));
    payouts.push({ id: made['id']!, value: Number(made['amount']!['value']) });
  }
  await recordOutcome(api.sql, new Date(at(16)), { payout: handleOf('payout', payouts[0]!.id), outcome: 'failed' });
  await recordOutcome(api.sql, new Date(at(16)), { payout: handleOf('payout', payouts[1]!.id), outcome: 'paid' });
}

describe('a month of money', () => {
  test('every play was counted and charged, and nothing breaks the books', async () => {
    const charged = await sums<{ plays: number }>('select sum(plays)::bigint as plays from charges');
    expect(charged.plays).toBe(PLAYS);
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test.each(['EUR', 'JPY'])(
    'every %s charged is platform revenue, and of that what venues earned and agencies were given is known',
    async currency => {
      const rows = await (
        await api.clickhouse.query({
          query:
            'select campaign_handle, sum(cost_micros) as micros from plays_raw where not late group by campaign_handle',
          format: 'JSONEachRow',
        })
      ).json<{ campaign_handle: Handle<'campaign'>; micros: number }>();
      const own = new Set(
        campaigns.filter(running => running.payer.currency === currency).map(running => running.campaign),
      );
      const cost = rows.filter(row => own.has(row.campaign_handle)).reduce((sum, row) => sum + row.micros, 0);
      expect(cost).toBeGreaterThan(0);
      expect(await balances('revenue', currency)).toBe(cost);
      const earned = await sums<{ gross: number; micros: number }>(
        `select sum(gross_micros)::bigint as gross, sum(earned_micros)::bigint as micros from venue_earnings where currency = '${currency}'`,
      );
      expect(earned.gross).toBe(cost);
      expect(await balances('commission', currency)).toBe(0 - earned.micros);
      // What was earned is still there, on its way, at the bank, or a fee.
      const paid = await sums<{ micros: number }>(
        `select coalesce(sum(amount_micros - fee_micros), 0)::bigint as micros from payouts where status = 'paid' and currency = '${currency}'`,
      );
      expect(
        (await balances('earnings', currency)) +
          (await balances('payout', currency)) +
          (await balances('fee', currency)) +
          paid.micros,
      ).toBe(earned.micros);
      // What came from outside and has not left is on wallets, reserved, earned, or the platform's.
      const inside = (
        await Promise.all(
          ['wallet', 'reservation', 'revenue', 'commission', 'earnings', 'payout', 'discount', 'fee'].map(kind =>
            balances(kind, currency),
          ),
        )
      ).reduce((sum, micros) => sum + micros, 0);
      expect(inside).toBe(-(await balances('funding', currency)));
    },
  );

  test('a venue that has a sensing module earned the full share of its ad ratio', async () => {
    const rows = await api.sql<
      { tier: string; share_millionths: number }[]
    >`select distinct tier, share_millionths from venue_earnings where venue_handle = ${places[3]!.venue}`;
    expect(rows).toEqual([{ tier: 'sensing', share_millionths: 375_000 }]);
  });

  test('earnings stand on the day of the play at its venue', async () => {
    const [row] = await api.sql<
      { days: number; first: string }[]
    >`select count(distinct day) as days, to_char(min(day), 'YYYY-MM-DD') as first from venue_earnings where venue_handle = ${places[2]!.venue}`;
    expect(row!.days).toBeGreaterThan(20);
    const last =
      await api.sql`select 1 from venue_earnings where venue_handle = ${places[2]!.venue} and day = ${new Date(at(29)).toISOString().slice(0, 10)}::date`;
    expect(last).toHaveLength(1); // in Tokyo the evening of the 28th is the 29th
  });

  test('the agency report is the ledger, by client, region, daypart and campaign', async () => {
    const ledger = await sums<{ gross: number; discount: number }>(`
      select (select -sum(p.amount_micros) from ledger_postings p join ledger_transactions t on t.handle = p.transaction_handle and t.kind = 'charge'
          join ledger_accounts a on a.handle = p.account_handle and a.kind = 'reservation' join workspaces w on w.handle = a.workspace_handle where w.parent_handle = ${agency})::bigint as gross,
        (select -sum(balance_micros) from ledger_accounts where kind = 'discount')::bigint as discount`);
    expect(ledger.discount).toBeGreaterThan(0);
    moveTo(at(29));
    for (const group of ['client', 'region', 'daypart', 'campaign']) {
      const { body } = ok(await api.call('GET', `/v1/agency/reports?group=${group}`, { key: agencyKey }));
      const micros = (amount: unknown) => Math.round(Number(amount) * 1e6);
      expect(micros(body['totals']!['platform_cost']!['amount'])).toBe(ledger.gross);
      expect(micros(body['totals']!['discount']!['amount'])).toBe(ledger.discount);
      expect(micros(body['totals']!['net_cost']!['amount'])).toBe(ledger.gross - ledger.discount);
      const rows = rowsOf<{ spend: number; discount: number; net_cost: number; plays: number }>(body[`by_${group}`]);
      expect(rows.length).toBe({ client: 2, region: 4, daypart: 5, campaign: 4 }[group]);
      expect(rows.reduce((sum, row) => sum + micros(row.spend), 0)).toBe(ledger.gross);
      expect(rows.reduce((sum, row) => sum + micros(row.discount), 0)).toBe(ledger.discount);
      expect(rows.reduce((sum, row) => sum + row.plays, 0)).toBe(PLAYS * 0.4);
    }
  });

  test('the discount of the client that spends more stands in a higher tier', async () => {
    const clients = dataOf(ok(await api.call('GET', '/v1/agency/clients', { key: agencyKey })));
    expect(clients.map(client => client['name'])).toEqual(['Client through', 'Client direct']);
    const [through, direct] = clients.map(client => ({
      spend: Number(client['mtd_spend']!['amount']),
      tier: Number(client['discount_tier']),
    }));
    expect(direct!.spend).toBeGreaterThan(5_000);
    expect(through!.spend).toBeGreaterThan(20_000);
    expect(direct!.tier).toBeGreaterThanOrEqual(0.05);
    expect(through!.tier).toBeGreaterThanOrEqual(0.12); // with the case study
  });

  test('in the middle of the month only the first week could be withdrawn', async () => {
    expect(heldBack).toMatchObject({
      status: 409,
      body: {
        code: 'earnings_held',
        detail: expect.stringMatching(/can be withdrawn now; .* is held, the next part until /),
      },
    });
    const [all] = await api.sql<{ last: string; taken: number; first: number }[]>`
      select to_char(max(e.settled_on), 'YYYY-MM-DD') as last, sum(l.earned_micros)::bigint as taken,
        (select sum(earned_micros) from venue_earnings where venue_handle = ${places[3]!.venue} and currency = 'EUR' and settled_on < ${new Date(at(8)).toISOString().slice(0, 10)}::date)::bigint as first
      from payout_lines l join venue_earnings e on e.handle = l.earning_handle where l.payout_handle = ${handleOf('payout', payouts[2]!.id)}`;
    expect(all!.last).toBe(new Date(at(7)).toISOString().slice(0, 10));
    expect(all!.first - all!.taken).toBeLessThan(10_000); // all of the week but for less than a cent
  });

  test('payouts add up to what the venues earned, and a failed one gave its money back', async () => {
    expect(payouts.map(payout => payout.value)).toEqual([123.45, 250, expect.any(Number), 900]);
    const details = await Promise.all(
      payouts.map(
        async ({ id }, index) =>
          ok(await api.call('GET', `/v1/payouts/${id}`, { key: owners[[0, 0, 1, 2][index]!]!.key })).body,
      ),
    );
    expect(details.map(detail => detail['status'])).toEqual(['failed', 'paid', 'issued', 'issued']);
    for (const detail of details) {
      const lines = rowsOf<{ earnings: { value: number }; ad_revenue: { value: number } }>(detail['line_items']);
      const net = detail['gross_to_net']!;
      const total = (values: number[]) => Math.round(values.reduce((sum, value) => sum + value, 0) * 1e6);
      expect(total(lines.map(line => line.earnings.value))).toBe(total([Number(detail['amount']!['value'])]));
      expect(total(lines.map(line => line.ad_revenue.value))).toBe(total([Number(net['ad_revenue']!['value'])]));
      expect(
        total([
          Number(net['platform_share']!['value']),
          Number(net['sending_fee']!['value']),
          Number(net['paid_out']!['value']),
        ]),
      ).toBe(total([Number(net['ad_revenue']!['value'])]));
    }
    expect(details.map(detail => Number(detail['gross_to_net']!['sending_fee']!['value']))).toEqual([
      1.5,
      0,
      expect.any(Number),
      0,
    ]);
  });

  test('invoices of the month are numbered without gaps and add up to the charges less the discounts', async () => {
    const after = new Date(at(32) + 5 * HOUR_MS);
    moveTo(after.getTime());
    expect(await issueInvoices({ ...api.workers, now: () => after })).toBe(5);
    expect(await issueInvoices({ ...api.workers, now: () => after })).toBe(0);
    const invoices = await api.sql<
      {
        sequence: number;
        workspace_handle: number;
        currency: string;
        is_consolidated: boolean;
        gross: number;
        discount: number;
        total: number;
      }[]
    >`
      select sequence, workspace_handle, currency, is_consolidated, gross_micros as gross, discount_micros as discount, total_micros as total from invoices order by sequence`;
    expect(invoices.map(invoice => invoice.sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(invoices.filter(invoice => invoice.is_consolidated).map(invoice => invoice.workspace_handle)).toEqual([
      agency,
    ]);
    for (const currency of ['EUR', 'JPY']) {
      const own = invoices.filter(invoice => invoice.currency === currency);
      expect(own.reduce((sum, invoice) => sum + invoice.gross, 0)).toBe(await balances('revenue', currency));
      expect(own.reduce((sum, invoice) => sum + invoice.discount, 0)).toBe(0 - (await balances('discount', currency)));
      for (const invoice of own)
        expect(Math.abs(invoice.total - (invoice.gross - invoice.discount))).toBeLessThanOrEqual(
          currency === 'EUR' ? 10_000 : 1_000_000,
        );
    }
    expect(await checkLedger(api.sql)).toEqual([]);
  });

  test('an invoice is read by whom it is for, and its PDF by its address for 24 hours', async () => {
    const [invoice] = dataOf(ok(await api.call('GET', '/v1/invoices', { key: agencyKey })));
    expect(invoice).toMatchObject({ consolidated: true, status: 'issued' });
    const detail = ok(await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key: agencyKey }));
    expect(rowsOf(detail.body['lines']).length).toBe(2);
    const { pathname, search } = new URL(invoice!['pdf_url']!);
    const pdf = await api.call('GET', pathname + search);
    expect([pdf.status, pdf.headers['content-type'], pdf.raw.subarray(0, 5).toString()]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    const client = payers.find(payer => payer.name === 'Client direct')!;
    expect(dataOf(await api.call('GET', '/v1/invoices', { key: agencyKey, headers: client.headers }))).toMatchObject([
      { consolidated: false },
    ]);
    await settleInvoice(api.sql, new Date(api.clock.now()), handleOf('invoice', invoice!['id']!));
    expect((await api.call('GET', `/v1/invoices/${invoice!['id']}`, { key: agencyKey })).body).toMatchObject({
      status: 'paid',
    });
  });

  test('every invoice is proved by its plays, offline, and a changed, missing or doubled play is named', async () => {
    const keys = new Map(payers.map(({ workspace, key, headers }) => [workspace, { key, headers }]));
    keys.set(agency, { key: agencyKey, headers: {} });
    const rows = await api.sql<{ handle: Handle<'invoice'>; workspace: number }[]>`
      select handle, workspace_handle as workspace from invoices order by handle`;
    const pending = await api.call(
      'GET',
      `/v1/invoices/${formatId('invoice', rows[0]!.handle)}`,
      keys.get(rows[0]!.workspace)!,
    );
    expect(pending.body['proof']).toBeNull();
    while ((await proveInvoices(api.workers, { sealer: api.sealer })) > 0);
    let plays = 0;
    let saved: SavedInvoice;
    for (const { handle, workspace } of rows) {
      saved = await saveInvoice(api, formatId('invoice', handle), keys.get(workspace)!);
      const verdict = await verifySaved(saved);
      expect(verdict).toMatchObject({ code: 0, said: expect.stringContaining('ok     signed by key') });
      plays += saved.lines.length;
    }
    expect(plays).toBe(PLAYS);
    const { lines } = saved!;
    const id = (line: number) => (JSON.parse(lines[line]!) as { play_id: string }).play_id;
    const cheaper = lines[3]!.replace(/"micros":\d+/, '"micros":1');
    const said = async (changed: readonly string[]) => verifySaved(saved, { lines: changed });
    expect(await said(lines.with(3, cheaper))).toMatchObject({
      code: 1,
      said: expect.stringContaining(`line 4: play ${id(3)} was changed`),
    });
    expect(await said(lines.toSpliced(5, 1))).toMatchObject({
      code: 1,
      said: expect.stringContaining('play 5 is missing'),
    });
    expect(await said(lines.toSpliced(5, 0, lines[4]!))).toMatchObject({
      code: 1,
      said: expect.stringContaining(`line 6: play ${id(4)} is doubled`),
    });
  });

  test('one play is proved by its path alone, with the id that its venue reads beside the earnings', async () => {
    const [row] = await api.sql<{ handle: Handle<'invoice'> }[]>`
      select handle from invoices where workspace_handle = ${payers[0]!.workspace}`;
    const saved = await saveInvoice(api, formatId('invoice', row!.handle), payers[0]!);
    const ids = new Set(saved.lines.map(line => (JSON.parse(line) as { play_id: string }).play_id));
    const day = new Date(at(1)).toISOString().slice(0, 10);
    const earned = ok(
      await api.call('GET', `/v1/payouts/earnings/plays?from=${day}&to=${day}&limit=100`, { key: owners[0]!.key }),
    );
    const play = rowsOf<{ play_id: string }>(earned.body['data'])
      .map(({ play_id: id }) => id)
      .find(id => ids.has(id))!;
    const path = join(saved.folder, 'path.json');
    expect(await verifySaved(saved, { more: ['--play', play, '--save-path', path] })).toMatchObject({
      code: 0,
      said: expect.stringContaining(`play ${play} is in it`),
    });
    const { invoice, keys } = saved;
    expect(await runVerifier(['--invoice', invoice, '--keys', keys, '--path', path])).toMatchObject({
      code: 0,
      said: expect.stringContaining(`play ${play} is in it`),
    });
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"screen_id": "[^"]+"/, '"screen_id": "scr_0000000000000"'));
    expect(await runVerifier(['--invoice', invoice, '--keys', keys, '--path', path])).toMatchObject({
      code: 1,
      said: expect.stringContaining(`play ${play} does not lead to the root`),
    });
  });

  test(
    'every invoice holds the VAT of its countries, and breaks no official rule of EN 16931 as UBL or CII',
    async () => {
      const keys = new Map(payers.map(({ workspace, key, headers }) => [workspace, { key, headers }]));
      keys.set(agency, { key: agencyKey, headers: {} });
      const rows = await api.sql<{ handle: Handle<'invoice'>; workspace_handle: number; total: number }[]>`
      select handle, workspace_handle, total_micros as total from invoices order by handle`;
      const seen: Record<number, string> = {};
      for (const { handle, workspace_handle: workspace, total } of rows) {
        const path = `/v1/invoices/${formatId('invoice', handle)}`;
        const [ubl, cii] = await Promise.all(
          ['ubl', 'cii'].map(async format =>
            ok(await api.call('GET', `${path}?format=${format}`, keys.get(workspace)!)).raw.toString(),
          ),
        );
        expect(brokenRules(ubl!)).toEqual([]);
        expect(brokenRules(cii!)).toEqual([]);
        expect([ubl, cii].flatMap(xml => officialFaults(xml!))).toEqual([]);
        const { net, groups } = readFacts(ubl!);
        expect(Math.round(Number(net) * 1e6)).toBe(total);
        expect(readFacts(cii!).groups).toEqual(groups);
        seen[workspace] = `${groups[0]!.category} ${groups[0]!.rate ?? '-'}`;
      }
      expect([...payers.slice(0, 4).map(payer => payer.workspace), agency].map(workspace => seen[workspace])).toEqual([
        'S 19',
        'AE 0',
        'O -',
        'O -',
        'S 19',
      ]);
    },
    RULES_MS_MAX,
  );

  test('the payout that the bank has paid is a self-billed invoice that breaks no official rule of EN 16931', async () => {
    const [failed, paid] = payouts;
    const { key } = owners[0]!;
    expect((await api.call('GET', `/v1/payouts/${failed!.id}?format=ubl`, { key })).status).toBe(409);
    const documents = await Promise.all(
      ['ubl', 'cii'].map(async format =>
        ok(await api.call('GET', `/v1/payouts/${paid!.id}?format=${format}`, { key })).raw.toString(),
      ),
    );
    for (const xml of documents) {
      expect([...brokenRules(xml), ...officialFaults(xml)]).toEqual([]);
      const { net, groups, seller } = readFacts(xml);
      expect(Number(net)).toBe(paid!.value);
      expect(groups.map(({ category, rate }) => `${category} ${Number(rate)}`)).toEqual(['S 19']);
      expect(seller.vatId).toBe(BAR.vatId);
    }
  });

  test('what is settled after the month was invoiced falls into the next', async () => {
    const late = [playOf(0, 28), playOf(6, 28)]; // of a brand, and of a client of the agency
    await settle('late', late, at(28, 23));
    const months = await api.sql<{ month: string; open: boolean }[]>`
      select to_char(month, 'YYYY-MM-DD') as month, closed_at is null as open from workspace_months where workspace_handle = ${campaigns[0]!.payer.workspace} order by month`;
    expect(months).toEqual([
      { month: new Date(monthStart).toISOString().slice(0, 10), open: false },
      { month: expect.any(String), open: true },
    ]);
    expect(await checkLedger(api.sql)).toEqual([]);
    const invoiced = await sums<{ gross: number }>(`
      select sum(l.gross_micros)::bigint as gross from invoice_lines l
      join workspaces w on w.handle = l.workspace_handle where w.parent_handle = ${agency}`);
    const nextMonth = Date.UTC(new Date(monthStart).getUTCFullYear(), new Date(monthStart).getUTCMonth() + 1, 1);
    expect(await spentOfAgency(monthStart, nextMonth - 1)).toBe(invoiced.gross);
    expect(await spentOfAgency(nextMonth, nextMonth + 2 * DAY_MS)).toBeGreaterThan(0);
  });

  test('the proof of the next invoice has exactly what was settled late, and the one before stays as it was', async () => {
    const after = new Date(at(63) + 5 * HOUR_MS);
    moveTo(after.getTime());
    expect(await issueInvoices({ ...api.workers, now: () => after })).toBe(2);
    while ((await proveInvoices(api.workers, { sealer: api.sealer })) > 0);
    const payer = campaigns[0]!.payer;
    const documents = dataOf(ok(await api.call('GET', '/v1/invoices?sort=issued_at', payer)));
    const saved = await Promise.all(documents.map(({ id }) => saveInvoice(api, String(id), payer)));
    for (const each of saved) expect(await verifySaved(each)).toMatchObject({ code: 0 });
    const [before, next] = saved.map(({ lines }) =>
      lines.map(line => (JSON.parse(line) as { play_id: string }).play_id),
    );
    expect(next).toHaveLength(1);
    expect(before).not.toContain(next![0]);
  });

  test.each([
    [
      'an account whose balance was changed',
      `update ledger_accounts set balance_micros = balance_micros + 1 where kind = 'revenue' and currency = 'EUR'`,
      'an account is the sum of its postings',
    ],
    [
      'a charge that is missing',
      `delete from charges where amount_micros = (select max(amount_micros) from charges)`,
      "a campaign's charges are those of its groups, of its months and of the ledger",
    ],
    [
      'earnings that were raised',
      `update venue_earnings set gross_micros = gross_micros + 3, earned_micros = earned_micros + 1 where handle = (select min(handle) from venue_earnings)`,
      'earnings that were not withdrawn are the balance of their account',
    ],
    [
      'a payout of another amount',
      `update payouts set amount_micros = amount_micros + 1 where status = 'issued'`,
      'a payout is the sum of its lines',
    ],
    [
      'a report line that was changed',
      `update spend_lines set discount_micros = discount_micros - 1 where (campaign_handle, day, daypart, venue_handle) = (select campaign_handle, day, daypart, venue_handle from spend_lines where discount_micros > 0 limit 1)`,
      "an agency's report lines are the months of its campaigns",
    ],
    ['a number that was skipped', `update invoice_series set last = last + 1`, 'invoices are numbered without gaps'],
  ])('%s is found', async (_name, damage, rule) => {
    const found = await api.sql
      .begin(async tx => {
        await tx.unsafe(damage);
        const breaches = await checkLedger(tx);
        throw new Undone(breaches.map(breach => breach.rule));
      })
      .catch((error: unknown) => (error instanceof Undone ? error.rules : Promise.reject(error)));
    expect(found).toContain(rule);
    expect(await checkLedger(api.sql)).toEqual([]);
  });
});

class Undone extends Error {
  readonly rules: string[];
  constructor(rules: string[]) {
    super('undone');
    this.rules = rules;
  }
}
