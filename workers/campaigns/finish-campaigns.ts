/**
 * Sets campaigns to finished when their schedule has ended everywhere on Earth, or when the rest of the budget does not
 * pay for any play that they could still buy. Pending plays are still counted and charged; the rest is returned.
 */
import { performance } from 'node:perf_hooks';
import { campaignsOf, type CampaignRow } from '#domain/allocation/network/network-rows.ts';
import { buysAnyPlay, pricedPlacesOf, type Buyer, type PricedPlace } from '#domain/allocation/play-prices.ts';
import type { Handle } from '#domain/id.ts';
import type { Orientation } from '#domain/screens/screen.ts';
import { finishCampaign } from '#sql/campaigns/units.ts';
import { selectPlaces } from '#records/network-rows.ts';
import type { Job, JobContext } from '../schedule.ts';
import type { Micros } from '#domain/unit.ts';

const ROUND_CAMPAIGNS_MAX = 100;
const PAGE_CAMPAIGNS_MAX = 500;
/** If reading all places takes long, the next check of budgets waits ten times as long: a tenth of one core. */
const REST_TIMES = 10;
const QUICK_MS = 100;

type FinishReason = 'schedule_ended' | 'budget_spent';

/** The scheduled job. It pauses between checks of budgets; `finishCampaigns` itself always checks. */
export function finishCampaignsJob(): Job {
  let restUntilMs = 0;
  const findAfterRest = async (context: JobContext): Promise<Handle<'campaign'>[]> => {
    const startedAt = performance.now();
    if (startedAt < restUntilMs) return [];
    const spent = await findSpent(context);
    const tookMs = performance.now() - startedAt;
    if (tookMs > QUICK_MS) restUntilMs = performance.now() + tookMs * REST_TIMES;
    return spent;
  };
  return {
    name: 'finish-campaigns',
    everyMs: 2_000, // a schedule ends on a day; a spent budget should end its campaign soon
    lock: 4,
    run: context => finishCampaigns(context, findAfterRest),
  };
}

/** Finishes ended campaigns. Returns how many. */
export async function finishCampaigns(context: JobContext, find = findSpent): Promise<number> {
  const finished = await finishAll(await readEnded(context), 'schedule_ended', context);
  return finished + (await finishAll(await find(context), 'budget_spent', context));
}

async function finishAll(
  handles: readonly Handle<'campaign'>[],
  reason: FinishReason,
  { sql, now }: JobContext,
): Promise<number> {
  let finished = 0;
  for (const handle of handles) if (await finishCampaign(sql, now(), { handle, reason })) finished += 1;
  return finished;
}

/**
 * A day ends last 12 hours behind UTC, so a schedule has ended everywhere at noon UTC of the day after its last; two
 * hours more cover a fill that may still be started. A daypart over midnight belongs to the day it began on, which then
 * ends with it. In a sandbox its own clock counts.
 */
async function readEnded({ sql, now }: JobContext): Promise<Handle<'campaign'>[]> {
  const rows = await sql<{ handle: Handle<'campaign'> }[]>`
    select handle from campaigns left join sandbox_clocks clock using (workspace_handle)
    where status in ('live', 'paused') and deleted_at is null
      and (ends_on + 1)::timestamp + interval '14 hours'
        + case when targets->'daypart'->>'end' <= targets->'daypart'->>'start'
          then (targets->'daypart'->>'end')::interval else interval '0' end
        <= (case when sandbox then greatest(${now()}::timestamptz, clock.at)
          else ${now()}::timestamptz end at time zone 'UTC')
    order by handle limit ${ROUND_CAMPAIGNS_MAX}`;
  return rows.map(row => row.handle);
}

/**
 * Campaigns whose money is all in the authority. `left_micros`: its uncharged part; `play_micros`: the mean of their
 * plays.
 */
type Candidate = CampaignRow & {
  left_micros: Micros;
  play_micros: Micros;
  shortest_ms: Partial<Record<Orientation, number>>;
};

async function findSpent(context: JobContext): Promise<Handle<'campaign'>[]> {
  const spent: Handle<'campaign'>[] = [];
  let places: PricedPlace[] | undefined;
  for (let after = 0, isMore = true; isMore;) {
    const candidates = await readCandidates(context, after);
    if (candidates.length > 0) places ??= pricedPlacesOf(await selectPlaces(context.sql));
    for (const candidate of candidates)
      if (await isSpent(candidate, places ?? [], context)) spent.push(candidate.handle);
    isMore = candidates.length === PAGE_CAMPAIGNS_MAX;
    after = candidates.at(-1)?.handle ?? after;
  }
  return spent;
}

async function readCandidates({ sql }: JobContext, after: number): Promise<Candidate[]> {
  return sql<Candidate[]>`
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
    group by c.handle order by c.handle limit ${PAGE_CAMPAIGNS_MAX}`;
}

/**
 * First by charges, which costs no call; then by the authority, including pending plays. If nothing has a price, a mean
 * play is assumed.
 */
async function isSpent(
  candidate: Candidate,
  places: readonly PricedPlace[],
  { authority }: JobContext,
): Promise<boolean> {
  const [campaign] = campaignsOf([candidate]);
  if (!campaign) return false;
  const buyer: Buyer = { ...campaign, shortestMs: candidate.shortest_ms };
  const paysFor = (restMicros: Micros): boolean =>
    buysAnyPlay(buyer, restMicros, places) ?? restMicros >= candidate.play_micros;
  if (paysFor(candidate.left_micros)) return false;
  const { handed, free, open, inDoubt } = await authority.amounts(candidate.handle);
  return handed > 0 && !paysFor(free + open + inDoubt);
}
