/**
 * Finds the facts that each reader of alerts has not been sent. Events are read by their time and not by their number,
 * because an event with a lower number may be committed later.
 */
import type { Role, Surface } from '#domain/access/permission.ts';
import type { AlertKind, AlertSettings } from '#domain/alerts/alert.ts';
import { OUTAGE_MS_MAX } from '#domain/alerts/timing.ts';
import type { Handle } from '#domain/id.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Fragment, Queryable } from '../postgres.ts';
import type { ChoiceHandle } from './choices.ts';

export type Reader = { choice: ChoiceHandle; surface: Surface; role: Role; settings: AlertSettings; currency: string };
/** A fact with the reader that it is for. `key` names it among all facts of the reader. */
type Found<Row> = Reader & { key: string } & Row;

/** Rows read at once. */
const PAGE_ROWS = 1_000;
/** How long after an event its alert can be found: workers that stood still for a long weekend miss nothing. */
const EVENTS_MS_MAX: Milliseconds = 3 * 86_400_000;
/** Longer than a week's report may be late, and shorter than a week. */
const REPORTED_MS: Milliseconds = 4 * 86_400_000;
/** A campaign is behind pace at the earliest a day after it went live. */
const PACED_MS_MIN: Milliseconds = 86_400_000;

export type FoundEvent = Found<{ kind: AlertKind; object: Record<string, unknown> }>;

/** The kind of an alert is the type of its event with an underscore. */
export async function findEvents(sql: Queryable, now: Date): Promise<FoundEvent[]> {
  return sql<FoundEvent[]>`
    select ${reader(sql)}, 'event ' || o.handle as key, replace(o.type, '.', '_') as kind,
      o.payload -> 'object' as object
    from outbox o join alert_readers r on r.workspace_handle = o.workspace_handle
    where o.type in ('campaign.finished', 'creative.rejected', 'payout.failed') and not o.sandbox
      and o.created_at >= greatest(r.created_at, ${new Date(now.getTime() - EVENTS_MS_MAX)})
      and ${wants(sql, sql`replace(o.type, '.', '_')`)} and ${isNew(sql, sql`'event ' || o.handle`)}
    order by o.created_at limit ${PAGE_ROWS}`;
}

export type FoundOutage = Found<{
  screen: Handle<'screen'>;
  label: string;
  venue: Handle<'venue'>;
  venue_name: string;
  timezone: string;
  opening_hours: unknown;
  last_seen_at: Date;
  screens: number;
}>;

/** Screens that are offline, page by page: whether for long enough in opening hours is for the caller to say. */
export async function* findOutages(sql: Queryable, now: Date): AsyncGenerator<FoundOutage[]> {
  const key = sql`'screen ' || s.handle || ' ' || extract(epoch from p.last_seen_at)`;
  yield* pages<FoundOutage>(
    last => sql<FoundOutage[]>`
      select ${reader(sql)}, ${key} as key, s.handle as screen, s.label, v.handle as venue, v.name as venue_name,
        v.timezone, v.opening_hours, p.last_seen_at,
        (select count(*)::integer from screens o
          where o.venue_handle = v.handle and o.unpaired_at is null and not o.sandbox) as screens
      from alert_readers r
        join screens s on s.workspace_handle = r.workspace_handle and s.unpaired_at is null and not s.sandbox
        join screen_presence p on p.screen_handle = s.handle and not p.online
        join venues v on v.handle = s.venue_handle
      where p.last_seen_at > ${new Date(now.getTime() - OUTAGE_MS_MAX)} and ${wants(sql, sql`'screen_offline'`)}
        and (r.choice, s.handle) > (${last?.choice ?? 0}, ${last?.screen ?? 0}) and ${isNew(sql, key)}
      order by r.choice, s.handle limit ${PAGE_ROWS}`,
  );
}

export type FoundCampaign = Found<{
  campaign: Handle<'campaign'>;
  name: string;
  starts: string;
  ends: string;
  targets: object;
  budget_micros: Micros;
  charged_micros: Micros;
  paced_from: Date;
  paced_base_micros: Micros;
}>;

