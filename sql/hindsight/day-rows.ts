/** The network of a day that is over: its places, and the campaigns that were live on it. */
import type { LiveMove } from '#domain/allocation/hindsight/live-hours.ts';
import type { CampaignRow, PlaceRow } from '#domain/allocation/network/network-rows.ts';
import type { Handle } from '#domain/id.ts';
import { campaignColumns, campaignTables, placeColumns, placeTables } from '#sql/plan/network-rows.ts';
import type { Queryable } from '#sql/postgres.ts';

/** Equal screens of one venue. */
export type DayPlace = PlaceRow & { venue: Handle<'venue'>; handles: Handle<'screen'>[] };

/** The places with paired screens since the beginning of the day, except sandboxes. */
export async function selectDayPlaces(sql: Queryable, begin: Date): Promise<DayPlace[]> {
  return sql<DayPlace[]>`
    select ${placeColumns(sql)}, 1 as ad_share, array_agg(s.handle) as handles from ${placeTables(sql)}
    where not s.sandbox and not s.simulated and (s.unpaired_at is null or s.unpaired_at >= ${begin})
    group by v.handle, n.screens, law.restrictions, s.blocked_categories, s.orientation, s.sandbox order by v.handle`;
}

type LiveRow = CampaignRow & { is_live: boolean };
type MoveRow = { campaign: Handle<'campaign'>; at: Date; from: string; to: string };

/**
 * Campaigns whose flight included the day anywhere on Earth, and that had not ended before it, with their moves since
 * its beginning, oldest first.
 */
export async function selectDayCampaigns(sql: Queryable, begin: Date): Promise<(LiveRow & { moves: LiveMove[] })[]> {
  const ofDay = sql`
    not c.sandbox and c.paced_from is not null and (c.ended_at is null or c.ended_at >= ${begin})
      and c.starts_on <= (${begin}::timestamptz at time zone 'UTC')::date + 1
      and c.ends_on >= (${begin}::timestamptz at time zone 'UTC')::date - 1`;
  const rows = await sql<LiveRow[]>`
    select ${campaignColumns(sql)}, c.status = 'live' and c.deleted_at is null as is_live
    from ${campaignTables(sql)} where ${ofDay} group by c.handle order by c.handle`;
  const moves = await sql<MoveRow[]>`
    select c.handle as campaign, a.at, a.diff -> 'status' ->> 'from' as "from", a.diff -> 'status' ->> 'to' as "to"
    from campaigns c join audit_entries a on a.workspace_handle = c.workspace_handle and a.entity_type = 'campaign'
      and a.entity_handle = c.handle and a.at >= ${begin}
    where ${ofDay} and (a.diff -> 'status' ->> 'to' = 'live' or a.diff -> 'status' ->> 'from' = 'live')
    order by a.at, a.handle`;
  const movesOf = new Map(rows.map(({ handle }): [Handle<'campaign'>, LiveMove[]] => [handle, []]));
  for (const { campaign, at, from, to } of moves)
    movesOf.get(campaign)?.push({ atMs: at.getTime(), isLive: to === 'live', isFirst: from === 'pending_review' });
  return rows.map(row => ({ ...row, moves: movesOf.get(row.handle)! }));
}
