/** Reads the network from Postgres for forecasts: places, bookings and the supply model. */
import type { NetworkTexts } from '#domain/forecast/preparation.ts';
import { LAST_ZONE_MS } from '#domain/forecast/supply/supply.ts';
import { currentPosition, hasChanged, type Position } from '#books/change-log.ts';
import { audienceColumn, audienceJoin, placeColumns, placeTables } from './network-rows.ts';
import type { Queryable } from '#sql/postgres.ts';
import type { Milliseconds } from '#domain/unit.ts';

/** The state of the database from which a network was prepared. */
export type NetworkVersion = { position: Position; model: number };

/** The current position in the change log and the newest supply model. */
export async function readVersion(sql: Queryable): Promise<NetworkVersion> {
  const [position, [row]] = await Promise.all([
    currentPosition(sql),
    sql<{ model: number }[]>`select ${newestModel(sql)} as model`,
  ]);
  return { position, model: row!.model };
}

/** Whether anything that a network is made from is newer than `version`. */
export async function isOutdated(sql: Queryable, { position, model }: NetworkVersion): Promise<boolean> {
  const [row] = await sql<{ outdated: boolean }[]>`
    select ${hasChanged(sql, position)} or ${newestModel(sql)} > ${model} as outdated`;
  return row!.outdated;
}

function newestModel(sql: Queryable) {
  return sql`(select coalesce(max(version), 0) from supply_models)`;
}

/** `work` is places x campaigns, to which the time of preparation is proportional. */
export type NetworkRead = { texts: NetworkTexts; work: number };

/** The network in one snapshot, as JSON texts that the preparation parses. */
export async function readNetwork(sql: Queryable, atMs: Milliseconds): Promise<NetworkRead> {
  const [row] = await sql<{ places: string; campaigns: string; model: string | null; work: number }[]>`
    with places as (
      select ${placeColumns(sql)}, s.sensor_paired, sum(ad_ratio_of(s.handle)) as ad_share, count(*)::int as screens,
        ${audienceColumn(sql)}
      from ${placeTables(sql)} ${audienceJoin(sql)}
      where s.unpaired_at is null and not s.simulated and v.deleted_at is null
      group by v.handle, n.screens, law.restrictions, s.blocked_categories, s.orientation, s.sensor_paired, s.sandbox
      order by v.handle, s.blocked_categories, s.orientation, s.sensor_paired, s.sandbox
    ), booked as (
      select c.handle, c.sandbox, c.category, c.targets, c.starts_on - date '1970-01-01' as starts_on,
        c.ends_on - date '1970-01-01' as ends_on,
        c.budget_micros, c.charged_micros, c.rate_micros, c.frequency_per_hour_max,
        array_agg(distinct d.orientation) as orientations
      from campaigns c join campaign_creatives used on used.campaign_handle = c.handle
      join creatives d on d.handle = used.creative_handle and d.status not in ('rejected', 'detached')
      where c.status in ('pending_review', 'live', 'paused') and c.deleted_at is null and c.ended_at is null
        and c.ends_on >= ${new Date(atMs - LAST_ZONE_MS)}::date and c.budget_micros > c.charged_micros
      group by c.handle order by c.handle
    )
    select (select coalesce(json_agg(places), '[]')::text from places) as places,
      (select coalesce(json_agg(booked), '[]')::text from booked) as campaigns,
      (select count(*) from places) * (select count(*) from booked) as work,
      (select body::text from supply_models order by version desc limit 1) as model`;
  const { places, campaigns, model, work } = row!;
  return { texts: { places, campaigns, model, atMs }, work };
}
