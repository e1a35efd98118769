/**
 * The demo's network, made through the public API as its users would: venues in six cities and zones, paired screens,
 * brands with wallets, creatives that are uploaded, campaigns with different targets and budgets.
 */
import { SURFACE_OF_KIND, type WorkspaceKind } from '#domain/access/workspace.ts';
import type { Handle } from '#domain/id.ts';
import { MICROS_PER_UNIT } from '#domain/money/money.ts';
import type { Postgres } from '#sql/postgres.ts';
import { enrolSensor } from '../../admin/supply/sensors.ts';
import { createKey, createWorkspace, fundWallet, ownerOf } from '../../operator.ts';
import { SensingModule } from '../../sensing-module.ts';
import { createClient } from '../client.ts';
import { createSignInLink } from '#sql/people/sign-in-links.ts';
import { isOnLoopback } from '../loopback.ts';
import { createClients, type AgencyClient } from './agency-clients.ts';
import { bookForReview, createCampaigns, createCreatives, type DemoCampaign, type DemoCreative } from './campaigns.ts';
import { importRestrictions, importScreenAudiences } from './imports.ts';
import { BRANDS, type DemoBrand } from './brands.ts';
import type { DemoFiles } from './creatives.ts';
import { CITIES, createScreens, declareForReview, type DemoScreen } from './screens.ts';

type DemoKeys = { ads_manager: string; screen_manager: string; agency: string; operator: string; load_test: string };
/** The available roles, with their sign-in paths. */
type DemoRole = { role: 'brand' | 'venue' | 'agency' | 'operator'; path: string };
export type DemoNetwork = Omit<MadeNetwork, 'parties'> & { roles: DemoRole[] };
/** The network without sign-in links. Each start creates new ones. */
export type MadeNetwork = {
  parties: (Pick<Party, 'workspace' | 'key'> & Pick<DemoRole, 'role'>)[];
  keys: DemoKeys;
  screens: DemoScreen[];
  /** Screens that were seen once and are offline: what a venue and the operator have to look after. */
  away: DemoScreen[];
  campaigns: DemoCampaign[];
  brandKeys: string[];
};

/** The network before today's campaigns are booked. */
export type FoundedNetwork = {
  openedAt: Date;
  brands: (Party & { brand: DemoBrand; creatives: readonly DemoCreative[] })[];
  agency: Party;
  clients: AgencyClient[];
  venue: Party;
};

/** How many screens are offline, beside so many that are not. */
const [AWAY, SCREENS_BESIDE_AWAY] = [2, 100];
/** Screens whose audience a vendor measured: the others count the figures of their venues. */
const SCREENS_MEASURED = 20;
/** Of a brand, in euros: its largest campaigns fill all screens. */
const WALLET = 1_000_000;
/** The demo's keys may do what a large integration may; the limits of ordinary keys would stretch the set-up. */
const DEMO_LIMITS = { per_minute_max: 1_000_000, per_second_max: 100_000 };

type CreateNetworkOptions = {
  sql: Postgres;
  apiUrl: string;
  files: DemoFiles;
  screens: number;
  campaigns: number;
  /** The date on which its workspaces were opened and funded. */
  openedAt: Date;
  /** Makes the history, before the campaigns of today are booked. */
  makeHistory: (founded: FoundedNetwork) => Promise<void>;
};

export async function createNetwork(options: CreateNetworkOptions): Promise<MadeNetwork> {
  const { sql, apiUrl, campaigns, openedAt } = options;
  const [venue, agency, operator] = await Promise.all([
    createParty(sql, openedAt, { kind: 'venue', name: 'City Screens' }),
    createParty(sql, openedAt, { kind: 'agency', name: 'Northern Media' }),
    createParty(sql, openedAt, { kind: 'operator', name: 'Network Team' }),
  ]);
  const [made, brands, clients] = await Promise.all([
    openScreens(options, venue),
    Promise.all(BRANDS.map((brand, index) => openBrand(options, { brand, index }))),
    createClients({ ...options, agency }),
  ]);
  await options.makeHistory({ openedAt, brands, agency, clients, venue });
  const booked = await Promise.all(
    brands.map(({ key, brand, creatives }, brandIndex) =>
      createCampaigns(createClient(apiUrl, key), {
        brand,
        creatives,
        count: share(campaigns, brands.length, brandIndex),
        brandIndex,
      }),
    ),
  );
  const brand = brands[0]!;
  await bookForReview(createClient(apiUrl, brand.key));
  await declareForReview(createClient(apiUrl, venue.key));
  return {
    parties: [
      { role: 'brand', workspace: brand.workspace, key: brand.key },
      { role: 'venue', ...venue },
      { role: 'agency', ...agency },
      { role: 'operator', ...operator },
    ],
    keys: {
      ads_manager: brand.key,
      screen_manager: venue.key,
      agency: agency.key,
      operator: operator.key,
      load_test: await createOwnersKey(sql, new Date(), {
        kind: 'brand',
        workspace: brand.workspace,
        name: 'Load test',
      }),
    },
    screens: made.slice(0, options.screens),
    away: made.slice(options.screens),
    campaigns: booked.flat(),
    brandKeys: brands.map(({ key }) => key),
  };
}

