/**
 * An installation with ten thousand screens and a thousand campaigns, and as much of everything else as comes with
 * them, written straight into the engines: through the API it would take longer than the test. The API that shows it
 * is a process of its own, as it is deployed.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatId, type Handle } from '../../../domain/id.ts';
import { createKey, createWorkspace, type TestApi, type TestWorkspace } from '../../api/support/app-under-test.ts';
import { programOf } from '../../../runtime/programs/program.ts';

export const SIZE = { screens: 10_000, venues: 5_000, campaigns: 1_000, playlists: 1_000, clients: 200, rows: 10_000 };
/** A list of payouts, people or keys is no longer than an installation of this size has them. */
const FEW = 200;
const DAY_MS = 86_400_000;
/** No delivery runs that would say again that a screen is there. */
const FAR_AHEAD = new Date('2100-01-01');

export type Large = { keys: Record<'brand' | 'venue' | 'agency' | 'operator', string>; webhook: string };

export async function fillLarge(api: TestApi): Promise<Large> {
  const brand = await createWorkspace(api, { funds: 10_000_000 });
  const venue = await createWorkspace(api, { kind: 'venue' });
  const agency = await createWorkspace(api, { kind: 'agency' });
  const operator = await createWorkspace(api, { kind: 'operator' });
  await fillVenue(api, venue);
  await fillBrand(api, brand);
  await fillClients(api, agency);
  for (const workspace of [brand, venue]) await fillWorkspace(api, workspace);
  const webhook = await fillWebhooks(api, brand);
  await fillPlays(api, { brand, venue });
  await api.sql`vacuum analyze`;
  return {
    webhook,
    keys: {
      brand: await createKey(api, brand),
      venue: await createKey(api, venue, { surface: 'screen_manager' }),
      agency: await createKey(api, agency, { surface: 'agency' }),
      operator: await createKey(api, operator, { surface: 'operator' }),
    },
  };
}

/** Venues in forty cities; of ten screens seven are online, two off, and one has never shown anything. */
async function fillVenue({ sql, clock }: TestApi, { handle }: TestWorkspace): Promise<void> {
  const now = new Date(clock.now());
  await sql`
    insert into venues (workspace_handle, name, type, city, lat, lng, timezone, daily_visitors, dwell_minutes, created_at)
    select ${handle}, 'Venue ' || n, (array['entertainment.bars', 'retail.malls', 'transit.subway'])[1 + n % 3],
      'City ' || n % 40, 48 + n % 70 / 10.0, 6 + n % 90 / 10.0, 'Europe/Berlin', 100 + n % 900, 30, ${now}
    from generate_series(1, ${SIZE.venues}) as n`;
  await sql`
    insert into screens (workspace_handle, venue_handle, label, platform, ad_ratio, sandbox, token_hash, created_at)
    select ${handle}, (select min(handle) from venues) + n % ${SIZE.venues}, 'Screen ' || n, 'linux', 0.5, false,
      case when n % 10 < 9 then sha256(convert_to('screen ' || n, 'UTF8')) end, ${now}
    from generate_series(1, ${SIZE.screens}) as n`;
  await sql`
    insert into screen_presence (screen_handle, online, last_seen_at)
    select handle, handle % 10 < 7, case when handle % 10 < 7 then ${FAR_AHEAD}::timestamptz
      else ${now}::timestamptz - handle % 1000 * interval '1 minute' end
    from screens where token_hash is not null`;
  await sql`
    insert into playlists (workspace_handle, name, ad_ratio, sandbox, created_at, updated_at)
    select ${handle}, 'Playlist ' || n, 0.5, false, ${now}, ${now} from generate_series(1, ${SIZE.playlists}) as n`;
  await sql`
    insert into venue_earnings (workspace_handle, venue_handle, sandbox, currency, day, tier, share_millionths, plays,
      impressions_thousandths, gross_micros, earned_micros, settled_on)
    select ${handle}, v.handle, false, 'EUR', ${now}::date - n, 'minimum', 500000, 10, 50500, 2000000, 1000000,
      ${now}::date - n
    from generate_series(1, 20) as n cross join (select handle from venues limit 500) as v`;
  await sql`
    insert into earning_lines (earning_handle, settled_on, screen_handle, category, plays, impressions_thousandths,
      gross_micros, earned_micros, first_settled_at, last_settled_at)
    select e.handle, e.settled_on, s.handle, 'travel', 10, 50500, 2000000, 1000000, ${now}, ${now}
    from venue_earnings e
      join lateral (select handle from screens where venue_handle = e.venue_handle limit 1) s on true`;
}

