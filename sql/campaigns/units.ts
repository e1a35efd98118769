/**
 * The units of work that change an existing campaign: lock and read it, let the rules plan, write the plan. Creatives
 * are locked before campaigns, in the order in which detaching a creative locks them.
 */
import { planChange } from '#domain/campaigns/changes/plan-change.ts';
import type { ChangeContext, MissingPremise, WantedChange } from '#domain/campaigns/changes/refuse-change.ts';
import {
  planFinish,
  planMove,
  planRefund,
  planRemoval,
  planReview,
  type CampaignPlan,
  type ReviewOutcome,
} from '#domain/campaigns/changes/plan-move.ts';
import type { CampaignRow, StoredCampaign } from '#domain/campaigns/changes/stored-campaign.ts';
import { mayMove } from '#domain/campaigns/campaign.ts';
import { NOTICE_YEARS } from '#domain/campaigns/political.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { Fault } from '#runtime/fault-error.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Call, type Unit, type UnitOptions } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';
import { lockCampaign, lockCampaignsOf, lockCreatives, readLocked } from './rows.ts';
import { writePlan } from './write-plan.ts';

type PreparedChange = {
  handle: Handle<'campaign'>;
  wanted: WantedChange;
  estimate: ChangeContext['estimate'];
  /** What is spent and reserved while the campaign's grants are on hold; undefined without a hold. */
  committedOf: (row: CampaignRow) => Micros | undefined;
};

const MISSING: Record<MissingPremise, string> = {
  needs_hold: 'the budget of a campaign is cut without a hold on its grants',
  needs_forecast: 'a campaign is submitted without a forecast',
};

/** Whether a change failed because another change came first. It may start again. */
export function isMissingPremise(error: unknown): boolean {
  return error instanceof Fault && Object.hasOwn(MISSING, error.code);
}

/**
 * Changes a campaign as a PATCH wants it.
 *
 * @throws Fault `needs_hold` when the locked row shows a cut without a hold; `needs_forecast` when it is submitted
 *   without a forecast; InsufficientFunds when the wallet does not cover a raise
 */
export async function changeCampaign(
  sql: Postgres,
  call: Call,
  { handle, wanted, estimate, committedOf }: PreparedChange,
): Promise<StoredCampaign | Refusal> {
  return inUnitOfWork<StoredCampaign | Refusal>(sql, call, async unit => {
    const { tx, now } = unit;
    const named = wanted.fields.bindings?.map(({ creative }) => creative);
    const creatives = named ? await lockCreatives(tx, call, named) : [];
    const row = await lockCampaign(tx, handle, call);
    if (!row) return refuseAbsent();
    const { campaign, isApproved } = await readLocked(tx, row);
    const committedMicros = committedOf(row);
    const plan = planChange(campaign, wanted, { now, estimate, creatives, isApproved, committedMicros });
    if (typeof plan === 'string') throw new Fault(plan, MISSING[plan], { retryable: true });
    if (isRefusal(plan)) return plan;
    await writePlan(unit, row, plan);
    return plan.after;
  });
}

/** Soft-deletes a campaign. Returns whether delivery holds money of it, which is to be taken back now. */
export async function removeCampaign(
  sql: Postgres,
  call: Call,
  handle: Handle<'campaign'>,
): Promise<{ isOwing: boolean } | Refusal> {
  return inUnitOfWork<{ isOwing: boolean } | Refusal>(sql, call, async unit => {
    const row = await lockCampaign(unit.tx, handle, call);
    if (!row) return refuseAbsent();
    if (row.deleted_at !== null) return { isOwing: false }; // a repeat
    await writePlan(unit, row, planRemoval(row, unit.now));
    return { isOwing: row.handed_micros > 0 };
  });
}

/** Pauses the live campaigns of a creative that this unit has detached, unless another of their creatives can run. */
export async function pauseWithoutCreative(unit: Unit, creative: Handle<'creative'>): Promise<void> {
  for (const row of await lockCampaignsOf(unit.tx, creative)) {
    if (row.status !== 'live') continue;
    const { campaign } = await readLocked(unit.tx, row);
    if (!campaign.bindings.some(({ status }) => status === 'ready'))
      await writePlan(unit, row, planMove(row, 'pause', { at: unit.now }));
  }
}

/** Lets the rules decide on a campaign, unless it no longer waits for them. */
export async function reviewByRules(sql: Postgres, now: Date, handle: Handle<'campaign'>): Promise<ReviewOutcome> {
  return inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const row = await lockCampaign(unit.tx, handle);
    if (!row || row.deleted_at !== null || row.review_waits_for !== 'rules') return 'waits';
    const { campaign } = await readLocked(unit.tx, row);
    const { outcome, plan } = planReview(campaign, now);
    await writePlan(unit, row, plan);
    return outcome;
  });
}

/** An operator's decision on a campaign. `conclude` is called with the row before it, and returns the result. */
export async function decideReview<T>(
  sql: Postgres,
  call: UnitOptions,
  decision: {
    handle: Handle<'campaign'>;
    plan: (row: CampaignRow, at: Date) => CampaignPlan | Refusal;
    conclude: (unit: Unit, row: CampaignRow) => T;
  },
): Promise<T | Refusal> {
  return inUnitOfWork<T | Refusal>(sql, call, async unit => {
    const row = await lockCampaign(unit.tx, decision.handle);
    if (!row || row.deleted_at !== null) return refuseAbsent();
    return (await writePlan(unit, row, decision.plan(row, unit.now))) ?? decision.conclude(unit, row);
  });
}

/** Finishes a campaign and returns its unspent money. Returns false if it does not run. */
export async function finishCampaign(
  sql: Postgres,
  now: Date,
  { handle, reason }: { handle: Handle<'campaign'>; reason: Parameters<typeof planFinish>[2] },
): Promise<boolean> {
  return inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const row = await lockCampaign(unit.tx, handle);
    if (!row || row.deleted_at !== null || !mayMove(row.status, 'finish')) return false;
    await writePlan(unit, row, planFinish(row, now, reason));
    return true;
  });
}

/** Refunds what the authority has returned of a campaign's money: a total, so that it may be repeated. */
export async function refundCampaign(
  sql: Postgres,
  now: Date,
  { handle, returnedMicros }: { handle: Handle<'campaign'>; returnedMicros: Micros },
): Promise<void> {
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now }, async unit => {
    const row = await lockCampaign(unit.tx, handle);
    const plan = row && planRefund(row, returnedMicros);
    if (row && plan) await writePlan(unit, row, plan);
  });
}

/** How many campaigns lose their sponsor in one statement. */
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * Deletes sponsors when the law no longer asks for their notices: seven years after the last day of their campaigns.
 * Three days later than that, because a notice is public until the last day has ended everywhere. Returns how many.
 */
export async function forgetSponsors(sql: Postgres, now: Date): Promise<number> {
  const forgotten = await sql`
    update campaigns set political = null, political_earlier = '[]' where handle in (select handle from campaigns
      where political is not null
        and ends_on <= ${now}::timestamptz - make_interval(years => ${NOTICE_YEARS}, days => 3)
      order by ends_on limit ${FORGOTTEN_AT_ONCE})`;
  return forgotten.count;
}