/** The screens, with what the operator imports about their places and audiences. */
async function openScreens({ sql, apiUrl, screens }: CreateNetworkOptions, venue: Party): Promise<DemoScreen[]> {
  const away = screens < SCREENS_BESIDE_AWAY ? 0 : AWAY;
  const made = await createScreens(
    {
      venues: createClient(apiUrl, venue.key),
      device: createClient(apiUrl, undefined),
      enrolModule: number => enrolModule(sql, venue.workspace, number),
    },
    screens + away,
  );
  await importRestrictions(sql, CITIES.slice(0, 2));
  await importScreenAudiences(sql, made.slice(0, SCREENS_MEASURED));
  return made;
}

async function openBrand(
  { sql, apiUrl, files, openedAt }: CreateNetworkOptions,
  { brand, index }: { brand: DemoBrand; index: number },
): Promise<FoundedNetwork['brands'][number]> {
  const party = await createParty(sql, openedAt, { kind: 'brand', name: brand.name });
  const { workspace, key } = party;
  await fundWallet(sql, openedAt, { workspace, amountMicros: WALLET * MICROS_PER_UNIT, book: 'live' });
  const owner = { ...party, sql, client: createClient(apiUrl, key), openedAt };
  return { ...party, brand, creatives: await createCreatives(owner, files.brands[index]!) };
}

export type Party = { workspace: Handle<'workspace'>; user: Handle<'user'>; key: string };

/** Opens each role as its owner, or by its key if other machines can reach the demo. */
export async function openNetwork(sql: Postgres, { parties, ...network }: MadeNetwork): Promise<DemoNetwork> {
  const signsIn = isOnLoopback(process.env);
  const roles = await Promise.all(
    parties.map(async ({ role, workspace, key }) => ({
      role,
      path: signsIn ? `/console/sign-in#${await createSignInLink(sql, new Date(), workspace)}` : `/console#key=${key}`,
    })),
  );
  return { ...network, roles };
}

/** The index-th share of `total` in `parts` nearly equal parts. */
function share(total: number, parts: number, index: number): number {
  return Math.floor((total * (index + 1)) / parts) - Math.floor((total * index) / parts);
}

/** A workspace with its owner's key. The owner has an address by its name, which pages show. */
async function createParty(
  sql: Postgres,
  openedAt: Date,
  { kind, name }: { kind: WorkspaceKind; name: string },
): Promise<Party> {
  const owner = `owner@${name.toLowerCase().replaceAll(' ', '-')}.example`;
  const workspace = await createWorkspace(sql, openedAt, { kind, name, currency: 'EUR', plan: 'standard', owner });
  const key = await createOwnersKey(sql, openedAt, { kind, workspace, name: 'Demo' });
  return { workspace, user: (await ownerOf(sql, workspace))!, key };
}

async function createOwnersKey(
  sql: Postgres,
  now: Date,
  { kind, ...named }: { kind: WorkspaceKind; workspace: Handle<'workspace'>; name: string },
): Promise<string> {
  const user = (await ownerOf(sql, named.workspace))!;
  const surface = SURFACE_OF_KIND[kind];
  const key = { ...named, user, surface, access: 'read_write', mode: 'live', ...DEMO_LIMITS } as const;
  return (await createKey(sql, now, key)).key;
}

/** Makes a sensing module that the operator has enrolled. */
async function enrolModule(sql: Postgres, workspace: Handle<'workspace'>, number: number): Promise<SensingModule> {
  const module = new SensingModule(`DEMO-${String(number).padStart(4, '0')}`);
  await enrolSensor(sql, new Date(), { workspace, ...module });
  return module;
}
