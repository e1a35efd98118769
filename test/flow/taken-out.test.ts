/**
 * A brand and an agency's client pay for plays at two venues, through ingest and settlement; the report of the day is
 * final. Then the operator upholds a finding about one screen: its plays are taken out, beside what was published.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide, showFinding } from '../../cli/admin/supply/findings.ts';
import { recordOutcome } from '../../cli/admin/money/payouts.ts';
import { createWorkspace as createParty, fundWallet, ownerOf } from '../../cli/operator.ts';
import { formatId, parseId, type Handle } from '../../domain/id.ts';
import { costMicros } from '../../domain/money/money.ts';
import { encodePlayId, type PlayFacts } from '../../domain/plays/play.ts';
import { startStreams } from '../../ingest/streams.ts';
import { streamsOf } from '../../ingest/queue/stream-keys.ts';
import type { PlayReport } from '../../ingest/queue/batch.ts';
import { checkLedger } from '#audit/checks/ledger.ts';
import type { Postgres } from '../../sql/postgres.ts';
import { openRedis, redisReady, type Redis } from '../../sql/redis.ts';
import { raiseFinding } from '#sql/findings/findings.ts';
import { verify } from '#audit/verify.ts';
import { handBudgets } from '../../workers/budgets/hand-budgets.ts';
import { issueInvoices } from '../../workers/invoices/issue-invoices.ts';
import { proveInvoices } from '../../workers/invoices/prove-invoices.ts';
import { settleSpend } from '../../workers/settlement/settle-spend.ts';
import { takeOutPlays } from '../../workers/taken-out/take-out-plays.ts';
import {
  campaignBody,
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  VENUE,
  type Answer,
  type Loose,
  type TestApi,
} from '../api/support/app-under-test.ts';
import { rowsOf } from '../api/support/answer.ts';
import { giveAccount } from '../api/support/earnings.ts';
import { saveInvoice, verifySaved, type SavedInvoice } from './support/verify-invoice.ts';
import { silentLog } from '../ingest/harness.ts';

const HOUR_MS = 3_600_000;
/** A slot of a day that is over, though its plays are still charged for a day; and one whose plays are late. */
const SLOT_AT = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 26 * HOUR_MS;
const LATE_SLOT_AT = SLOT_AT - 48 * HOUR_MS;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const [DAY, LATE_DAY] = [dayOf(SLOT_AT), dayOf(LATE_SLOT_AT)];
const EPOCH = 1;
const RATE_MICROS = 300_003;
const IMPRESSIONS = 2_337;
const PRICE = costMicros(RATE_MICROS, IMPRESSIONS);
const BUDGET = 20_000;

type Payer = {
  workspace: number;
  key: string;
  headers: Record<string, string>;
  id: string;
  campaign: Handle<'campaign'>;
  creative: Handle<'creative'>;
};
type Bar = { owner: Handle<'workspace'>; key: string; venue: Handle<'venue'>; screens: Handle<'screen'>[] };

let api: TestApi;
let ingest: { close(): Promise<void> };
let connections: Redis[];
let brand: Payer;
let client: Payer;
let rogue: Bar;
let honest: Bar;
let issued = 0;
let batches = 0;

beforeAll(async () => {
  api = await startApi();
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
  [rogue, honest] = [await openBar(2), await openBar(1)];
  brand = await startCampaign(await openBrand());
  client = await startCampaign(await openClient());
}, 120_000);
afterAll(async () => {
  await ingest.close();
  for (const connection of connections) connection.disconnect();
  await api.close();
});

