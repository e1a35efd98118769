/**
 * A PATCH of a campaign: first the fields, then the budget, then the state, all in one transaction. After the commit,
 * free budget is taken back from the authority. A change that changes nothing writes nothing.
 *
 * A cut of a handed budget is compared with spend and reservations. Only the authority knows those. It is asked before
 * the transaction begins, so that no lock waits for Redis, and holds back grants until the commit (`budget-hold.ts`).
 * If the locked row shows a cut, or a draft to forecast, that the row read before did not, the change starts again.
 */
import { assert } from '#domain/assertion.ts';
import { parseSchedule, patchedStatus, refuseMissing, type CampaignEvent } from '#domain/campaigns/campaign.ts';
import { changeLimit, moneyOf } from '#domain/campaigns/campaign-money.ts';
import { orientationsOf } from '#domain/campaigns/creative.ts';
import type { Handle } from '#domain/id.ts';
import { ceilToMinor, formatAmount } from '#domain/money/money.ts';
import { isRefusal, refuse, type Refusal } from '#domain/refusal.ts';
import { nextReview } from '#domain/campaigns/review.ts';
import { parseDate } from '#domain/time/calendar.ts';
import { Fault } from '#runtime/fault-error.ts';
import { writeLimit } from '#books/campaign-life.ts';
import { reopen } from '#books/once.ts';
import { inUnitOfWork, Rollback, type Unit } from '#books/unit-of-work.ts';
import type { Transaction } from '#sql/postgres.ts';
import type { Caller } from '../../authentication/caller.ts';
import type { Diff } from '../../audit/diff.ts';
import { refuseAbsent } from '../../wire/refusals.ts';
import { firstReview } from './approval.ts';
import { changeForeseen, type EstimateAgain } from './foreseen-change.ts';
import { BudgetHold, isCut, NEEDS_HOLD, needsHold, committedMicros } from './budget-hold.ts';
import type { ChangedFields, Schedule } from '../rows/fields.ts';
import { hasReadyCreative, moveToState } from './move.ts';
import { campaignRecord, scheduleOf, type CampaignRow, type StoredCampaign } from '../rows/record.ts';
import type { Campaign } from '../schema/record.ts';
import { bindingsOf, checkCreatives, lockCampaign, readCreatives, readLocked } from '../rows/store.ts';
import { estimatePlan, type Forecasts } from '../rows/supply.ts';
import type { CampaignRecords } from '../rows/record-cache.ts';
import { refundNow, type RefundDependencies } from './refund.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import { targetsOf, isReviewed, changeFields } from './field-change.ts';
import { refuseSponsor } from './sponsor-change.ts';

export type ChangeDependencies = RefundDependencies & { forecasts: Forecasts; campaigns: CampaignRecords };

/** A parsed PATCH: fields, the state asked for, and whether the caller may approve for the agency. */
export type Change = { fields: ChangedFields; status: string | undefined; actsForAgency: boolean };

/** A draft was completed by another change after its forecast was skipped. Nothing was written. */
const NEEDS_FORECAST = 'needs_forecast';
/** The faults after which a change starts again. */
const RESTARTING: ReadonlySet<string> = new Set([NEEDS_HOLD, NEEDS_FORECAST]);
/** How often a change restarts after a concurrent change. More are not expected for one campaign. */
const TRIES_MAX = 5;

/** Executes a PATCH and returns the changed campaign. */
export async function changeCampaign(
  dependencies: ChangeDependencies,
  caller: Caller,
  { handle, change }: { handle: Handle<'campaign'>; change: Change },
): Promise<Campaign | Refusal> {
  for (let tries = 1; ; tries += 1) {
    const stored = await dependencies.campaigns.find(caller, handle);
    if (!stored) return refuseAbsent();
    const before = stored.row;
    if (before.deleted_at !== null) return refuseDeleted();
    const estimate = await estimateAgain(dependencies, caller, { stored, change });
    const hold = isCut(before, change.fields.budgetMicros) ? new BudgetHold() : undefined;
    try {
      await hold?.take(dependencies, handle);
      return await writeChange(dependencies, caller, { before, change, estimate, hold });
    } catch (error) {
      if (!(error instanceof Fault) || !RESTARTING.has(error.code) || tries === TRIES_MAX) throw error;
      reopen(caller.once);
    } finally {
      if (hold) await refundNow(dependencies, { campaign: handle, hold: hold.name });
    }
  }
}

type PreparedChange = {
  before: CampaignRow;
  change: Change;
  estimate: EstimateAgain | undefined;
  hold: BudgetHold | undefined;
};

/**
 * Writes the change in one transaction.
 *
 * @throws Fault `needs_hold` when the locked row shows a cut without a hold; `needs_forecast` when it is submitted
 *   without a forecast
 */
