/**
 * The demo's network, made through the public API as its users would: venues in six cities and zones, paired screens,
 * brands with wallets, creatives that are uploaded, campaigns with different targets and budgets.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { SURFACE_OF_KIND, type WorkspaceKind } from '#domain/access/workspace.ts';
import type { Handle } from '#domain/id.ts';
import { MICROS_PER_UNIT } from '#domain/money/money.ts';
import type { Postgres } from '#sql/postgres.ts';
import { enrolSensor } from '../../admin/supply/sensors.ts';
import { createKey, createWorkspace, fundWallet, ownerOf } from '../../operator.ts';
import { pairModule, SensingModule } from '../../sensing-module.ts';
import { createClient, inParallel, upload, type Client } from '../client.ts';
import { isOnLoopback, makeSignInLink } from '../../sign-in-links.ts';
import { importRestrictions, importScreenAudiences } from './imports.ts';
import { BRANDS, THEMES, VENUE_NAMES, type DemoBrand } from './brands.ts';
import type { DemoFile } from './creatives.ts';
import type { Micros } from '#domain/unit.ts';

type DemoKeys = { ads_manager: string; screen_manager: string; agency: string; operator: string; load_test: string };
type DemoScreen = { screenId: string; token: string; platform: string; module: SensingModule | undefined };
type DemoCampaign = { id: string; name: string; budgetMicros: Micros };
/** The available roles, with their sign-in paths. */
type DemoRole = { role: 'brand' | 'venue' | 'agency' | 'operator'; path: string };
export type DemoNetwork = {
  roles: DemoRole[];
  keys: DemoKeys;
  screens: DemoScreen[];
  /** Screens that were seen once and are offline: what a venue and the operator have to look after. */
  away: DemoScreen[];
  campaigns: DemoCampaign[];
  brandKeys: string[];
};

const CITIES = [
  { city: 'Berlin', lat: 52.52, lng: 13.405, timezone: 'Europe/Berlin' },
  { city: 'London', lat: 51.507, lng: -0.128, timezone: 'Europe/London' },
  { city: 'New York', lat: 40.713, lng: -74.006, timezone: 'America/New_York' },
  { city: 'São Paulo', lat: -23.55, lng: -46.633, timezone: 'America/Sao_Paulo' },
  { city: 'Tokyo', lat: 35.682, lng: 139.759, timezone: 'Asia/Tokyo' },
  { city: 'Sydney', lat: -33.868, lng: 151.209, timezone: 'Australia/Sydney' },
] as const;

/** Kinds of venue with plausible visitors a day and dwell in minutes (dwell: ranges of published venue research). */
const VENUE_KINDS = [
  { type: 'entertainment.bars', names: VENUE_NAMES.bar, visitors: 420, dwell: 60 },
  { type: 'health_and_beauty.gyms', names: VENUE_NAMES.gym, visitors: 380, dwell: 55 },
  { type: 'retail.malls', names: VENUE_NAMES.mall, visitors: 9_000, dwell: 35 },
  { type: 'transit.subway', names: VENUE_NAMES.station, visitors: 14_000, dwell: 6 },
  { type: 'office_buildings.office_buildings', names: VENUE_NAMES.lobby, visitors: 900, dwell: 4 },
] as const;

const PLATFORMS = ['android_tv', 'tizen', 'webos', 'fire_tv', 'google_tv', 'windows', 'linux', 'browser'] as const;
const VENUES = 40;
/** How many screens are offline, beside so many that are not. */
const [AWAY, SCREENS_BESIDE_AWAY] = [2, 100];
/** Screens whose audience a vendor measured: the others count the figures of their venues. */
const SCREENS_MEASURED = 20;
/** Reviewing one campaign by the rules takes a fraction of a second, on a machine with much else to do some seconds. */
const REVIEW_STALL_MS_MAX = 120_000;
const REVIEW_POLL_MS = 100;
/** Sixteen requests at once keep the API busy without a queue in front of the pool. */
const REQUESTS_AT_ONCE = 16;
/** The demo's keys may do what a large integration may; the limits of ordinary keys would stretch the set-up. */
const DEMO_LIMITS = { perMinuteMax: 1_000_000, perSecondMax: 100_000 };
const DAY_MS = 86_400_000;

