/**
 * PATCH and DELETE of a campaign. For a PATCH its forecast and its hold are prepared, then one unit of work plans and
 * writes it (`sql/campaigns/units.ts`). After the commit, free budget is taken back from the authority.
 *
 * A cut of a handed budget is compared with spend and reservations. Only the authority knows those. It is asked before
 * the transaction begins, so that no lock waits for Redis, and holds back grants until the commit (`budget-hold.ts`).
 * If the locked row shows a cut, or a draft to forecast, that the row read before did not, the change starts again.
 */
import { patchedStatus } from '#domain/campaigns/campaign.ts';
import { isCut, refuseDeleted, type WantedChange } from '#domain/campaigns/changes/refuse-change.ts';
import {
  scheduleOf,
  targetsOf,
  type Estimate,
  type StoredCampaign,
} from '#domain/campaigns/changes/stored-campaign.ts';
import { orientationsOf } from '#domain/campaigns/creative.ts';
import type { Handle } from '#domain/id.ts';
import { isRefusal, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import { parseDate } from '#domain/time/calendar.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Log } from '#runtime/log.ts';
import type { Authority } from '#authority/authority.ts';
import { reopen } from '#books/once.ts';
import { readCreatives } from '#sql/campaigns/rows.ts';
import { changeCampaign, isMissingPremise, removeCampaign } from '#sql/campaigns/units.ts';
import type { Postgres } from '#sql/postgres.ts';
import { takeBackNow } from '#workers/budgets/take-back.ts';
import type { Caller } from '../authentication/caller.ts';
import { replying } from '../idempotency/idempotency.ts';
import { campaignRecord } from './record.ts';
import type { CampaignRecords } from './record-cache.ts';
import { estimatePlan, type Forecasts } from './supply.ts';
import type { Campaign } from './schema/record.ts';
import { BudgetHold } from './budget-hold.ts';

type RefundDependencies = { sql: Postgres; authority: Authority; log: Log; now: () => Milliseconds };
export type ChangeDependencies = RefundDependencies & { forecasts: Forecasts; campaigns: CampaignRecords };

/** How often a change restarts after a concurrent change. More are not expected for one campaign. */
const TRIES_MAX = 5;

/** Executes a PATCH and returns the changed campaign. */
export async function patchCampaign(
  dependencies: ChangeDependencies,
  caller: Caller,
  { handle, wanted }: { handle: Handle<'campaign'>; wanted: WantedChange },
): Promise<Campaign | Refusal> {
  const { sql, now, campaigns } = dependencies;
  for (let tries = 1; ; tries += 1) {
    const stored = await campaigns.find(caller, handle);
    if (!stored) return refuseAbsent();
    const refused = refuseDeleted(stored.row);
    if (refused) return refused;
    const estimate = await estimateAgain(dependencies, caller, { stored, wanted });
    const hold = isCut(stored.row, wanted.fields.budgetMicros ?? null) ? new BudgetHold() : undefined;
    const committedOf = (row: StoredCampaign['row']) => hold?.committedMicros(row);
    try {
      await hold?.take(dependencies, handle);
      return await replying(caller, { now: now(), render: campaignRecord }, call =>
        changeCampaign(sql, call, { handle, wanted, estimate, committedOf }),
      );
    } catch (error) {
      if (!isMissingPremise(error) || tries === TRIES_MAX) throw error;
      reopen(caller.once);
    } finally {
      if (hold) await refundNow(dependencies, { campaign: handle, hold: hold.name });
    }
  }
}

/**
 * The new rate and forecast, if the change affects them or books a draft. The forecast covers the whole campaign: its
 * reach so far, and the reach of the rest of its budget on the remaining days.
 */
async function estimateAgain(
  { sql, forecasts }: ChangeDependencies,
  caller: Caller,
  { stored: { row, bindings: bound }, wanted: { fields, status } }: { stored: StoredCampaign; wanted: WantedChange },
): Promise<Estimate | undefined> {
  const { targets, schedule, budgetMicros, frequency_per_hour_max: perHourMax, bindings } = fields;
  const category = fields.category ?? row.category;
  const isSubmitted = status !== undefined && patchedStatus(row.status, status) === 'submit';
  const planned = [targets, schedule, budgetMicros, fields.category, perHourMax, bindings];
  if (!isSubmitted && planned.every(field => field === undefined)) return undefined;
  const days = schedule ?? daysOf(row);
  const wholeMicros = budgetMicros ?? row.budget_micros;
  if (days === undefined || wholeMicros === null) return undefined; // a draft that cannot be forecast yet
  const spentMicros = row.charged_micros;
  const creatives = bindings?.map(({ creative }) => creative);
  // The campaign's own booking does not compete with it, and its spend is not bought again.
  const { forecast, ...estimate } = await estimatePlan(forecasts, {
    sandbox: row.sandbox,
    targets: targets ?? targetsOf(row),
    orientations: orientationsOf(creatives ? await readCreatives(sql, caller, creatives) : bound),
    ...days,
    budgetMicros: Math.max(0, wholeMicros - spentMicros),
    ...(category !== null && { category }),
    frequencyPerHourMax: perHourMax === undefined ? row.frequency_per_hour_max : perHourMax,
    replaces: row.handle,
  });
  const reached = spentMicros > 0 && row.rate_micros ? Math.round(spentMicros / row.rate_micros) : 0;
  return {
    ...estimate,
    forecast: {
      ...forecast,
      impressionsLow: forecast.impressionsLow + reached,
      impressionsHigh: forecast.impressionsHigh + reached,
      costMicros: forecast.costMicros + spentMicros,
    },
  };
}

function daysOf(row: StoredCampaign['row']) {
  const days = scheduleOf(row);
  return days ? { startsOn: parseDate(days.starts) ?? 0, endsOn: parseDate(days.ends) ?? 0 } : undefined;
}

/** Soft-deletes a campaign; a live one is paused first. It leaves the lists and can still be read. */
export async function deleteCampaign(
  dependencies: RefundDependencies,
  caller: Caller,
  handle: Handle<'campaign'>,
): Promise<undefined | Refusal> {
  const { sql, now } = dependencies;
  const removed = await removeCampaign(sql, { ...caller, now: new Date(now()) }, handle);
  if (isRefusal(removed)) return removed;
  if (removed.isOwing) await refundNow(dependencies, { campaign: handle, hold: '' });
  return undefined;
}

/**
 * Takes back the free budget of a campaign that was cut or has ended, after the commit. The change stands even if this
 * fails: the workers repeat it until everything is back.
 */
async function refundNow(
  { sql, authority, log, now }: RefundDependencies,
  { campaign, hold }: { campaign: Handle<'campaign'>; hold: string },
): Promise<void> {
  try {
    await takeBackNow({ sql, authority, now: () => new Date(now()) }, { campaign, hold });
  } catch (error) {
    log.warn({ err: error, campaign }, 'money of an edit comes back a little later');
  }
}
