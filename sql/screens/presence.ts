/** Presence: which screens are connected, what each played last, and the history of their connections. */
import type { ScreenCommand } from '#domain/screens/command.ts';
import { HEALTH_KEPT_MS, SILENT_MS_MAX } from '#domain/screens/screen.ts';
import type { Handle } from '#domain/id.ts';
import type { Milliseconds } from '#domain/unit.ts';
import { sliceOf } from '#sql/lists/list-order.ts';
import type { PageOrder } from '#sql/lists/sorts.ts';
import { jsonb, type Fragment, type Postgres, type Queryable } from '#sql/postgres.ts';

const SWEPT_AT_ONCE = 1_000;
const FORGOTTEN_AT_ONCE = 1_000;

type Clocked = { sql: Postgres; now: () => Date };

/** The status of a screen `s` with its presence `p`, if it has one. */
export function statusColumn(sql: Queryable, now: Milliseconds): Fragment {
  return sql`case when s.token_hash is null then 'paired_idle'
    when p.online and p.last_seen_at > ${new Date(now - SILENT_MS_MAX)} then 'online' else 'offline' end`;
}

/** When a screen was seen, its newest reported play, if new, and after a hello the commands of its player. */
export type SeenScreen = {
  screen: Handle<'screen'>;
  online: boolean;
  at_ms: Milliseconds;
  commands?: readonly ScreenCommand[] | undefined;
  played_at_ms?: Milliseconds;
  played_ms?: Milliseconds;
  campaign?: Handle<'campaign'>;
  creative?: Handle<'creative'>;
};

/**
 * Writes the presence of screens, each at most once and in the order of their handles. The last condition: the process
 * that a screen left does not set it offline. A screen may report old plays, so the play with the latest start stays.
 */
export async function writePresence(sql: Postgres, seen: readonly SeenScreen[]): Promise<void> {
  await sql`
    insert into screen_presence
      (screen_handle, online, last_seen_at, played_at, played_ms, campaign_handle, creative_handle, commands)
    select screen, online, to_timestamp(at_ms / 1000.0), to_timestamp(played_at_ms / 1000.0), played_ms, campaign,
      creative, commands
    from jsonb_to_recordset(${jsonb(sql, seen)}) as seen (screen bigint, online boolean, at_ms bigint,
      played_at_ms bigint, played_ms integer, campaign bigint, creative bigint, commands text[])
    on conflict (screen_handle) do update set online = excluded.online, last_seen_at = excluded.last_seen_at,
      commands = coalesce(excluded.commands, screen_presence.commands),
      (played_at, played_ms, campaign_handle, creative_handle) = (
        select * from (values
          (excluded.played_at, excluded.played_ms, excluded.campaign_handle, excluded.creative_handle),
          (screen_presence.played_at, screen_presence.played_ms, screen_presence.campaign_handle,
            screen_presence.creative_handle)
        ) as plays (played_at) order by played_at desc nulls last limit 1)
    where excluded.last_seen_at >= screen_presence.last_seen_at`;
}

/**
 * Sets silent screens offline. Returns how many. A delivery process reports each connected screen at least every 45 s.
 * A process that is killed cannot report that its screens are gone: without a report for a minute they are offline,
 * since they were last seen.
 */
export async function sweepPresence({ sql, now }: Clocked): Promise<number> {
  const silent = await sql`
    update screen_presence set online = false where online and screen_handle in (
      select screen_handle from screen_presence
      where online and last_seen_at < ${new Date(now().getTime() - SILENT_MS_MAX)}
      order by screen_handle limit ${SWEPT_AT_ONCE} for update skip locked)`;
  return silent.count;
}

/** Periods of a screen, by their beginning. */
export const HEALTH_SORTS = { from: 'handle' } as const;

/** A period in which a screen was connected or not; without `until` it lasts. */
export type HealthRow = { handle: Handle<'screen'>; online: boolean; at: Date; until: Date | null };

/** A page of a screen's periods, as far as the last 30 days have a part of them. */
export async function listHealth(
  sql: Postgres,
  screen: Handle<'screen'>,
  { page, now }: { page: PageOrder; now: Milliseconds },
): Promise<HealthRow[]> {
  const { behind, order } = sliceOf(sql, page, { sorts: HEALTH_SORTS });
  return sql<HealthRow[]>`
    select * from (select handle, online, at, lead(at) over (order by handle) as until from screen_health
      where screen_handle = ${screen}) as periods
    where (until is null or until > ${new Date(now - HEALTH_KEPT_MS)}) ${behind} ${order}`;
}

/**
 * Deletes changes of presence after 30 days, at most 1,000; the last change of each screen stays, because it is the
 * current state. Returns how many.
 */
export async function forgetOldHealth({ sql, now }: Clocked): Promise<number> {
  const forgotten = await sql`
    delete from screen_health where handle in (
      select handle from screen_health old where at < ${new Date(now().getTime() - HEALTH_KEPT_MS)}
        and exists (select 1 from screen_health young
          where young.screen_handle = old.screen_handle and young.handle > old.handle)
      order by at limit ${FORGOTTEN_AT_ONCE})`;
  return forgotten.count;
}

type Reported = {
  played_at: Date;
  played_ms: Milliseconds;
  campaign_handle: Handle<'campaign'>;
  creative_handle: Handle<'creative'>;
};
/** A screen that never reported an ad has none of it. */
export type ShownRow = { handle: Handle<'screen'> } & (Reported | { [Column in keyof Reported]: null });

/** The ads that the owner's screens have reported last; a screen of somebody else is left out. */
export async function readShown(
  sql: Queryable,
  { workspace, sandbox }: { workspace: Handle<'workspace'>; sandbox: boolean },
  screens: readonly Handle<'screen'>[],
): Promise<ShownRow[]> {
  return sql<ShownRow[]>`
    select s.handle, p.played_at, p.played_ms, p.campaign_handle, p.creative_handle
    from screens s left join screen_presence p on p.screen_handle = s.handle
    where s.handle = any(${[...screens]}::bigint[]) and s.workspace_handle = ${workspace}
      and s.sandbox = ${sandbox} and s.unpaired_at is null order by s.handle`;
}