function writeChange(
  { sql, now }: ChangeDependencies,
  caller: Caller,
  { before, change, estimate, hold }: PreparedChange,
): Promise<Campaign | Refusal> {
  const { handle } = before;
  const at = now();
  return inUnitOfWork(sql, { ...caller, now: new Date(at) }, async unit => {
    // Creatives are locked before campaigns, in the order in which detaching a creative locks them.
    const { bindings, budgetMicros } = change.fields;
    const refusal =
      bindings &&
      (await checkCreatives(unit.tx, caller, {
        bindings,
        isDraft: before.status === 'draft' || before.status === 'rejected',
      }));
    if (refusal) return refusal;
    const row = await lockCampaign(unit.tx, caller, handle);
    if (!row) return refuseAbsent();
    if (row.deleted_at !== null) return refuseDeleted();
    const event = change.status === undefined ? undefined : patchedStatus(row.status, change.status);
    if (isRefusal(event)) return event;
    const refused =
      refuseState(row, change) ??
      refuseSponsor(row, { fields: change.fields, isSubmitted: event === 'submit' }) ??
      (event === 'submit' ? await refuseSubmission(unit.tx, row, { fields: change.fields, now: at }) : undefined);
    if (refused) return refused;
    if (event === 'submit' && !estimate)
      throw new Fault(NEEDS_FORECAST, 'a campaign is submitted without a forecast', { retryable: true });
    const changed = await changeFields(unit, row, { fields: change.fields, estimate });
    await changeForeseen(unit, row, { event, changed, budgetMicros, estimate });
    if (budgetMicros !== undefined) await changeBudget(unit, row, { budgetMicros, hold });
    await changeStatus(unit, row, { event, change, changed });
    return campaignRecord(await readLocked(unit.tx, handle));
  });
}

function refuseDeleted(): Refusal {
  return refuse('state_conflict', 'A campaign that was deleted changes no more.');
}

/**
 * The new rate and forecast, if the change affects them or books a draft. The forecast covers the whole campaign: its
 * reach so far, and the reach of the rest of its budget on the remaining days.
 */
async function estimateAgain(
  { sql, forecasts }: ChangeDependencies,
  caller: Caller,
  { stored: { row, bindings: bound }, change: { fields, status } }: { stored: StoredCampaign; change: Change },
): Promise<EstimateAgain | undefined> {
  const { targets, schedule, budgetMicros, perHourMax, bindings } = fields;
  const category = fields.category ?? row.category;
  const isSubmitted = status !== undefined && patchedStatus(row.status, status) === 'submit';
  const planned = [targets, schedule, budgetMicros, fields.category, perHourMax, bindings];
  if (!isSubmitted && planned.every(field => field === undefined)) return undefined;
  const days = schedule ?? daysOf(row);
  const wholeMicros = budgetMicros ?? row.budget_micros;
  if (days === null || wholeMicros === null) return undefined; // a draft that cannot be forecast yet
  const spentMicros = row.charged_micros;
  const before = orientationsOf(bound);
  const orientations = bindings ? orientationsOf(await readCreatives(sql, caller, bindings)) : before;
  // The campaign's own booking does not compete with it, and its spend is not bought again.
  const { forecast, ...estimate } = await estimatePlan(forecasts, {
    sandbox: row.sandbox,
    targets: targets ?? targetsOf(row),
    orientations,
    ...days,
    budgetMicros: Math.max(0, wholeMicros - spentMicros),
    ...(category !== null && { category }),
    frequencyPerHourMax: perHourMax === undefined ? row.frequency_per_hour_max : perHourMax,
    replaces: row.handle,
  });
  const reached = spentMicros > 0 && row.rate_micros ? Math.round(spentMicros / row.rate_micros) : 0;
  return {
    ...estimate,
    isOfOtherScreens: orientations.sort().join() !== before.sort().join(),
    forecast: {
      ...forecast,
      impressionsLow: forecast.impressionsLow + reached,
      impressionsHigh: forecast.impressionsHigh + reached,
      costMicros: forecast.costMicros + spentMicros,
    },
  };
}

function daysOf({ starts, ends }: CampaignRow): Schedule | null {
  return starts === null || ends === null ? null : { startsOn: parseDate(starts) ?? 0, endsOn: parseDate(ends) ?? 0 };
}

/**
 * Whether a rejected campaign may be edited and submitted again: it has spent nothing and all of its money was
 * returned.
 */
function isResubmittable({ status, charged_micros, take_back_micros, returned_micros }: CampaignRow): boolean {
  return status === 'rejected' && charged_micros === 0 && take_back_micros === returned_micros;
}

/**
 * Refuses changes that the campaign's state does not allow. An ended campaign can only be renamed and its sponsor
 * corrected, unless it was rejected and may be submitted again.
 */
