/** A small network made through the public API: one brand with a wallet, one venue, paired screens. */
import { MICROS_PER_UNIT } from '#domain/money/money.ts';
import type { Postgres } from '#sql/postgres.ts';
import { createClient, upload, type Client } from '../../cli/demo/client.ts';
import { createKey, createWorkspace, fundWallet, ownerOf } from '../../cli/operator.ts';
import type { Surface } from '../../domain/access/permission.ts';
import type { WorkspaceKind } from '../../domain/access/workspace.ts';
import type { Handle } from '../../domain/id.ts';
import { PIXEL } from './media.ts';

export type Network = {
  brand: Client;
  brandKey: string;
  brandWorkspace: Handle<'workspace'>;
  venue: Client;
  venueKey: string;
  venueWorkspace: Handle<'workspace'>;
  venueId: string;
};
export type PairedScreen = { id: string; token: string };

const date = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A workspace with a key of its owner. */
export async function createParty(
  sql: Postgres,
  kind: WorkspaceKind,
  surface: Surface,
): Promise<{ workspace: Handle<'workspace'>; key: string }> {
  const workspace = await createWorkspace(sql, new Date(), {
    kind,
    name: `A ${kind}`,
    currency: 'EUR',
    plan: 'standard',
  });
  const user = (await ownerOf(sql, workspace))!;
  const { key } = await createKey(sql, new Date(), {
    workspace,
    user,
    surface,
    access: 'read_write',
    mode: 'live',
    per_minute_max: 100_000,
    per_second_max: 10_000,
  });
  return { workspace, key };
}

export async function createSmallNetwork(sql: Postgres, apiUrl: string): Promise<Network> {
  const brand = await createParty(sql, 'brand', 'ads_manager');
  await fundWallet(sql, new Date(), {
    workspace: brand.workspace,
    amountMicros: 10_000 * MICROS_PER_UNIT,
    book: 'live',
  });
  const owner = await createParty(sql, 'venue', 'screen_manager');
  const venue = createClient(apiUrl, owner.key);
  const { id: venueId } = await venue.post<{ id: string }>('/v1/venues', {
    name: 'A bar',
    type: 'entertainment.bars',
    city: 'Berlin',
    lat: 52.52,
    lng: 13.4,
    timezone: 'Europe/Berlin',
    daily_visitors: 400,
    dwell_minutes: 60,
  });
  return {
    brand: createClient(apiUrl, brand.key),
    brandKey: brand.key,
    brandWorkspace: brand.workspace,
    venue,
    venueKey: owner.key,
    venueWorkspace: owner.workspace,
    venueId,
  };
}

export async function pairScreen(
  network: Network,
  apiUrl: string,
  settings: object = { ad_ratio: 1 },
): Promise<PairedScreen> {
  const { code } = await network.venue.post<{ code: string }>('/v1/pairing', { venue_id: network.venueId });
  const { screen_id: id, device_token: token } = await createClient(apiUrl, undefined).post<{
    screen_id: string;
    device_token: string;
  }>(`/v1/pairing/${code}/confirm`, { platform: 'linux', player: 'test/1' });
  await network.venue.patch(`/v1/screens/${id}`, settings);
  return { id, token };
}

export async function createCreative(brand: Client, name = 'A still'): Promise<string> {
  const creative = await brand.post<{ id: string; upload_url: string }>('/v1/creatives', {
    name,
    orientation: 'landscape',
    duration_ms: 6000,
    filename: 'still.png',
  });
  await upload(creative.upload_url, PIXEL, 'image/png');
  return creative.id;
}

/** A still that has passed its checks. */
export async function createReadyCreative(brand: Client, name?: string): Promise<string> {
  const creative = await createCreative(brand, name);
  await eventually(
    async () =>
      (await brand.get<{ status: string }>(`/v1/creatives/${creative}`)).status === 'ready' ? true : undefined,
    60_000,
  );
  return creative;
}

export function bodyOfCampaign(fields: object = {}): object {
  return {
    name: 'A campaign',
    category: 'travel_and_tourism',
    budget: { amount: 500, currency: 'EUR' },
    schedule: { starts: date(-1), ends: date(30) },
    targets: {},
    landing_url: 'https://example.com/',
    ...fields,
  };
}

/** A campaign that has passed its review. */
export async function createCampaign(brand: Client, fields: object = {}): Promise<string> {
  const { id } = await brand.post<{ id: string }>('/v1/campaigns', bodyOfCampaign(fields));
  await eventually(async () =>
    (await brand.get<{ status: string }>(`/v1/campaigns/${id}`)).status === 'live' ? true : undefined,
  );
  return id;
}

/** Asks again until the answer is there; the report's promise is 90 s, a test waits less. */
export async function eventually<T extends NonNullable<unknown>>(
  ask: () => Promise<T | undefined>,
  withinMs = 10_000,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > until) throw new Error(`not so within ${withinMs} ms`);
    await new Promise(resolve => {
      setTimeout(resolve, 50);
    });
  }
}