const ok = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.raw.toString()}`);
  return answer;
};

async function openBar(count: number): Promise<Bar> {
  const owner = await createWorkspace(api, { kind: 'venue' });
  const key = await createKey(api, owner, { surface: 'screen_manager' });
  const venue = parseId(
    'venue',
    ok(await api.call('POST', '/v1/venues', { key, body: { ...VENUE, timezone: 'UTC' } })).body['id']!,
  )!;
  const rows = await api.sql<{ handle: Handle<'screen'> }[]>`
    insert into screens (workspace_handle, venue_handle, label, ad_ratio, sandbox, created_at) select ${owner.handle}, ${venue}, 'Wall', 0.9, false, now() from generate_series(1, ${count}) returning handle`;
  return { owner: owner.handle, key, venue, screens: rows.map(row => row.handle) };
}

async function openBrand(): Promise<Omit<Payer, 'id' | 'campaign' | 'creative'>> {
  const workspace = await createWorkspace(api, { funds: BUDGET });
  return { workspace: workspace.handle, key: await createKey(api, workspace), headers: {} };
}

/** Its agency's plan gives it a discount on each charge. */
async function openClient(): Promise<Omit<Payer, 'id' | 'campaign' | 'creative'>> {
  const now = new Date();
  const agency = await createParty(api.sql, now, { kind: 'agency', name: 'The agency', currency: 'EUR', plan: 'top' });
  await fundWallet(api.sql, now, { workspace: agency, amountMicros: BUDGET * 1_000_000, book: 'live' });
  const key = await createKey(api, { handle: agency, user: (await ownerOf(api.sql, agency))! }, { surface: 'agency' });
  const id = ok(
    await api.call('POST', '/v1/agency/clients', {
      key,
      body: { name: 'Client', billing_model: 'pass-through', currency: 'EUR' },
    }),
  ).body['id']!;
  ok(
    await api.call('POST', `/v1/agency/clients/${id}/transfers`, {
      key,
      body: { amount: { amount: BUDGET, currency: 'EUR' }, direction: 'to_client' },
    }),
  );
  ok(await api.call('PATCH', `/v1/agency/clients/${id}`, { key, body: { case_study: true } }));
  return { workspace: parseId('workspace', id)!, key, headers: { 'x-workspace-id': id } };
}

/** All of its budget but what is granted for the plays of a test is free, so that nothing is open at the end. */
async function startCampaign(payer: Omit<Payer, 'id' | 'campaign' | 'creative'>): Promise<Payer> {
  const body = { name: 'Spot', orientation: 'landscape', duration_ms: 10_000, filename: 'spot.mp4' };
  const creative = ok(await api.call('POST', '/v1/creatives', { ...payer, body })).body['id']!;
  await api.sql`update creatives set status = 'ready', sha256 = ${'0'.repeat(64)} where handle = ${parseId('creative', creative)!}`;
  const id: string = ok(
    await api.call('POST', '/v1/campaigns', {
      ...payer,
      body: campaignBody(api, [creative], { budget: { amount: BUDGET, currency: 'EUR' } }),
    }),
  ).body['id']!;
  const campaign = parseId('campaign', id)!;
  await api.review();
  await api.authority.wantHand(campaign, BUDGET * 1_000_000);
  await handBudgets(api.workers);
  return { ...payer, id, campaign, creative: parseId('creative', creative)! };
}

let grants = 0;

function playOf(
  payer: Payer,
  { bar, screen = 0, startsAt = SLOT_AT }: { bar: Bar; screen?: number; startsAt?: number },
  { facts: changes = {}, ...report }: Partial<PlayReport> & { facts?: Partial<PlayFacts> } = {},
): PlayReport {
  const facts: PlayFacts = {
    campaign: payer.campaign,
    creative: payer.creative,
    screen: bar.screens[screen]!,
    venue: bar.venue,
    sandbox: false,
    plan: false,
    sensor: false,
    startsAt: startsAt + issued * 20_000,
    durationMs: 10_000,
    rateMicros: RATE_MICROS,
    impressionsEst: IMPRESSIONS,
    impressionsMax: IMPRESSIONS,
    audience: 0,
    epoch: EPOCH,
    issueNumber: (issued += 1),
    ...changes,
  };
  return {
    playId: encodePlayId(facts, api.signingKeys.current),
    screen: facts.screen,
    startedAt: facts.startsAt,
    playedMs: 10_000,
    receivedAt: facts.startsAt + 11_000,
    ...report,
  };
}

async function count(payer: Payer, plays: PlayReport[], { charged = plays.length } = {}): Promise<void> {
  const id = `batch-${(batches += 1)}`;
  await api.authority.grant(payer.campaign, EPOCH, (grants += 1), charged * PRICE);
  await api.playQueue.add({ id, plays, scans: [], releases: [] });
  while ((await api.playQueue.completed([id])).done.length === 0)
    await new Promise(resolve => {
      setTimeout(resolve, 5);
    });
}

async function settle(): Promise<void> {
  while ((await settleSpend(api.workers)) > 0);
}

const times = <T>(number: number, make: () => T): T[] => Array.from({ length: number }, make);

async function report(
  { id, key, headers }: Payer,
  query = `?from=${LATE_DAY}&to=${DAY}`,
): Promise<Record<string, Loose>> {
  return ok(await api.call('GET', `/v1/reporting/campaigns/${id}${query}`, { key, headers })).body;
}

const walletOf = async ({ key, headers }: Payer) =>
  Number(ok(await api.call('GET', '/v1/wallet', { key, headers })).body['balance']!['amount']);
const earnedBy = async ({ venue }: Bar) =>
  (
    await api.sql<{ plays: number; gross: number; earned: number }[]>`
  select coalesce(sum(plays), 0)::bigint as plays, coalesce(sum(gross_micros), 0)::bigint as gross, coalesce(sum(earned_micros), 0)::bigint as earned from venue_earnings where venue_handle = ${venue}`
  )[0]!;
const heldOf = async ({ key }: Bar) =>
  rowsOf<Record<'available' | 'held' | 'under_review' | 'in_transit', { value: number }>>(
    ok(await api.call('GET', '/v1/payouts/balance', { key })).body['balances'],
  )[0]!;
const units = (micros: number) => micros / 1_000_000;

const verifyAll = () =>
  verify({
    sql: api.sql,
    clickhouse: api.clickhouse,
    redis: api.redis,
    streams: streamsOf(api.queueName, api.redis),
    asOf: () => api.playQueue.asOf(),
    handleOf: id => parseId('campaign', id),
  });

/** The books, and what ClickHouse, Redis and Postgres say of each other. */
async function expectWhole(): Promise<void> {
  expect(await checkLedger(api.sql)).toEqual([]);
  expect(await verifyAll()).toEqual({ ok: true, breaches: [], unchecked: [] });
}

/** Postgres as a process has it that is cut off before, or after, the commit of a transaction. */
function cutOff(when: 'before' | 'after'): Postgres {
  return new Proxy(api.sql, {
    get: (target, name) =>
      name !== 'begin'
        ? (Reflect.get(target, name) as unknown)
        : async (work: (tx: unknown) => Promise<unknown>) => {
            await target.begin(async tx => {
              await work(tx);
              if (when === 'before') throw new Error('cut off');
            });
            throw new Error('cut off');
          },
  });
}

const FINDING = {
  rule: 'audience',
  ruleVersion: 1,
  fromAt: new Date(SLOT_AT - HOUR_MS),
  toAt: new Date(SLOT_AT + 2 * HOUR_MS),
  evidence: { plays: 9 },
};
let finding: Handle<'finding'>;
let published: Record<string, Loose>;

describe('plays that count', () => {
  test('keep the rule by which they are not charged or their audience was changed', async () => {
    const at = { bar: honest };
    const sensor = { sensor: true };
    await count(brand, [
      playOf(brand, at),
      playOf(brand, at, { facts: sensor, audience: 1_000 }),
      playOf(brand, at, { unattested: true }),
      playOf(brand, at, { facts: sensor, audience: 1 }),
    ]);
    await count(brand, [playOf(brand, { ...at, startsAt: LATE_SLOT_AT })], { charged: 0 });
    await settle();
    const rows = await (
      await api.clickhouse.query({
        query:
          'select decided_by, audience, late, impressions_thousandths as impressions from plays_raw order by issue_number',
        format: 'JSONEachRow',
      })
    ).json();
    expect(rows).toEqual([
      { decided_by: '', audience: null, late: false, impressions: IMPRESSIONS },
      { decided_by: 'audience_bound@1', audience: 1_000, late: false, impressions: IMPRESSIONS },
      { decided_by: 'unattested@1', audience: null, late: false, impressions: IMPRESSIONS },
      { decided_by: '', audience: 1, late: false, impressions: 1_000 },
      { decided_by: 'late@1', audience: null, late: true, impressions: IMPRESSIONS },
    ]);
    expect(await report(brand)).toMatchObject({
      totals: { plays: 4 },
      late_plays: 1,
      invalid_plays: [{ reason: 'late', plays: 1 }],
      adjustments: [],
      net: { plays: 4 },
    });
    expect((await report(brand, `?from=${DAY}&to=${DAY}`))['invalid_plays']).toEqual([]);
  });
});

describe('plays of a finding', () => {
  test('are in the final report until it is upheld, and their earnings are held', async () => {
    await count(brand, [
      ...times(6, () => playOf(brand, { bar: rogue })),
      ...times(3, () => playOf(brand, { bar: rogue, screen: 1 })),
      ...times(5, () => playOf(brand, { bar: honest })),
    ]);
    await count(
      client,
      times(4, () => playOf(client, { bar: rogue })),
    );
    await settle();
    finding = (await api.sql.begin(tx =>
      raiseFinding(
        tx,
        { ...FINDING, workspace: rogue.owner, venue: rogue.venue, screen: rogue.screens[0]! },
        new Date(),
      ),
    ))!.handle;
    published = await report(brand);
    expect(published).toMatchObject({ is_final: true, totals: { plays: 18 }, net: { plays: 18 }, adjustments: [] });
    expect((await heldOf(rogue)).under_review.value).toBeGreaterThan(0);
    expect(await takeOutPlays(api.workers)).toBe(0);
  });

  test('are taken out once when it is upheld, though the command is repeated and the worker is cut off twice', async () => {
    const [before, earned, kept] = [
      { brand: await walletOf(brand), client: await walletOf(client) },
      await earnedBy(rogue),
      await earnedBy(honest),
    ];
    await decide(api.sql, new Date(), { finding, decision: 'uphold', note: 'no such bar' });
    await expect(decide(api.sql, new Date(), { finding, decision: 'uphold', note: 'no such bar' })).rejects.toThrow(
      'upheld already',
    );
    for (const when of ['before', 'after'] as const)
      await expect(takeOutPlays({ ...api.workers, sql: cutOff(when) })).rejects.toThrow('cut off');
    expect(await takeOutPlays(api.workers)).toBe(0);

    const [discount] = await api.sql<
      { micros: number }[]
    >`select sum(discount_micros)::bigint as micros from campaign_months where campaign_handle = ${client.campaign}`;
    expect(discount!.micros).toBeGreaterThan(0);
    expect(await walletOf(brand)).toBeCloseTo(before.brand + units(6 * PRICE), 6);
    // all that it paid
    expect(await walletOf(client)).toBeCloseTo(before.client + units(4 * PRICE - discount!.micros), 6);
    const left = await earnedBy(rogue);
    expect(left).toMatchObject({ plays: 3, gross: 3 * PRICE });
    const [commission] = await api.sql<
      { share: number }[]
    >`select share_millionths as share from venue_earnings where venue_handle = ${rogue.venue}`;
    expect(left.earned).toBe(earned.earned - Math.ceil((10 * PRICE * commission!.share) / 1_000_000));
    expect(await earnedBy(honest)).toEqual(kept);
    await expectWhole();
  });

  test('stay in what was called final, and stand beside it with their date, for the range, the filters and the results', async () => {
    const after = await report(brand);
    const spend = { amount: units(6 * PRICE), currency: 'EUR' };
    const impressions = Math.round((6 * IMPRESSIONS) / 1_000);
    expect(after).toMatchObject({
      is_final: true,
      totals: published['totals'],
      series: published['series'],
      late_plays: 1,
      invalid_plays: [
        { reason: 'late', plays: 1 },
        { reason: 'invalid_traffic', plays: 6 },
      ],
      adjustments: [{ at: expect.stringMatching(/Z$/), concerns: 'audience', plays: 6, impressions, spend }],
      net: { plays: 12 },
    });
    expect(Number(after['net']!['spend']!['amount'])).toBeCloseTo(
      Number(after['totals']!['spend']!['amount']) - spend.amount,
      6,
    );
    expect(JSON.stringify(after)).not.toMatch(/audience@1|fnd_/);
    for (const [query, plays] of [
      [`&venue=${formatId('venue', honest.venue)}`, 0],
      [`&venue=${formatId('venue', rogue.venue)}`, 6],
      ['&daypart=00:00-23:45', 6],
      ['&city=Paris', 0],
    ] as const) {
      const answer = await report(brand, `?from=${LATE_DAY}&to=${DAY}${query}`);
      const adjusted = rowsOf<{ plays: number }>(answer['adjustments']);
      expect(adjusted.reduce((sum, row) => sum + row.plays, 0)).toBe(plays);
    }
    const { body: results } = ok(
      await api.call('GET', `/v1/campaigns/${brand.id}/results?from=${LATE_DAY}&to=${DAY}`, brand),
    );
    expect(results).toMatchObject({ invalid_plays: after['invalid_plays'], adjustments: after['adjustments'] });
    expect(await report(client)).toMatchObject({
      totals: { plays: 4 },
      net: { plays: 0, impressions: 0, spend: { amount: 0 } },
    });
  });

  test('are told to the brand, the venue and the operator, each as far as it concerns them', async () => {
    const [entry] = dataOf(ok(await api.call('GET', '/v1/audit?action=campaign.credited', brand)));
    expect(entry).toMatchObject({
      entity: { id: brand.id },
      diff: { plays_taken_out: { from: 0, to: 6 }, credited: { to: { amount: units(6 * PRICE) } } },
    });
    const [hold] = dataOf(ok(await api.call('GET', '/v1/payouts/holds', rogue)));
    expect(hold).toMatchObject({
      status: 'upheld',
      held: [],
      reversed: [{ value: expect.any(Number), currency: 'EUR' }],
    });
    expect(await heldOf(rogue)).toMatchObject({ under_review: { value: 0 } });
    expect(dataOf(ok(await api.call('GET', '/v1/audit?action=finding.earnings_reversed', rogue)))).toHaveLength(1);
    const [reversed] = rowsOf<{ value: number }>(hold!['reversed']);
    expect(await showFinding(api.sql, finding)).toMatchObject({
      holding: false,
      taken_out: [{ currency: 'EUR', plays: 10, charged: units(10 * PRICE), earnings_reversed: reversed!.value }],
    });
    const taken = await (
      await api.clickhouse.query({
        query: `select decided_by, finding_id, count() as plays from plays_taken_out final group by all`,
        format: 'JSONEachRow',
      })
    ).json();
    expect(taken).toEqual([{ decided_by: 'audience@1', finding_id: formatId('finding', finding), plays: 10 }]);
  });

  test('that are reported afterwards are taken out once they are charged, as an adjustment of their own', async () => {
    await count(
      brand,
      times(2, () => playOf(brand, { bar: rogue })),
    );
    expect(await takeOutPlays(api.workers)).toBe(0); // looked a moment ago
    api.clock.offsetMs += 7 * HOUR_MS;
    expect(await takeOutPlays(api.workers)).toBe(0); // they are not charged yet
    await settle();
    expect(await takeOutPlays(api.workers)).toBe(1);
    expect(await takeOutPlays(api.workers)).toBe(0);
    expect((await report(brand))['adjustments']).toMatchObject([{ plays: 6 }, { plays: 2 }]);
    expect(await earnedBy(rogue)).toMatchObject({ plays: 3, gross: 3 * PRICE });
    await expectWhole();
  });

  test('that another upheld finding is about, too, are not taken out again', async () => {
    const again = (await api.sql.begin(tx =>
      raiseFinding(
        tx,
        { ...FINDING, rule: 'venue_volume', workspace: rogue.owner, venue: rogue.venue, screen: null },
        new Date(),
      ),
    ))!.handle;
    await decide(api.sql, new Date(), { finding: again, decision: 'uphold', note: undefined });
    expect(await takeOutPlays(api.workers)).toBe(1);
    expect((await report(brand))['adjustments']).toMatchObject([
      { plays: 6 },
      { plays: 2 },
      { plays: 3, concerns: 'plays' },
    ]);
    expect(await earnedBy(rogue)).toEqual({ plays: 0, gross: 0, earned: 0 });
    await expectWhole();
  });

  test('whose earnings were withdrawn are credited all the same, and what was paid out stays paid', async () => {
    await count(
      brand,
      times(40, () => playOf(brand, { bar: honest })),
    );
    await settle();
    await giveAccount(api, honest.owner);
    const before = await earnedBy(honest);
    ok(await api.call('POST', '/v1/payouts', { key: honest.key, body: { amount: { value: 4, currency: 'EUR' } } }));
    const raised = (await api.sql.begin(tx =>
      raiseFinding(
        tx,
        { ...FINDING, rule: 'pace', workspace: honest.owner, venue: honest.venue, screen: null },
        new Date(),
      ),
    ))!.handle;
    await decide(api.sql, new Date(), { finding: raised, decision: 'uphold', note: undefined });
    expect(await takeOutPlays(api.workers)).toBe(1);
    expect((await earnedBy(honest)).earned).toBe(4_000_000);
    expect(await showFinding(api.sql, raised)).toMatchObject({
      taken_out: [{ plays: 49, earnings_reversed: units(before.earned - 4_000_000) }],
    });
    expect(await heldOf(honest)).toMatchObject({ available: { value: 0 }, in_transit: { value: 2.5 } });
    const [paid] = await api.sql<
      { charged: number; credited: number }[]
    >`select charged_micros as charged, credited_micros as credited from campaigns where handle = ${brand.campaign}`;
    expect(paid!.credited).toBe(paid!.charged); // nothing of it was valid
    await expectWhole();
  });

  test('whose earnings come back from a payout that failed are held, and given back as well', async () => {
    const [payout] = await api.sql<
      { handle: Handle<'payout'> }[]
    >`select handle from payouts where workspace_handle = ${honest.owner}`;
    await recordOutcome(api.sql, new Date(), { payout: payout!.handle, outcome: 'failed' });
    expect(await heldOf(honest)).toMatchObject({ available: { value: 0 }, under_review: { value: 4 } });
    expect(await takeOutPlays(api.workers)).toBe(1);
    expect(await earnedBy(honest)).toEqual({ plays: 0, gross: 0, earned: 0 });
    expect(await heldOf(honest)).toMatchObject({ available: { value: 0 }, held: { value: 0 } });
    expect(await takeOutPlays(api.workers)).toBe(0);
    await expectWhole();
  });

  test('of a venue that is in another time zone since are held, listed and given back by the days on which they were earned', async () => {
    const mover = await openBar(1);
    await count(
      brand,
      times(4, () => playOf(brand, { bar: mover })),
    );
    await settle();
    const { earned } = await earnedBy(mover);
    // Where it was another day when they were played.
    const timezone = new Date(SLOT_AT).getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
    ok(await api.call('PATCH', `/v1/venues/${formatId('venue', mover.venue)}`, { key: mover.key, body: { timezone } }));
    const days = `from=${dayOf(SLOT_AT - 24 * HOUR_MS)}&to=${dayOf(SLOT_AT + 24 * HOUR_MS)}`;
    const [play] = dataOf(ok(await api.call('GET', `/v1/payouts/earnings/plays?${days}`, mover)));
    expect(play).toMatchObject({ state: 'settled', earnings: { currency: 'EUR' } });
    const raised = (await api.sql.begin(tx =>
      raiseFinding(tx, { ...FINDING, workspace: mover.owner, venue: mover.venue, screen: null }, new Date()),
    ))!.handle;
    expect(await heldOf(mover)).toMatchObject({ under_review: { value: units(earned) } });
    await decide(api.sql, new Date(), { finding: raised, decision: 'uphold', note: undefined });
    expect(await takeOutPlays(api.workers)).toBe(1);
    expect(await showFinding(api.sql, raised)).toMatchObject({
      taken_out: [{ plays: 4, earnings_reversed: units(earned) }],
    });
    expect(await earnedBy(mover)).toEqual({ plays: 0, gross: 0, earned: 0 });
    await expectWhole();
  });

  test('stay in the proof of the invoice as it was signed, and are the proof of the credit note', async () => {
    await count(
      brand,
      times(3, () => playOf(brand, { bar: honest })),
    );
    await settle();
    const now = new Date();
    const later = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 1));
    await issueInvoices({ ...api.workers, now: () => later });
    const documents = dataOf(ok(await api.call('GET', '/v1/invoices?sort=issued_at', brand)));
    expect(documents.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note']);
    const [invoice, note] = documents.map(({ id }) => String(id)) as [string, string];
    const [{ invoices } = { invoices: 0 }] = await api.sql<{ invoices: number }[]>`
      select count(*) as invoices from invoices where kind = 'invoice'`;
    for (let round = 0; round < invoices; round += 1)
      expect(await proveInvoices(api.workers, { sealer: api.sealer })).toBe(1);
    const first = await saveInvoice(api, invoice, brand);
    expect(await api.call('GET', `/v1/invoices/${note}/proof`, brand)).toMatchObject({
      status: 404,
      body: { code: 'proof_missing', detail: 'The proof is not signed yet. Try again in a minute.' },
    });
    while ((await proveInvoices(api.workers, { sealer: api.sealer })) > 0);
    const [again, credit] = [await saveInvoice(api, invoice, brand), await saveInvoice(api, note, brand)];
    expect(readFileSync(again.proof)).toEqual(readFileSync(first.proof));
    const playsOf = ({ lines }: SavedInvoice) => lines.map(line => (JSON.parse(line) as { play_id: string }).play_id);
    const kept = playsOf(again).filter(play => !playsOf(credit).includes(play));
    expect(kept).toHaveLength(3);
    expect(playsOf(credit)).toHaveLength(playsOf(again).length - 3);
    for (const saved of [first, again, credit])
      expect(await verifySaved(saved)).toMatchObject({ code: 0, said: expect.stringContaining('ok     root') });
    const forgedNote = { ...credit, invoice: again.invoice };
    expect(await verifySaved(forgedNote)).toMatchObject({ code: 1, said: expect.stringContaining('FAULT') });
    await expect(api.sql`update invoice_proofs set plays = 1`).rejects.toThrow('never changes');
    await expect(api.sql`delete from invoice_proofs`).rejects.toThrow('never changes');
    await expect(api.sql`delete from proof_keys`).rejects.toThrow('append-only');
  });

  test('that ClickHouse has lost, or that were credited to nobody, are found by the hourly check', async () => {
    const [credits] = await api.sql<
      { micros: number }[]
    >`select credited_micros as micros from campaigns where handle = ${brand.campaign}`;
    await api.sql`update campaigns set credited_micros = credited_micros - 1 where handle = ${brand.campaign}`;
    expect((await verifyAll()).breaches).toMatchObject([
      { invariant: 'ledger', detail: expect.stringContaining(`was credited ${credits!.micros - 1} for`) },
    ]);
    await api.sql`update campaigns set credited_micros = credited_micros + 1 where handle = ${brand.campaign}`;
    await api.clickhouse.command({
      query: `alter table plays_taken_out delete where campaign_id = '${brand.id}' and number = 2`,
      clickhouse_settings: { mutations_sync: '1' },
    });
    expect((await verifyAll()).breaches).toMatchObject([
      {
        invariant: 'charges',
        campaign: brand.campaign,
        detail: expect.stringMatching(/^look 2 at finding \d+ was credited for 2 plays of \d+, 0 of 0 are taken out$/),
      },
    ]);
  });
});
