/**
 * The main job on real engines and real processes: a screen asks, plays, and the report shows it seconds later.
 */
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '#domain/id.ts';
import { decodePlayId, parseSigningKeys, reservationMicros, type SigningKeys } from '#domain/plays/play.ts';
import { openAnalyst } from '../support/analyst.ts';
import type { Postgres } from '#sql/postgres.ts';
import { startTestInstance, type TestInstance } from '../support/engines/instance.ts';
import {
  createCampaign,
  createReadyCreative,
  createSmallNetwork,
  eventually,
  pairScreen,
  type Network,
  type PairedScreen,
} from '../support/network.ts';
import { ScreenClient, type Fill, type Message } from '../support/screen-client.ts';

type Report = {
  totals: { impressions: number; scans: number; spend: { amount: number } };
  as_of: string;
  is_final: boolean;
};

let instance: TestInstance;
let sql: Postgres;
let network: Network;
let screen: PairedScreen;
let creative: string;
const restarted: string[] = [];

beforeAll(async () => {
  instance = await startTestInstance({
    onRestart: service => {
      restarted.push(service);
    },
  });
  ({ sql } = instance);
  network = await createSmallNetwork(sql, instance.apiUrl);
  screen = await pairScreen(network, instance.apiUrl);
  creative = await createReadyCreative(network.brand);
});

afterAll(async () => {
  await instance.remove();
});

let messageId = 0;

async function report(client: ScreenClient, plays: object[]): Promise<Message> {
  const id = ++messageId;
  client.send({ t: 'plays', id, plays });
  return client.next('ack', id);
}

const played = (fill: Fill, fields: object = {}) => ({
  play_id: fill.play_id,
  started_at: fill.starts_at,
  played_ms: fill.duration_ms,
  ...fields,
});
const reportOf = (campaign: string) => network.brand.get<Report>(`/v1/reporting/campaigns/${campaign}`);
const playsOf = async (campaign: string) => {
  const detail = await network.brand.get<{ counters: { plays: number; spend: { amount: number } } }>(
    `/v1/campaigns/${campaign}`,
  );
  return detail.counters;
};

describe('a play', () => {
  test('is in the report seconds after its acknowledgement, once, however often it is reported', async () => {
    const campaign = await createCampaign(network.brand, { creatives: [creative] });
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    const fill = await client.fill();
    expect(fill.campaign_id).toBe(campaign);
    expect((await report(client, [played(fill)]))['refused']).toEqual([]);
    const counters = await eventually(async () => {
      const seen = await playsOf(campaign);
      return seen.plays > 0 ? seen : undefined;
    });
    expect(counters.plays).toBe(1);
    // Twice more: over this connection, and over another one, which may meet another process.
    await report(client, [played(fill), played(fill)]);
    client.close();
    const { client: again } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    await report(again, [played(fill)]);
    const second = await again.fill();
    await report(again, [played(second)]);
    expect(
      await eventually(async () => {
        const seen = await playsOf(campaign);
        return seen.plays >= 2 ? seen.plays : undefined;
      }),
    ).toBe(2);
    again.close();
    await network.brand.patch(`/v1/campaigns/${campaign}`, { status: 'paused' });
  });

  test('is charged to the campaign and leaves its reservation on the ledger', async () => {
    const campaign = await createCampaign(network.brand, {
      creatives: [creative],
      budget: { amount: 100, currency: 'EUR' },
    });
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    await report(client, [played(await client.fill())]);
    client.close();
    const spend = await eventually(async () => {
      const { totals } = await reportOf(campaign);
      return totals.spend.amount > 0 ? totals.spend.amount : undefined;
    });
    const charged = await eventually(async () => {
      const [row] = await sql<{ charged: number; reserved: number }[]>`
        select c.charged_micros as charged, a.balance_micros as reserved from campaigns c join ledger_accounts a on a.campaign_handle = c.handle and a.kind = 'reservation' order by c.handle desc limit 1`;
      return row!.charged > 0 ? row! : undefined;
    });
    expect(charged.charged).toBe(Math.round(spend * 1e6));
    expect(charged.reserved).toBe(100e6 - charged.charged);
    await network.brand.patch(`/v1/campaigns/${campaign}`, { status: 'paused' });
  });

  test('of three plays a budget that holds three is spent and never exceeded', async () => {
    const detail = await network.venue.get<{ daily_visitors: number }>(`/v1/venues/${network.venueId}`);
    expect(detail.daily_visitors).toBe(400);
    const probe = await createCampaign(network.brand, {
      creatives: [creative],
      budget: { amount: 10, currency: 'EUR' },
    });
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    await report(client, [played(await client.fill())]);
    const cost = await eventually(async () => {
      const { spend } = await playsOf(probe);
      return spend.amount > 0 ? spend.amount : undefined;
    });
    await network.brand.patch(`/v1/campaigns/${probe}`, { status: 'paused' });
    const budget = Math.ceil(cost * 3 * 100) / 100;
    const campaign = await createCampaign(network.brand, {
      creatives: [creative],
      budget: { amount: budget, currency: 'EUR' },
    });
    const fills: Fill[] = [await client.fill()];
    for (let asked = 0; asked < 40; asked += 1) {
      const id = ++messageId;
      client.send({ t: 'slot', id, count: 1, at: client.pastAt(0) });
      const [slot] = (await client.next('fill', id))['slots'] as (Fill | { no_fill: string })[];
      if (!slot || 'no_fill' in slot) continue;
      fills.push(slot);
      client.pastAt(); // its slot is taken
    }
    for (const fill of fills) await report(client, [played(fill)]);
    client.close();
    expect(fills.length * cost).toBeLessThanOrEqual(budget + 1e-9);
    expect(
      await eventually(async () => {
        const seen = await playsOf(campaign);
        return seen.plays === fills.length ? seen.spend.amount : undefined;
      }),
    ).toBeLessThanOrEqual(budget);
    await network.brand.patch(`/v1/campaigns/${campaign}`, { status: 'paused' });
  });
});

