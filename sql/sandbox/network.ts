/** The screens and campaigns of one sandbox for the simulation of their plays. */
import { campaignsOf, type CampaignRow, type PlaceRow } from '#domain/allocation/network/network-rows.ts';
import { pricedPlacesOf } from '#domain/allocation/play-prices.ts';
import type { Handle } from '#domain/id.ts';
import type { SimulatedCampaign, SimulatedCreative, SimulatedScreen } from '#domain/plays/simulated-plays.ts';
import { campaignColumns, campaignTables, placeColumns, placeTables } from '#sql/plan/network-rows.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Micros } from '#domain/unit.ts';

/** The maximum of simulated campaigns of one sandbox; the newest if there are more. */
const CAMPAIGNS_MAX = 100;

type ScreenRow = PlaceRow & { handle: Handle<'screen'>; venue: Handle<'venue'>; sensor: false };
type BookedRow = CampaignRow & { creatives: SimulatedCreative[] };
export type SandboxCampaign = Omit<SimulatedCampaign, 'spentMicros' | 'usableMicros'>;

/** The paired screens of a workspace as a simulation plays on them: those of its sandbox, or the real ones. */
export async function readSimulatedScreens(
  sql: Postgres,
  { workspace, isSandbox }: { workspace: Handle<'workspace'>; isSandbox: boolean },
): Promise<SimulatedScreen[]> {
  const rows = await sql<ScreenRow[]>`
    select s.handle, ${placeColumns(sql)}, false as sensor, s.ad_ratio as ad_share from ${placeTables(sql)}
    where s.workspace_handle = ${workspace} and s.simulated = ${isSandbox} and s.unpaired_at is null order by s.handle`;
  return rows.flatMap(row =>
    pricedPlacesOf([row]).map(place => ({ ...place, handle: row.handle, venue: row.venue, adRatio: row.ad_share })),
  );
}

/** The live campaigns of the sandbox of a workspace that have a ready creative. */
export async function readSandboxCampaigns(sql: Postgres, workspace: Handle<'workspace'>): Promise<SandboxCampaign[]> {
  const rows = await sql<BookedRow[]>`
    select ${campaignColumns(sql)},
      jsonb_agg(jsonb_build_object('handle', k.handle, 'durationMs', k.duration_ms, 'orientation', k.orientation,
        'weight', b.weight) order by k.handle) as creatives
    from ${campaignTables(sql)}
    where c.workspace_handle = ${workspace} and c.sandbox and c.status = 'live' and c.deleted_at is null
    group by c.handle order by c.handle desc limit ${CAMPAIGNS_MAX}`;
  const byHandle = new Map(rows.map(row => [row.handle, row]));
  return campaignsOf(rows).map(({ handle, sandbox, category, targets, orientations, flight, ...rest }) => {
    const row = byHandle.get(handle)!;
    return {
      ...rest,
      handle,
      sandbox,
      category,
      targets,
      orientations,
      flight,
      creatives: row.creatives,
      budgetMicros: row.budget_micros,
      frequencyPerHourMax: row.frequency_per_hour_max,
    };
  });
}

/** The charges of campaigns of a sandbox that may be charged more: a finished one without money cannot. */
export async function readChargeable(
  sql: Postgres,
  workspace: Handle<'workspace'>,
): Promise<{ handle: Handle<'campaign'>; charged_micros: Micros }[]> {
  return sql<{ handle: Handle<'campaign'>; charged_micros: Micros }[]>`
    select handle, charged_micros from campaigns
    where workspace_handle = ${workspace} and sandbox and deleted_at is null
      and (status in ('live', 'paused') or status = 'finished'
        and take_back_micros - returned_micros - charged_micros > 0)`;
}
