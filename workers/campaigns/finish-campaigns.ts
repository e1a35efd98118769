/**
 * Sets campaigns to finished when their schedule has ended everywhere on Earth, or when the rest of the budget does not
 * pay for any play that they could still buy. Pending plays are still counted and charged; the rest is returned.
 */
import { performance } from 'node:perf_hooks';
import { campaignsOf } from '#domain/allocation/network/network-rows.ts';
import { buysAnyPlay, pricedPlacesOf, type Buyer, type PricedPlace } from '#domain/allocation/play-prices.ts';
import type { Handle } from '#domain/id.ts';
import { listEnded, listHandedOut, type HandedOut } from '#sql/campaigns/ending.ts';
import { finishCampaign } from '#sql/campaigns/units.ts';
import { selectPlaces } from '#sql/plan/network-rows.ts';
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
  const finished = await finishAll(
    await listEnded(context.sql, context.now(), ROUND_CAMPAIGNS_MAX),
    'schedule_ended',
    context,
  );
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

async function findSpent(context: JobContext): Promise<Handle<'campaign'>[]> {
  const spent: Handle<'campaign'>[] = [];
  let places: PricedPlace[] | undefined;
  for (let after = 0, isMore = true; isMore;) {
    const candidates = await listHandedOut(context.sql, { after, count: PAGE_CAMPAIGNS_MAX });
    if (candidates.length > 0) places ??= pricedPlacesOf(await selectPlaces(context.sql));
    for (const candidate of candidates)
      if (await isSpent(candidate, places ?? [], context)) spent.push(candidate.handle);
    isMore = candidates.length === PAGE_CAMPAIGNS_MAX;
    after = candidates.at(-1)?.handle ?? after;
  }
  return spent;
}

/**
 * First by charges, which costs no call; then by the authority, including pending plays. If nothing has a price, a mean
 * play is assumed.
 */
async function isSpent(
  candidate: HandedOut,
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
