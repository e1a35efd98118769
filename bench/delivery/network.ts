/**
 * A network for benchmarks, written straight into Postgres before the services start: ten thousand campaigns through
 * the API would take longer than the measurement. Its records are what the API would have written, except that
 * the funding account pays for reservations directly.
 */
import { createHash, randomBytes } from 'node:crypto';
import { formatDeviceToken } from '#domain/access/key.ts';
import { isRefusal } from '#domain/refusal.ts';
import { foldCity } from '#domain/geography.ts';
import { matchesPlace, parseTargets } from '#domain/campaigns/targeting.ts';
import type { Postgres } from '#sql/postgres.ts';

export type NetworkSize = { campaigns: number; screens: number; creativeMs: number };
export type Network = {
  /** Device tokens, one per screen. */
  tokens: string[];
  /** Campaigns that match a screen, on average: the candidates of a decision. */
  candidatesMean: number;
};

const BRANDS = 100;
const CREATIVES_PER_BRAND = 6;
/** Cities grow with campaigns, so that a screen has about fifty to choose from in any network of 1,000 or more. */
const CAMPAIGNS_PER_CITY = 100;
export const VENUE_TYPES = [
  'entertainment.bars',
  'health_and_beauty.gyms',
  'retail.malls',
  'transit.subway',
  'office_buildings',
  'point_of_care.doctor_offices',
  'education',
  'entertainment.qsr',
  'retail.grocery',
  'entertainment.hotels',
];
/** So much that no campaign is spent in a benchmark, and all of them together stay below 2^53 micro-units. */
const BUDGET_MICROS = 500_000_000_000;
/** The forecast of every campaign, which delivery does not use. */
const FORECAST = { impressions_low: 90_000, impressions_high: 120_000, scan_rate_est: 0.0005, screens_eligible: 40 };
/** How many venues are counted for the mean of candidates; the others are like these. */
const VENUES_LOOKED_AT_MAX = 1_000;
const DAY_MS = 86_400_000;
/** Rows per statement: a few MB of JSON. */
const ROWS_AT_ONCE = 5_000;

/** Tables whose handles come from a sequence. */
const TABLES_WITH_HANDLES = [
  'workspaces',
  'venues',
  'screens',
  'creatives',
  'campaigns',
  'ledger_accounts',
  'ledger_transactions',
  'ledger_postings',
] as const;

type Row = Record<string, unknown>;
type Place = { city: string; type: string };

/** Deterministic and spread out: the same network every time. */
const turn = (index: number, step: number, size: number): number => (index * step) % size;

const citiesOf = ({ campaigns }: Pick<NetworkSize, 'campaigns'>): number =>
  Math.max(1, Math.floor(campaigns / CAMPAIGNS_PER_CITY));

const placeOf = (venue: number, cities: number): Place => ({
  city: `City ${turn(venue, 37, cities)}`,
  type: VENUE_TYPES[turn(venue, 7, VENUE_TYPES.length)]!,
});

/**
 * Seven in ten campaigns want two cities and one venue type, the others four cities and three types; one in a thousand
 * takes all.
 */
function targetsOf(campaign: number, cities: number): { cities: string[]; venue_types: string[]; areas: [] } {
  if (campaign % 1000 === 999) return { cities: [], venue_types: [], areas: [] };
  const [cityCount, typeCount] = campaign % 10 < 7 ? [2, 1] : [4, 3];
  const round = Math.floor(campaign / cities);
  return {
    cities: Array.from({ length: cityCount }, (_, index) => `City ${(campaign + index * (1 + round)) % cities}`),
    venue_types: Array.from(
      { length: typeCount },
      (_, index) => VENUE_TYPES[(round + index * 3) % VENUE_TYPES.length]!,
    ),
    areas: [],
  };
}

/** Inserts rows with the columns of the first one; handles are given by the caller. */
async function insertRows(sql: Postgres, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0]!);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = JSON.stringify(rows.slice(from, from + ROWS_AT_ONCE));
    await sql`
      insert into ${sql(table)} (${sql(columns)}) overriding system value
      select ${sql(columns)} from jsonb_populate_recordset(null::${sql(table)}, ${part}::text::jsonb)`;
  }
}

/** Fills an empty, migrated database. */
export async function createBenchNetwork(sql: Postgres, size: NetworkSize, now: Date): Promise<Network> {
  const cities = citiesOf(size);
  const tokens = Array.from({ length: size.screens }, () => formatDeviceToken(randomBytes(32)));
  const campaigns = Array.from({ length: size.campaigns }, (_, index) => targetsOf(index, cities));
  await insertParties(sql, now);
  await insertScreens(sql, { tokens, cities }, now);
  await insertCampaigns(sql, campaigns, size, now);
  await sql`analyze`;
  return { tokens, candidatesMean: candidatesMean(campaigns, { screens: size.screens, cities }) };
}

function candidatesMean(
  campaigns: readonly object[],
  { screens, cities }: { screens: number; cities: number },
): number {
  const parsed = campaigns.map(json => parseTargets(json));
  let matches = 0;
  const looked = Math.min(screens, VENUES_LOOKED_AT_MAX);
  for (let venue = 0; venue < looked; venue += 1) {
    const { city, type } = placeOf(venue, cities);
    const place = { cityFolded: foldCity(city), venueType: type, lat: 0, lng: 0 };
    for (const targets of parsed) if (!isRefusal(targets) && matchesPlace(targets, place)) matches += 1;
  }
  return matches / looked;
}

/** The first workspace owns the screens, the others are brands. */
async function insertParties(sql: Postgres, now: Date): Promise<void> {
  const workspaces = Array.from({ length: BRANDS + 1 }, (_, index) => ({
    handle: index + 1,
    kind: index === 0 ? 'venue' : 'brand',
    name: `Workspace ${index}`,
    currency: 'EUR',
    plan: 'standard',
    created_at: now,
  }));
  await insertRows(sql, 'workspaces', workspaces);
}