type CreateNetworkOptions = { sql: Postgres; apiUrl: string; files: DemoFile[][]; screens: number; campaigns: number };

export async function createNetwork({
  sql,
  apiUrl,
  files,
  screens,
  campaigns,
}: CreateNetworkOptions): Promise<DemoNetwork> {
  const brands = await Promise.all(BRANDS.map(({ name }) => createBrand(sql, name)));
  const venue = await createParty(sql, 'venue', 'City Screens');
  const agency = await createParty(sql, 'agency', 'Northern Media');
  const operator = await createParty(sql, 'operator', 'Network Team');
  const brand = brands[0]!;
  const away = screens < SCREENS_BESIDE_AWAY ? 0 : AWAY;
  const venues = createClient(apiUrl, venue.key);
  const [made, booked] = await Promise.all([
    createScreens(
      {
        venues,
        device: createClient(apiUrl, undefined),
        enrolModule: number => enrolModule(sql, venue.workspace, number),
      },
      screens + away,
    ),
    Promise.all(
      brands.map(({ key }, index) =>
        createCampaigns(createClient(apiUrl, key), {
          brand: BRANDS[index]!,
          files: files[index]!,
          count: share(campaigns, BRANDS.length, index),
          brandIndex: index,
        }),
      ),
    ),
  ]);
  await importRestrictions(sql, CITIES.slice(0, 2));
  await importScreenAudiences(sql, made.slice(0, SCREENS_MEASURED));
  await bookForReview(createClient(apiUrl, brand.key));
  await createClients(sql, agency.workspace, createClient(apiUrl, agency.key));
  return {
    roles: await rolesOf(sql, [
      { role: 'brand', ...brand },
      { role: 'venue', ...venue },
      { role: 'agency', ...agency },
      { role: 'operator', ...operator },
    ]),
    keys: {
      ads_manager: brand.key,
      screen_manager: venue.key,
      agency: agency.key,
      operator: operator.key,
      load_test: brand.loadTestKey,
    },
    screens: made.slice(0, screens),
    away: made.slice(screens),
    campaigns: booked.flat(),
    brandKeys: brands.map(({ key }) => key),
  };
}

type Party = { role: DemoRole['role']; workspace: Handle<'workspace'>; key: string };

/** How each is opened: as its owner, or by its key if other machines can reach the demo. */
function rolesOf(sql: Postgres, parties: readonly Party[]): Promise<DemoRole[]> {
  const signsIn = isOnLoopback(process.env);
  return Promise.all(
    parties.map(async ({ role, workspace, key }) => ({
      role,
      path: signsIn ? await makeSignInLink(sql, new Date(), workspace) : `/console#key=${key}`,
    })),
  );
}

/** The index-th share of `total` in `parts` nearly equal parts. */
function share(total: number, parts: number, index: number): number {
  return Math.floor((total * (index + 1)) / parts) - Math.floor((total * index) / parts);
}

/** A workspace whose owner has an address by its name, which pages show. */
function createNamed(sql: Postgres, kind: WorkspaceKind, name: string): Promise<Handle<'workspace'>> {
  const owner = `owner@${name.toLowerCase().replaceAll(' ', '-')}.example`;
  return createWorkspace(sql, new Date(), { kind, name, currency: 'EUR', plan: 'standard', owner });
}

async function createParty(
  sql: Postgres,
  kind: WorkspaceKind,
  name: string,
): Promise<{ workspace: Handle<'workspace'>; key: string }> {
  const workspace = await createNamed(sql, kind, name);
  return { workspace, key: await createOwnersKey(sql, kind, workspace) };
}

async function createOwnersKey(sql: Postgres, kind: WorkspaceKind, workspace: Handle<'workspace'>): Promise<string> {
  const user = (await ownerOf(sql, workspace))!;
  const surface = SURFACE_OF_KIND[kind];
  const key = { workspace, user, surface, access: 'read_write', mode: 'live', ...DEMO_LIMITS } as const;
  return (await createKey(sql, new Date(), key)).key;
}

