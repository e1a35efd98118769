/**
 * Findings of the reviews of screens and venues, and what was decided about them. The caller that raises or decides one
 * has locked the workspace, as withdrawals do.
 */
import type { Handle } from '#domain/id.ts';
import { jsonb, type Queryable, type Transaction } from '#sql/postgres.ts';
import type { Micros } from '#domain/unit.ts';
import { readListed, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';

type FindingStatus = 'open' | 'cleared' | 'upheld';
export type Finding = {
  handle: Handle<'finding'>;
  rule: string;
  ruleVersion: number;
  workspace: Handle<'workspace'>;
  venue: Handle<'venue'>;
  screen: Handle<'screen'> | null;
  fromAt: Date;
  toAt: Date;
  evidence: Record<string, number>;
  status: FindingStatus;
  isHolding: boolean;
  raisedAt: Date;
  seenAt: Date;
  decidedAt: Date | null;
  note: string | null;
};
export type NewFinding = Pick<
  Finding,
  'rule' | 'ruleVersion' | 'workspace' | 'venue' | 'screen' | 'fromAt' | 'toAt' | 'evidence'
>;

/** For how long a finding that the operator has cleared is not raised again. */
const QUIET_DAYS = 30;

const columns = (sql: Queryable) => sql`
  f.handle, f.rule, f.rule_version as "ruleVersion", f.workspace_handle as workspace, f.venue_handle as venue,
    f.screen_handle as screen, f.from_at as "fromAt", f.to_at as "toAt",
  f.evidence, f.status, f.is_holding as "isHolding", f.raised_at as "raisedAt", f.seen_at as "seenAt",
    f.decided_at as "decidedAt", f.note`;

/**
 * Raises a finding, or adds to the one that is already open. Undefined where there is nothing new: the operator has
 * recently cleared the same finding, or has upheld it for part of the same time.
 */
export async function raiseFinding(
  tx: Transaction,
  found: NewFinding,
  now: Date,
): Promise<{ handle: Handle<'finding'>; isNew: boolean } | undefined> {
  const { rule, ruleVersion, workspace, venue, screen, fromAt, toAt, evidence } = found;
  const [decided] = await tx`
    select 1 from findings where venue_handle = ${venue} and rule = ${rule} and screen_handle is not distinct
    from ${screen}
      and (status = 'cleared' and decided_at > ${now}::timestamptz - make_interval(days => ${QUIET_DAYS})
        or status = 'upheld' and to_at > ${fromAt}) limit 1`;
  if (decided) return undefined;
  const [row] = await tx<{ handle: Handle<'finding'>; isNew: boolean }[]>`
    insert into findings as f (rule, rule_version, workspace_handle, venue_handle, screen_handle, from_at, to_at,
      first_day, last_day, evidence, status, raised_at, seen_at)
    select ${rule}, ${ruleVersion}, ${workspace}, ${venue}, ${screen}::bigint, ${fromAt}, ${toAt},
      min((${fromAt}::timestamptz at time zone z.timezone)::date),
      max(((${toAt}::timestamptz - interval '1 millisecond') at time zone z.timezone)::date), ${jsonb(tx, evidence)},
      'open', ${now}, ${now}
    from (select timezone from venues where handle = ${venue}
      union select timezone from venue_zones where venue_handle = ${venue} and until > ${fromAt}) z
    having count(*) > 0
    on conflict (rule, venue_handle, coalesce(screen_handle, 0)) where status = 'open' do update set
      rule_version = excluded.rule_version, to_at = greatest(f.to_at, excluded.to_at),
        last_day = greatest(f.last_day, excluded.last_day), evidence = excluded.evidence, seen_at = excluded.seen_at
    returning f.handle, f.raised_at = ${now} as "isNew"`;
  return row;
}

export async function readFinding(
  sql: Queryable,
  handle: Handle<'finding'>,
  { isLocked = false } = {},
): Promise<Finding | undefined> {
  const [row] = await sql<Finding[]>`
    select ${columns(sql)} from findings f where f.handle = ${handle} ${isLocked ? sql`for update` : sql``}`;
  return row;
}

/** Plays of a slot may be reported for nine days: asked for two days ahead, in an offline plan for seven after it. */
const REPORTED_DAYS = 9;
/** A round is a pass over a month of raw plays; earnings are held for longer. */
const ROUND_AGAIN_HOURS = 6;

/**
 * Upheld findings whose plays are to be looked for: never before, or some hours ago while more may be reported; and
 * those that hold earnings again.
 * `rounds`: how often some were found.
 */
export async function findingsToTakeOut(
  sql: Queryable,
  { now, rowsMax }: { now: Date; rowsMax: number },
): Promise<(Finding & { rounds: number })[]> {
  return sql<(Finding & { rounds: number })[]>`
    select ${columns(sql)}, (select count(*) from play_takings t where t.finding_handle = f.handle) as rounds
    from findings f
    where f.status = 'upheld' and (f.taken_out_at is null or f.is_holding
      or f.taken_out_at < ${now}::timestamptz - make_interval(hours => ${ROUND_AGAIN_HOURS})
        and f.to_at > ${now}::timestamptz - make_interval(days => ${REPORTED_DAYS}))
    order by f.taken_out_at nulls first, f.handle limit ${rowsMax}`;
}

/**
 * Holds what a failed payout gives back of days whose plays were taken out while it was pending, until the workers have
 * decided which part goes back.
 */
export async function holdTakenOut(tx: Transaction, payout: Handle<'payout'>): Promise<void> {
  await tx`
    update findings f set is_holding = true where f.status = 'upheld' and exists (
      select from payout_lines l join venue_earnings e on e.handle = l.earning_handle
      where l.payout_handle = ${payout} and e.venue_handle = f.venue_handle
        and e.day between f.first_day and f.last_day)`;
}

/** How many are open, counted up to `countMax`, and since when the oldest of them has been. */
export async function oldestOpen(sql: Queryable, countMax: number): Promise<{ count: number; since: Date | null }> {
  const [row] = await sql<{ count: number; since: Date | null }[]>`
    select count(*) as count, min(raised_at) as since
    from (select raised_at from findings where status = 'open' order by handle limit ${countMax}) as f`;
  return row!;
}

type FindingsFilter = {
  workspace?: Handle<'workspace'>;
  statuses?: readonly string[] | undefined;
  isCounted?: boolean;
};

/** A page of the findings of one workspace or of all, in the order in which they were raised. */
export async function listFindings(
  sql: Queryable,
  page: PageOrder,
  { workspace, statuses, isCounted = false }: FindingsFilter,
): Promise<Counted<Finding>> {
  const wanted = sql<Finding[]>`
    select ${columns(sql)} from findings f where true
      ${statuses === undefined ? sql`` : sql`and f.status = any(${[...statuses]}::text[])`}
      ${workspace === undefined ? sql`` : sql`and f.workspace_handle = ${workspace}`}`;
  return readListed(sql, page, { sorts: BY_CREATION, handle: 'f.handle', wanted, isCounted });
}

export type FindingNames = { handle: Handle<'finding'>; workspace: string; venue: string; screen: string | null };

/** The names of what findings are about. */
export async function readNames(sql: Queryable, handles: readonly Handle<'finding'>[]): Promise<FindingNames[]> {
  return sql<FindingNames[]>`
      select f.handle, w.name as workspace, v.name as venue, s.label as screen
      from findings f join workspaces w on w.handle = f.workspace_handle join venues v on v.handle = f.venue_handle
        left join screens s on s.handle = f.screen_handle where f.handle = any(${[...handles]}::bigint[])`;
}

/** The unwithdrawn earnings that a finding holds, by currency. Findings about the same days hold the same earnings. */
export async function heldBy(
  sql: Queryable,
  handles: readonly Handle<'finding'>[],
): Promise<{ finding: Handle<'finding'>; currency: string; micros: Micros }[]> {
  return sql<{ finding: Handle<'finding'>; currency: string; micros: Micros }[]>`
    select f.handle as finding, e.currency, sum(e.earned_micros - e.withdrawn_micros)::bigint as micros
    from findings f join venue_earnings e on e.venue_handle = f.venue_handle
      and e.day between f.first_day and f.last_day and not e.sandbox and e.earned_micros > e.withdrawn_micros
    where f.handle = any(${[...handles]}::bigint[]) and f.is_holding group by 1, 2 order by 1, 2`;
}

/** The money of findings with removed plays, by currency: charges of brands, their credits, and reversed earnings. */
export async function takenOutBy(
  sql: Queryable,
  handles: readonly Handle<'finding'>[],
): Promise<{ finding: number; currency: string; plays: number; gross: Micros; credited: Micros; reversed: Micros }[]> {
  return sql<{ finding: number; currency: string; plays: number; gross: Micros; credited: Micros; reversed: Micros }[]>`
    select finding_handle as finding, currency, sum(plays)::bigint as plays, sum(gross)::bigint as gross,
      sum(credited)::bigint as credited, sum(reversed)::bigint as reversed from (
      select t.finding_handle, c.currency, k.plays, k.gross_micros as gross, k.credit_micros as credited, 0 as reversed
      from play_takings t join campaign_credits k on k.taking_handle = t.handle
      join campaigns c on c.handle = k.campaign_handle where t.finding_handle = any(${[...handles]}::bigint[])
      union all
      select t.finding_handle, e.currency, 0, 0, 0, r.earned_micros
      from play_takings t join earning_reversals r on r.taking_handle = t.handle
      join venue_earnings e on e.handle = r.earning_handle where t.finding_handle = any(${[...handles]}::bigint[])
    ) as taken group by 1, 2 order by 1, 2`;
}