describe('an edit while screens hold fills', () => {
  type Amounts = { budget: number; handed: number; charged: number; reserved: number };
  const amountsOf = async (campaign: string): Promise<Amounts> => {
    const [row] = await sql<Amounts[]>`
      select c.budget_micros as budget, c.handed_micros - c.returned_micros as handed, c.charged_micros as charged, coalesce((select balance_micros from ledger_accounts where campaign_handle = c.handle and kind = 'reservation'), 0) as reserved
      from campaigns c where c.handle = ${parseId('campaign', campaign)!}`;
    return row!;
  };
  const call = async (
    method: 'PATCH' | 'DELETE',
    campaign: string,
    body?: object,
  ): Promise<{ status: number; code?: string }> => {
    const answer = await request(`${instance.apiUrl}/v1/campaigns/${campaign}`, {
      method,
      headers: { authorization: `Bearer ${network.brandKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, ...(text !== '' && { code: (JSON.parse(text) as { code: string }).code }) };
  };
  const CENT_MICROS = 10_000;
  /** A campaign of which a screen holds fills for some cents, away from the network. */
  async function heldByOne(): Promise<{ campaign: string; fills: Fill[]; reservedMicros: number }> {
    const campaign = await createCampaign(network.brand, {
      creatives: [creative],
      budget: { amount: 100, currency: 'EUR' },
    });
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    const fills: Fill[] = [];
    let reservedMicros = 0;
    while (reservedMicros < 3 * CENT_MICROS) {
      const fill = await client.fill(campaign);
      fills.push(fill);
      reservedMicros += reservationMicros(decodePlayId(fill.play_id, keys())!);
    }
    client.close();
    return { campaign, fills, reservedMicros };
  }
  const keys = (): SigningKeys => parseSigningKeys(instance.secrets.signingKeys);
  async function comeBack(fills: readonly Fill[]): Promise<void> {
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    expect(
      (
        await report(
          client,
          fills.map(fill => played(fill)),
        )
      )['refused'],
    ).toEqual([]);
    client.close();
  }

  test('a budget is not lowered below what they may cost, is lowered to it, and they count', async () => {
    const { campaign, fills, reservedMicros } = await heldByOne();
    const euros = (micros: number) => ({ budget: { amount: micros / 1e6, currency: 'EUR' } });
    await call('PATCH', campaign, { status: 'paused' });
    const least = Math.ceil(reservedMicros / CENT_MICROS) * CENT_MICROS;
    expect(await call('PATCH', campaign, euros(least - CENT_MICROS))).toEqual({ status: 409, code: 'state_conflict' });
    expect((await amountsOf(campaign)).budget).toBe(100e6);
    // What the process had not issued comes back with its next renewals.
    await eventually(
      async () => ((await call('PATCH', campaign, euros(least))).status === 200 ? true : undefined),
      20_000,
    );
    await comeBack(fills);
    const after = await eventually(async () => {
      const seen = await amountsOf(campaign);
      return seen.charged > 0 ? seen : undefined;
    });
    expect(after).toMatchObject({ budget: least, charged: reservedMicros });
    expect(after.charged + after.reserved).toBe(least);
  }, 60_000);

  test('a deleted campaign keeps what they may cost until they are reported, and refunds the rest', async () => {
    const { campaign, fills, reservedMicros } = await heldByOne();
    expect((await call('DELETE', campaign)).status).toBe(204);
    const kept = await eventually(async () => {
      const seen = await amountsOf(campaign);
      return seen.reserved < 100e6 / 2 ? seen : undefined;
    });
    expect(kept.reserved).toBeGreaterThanOrEqual(reservedMicros);
    await comeBack(fills);
    await eventually(async () => ((await amountsOf(campaign)).charged === reservedMicros ? true : undefined), 20_000);
    await eventually(async () => ((await amountsOf(campaign)).reserved === 0 ? true : undefined), 20_000);
  }, 60_000);
});

describe('a scan', () => {
  test('leads to the landing page and is in the report and in the scan log', async () => {
    const campaign = await createCampaign(network.brand, {
      creatives: [creative],
      landing_url: 'https://example.com/offer',
    });
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    const fill = await client.fill(campaign);
    client.close();
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const response = await request(fill.scan_url, { headers: { 'user-agent': 'Mozilla/5.0 (phone one)' } });
      await response.body.dump();
      expect(response.statusCode).toBe(302);
      expect(response.headers['location']).toBe('https://example.com/offer');
    }
    const { totals } = await eventually(async () => {
      const seen = await reportOf(campaign);
      return seen.totals.scans > 0 ? seen : undefined;
    });
    expect(totals.scans).toBe(1);
    const log = await network.brand.get<{
      data: { campaign_id: string; screen_id: string; venue_id: string; creative_id: string }[];
    }>('/v1/reporting/scans');
    expect(log.data[0]).toMatchObject({
      campaign_id: campaign,
      screen_id: screen.id,
      venue_id: network.venueId,
      creative_id: fill.creative_id,
    });
    await network.brand.patch(`/v1/campaigns/${campaign}`, { status: 'paused' });
  });
});

describe('a pause', () => {
  test('withdraws what is out and stops new fills at once', async () => {
    const campaign = await createCampaign(network.brand, { creatives: [creative] });
    const { client } = await ScreenClient.connect(instance.deliveryUrl, screen.token);
    const fill = await client.fill();
    await network.brand.patch(`/v1/campaigns/${campaign}`, { status: 'paused' });
    expect(await client.next('withdraw')).toMatchObject({ campaign_id: campaign });
    const id = ++messageId;
    client.send({ t: 'cannot_play', id, play_id: fill.play_id, reason: 'withdrawn' });
    expect((await client.next('ack', id))['t']).toBe('ack');
    client.send({ t: 'slot', id: ++messageId, count: 1 });
    const [slot] = (await client.next('fill', messageId))['slots'] as { no_fill?: string }[];
    expect(slot!.no_fill).toBe('paused');
    client.close();
  });
});

describe('a screen', () => {
  test('that is unpaired is told so at once and its token is dead', async () => {
    const other = await pairScreen(network, instance.apiUrl);
    const { client } = await ScreenClient.connect(instance.deliveryUrl, other.token);
    const response = await request(`${instance.apiUrl}/v1/screens/${other.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${network.venueKey}` },
    });
    await response.body.dump();
    await client.next('unpaired');
    expect(await client.closed()).toBe(4001);
    const back = await ScreenClient.open(instance.deliveryUrl);
    back.send({ t: 'hello', token: other.token, platform: 'linux', player: 'test/1', time: Date.now(), recent: [] });
    expect(await back.closed()).toBe(4001);
  });
});

describe('the analyst', () => {
  test('reads the numbers of the report and cannot write', async () => {
    const analyst = openAnalyst({ ...instance.clickhouse, database: 'marquee' });
    const campaigns = await network.brand.get<{ data: { id: string }[] }>('/v1/campaigns?limit=100');
    const rows = await (
      await analyst.query({
        query: 'select campaign_id, toFloat64(sum(cost)) as spend from plays_by_hour group by campaign_id',
        format: 'JSONEachRow',
      })
    ).json<{ campaign_id: string; spend: number }>();
    const spends = new Map(rows.map(row => [row.campaign_id, row.spend]));
    for (const { id } of campaigns.data)
      expect((await reportOf(id)).totals.spend.amount).toBeCloseTo(spends.get(id) ?? 0, 6);
    await expect(
      analyst.insert({ table: 'plays_raw', values: [{ campaign_id: 'x' }], format: 'JSONEachRow' }),
    ).rejects.toThrow(/readonly/i);
    await analyst.close();
  });
});

describe('a killed service', () => {
  test.each(['ingest', 'delivery'] as const)(
    '%s comes back and no acknowledged play is lost',
    async service => {
      const campaign = await createCampaign(network.brand, { creatives: [creative] });
      // Its own last minute is free for five plays, whatever was played before on the other.
      const { token } = await pairScreen(network, instance.apiUrl);
      const before = await ScreenClient.connect(instance.deliveryUrl, token);
      const fills: Fill[] = [];
      for (let index = 0; index < 5; index += 1) fills.push(await before.client.fill());
      const acknowledged = report(
        before.client,
        fills.map(fill => played(fill)),
      );
      await acknowledged;
      restarted.length = 0;
      process.kill((instance.pids()[service] as number[])[0]!, 'SIGKILL');
      await eventually(async () => (restarted.includes(service) ? true : undefined), 15_000);
      expect(
        await eventually(async () => {
          const seen = await playsOf(campaign);
          return seen.plays >= 5 ? seen.plays : undefined;
        }, 20_000),
      ).toBe(5);
      before.client.close();
      await network.brand.patch(`/v1/campaigns/${campaign}`, { status: 'paused' });
    },
    60_000,
  );
});