/** The wallets of the agency's clients, in euros. */
const CLIENT_WALLETS = { Bakery: 1_200, Cinema: 300, 'Bicycle shop': 4_500, Theatre: 750 };

async function createClients(sql: Postgres, workspace: Handle<'workspace'>, agency: Client): Promise<void> {
  await fundWallet(sql, new Date(), { workspace, amountMicros: 10_000 * MICROS_PER_UNIT, book: 'live' });
  for (const [name, amount] of Object.entries(CLIENT_WALLETS)) {
    const fields = { name, currency: 'EUR', billing_model: 'agency-billed' };
    const { id } = await agency.post<{ id: string }>('/v1/agency/clients', fields);
    const transfer = { amount: { amount, currency: 'EUR' }, direction: 'to_client' };
    await agency.post(`/v1/agency/clients/${id}/transfers`, transfer);
  }
}

/** Makes a sensing module that the operator has enrolled. */
async function enrolModule(sql: Postgres, workspace: Handle<'workspace'>, number: number): Promise<SensingModule> {
  const module = new SensingModule(`DEMO-${String(number).padStart(4, '0')}`);
  await enrolSensor(sql, new Date(), { workspace, ...module });
  return module;
}

type Brand = { workspace: Handle<'workspace'>; key: string; loadTestKey: string };

async function createBrand(sql: Postgres, name: string): Promise<Brand> {
  const brand = await createParty(sql, 'brand', name);
  const { workspace } = brand;
  await fundWallet(sql, new Date(), { workspace, amountMicros: 1_000_000 * MICROS_PER_UNIT, book: 'live' });
  return { ...brand, loadTestKey: await createOwnersKey(sql, 'brand', workspace) };
}

type Pairing = { venues: Client; device: Client; enrolModule: (number: number) => Promise<SensingModule> };

async function createScreens({ venues, device, enrolModule: enrol }: Pairing, count: number): Promise<DemoScreen[]> {
  const places = await inParallel(
    REQUESTS_AT_ONCE,
    Array.from({ length: VENUES }, (_, index) => index),
    async index => {
      const place = CITIES[index % CITIES.length]!;
      const kind = VENUE_KINDS[index % VENUE_KINDS.length]!;
      return venues.post<{ id: string }>('/v1/venues', {
        name: kind.names[Math.floor(index / VENUE_KINDS.length) % kind.names.length],
        type: kind.type,
        city: place.city,
        lat: place.lat + (index % 7) * 0.01,
        lng: place.lng + (index % 5) * 0.01,
        timezone: place.timezone,
        daily_visitors: kind.visitors,
        dwell_minutes: kind.dwell,
        // Most venues are always open, so that plays flow at any hour; a few keep ordinary hours.
        ...(index % 10 === 9 && {
          opening_hours: Object.fromEntries(
            ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(day => [day, [{ start: '08:00', end: '22:00' }]]),
          ),
        }),
      });
    },
  );
  return inParallel(
    REQUESTS_AT_ONCE,
    Array.from({ length: count }, (_, index) => index),
    async index => {
      const platform = PLATFORMS[index % PLATFORMS.length]!;
      const { code } = await venues.post<{ code: string }>('/v1/pairing', {
        venue_id: places[index % places.length]!.id,
      });
      const { screen_id: screenId, device_token: token } = await device.post<{
        screen_id: string;
        device_token: string;
      }>(`/v1/pairing/${code}/confirm`, { platform, player: 'swarm/1' });
      await venues.patch(`/v1/screens/${screenId}`, {
        label: `Screen ${index + 1}`,
        ad_ratio: index % 5 === 0 ? 0.8 : 1,
        orientation: index % 4 === 3 ? 'portrait' : 'landscape',
      });
      const module = index % 4 === 0 ? await enrol(index + 1) : undefined;
      if (module) await pairModule(venues, screenId, module);
      return { screenId, token, platform, module };
    },
  );
}