/** Six in ten campaigns are live, and one waits for the operator. */
async function fillBrand({ sql, clock }: TestApi, { handle }: TestWorkspace): Promise<void> {
  const now = new Date(clock.now());
  const forecast = { impressions_low: 90_000, impressions_high: 120_000, scan_rate_est: 0.0005, screens_eligible: 40 };
  await sql`
    insert into creatives (workspace_handle, name, orientation, kind, duration_ms, filename, status, sandbox, created_at)
    select ${handle}, 'Creative ' || n, 'landscape', 'still', 10000, 'spot.png', 'ready', false, ${now}
    from generate_series(1, ${SIZE.campaigns}) as n`;
  await sql`
    insert into campaigns (workspace_handle, name, category, status, sandbox, currency, budget_micros, handed_micros,
      charged_micros, charged_plays, starts_on, ends_on, targets, rate_micros, forecast, created_at, paced_from,
      review_waits_for, ended_at)
    select ${handle}, 'Campaign ' || n, 'travel', status, false, 'EUR', 1000000000, 1000000000, n * 100000, n,
      ${now}::date - 5, ${now}::date + 25, '{"cities": [], "venue_types": [], "areas": []}', 6000, ${sql.json(forecast)},
      ${now}, ${now}::timestamptz - interval '5 days', case status when 'pending_review' then 'operator' end, null
    from (select n, (array['live', 'live', 'live', 'live', 'live', 'live', 'paused', 'draft', 'pending_review',
      'paused'])[1 + n % 10] as status from generate_series(1, ${SIZE.campaigns}) as n) as made`;
  await sql`
    insert into campaign_creatives (campaign_handle, creative_handle)
    select c.handle, (select min(handle) from creatives) + c.handle % ${SIZE.campaigns} from campaigns c`;
  await sql`
    insert into invoices (workspace_handle, year, sequence, month, currency, is_consolidated, status, gross_micros,
      discount_micros, total_micros, parties, issued_at)
    select ${handle}, 2026, n, '2026-01-01', 'EUR', false, 'issued', 1000000, 0, 1000000,
      '{"seller": {"name": "S"}, "buyer": {"name": "B"}}', ${now} from generate_series(1, ${FEW}) as n`;
  await sql`
    with made as (
      insert into ledger_transactions (kind, reference, posted_at)
      select 'top_up', 'large ' || n, ${now} from generate_series(1, 2000) as n returning handle)
    insert into ledger_postings (transaction_handle, account_handle, amount_micros)
    select made.handle, a.handle, case a.kind when 'wallet' then 1000000 else -1000000 end
    from made cross join ledger_accounts a where a.kind in ('wallet', 'funding')`;
}

async function fillClients({ sql, clock }: TestApi, { handle }: TestWorkspace): Promise<void> {
  await sql`
    insert into workspaces (kind, name, currency, parent_handle, billing_model, created_at)
    select 'brand', 'Client ' || n, 'EUR', ${handle}, 'pass-through', ${new Date(clock.now())}
    from generate_series(1, ${SIZE.clients}) as n`;
}

/** What every workspace has: people, keys, an audit log, and the calls of programs. */
async function fillWorkspace({ sql, clickhouse, clock }: TestApi, { handle, user }: TestWorkspace): Promise<void> {
  const now = new Date(clock.now());
  await sql`
    insert into users (workspace_handle, email, role, created_at)
    select ${handle}, 'person-' || n || '@example.com', 'viewer', ${now} from generate_series(1, ${FEW - 1}) as n`;
  await sql`
    insert into keys (workspace_handle, user_handle, surface, access, mode, hash, display, created_at, expires_at, name)
    select ${handle}, ${user}, 'ads_manager', 'read_only', 'live', sha256(convert_to(${`${handle} `} || n, 'UTF8')),
      'sk_live_...', ${now}, ${new Date(now.getTime() + DAY_MS)}, 'Key ' || n from generate_series(1, ${FEW}) as n`;
  await sql`
    insert into audit_entries (workspace_handle, number, at, actor_type, actor_handle, actor_email, source, action,
      entity_type, entity_handle, diff, hash)
    select ${handle}, n, ${now}::timestamptz - n * interval '1 minute', 'user', ${user}, 'someone@example.com', 'API',
      'campaign.updated', 'campaign', n, '{"name": {"from": "Before", "to": "After"}}', sha256('')
    from generate_series(1, ${SIZE.rows}) as n`;
  await clickhouse.command({
    query: `
      insert into private_api_calls (at, workspace_handle, number, kept_years, user_handle, email, action, entity_type,
        method, path, status, request_id)
      select fromUnixTimestamp64Milli({now:Int64} - toInt64(number) * 300), {workspace:UInt64},
        4503599627370496 + number, 2, {user:UInt64}, 'someone@example.com', 'campaign.read', 'campaign', 'GET',
        concat('/v1/campaigns?limit=', toString(number % 100)), 200, toString(generateUUIDv4())
      from numbers({rows:UInt64})`,
    query_params: { now: now.getTime(), workspace: handle, user, rows: SIZE.rows },
  });
}

