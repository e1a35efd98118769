/** Campaigns that may be at their end: their schedule is over, or all of their money is handed out. */
import type { CampaignRow } from '#domain/allocation/network/network-rows.ts';
import type { Handle } from '#domain/id.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';

/**
 * A day ends last 12 hours behind UTC, so a schedule has ended everywhere at noon UTC of the day after its last; two
 * hours more cover a fill that may still be started. A daypart over midnight belongs to the day it began on, which then
 * ends with it. In a sandbox its own clock counts.
 */
export async function listEnded(sql: Postgres, now: Date, count: number): Promise<Handle<'campaign'>[]> {
  const rows = await sql<{ handle: Handle<'campaign'> }[]>`
    select handle from campaigns left join sandbox_clocks clock using (workspace_handle)
    where status in ('live', 'paused') and deleted_at is null
      and (ends_on + 1)::timestamp + interval '14 hours'
        + case when targets->'daypart'->>'end' <= targets->'daypart'->>'start'
          then (targets->'daypart'->>'end')::interval else interval '0' end
        <= (case when sandbox then greatest(${now}::timestamptz, clock.at)
          else ${now}::timestamptz end at time zone 'UTC')
    order by handle limit ${count}`;
  return rows.map(row => row.handle);
}

/**
 * Campaigns whose money is all in the authority. `left_micros`: its uncharged part; `play_micros`: the mean of their
 * plays.
 */
export type HandedOut = CampaignRow & {
  left_micros: Micros;
  play_micros: Micros;
  shortest_ms: Partial<Record<Orientation, number>>;
};

/** A page of them, after a handle. */
export async function listHandedOut(
  sql: Postgres,
  { after, count }: { after: number; count: number },
): Promise<HandedOut[]> {
  return sql<HandedOut[]>`
    select c.handle, c.sandbox, c.category, c.targets, c.starts_on - date '1970-01-01' as starts_on,
      c.ends_on - date '1970-01-01' as ends_on,
      c.created_at as paced_from, c.paced_base_micros, c.budget_micros, c.charged_micros, c.rate_micros,
      c.frequency_per_hour_max, coalesce(array_agg(k.orientation) filter (where k.orientation is not null), '{}') as orientations,
      coalesce(jsonb_object_agg(k.orientation, k.shortest_ms) filter (where k.orientation is not null),
        '{}') as shortest_ms,
      c.budget_micros + c.take_back_micros - c.charged_micros - c.returned_micros as left_micros,
      case when c.charged_plays = 0 then 0 else c.charged_micros / c.charged_plays end as play_micros
    from campaigns c left join lateral (
      select r.orientation, min(r.duration_ms) as shortest_ms from campaign_creatives b
      join creatives r on r.handle = b.creative_handle and r.status = 'ready'
      where b.campaign_handle = c.handle group by r.orientation) k on true
    where c.status in ('live', 'paused') and c.deleted_at is null
      and c.handed_micros - c.take_back_micros = c.budget_micros and c.handle > ${after}
    group by c.handle order by c.handle limit ${count}`;
}