/** Targets that campaigns get in turn: most take any screen, the others show each kind of targeting. */
const TARGETS = [
  {},
  {},
  { cities: ['Berlin', 'London', 'Sao Paulo'] },
  { venue_types: ['entertainment', 'retail'] },
  {},
  { venue_types: ['health_and_beauty.gyms', 'transit'] },
  {
    areas: [
      { lat: 52.52, lng: 13.405, radiusKm: 30 },
      { lat: 40.713, lng: -74.006, radiusKm: 50 },
    ],
  },
  { daypart: { start: '06:00', end: '05:45' } },
  { cities: ['Tokyo', 'Sydney', 'New York'] },
  { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
];
/**
 * Budgets in euros: from the price of a few plays, which is spent during the demo, to the largest, whose days are worth
 * a good part of what all screens have: with less, screens would soon have nothing to show until the next day.
 */
const BUDGETS = [150_000, 25_000, 240_000, 0.4, 60_000, 300, 60, 300_000, 3, 15];

/** The day, some days from now. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

type CreateCampaignsOptions = { brand: DemoBrand; files: DemoFile[]; count: number; brandIndex: number };

async function createCampaigns(
  client: Client,
  { brand, files, count, brandIndex }: CreateCampaignsOptions,
): Promise<DemoCampaign[]> {
  const creatives = await inParallel(4, files, file => createCreative(client, file));
  const made = await inParallel(
    4,
    Array.from({ length: count }, (_, index) => index),
    async index => {
      const budget = BUDGETS[(index + brandIndex * 3) % BUDGETS.length]!;
      const at = index + brandIndex;
      const round = Math.floor(index / THEMES.length);
      const name = `${brand.name}, ${THEMES[at % THEMES.length]}${round > 0 ? ` ${round + 1}` : ''}`;
      const { id } = await client.post<{ id: string }>('/v1/campaigns', {
        name,
        category: brand.category,
        budget: { amount: budget, currency: 'EUR' },
        schedule: { starts: dayIn(-1), ends: dayIn(30 + (index % 30)) },
        targets: TARGETS[at % TARGETS.length],
        creatives: creatives.map(creative => creative.id),
        landing_url: 'https://example.com/offer',
      });
      return { id, name, budgetMicros: Math.round(budget * MICROS_PER_UNIT) };
    },
  );
  await untilNone(client, 'campaigns?status=pending_review');
  await untilNone(client, 'creatives?status=awaiting_upload'); // one that is ready is enough for a review
  return made;
}

/** Resolves when no record of the brand matches this query any more. It waits while their number falls. */
async function untilNone(brand: Client, query: string): Promise<void> {
  let fewest = Infinity;
  let until = 0;
  for (;;) {
    const { total } = await brand.get<{ total: number }>(`/v1/${query}&limit=1&count=true`);
    if (total === 0) return;
    if (total < fewest) [fewest, until] = [total, Date.now() + REVIEW_STALL_MS_MAX];
    if (Date.now() > until)
      throw new Error(`${total} of /v1/${query} are left, and none was decided in ${REVIEW_STALL_MS_MAX / 1000} s`);
    await wait(REVIEW_POLL_MS);
  }
}

/** Books a campaign of a category that needs a review: it waits for the operator of the demo. */
async function bookForReview(brand: Client): Promise<void> {
  const { data } = await brand.get<{ data: { id: string }[] }>('/v1/creatives?status=ready&limit=1');
  await brand.post('/v1/campaigns', {
    name: 'Wine of the month',
    category: 'alcohol',
    budget: { amount: 250, currency: 'EUR' },
    schedule: { starts: dayIn(0), ends: dayIn(30) },
    creatives: data.map(({ id }) => id),
    landing_url: 'https://example.com/wine',
  });
}

async function createCreative(brand: Client, file: DemoFile): Promise<{ id: string }> {
  const creative = await brand.post<{ id: string; upload_url: string }>('/v1/creatives', {
    name: file.filename.replace(/\.\w+$/, ''),
    orientation: file.orientation,
    duration_ms: file.durationMs,
    filename: file.filename,
  });
  await upload(creative.upload_url, file.bytes, file.contentType);
  return creative;
}
