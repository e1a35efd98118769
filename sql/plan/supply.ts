/** Supply: screens as an hour of it is recorded, and the models that are fitted to all recorded hours. */
import type { Handle } from '#domain/id.ts';
import type { PlaceRow } from '#domain/allocation/network/network-rows.ts';
import { jsonb, type Postgres, type Queryable } from '#sql/postgres.ts';
import { audienceColumn, audienceJoin, networkColumns } from './network-rows.ts';

/** Hourly models of a week. */
const VERSIONS_KEPT = 168;

/** Equal screens of one venue; `ad_share` and `ad_share_online` are sums of their ad ratios. */
export type SupplyRow = Omit<PlaceRow, 'blocked_categories'> & {
  venue: Handle<'venue'>;
  sensor: boolean;
  screens: number;
  ad_share_online: number;
  handles: Handle<'screen'>[];
};

/** Paired screens by venue, orientation and source of counts, and the online part of them. */
export async function selectSupply(sql: Queryable): Promise<SupplyRow[]> {
  return sql<SupplyRow[]>`
    select v.handle as venue, ${networkColumns(sql)},
      s.sandbox, s.orientation, s.sensor_paired as sensor,
      count(*)::int as screens, sum(ad_ratio_of(s.handle)) as ad_share,
        sum(case when p.online then ad_ratio_of(s.handle) else 0 end) as ad_share_online,
        array_agg(s.handle) as handles, ${audienceColumn(sql)}
    from screens s join venues v on v.handle = s.venue_handle join screens_near() n on n.venue_handle = v.handle
      left join screen_presence p on p.screen_handle = s.handle ${audienceJoin(sql)}
    where s.unpaired_at is null and not s.simulated and v.deleted_at is null
    group by v.handle, n.screens, s.sandbox, s.orientation, s.sensor_paired`;
}

/** When the newest model was fitted; null before the first. */
export async function lastFittedAt(sql: Queryable): Promise<Date | null> {
  const [last] = await sql<{ at: Date | null }[]>`select max(fitted_at) as at from supply_models`;
  return last!.at;
}

/** The newest model, as JSON; null before the first. */
export async function readModel(sql: Queryable): Promise<string | null> {
  const [row] = await sql<{ body: string }[]>`select body::text from supply_models order by version desc limit 1`;
  return row?.body ?? null;
}

/** Adds a model, and deletes the oldest. */
export async function addModel(sql: Postgres, body: object, at: Date): Promise<void> {
  await sql.begin(async tx => {
    await tx`insert into supply_models (fitted_at, body) values (${at}, ${jsonb(tx, body)})`;
    await tx`delete from supply_models where version <= (select max(version) from supply_models) - ${VERSIONS_KEPT}`;
  });
}
