/**
 * The network as jobs read it: screens (grouped where they are alike) and campaigns. Plans and forecasts are made of
 * both books; `sql/sandbox` and `sql/hindsight` read a part of it.
 */
import type { Handle } from '#domain/id.ts';
import type { CampaignRow, PlaceRow } from '#domain/allocation/network/network-rows.ts';
import type { Queryable } from '#sql/postgres.ts';

/** `ad_share`: the sum of the ad ratios of its screens (a playlist's where it has one), 0 or more. */
type PlannedPlaceRow = PlaceRow & { venue: Handle<'venue'>; sensor: boolean; screens: number };

export type BookedCampaignRow = CampaignRow & {
  workspace: Handle<'workspace'>;
  /** Its workspace is an agency or the client of one, whose charges have a discount. */
  discounted: boolean;
};

/** The columns of a venue `v` with its screens near `n`, for a statement about places. */
export const networkColumns = (sql: Queryable) => sql`
  v.type, v.city, v.shown_lat as lat, v.shown_lng as lng, v.timezone, v.opening_hours, v.daily_visitors, v.dwell_minutes, v.audience_max,
    n.screens as screens_near`;

/** The columns of a place but its share for ads: a screen `s`, its venue, and the restrictions `law` there. */
export const placeColumns = (sql: Queryable) => sql`
  v.handle as venue, ${networkColumns(sql)}, v.blocked_categories || s.blocked_categories as blocked_categories,
    law.restrictions, s.orientation, s.sandbox`;
export const placeTables = (sql: Queryable) => sql`
  screens s join venues v on v.handle = s.venue_handle join screens_near() n on n.venue_handle = v.handle
    left join venue_restrictions() law on law.venue_handle = v.handle`;

/** The audience in force of each screen `s`, for a statement that groups screens. */
export const audienceJoin = (sql: Queryable) => sql`
  left join lateral (select a.thousandths from screen_audiences a
    where a.screen_handle = s.handle and a.begun_at is not null order by a.valid_from desc limit 1) audience on true`;
export const audienceColumn = (sql: Queryable) => sql`
  jsonb_agg(jsonb_build_array(ad_ratio_of(s.handle), audience.thousandths))
    filter (where audience.thousandths is not null) as audiences`;

/** A campaign `c` with its ready creatives `k`, grouped by its handle. Dates are days since 1970-01-01. */
export const campaignColumns = (sql: Queryable) => sql`
  c.handle, c.sandbox, c.category, c.targets, c.starts_on - date '1970-01-01' as starts_on,
    c.ends_on - date '1970-01-01' as ends_on, coalesce(c.paced_from, c.created_at) as paced_from, c.paced_base_micros,
    c.budget_micros, c.charged_micros, c.rate_micros, c.frequency_per_hour_max,
    array_agg(distinct k.orientation) as orientations`;
export const campaignTables = (sql: Queryable) => sql`
  campaigns c join campaign_creatives b on b.campaign_handle = c.handle
    join creatives k on k.handle = b.creative_handle and k.status = 'ready'`;

/** Paired screens by venue, orientation, source of counts and what they block. */
export async function selectPlaces(sql: Queryable): Promise<PlannedPlaceRow[]> {
  return sql<PlannedPlaceRow[]>`
    select ${placeColumns(sql)}, s.sensor_paired as sensor, sum(ad_ratio_of(s.handle)) as ad_share,
      count(*)::int as screens, ${audienceColumn(sql)}
    from ${placeTables(sql)} ${audienceJoin(sql)}
    where s.unpaired_at is null and not s.simulated and v.deleted_at is null
    group by v.handle, n.screens, law.restrictions, s.blocked_categories, s.orientation, s.sensor_paired, s.sandbox
    order by v.handle`;
}

/** Live campaigns with a ready creative. */
export async function selectBookedCampaigns(sql: Queryable): Promise<BookedCampaignRow[]> {
  return sql<BookedCampaignRow[]>`
    select ${campaignColumns(sql)}, c.foreseen_micros, c.workspace_handle as workspace,
      w.kind = 'agency' or w.parent_handle is not null as discounted
    from ${campaignTables(sql)} join workspaces w on w.handle = c.workspace_handle
    where c.status = 'live' and c.deleted_at is null group by c.handle, w.handle order by c.handle`;
}