/** One webhook with many deliveries, most of which came. */
async function fillWebhooks({ sql, clock }: TestApi, { handle }: TestWorkspace): Promise<string> {
  const now = new Date(clock.now());
  const [webhook] = await sql<{ handle: Handle<'webhook'> }[]>`
    insert into webhooks (workspace_handle, sandbox, surface, url, events, secret, created_at)
    select ${handle}, false, 'ads_manager', 'https://hooks.example.com/' || n, '{campaign.paused}', '\\x00', ${now}
    from generate_series(1, 20) as n returning handle`;
  await sql`
    with made as (
      insert into outbox (workspace_handle, type, entity_type, entity_handle, payload, created_at, dispatched_at)
      select ${handle}, 'campaign.paused', 'campaign', n, '{}', ${now}, ${now}
      from generate_series(1, ${SIZE.rows}) as n returning handle)
    insert into webhook_deliveries (webhook_handle, outbox_handle, state, reason, attempts, log, first_at, last_at,
      created_at)
    select ${webhook!.handle}, handle, case when handle % 10 = 0 then 'failed' else 'delivered' end,
      case when handle % 10 = 0 then 'attempts_used_up' end, 1,
      jsonb_build_array(jsonb_build_object('at', ${now}::timestamptz, 'status', 200, 'ms', 12)), ${now}, ${now}, ${now}
    from made`;
  return formatId('webhook', webhook!.handle);
}

/** A day of plays of the campaigns on the screens, and what was decided for them. */
async function fillPlays(
  { sql, clickhouse, clock }: TestApi,
  { brand, venue }: { brand: TestWorkspace; venue: TestWorkspace },
): Promise<void> {
  const campaigns = await sql<{ handle: Handle<'campaign'> }[]>`
    select handle from campaigns where workspace_handle = ${brand.handle} order by handle limit 100`;
  const screens = await sql<{ handle: Handle<'screen'>; venue_handle: Handle<'venue'> }[]>`
    select handle, venue_handle from screens where workspace_handle = ${venue.handle} order by handle limit 500`;
  const texts = (ids: readonly string[]) => `[${ids.map(id => `'${id}'`).join()}]`;
  const campaignIds = texts(campaigns.map(({ handle }) => formatId('campaign', handle)));
  const screenIds = texts(screens.map(({ handle }) => formatId('screen', handle)));
  const venueIds = texts(screens.map(row => formatId('venue', row.venue_handle)));
  await clickhouse.command({
    query: `
      insert into plays_raw (played_at, slot_at, received_at, campaign_id, creative_id, screen_id, venue_id,
        campaign_handle, epoch, issue_number, sandbox, late, played_ms, audience, impressions_thousandths, rate_micros,
        cost_micros, group_id, job_id)
      select slot, fromUnixTimestamp64Milli({now:Int64} - 60000 - toInt64(number) * 800) as slot, slot,
        ${campaignIds}[1 + number % ${campaigns.length}], 'cre_1', ${screenIds}[1 + number % ${screens.length}],
        ${venueIds}[1 + number % ${screens.length}], {first:UInt64} + number % ${campaigns.length}, 1, number, false,
        false, 10000, null, 8200, 6000, 49200, 'large', 'large'
      from numbers({plays:UInt64})`,
    query_params: { now: clock.now(), first: campaigns[0]!.handle, plays: SIZE.rows * 10 },
  });
}

/** The API on the engines of another one, in a process of its own. */
export type ApiProcess = { origin: string; pid: number; stop(): Promise<void> };

export async function startApiProcess({ engines }: TestApi): Promise<ApiProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-console-'));
  const { file, execArgv } = programOf('api/main.ts');
  const child: ChildProcess = fork(file, [], {
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      OPS_PORT: '0',
      DATABASE_URL: engines.databaseUrl,
      CLICKHOUSE_URL: engines.clickhouseUrl,
      REDIS_URL: engines.redisUrl,
      PUBLIC_URL: 'http://127.0.0.1',
      DELIVERY_URL: 'ws://127.0.0.1',
      SIGNING_KEYS: `1:${randomBytes(16).toString('base64')}`,
      STORAGE_URL: pathToFileURL(folder).href,
      LOG_LEVEL: 'error',
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    },
  });
  const [message] = (await once(child, 'message')) as [{ ready: { port: number } }];
  return {
    origin: `http://127.0.0.1:${message.ready.port}`,
    pid: child.pid!,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
