/** The campaigns that were live on a day, with their earlier spend, their spend on the day, and their live hours. */
import { liveHours, type LiveMove } from '#domain/allocation/hindsight/live-hours.ts';
import type { CampaignRow } from '#domain/allocation/network/network-rows.ts';
import type { Handle } from '#domain/id.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { CampaignDayRow } from '../threads/look-back.ts';

/** Charges of campaigns on a day, and from its beginning until now. */
export type Charges = ReadonlyMap<Handle<'campaign'>, { onDay: Micros; since: Micros }>;

type Row = CampaignRow & { is_live: boolean };
type MoveRow = { campaign: Handle<'campaign'>; at: Date; from: string; to: string };

/** Campaigns whose flight included the day anywhere on Earth, and that had not ended before it. */
export async function selectDayCampaigns(
  sql: Queryable,
  { dayMs, charges }: { dayMs: Milliseconds; charges: Charges },
): Promise<CampaignDayRow[]> {
  const at = new Date(dayMs);
  const ofDay = sql`
    not c.sandbox and c.paced_from is not null and (c.ended_at is null or c.ended_at >= ${at})
      and c.starts_on <= (${at}::timestamptz at time zone 'UTC')::date + 1
      and c.ends_on >= (${at}::timestamptz at time zone 'UTC')::date - 1`;
  const rows = await sql<Row[]>`
    select c.handle, c.sandbox, c.category, c.targets, c.starts_on - date '1970-01-01' as starts_on,
      c.ends_on - date '1970-01-01' as ends_on, c.paced_from, c.paced_base_micros, c.budget_micros, c.charged_micros,
      c.rate_micros, array_agg(distinct k.orientation) as orientations,
      c.frequency_per_hour_max, c.status = 'live' and c.deleted_at is null as is_live
    from campaigns c join campaign_creatives b on b.campaign_handle = c.handle
    join creatives k on k.handle = b.creative_handle and k.status = 'ready'
    where ${ofDay} group by c.handle order by c.handle`;
  const moves = await sql<MoveRow[]>`
    select c.handle as campaign, a.at, a.diff -> 'status' ->> 'from' as "from", a.diff -> 'status' ->> 'to' as "to"
    from campaigns c join audit_entries a on a.workspace_handle = c.workspace_handle and a.entity_type = 'campaign'
      and a.entity_handle = c.handle and a.at >= ${at}
    where ${ofDay} and (a.diff -> 'status' ->> 'to' = 'live' or a.diff -> 'status' ->> 'from' = 'live')
    order by a.at, a.handle`;
  const byCampaign = groupMoves(moves);
  return rows.map(({ is_live: isLiveNow, ...row }) => {
    const charged = charges.get(row.handle);
    return {
      ...row,
      charged_micros: Math.max(0, row.charged_micros - (charged?.since ?? 0)),
      delivered_micros: charged?.onDay ?? 0,
      ...liveHours({ isLiveNow, moves: (byCampaign.get(row.handle) ?? []).map(liveMoveOf) }, dayMs),
    };
  });
}

function liveMoveOf({ at, from, to }: MoveRow): LiveMove {
  return { atMs: at.getTime(), isLive: to === 'live', isFirst: from === 'pending_review' };
}

function groupMoves(moves: readonly MoveRow[]): Map<Handle<'campaign'>, MoveRow[]> {
  const groups = new Map<Handle<'campaign'>, MoveRow[]>();
  for (const move of moves) groups.set(move.campaign, [...(groups.get(move.campaign) ?? []), move]);
  return groups;
}