/** Campaigns that are live for a day at least, page by page. */
export async function* findPaced(sql: Queryable, now: Date): AsyncGenerator<FoundCampaign[]> {
  const key = sql`'pace ' || c.handle || ' ' || extract(epoch from c.paced_from)`;
  yield* pages<FoundCampaign>(
    last => sql<FoundCampaign[]>`
      select ${reader(sql)}, ${key} as key, c.handle as campaign, c.name, c.starts_on::text as starts,
        c.ends_on::text as ends, c.targets, c.budget_micros, c.charged_micros, c.paced_from, c.paced_base_micros
      from alert_readers r join campaigns c on c.workspace_handle = r.workspace_handle
      where c.status = 'live' and c.deleted_at is null and not c.sandbox
        and c.paced_from <= ${new Date(now.getTime() - PACED_MS_MIN)} and ${wants(sql, sql`'campaign_behind'`)}
        and (r.choice, c.handle) > (${last?.choice ?? 0}, ${last?.campaign ?? 0}) and ${isNew(sql, key)}
      order by r.choice, c.handle limit ${PAGE_ROWS}`,
  );
}

export type FoundWallet = Found<{ balance_micros: Micros }>;

/** Wallets below the amount that the reader chose: one fact after each time that money came in. */
export async function findWallets(sql: Queryable): Promise<FoundWallet[]> {
  const key = sql`'wallet ' || a.handle || ' ' || top_up.handle`;
  return sql<FoundWallet[]>`
    select ${reader(sql)}, ${key} as key, a.balance_micros
    from alert_readers r
      join ledger_accounts a on a.workspace_handle = r.workspace_handle and a.kind = 'wallet' and a.book = 'live'
        and a.currency = r.currency
      join lateral (select p.handle from ledger_postings p
        where p.account_handle = a.handle and p.wallet_kind in ('top_up', 'transfer') and p.amount_micros > 0
        order by p.handle desc limit 1) top_up on true
    where a.balance_micros < (r.settings ->> 'wallet_below_micros')::bigint and ${wants(sql, sql`'wallet_low'`)}
      and ${isNew(sql, key)}
    order by r.choice limit ${PAGE_ROWS}`;
}

export type FoundKey = Found<{ display: string; name: string; expires_at: Date }>;

export async function findKeys(sql: Queryable, now: Date): Promise<FoundKey[]> {
  const key = sql`'key ' || k.handle || ' ' || extract(epoch from k.expires_at)`;
  return sql<FoundKey[]>`
    select ${reader(sql)}, ${key} as key, k.display, k.name, k.expires_at
    from alert_readers r join keys k on k.workspace_handle = r.workspace_handle
    where k.mode = 'live' and not k.is_revoked and k.revoked_at is null and k.expires_at > ${now}
      and k.expires_at <= ${now}::timestamptz + make_interval(days => (r.settings ->> 'key_days')::integer)
      and ${wants(sql, sql`'key_expiring'`)} and ${isNew(sql, key)}
    order by r.choice, k.handle limit ${PAGE_ROWS}`;
}

export type ReportReader = Reader & { workspace: Handle<'workspace'> };

/** Readers of weekly reports that have none of the last days, page by page. Which week it is depends on their zone. */
export async function* findReportReaders(sql: Queryable, now: Date): AsyncGenerator<ReportReader[]> {
  yield* pages<ReportReader>(
    last => sql<ReportReader[]>`
      select ${reader(sql)}, r.workspace_handle as workspace from alert_readers r
      where ${wants(sql, sql`'weekly_report'`)} and r.choice > ${last?.choice ?? 0}
        and not exists (select from weekly_reports w where w.choice_handle = r.choice
          and w.created_at > ${new Date(now.getTime() - REPORTED_MS)})
      order by r.choice limit ${PAGE_ROWS}`,
  );
}

async function* pages<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const rows: Row[] = await read(last);
    yield rows;
    last = rows.length === PAGE_ROWS ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

function reader(sql: Queryable): Fragment {
  return sql`r.choice, r.surface, r.role, r.settings, r.currency`;
}

function wants(sql: Queryable, kind: Fragment): Fragment {
  return sql`r.settings -> 'alerts' ->> ${kind} <> 'off'`;
}

function isNew(sql: Queryable, key: Fragment): Fragment {
  return sql`not exists (select from alert_facts f where f.choice_handle = r.choice and f.key = ${key})`;
}