function refuseState(row: CampaignRow, { fields, status }: Change): Refusal | undefined {
  const others = Object.keys(fields).filter(field => field !== 'name' && field !== 'political');
  if (row.ended_at !== null && !isResubmittable(row) && (others.length > 0 || status !== undefined))
    return refuse('state_conflict', `A campaign that is ${row.status} can only be renamed, and its sponsor corrected.`);
  if (isReviewed(row) && fields.category !== undefined && fields.category !== row.category)
    return refuse('state_conflict', `A campaign that is ${row.status} keeps the category that it was approved with.`);
  return undefined;
}

/** Refuses to submit a campaign that lacks a field, or whose schedule has ended. */
async function refuseSubmission(
  tx: Transaction,
  row: CampaignRow,
  { fields, now }: { fields: ChangedFields; now: Milliseconds },
): Promise<Refusal | undefined> {
  const { category = row.category, budgetMicros = row.budget_micros, schedule = scheduleOf(row) } = fields;
  const bindings = fields.bindings ?? (await bindingsOf(tx, row.handle));
  const missing = refuseMissing({
    category: category !== null,
    budget: budgetMicros !== null,
    creatives: bindings.length > 0,
    schedule: schedule !== null,
  });
  if (missing) return missing;
  return !fields.schedule && isRefusal(parseSchedule(schedule, now))
    ? refuse('state_conflict', 'The schedule of this draft has ended.')
    : undefined;
}

/**
 * Sets the budget. For a campaign whose budget is reserved it also changes the limit that delivery may spend.
 *
 * @throws Rollback with the refusal; InsufficientFunds when the wallet does not cover a raise; Fault `needs_hold`
 */
async function changeBudget(
  unit: Unit,
  row: CampaignRow,
  { budgetMicros, hold }: { budgetMicros: Micros; hold: BudgetHold | undefined },
): Promise<void> {
  if (budgetMicros === row.budget_micros) return;
  const columns = { budget_micros: budgetMicros };
  if (row.status === 'draft' || row.status === 'rejected') {
    await unit.tx`update campaigns set ${unit.tx(columns)} where handle = ${row.handle}`;
    row.budget_micros = budgetMicros;
    return;
  }
  if (isCut(row, budgetMicros)) {
    if (!hold) throw needsHold();
    const committed = committedMicros(row, hold.amounts());
    if (budgetMicros < committed) {
      throw new Rollback(
        refuse(
          'state_conflict',
          `The budget cannot go below ${formatAmount(ceilToMinor(committed, row.currency), row.currency)} ${row.currency}: so much is spent, or reserved for plays on their way. Pause the campaign to let fewer go out.`,
        ),
      );
    }
  }
  await writeLimit(unit, row.handle, changeLimit(moneyOf(row), budgetMicros), columns);
}

/** Moves the campaign to the state that the PATCH names. @throws Rollback with the refusal */
async function changeStatus(
  unit: Unit,
  row: CampaignRow,
  { event, change, changed }: { event: CampaignEvent | undefined; change: Change; changed: Diff },
): Promise<void> {
  if ((event === 'resume' || event === 'submit') && !(await hasReadyCreative(unit.tx, row.handle))) {
    throw new Rollback(refuse('creative_not_ready', 'No creative of this campaign can run.'));
  }
  if (event === 'submit') {
    assert(row.budget_micros !== null, 'a campaign without a budget is submitted');
    await writeLimit(unit, row.handle, changeLimit(moneyOf(row), row.budget_micros), {
      ended_at: null,
      rejection: null,
    });
    const waitsFor = await firstReview(unit.tx, {
      workspace: row.workspace_handle,
      actsForAgency: change.actsForAgency,
    });
    await moveToState(unit, { ...row, workspace: row.workspace_handle }, event, {
      columns: { review_waits_for: waitsFor },
      changed,
    });
  } else if (event !== undefined) {
    await moveToState(unit, { ...row, workspace: row.workspace_handle }, event, { changed });
  } else if (change.status === 'pending_review' && change.actsForAgency) {
    await approveForAgency(unit, row);
  }
}

/**
 * Records the agency's approval of its client's campaign. A campaign that does not wait for the agency stays as it is.
 */
async function approveForAgency(unit: Unit, row: CampaignRow): Promise<void> {
  const next = row.review_waits_for === null ? undefined : nextReview(row.review_waits_for, 'agency_approves');
  if (next === undefined) return;
  await unit.tx`update campaigns set review_waits_for = ${next} where handle = ${row.handle}`;
  unit.audit({
    workspace: row.workspace_handle,
    action: 'campaign.agency_approved',
    entityType: 'campaign',
    entityHandle: row.handle,
    diff: { review: { from: { waiting_for: row.review_waits_for }, to: { waiting_for: next } } },
  });
}
