/** The screens and campaigns of one sandbox for the simulation of their plays. */
import { campaignsOf, type CampaignRow, type PlaceRow } from '#domain/allocation/network/network-rows.ts';
import { pricedPlacesOf } from '#domain/allocation/play-prices.ts';
import type { Handle } from '#domain/id.ts';
import type { SimulatedCampaign, SimulatedCreative, SimulatedScreen } from '#domain/plays/simulated-plays.ts';
import { networkColumns } from '#sql/plan/network-rows.ts';
import type { Postgres } from '#sql/postgres.ts';
import type { Authority } from '#authority/authority.ts';
import type { Micros } from '#domain/unit.ts';

/** The maximum of simulated campaigns of one sandbox; the newest if there are more. */
const CAMPAIGNS_MAX = 100;

type ScreenRow = PlaceRow & { handle: Handle<'screen'>; venue: Handle<'venue'>; sensor: false };
type BookedRow = CampaignRow & { creatives: SimulatedCreative[]; frequency_per_hour_max: number | null };
export type SandboxCampaign = Omit<SimulatedCampaign, 'spentMicros' | 'usableMicros'>;

/** The paired screens of a workspace as a simulation plays on them: those of its sandbox, or the real ones. */
export async function readSimulatedScreens(
  sql: Postgres,
  { workspace, isSandbox }: { workspace: Handle<'workspace'>; isSandbox: boolean },
): Promise<SimulatedScreen[]> {
  const rows = await sql<ScreenRow[]>`
    select s.handle, v.handle as venue, false as sensor, ${networkColumns(sql)},
      v.blocked_categories || s.blocked_categories as blocked_categories, law.restrictions, s.orientation, s.sandbox,
        s.ad_ratio as ad_share
    from screens s join venues v on v.handle = s.venue_handle join screens_near() n on n.venue_handle = v.handle
      left join venue_restrictions() law on law.venue_handle = v.handle
    where s.workspace_handle = ${workspace} and s.simulated = ${isSandbox} and s.unpaired_at is null order by s.handle`;
  return rows.flatMap(row =>
    pricedPlacesOf([row]).map(place => ({ ...place, handle: row.handle, venue: row.venue, adRatio: row.ad_share })),
  );
}

/** The live campaigns of the sandbox of a workspace that have a ready creative. */
export async function readSandboxCampaigns(sql: Postgres, workspace: Handle<'workspace'>): Promise<SandboxCampaign[]> {
  const rows = await sql<BookedRow[]>`
    select c.handle, c.sandbox, c.category, c.targets, c.starts_on - date '1970-01-01' as starts_on,
      c.ends_on - date '1970-01-01' as ends_on,
      coalesce(c.paced_from, c.created_at) as paced_from, c.paced_base_micros, c.budget_micros, c.charged_micros,
        c.rate_micros, c.frequency_per_hour_max,
      array_agg(distinct k.orientation) as orientations,
      jsonb_agg(jsonb_build_object('handle', k.handle, 'durationMs', k.duration_ms, 'orientation', k.orientation,
        'weight', b.weight) order by k.handle) as creatives
    from campaigns c join campaign_creatives b on b.campaign_handle = c.handle
    join creatives k on k.handle = b.creative_handle and k.status = 'ready'
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

/** The campaigns with their money in the authority. `freeMicros` may be granted at once. */
export async function withMoney(
  authority: Authority,
  campaigns: readonly SandboxCampaign[],
): Promise<(SimulatedCampaign & { freeMicros: Micros })[]> {
  return Promise.all(
    campaigns.map(async campaign => {
      const { spent, open, inDoubt, free } = await authority.amounts(campaign.handle);
      const spentMicros = spent + open + inDoubt;
      return {
        ...campaign,
        spentMicros,
        usableMicros: Math.max(0, campaign.budgetMicros - spentMicros),
        freeMicros: free,
      };
    }),
  );
}