async function insertScreens(
  sql: Postgres,
  { tokens, cities }: { tokens: readonly string[]; cities: number },
  now: Date,
): Promise<void> {
  const venues = tokens.map((_, index) => ({
    handle: index + 1,
    workspace_handle: 1,
    name: `Venue ${index}`,
    ...placeOf(index, cities),
    ...addressOf(index),
    timezone: 'UTC',
    daily_visitors: 400,
    dwell_minutes: 45,
    blocked_categories: [],
    created_at: now,
  }));
  const screens = tokens.map((token, index) => ({
    handle: index + 1,
    workspace_handle: 1,
    venue_handle: index + 1,
    label: `Screen ${index}`,
    platform: 'linux',
    orientation: 'landscape',
    ad_ratio: 1,
    sensor_paired: false,
    blocked_categories: [],
    sandbox: false,
    token_hash: `\\x${createHash('sha256').update(token).digest('hex')}`,
    created_at: now,
  }));
  await insertRows(sql, 'venues', venues);
  await insertRows(sql, 'screens', screens);
}

/** A thousandth of a degree further for each, so that no two share the people of one address. */
function addressOf(index: number): { lat: number; lng: number } {
  return { lat: (index % 90_000) / 1_000, lng: Math.floor(index / 90_000) };
}

/** Fills the reservations from the funding account. Triggers are off, because they run for each posting by itself. */
async function insertFunds(sql: Postgres, campaigns: number, now: Date): Promise<void> {
  const funding = campaigns + 1;
  const postings = Array.from({ length: campaigns }, (_, index) => ({
    handle: index + 2,
    transaction_handle: 1,
    account_handle: index + 1,
    amount_micros: BUDGET_MICROS,
  }));
  await insertRows(sql, 'ledger_accounts', [
    { handle: funding, kind: 'funding', book: 'live', currency: 'EUR', balance_micros: -campaigns * BUDGET_MICROS },
  ]);
  await insertRows(sql, 'ledger_transactions', [{ handle: 1, kind: 'reserve', reference: 'bench', posted_at: now }]);
  await sql`alter table ledger_postings disable trigger user`;
  await insertRows(sql, 'ledger_postings', [
    { handle: 1, transaction_handle: 1, account_handle: funding, amount_micros: -campaigns * BUDGET_MICROS },
    ...postings,
  ]);
  await sql`alter table ledger_postings enable trigger user`;
}

/**
 * Campaigns that want the same city are of one brand, so that most candidates of a screen may follow each other:
 * competitors may not, and would leave every second slot of a small network empty.
 */
const brandOf = (campaign: number, cities: number): number => 2 + ((campaign % cities) % BRANDS);

/** The n-th creative of a brand; after the last one the first follows again. */
const creativeOf = (brand: number, nth: number): number =>
  (brand - 2) * CREATIVES_PER_BRAND + (nth % CREATIVES_PER_BRAND) + 1;

async function insertCampaigns(sql: Postgres, targets: readonly object[], size: NetworkSize, now: Date): Promise<void> {
  const cities = citiesOf(size);
  await insertRows(sql, 'creatives', creativeRows(size.creativeMs, now));
  await insertRows(sql, 'campaigns', campaignRows(targets, cities, now));
  const creatives = targets.flatMap((_, index) =>
    [0, 1, 2].map(nth => ({
      campaign_handle: index + 1,
      creative_handle: creativeOf(brandOf(index, cities), index + nth),
      weight: 1,
    })),
  );
  await insertRows(sql, 'campaign_creatives', creatives);
  const accounts = targets.map((_, index) => ({
    handle: index + 1,
    kind: 'reservation',
    book: 'live',
    currency: 'EUR',
    workspace_handle: brandOf(index, cities),
    campaign_handle: index + 1,
    balance_micros: BUDGET_MICROS,
  }));
  await insertRows(sql, 'ledger_accounts', accounts);
  await insertFunds(sql, targets.length, now);
  // Later rows take their handles from the sequences.
  for (const table of TABLES_WITH_HANDLES)
    await sql`select setval(pg_get_serial_sequence(${table}, 'handle'), (select max(handle) from ${sql(table)}))`;
}

function creativeRows(creativeMs: number, now: Date): Row[] {
  return Array.from({ length: BRANDS * CREATIVES_PER_BRAND }, (_, index) => ({
    handle: index + 1,
    workspace_handle: 2 + Math.floor(index / CREATIVES_PER_BRAND),
    name: `Creative ${index}`,
    orientation: 'landscape',
    kind: 'video',
    duration_ms: creativeMs,
    filename: `${index}.mp4`,
    content_type: 'video/mp4',
    status: 'ready',
    sandbox: false,
    sha256: createHash('sha256').update(String(index)).digest('hex'),
    bytes: 1_000_000,
    created_at: now,
  }));
}

function campaignRows(targets: readonly object[], cities: number, now: Date): Row[] {
  const date = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  return targets.map((json, index) => ({
    handle: index + 1,
    workspace_handle: brandOf(index, cities),
    name: `Campaign ${index}`,
    category: 'retail',
    status: 'live',
    sandbox: false,
    currency: 'EUR',
    budget_micros: BUDGET_MICROS,
    handed_micros: 0,
    returned_micros: 0,
    charged_micros: 0,
    charged_plays: 0,
    starts_on: date(-1),
    ends_on: date(30),
    targets: json,
    landing_url: 'https://example.com/offer',
    brand_lift: false,
    rate_micros: 6_000,
    forecast: FORECAST,
    created_at: now,
  }));
}
