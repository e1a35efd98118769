/**
 * Books past campaigns: the product's own functions create, submit and approve them, with a past time as their clock.
 * One unit of work submits and approves a draft, so that the running workers, whose clock is today's, never review
 * it.
 */
import { planApproval, planLimit, planMove } from '#domain/campaigns/changes/plan-move.ts';
import { parseId, type Handle } from '#domain/id.ts';
import type { Targets } from '#domain/campaigns/targeting.ts';
import { assert } from '#domain/assertion.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import { isRefusal } from '#domain/refusal.ts';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import { lockCampaign } from '#sql/campaigns/rows.ts';
import { writePlan } from '#sql/campaigns/write-plan.ts';
import type { Caller } from '../../../api/authentication/caller.ts';
import { createCampaign, createCampaignReads, createCampaignWrites } from '../../../api/campaigns/new-campaign.ts';
import { parseCampaign } from '../../../api/campaigns/fields.ts';
import { estimatePlan } from '../../../api/campaigns/supply.ts';
import { createForecaster } from '../../../api/forecasts/forecaster.ts';
import { tellFirstTranche } from '../../../workers/budgets/hand-budgets.ts';
import type { JobContext } from '../../../workers/schedule.ts';
import { accepted } from '../accepted.ts';
import type { Booking } from './bookings.ts';

export type BookedCampaign = {
  booking: Booking;
  handle: Handle<'campaign'>;
  category: string;
  targets: Targets;
  schedule: { startsOn: number; endsOn: number };
  budgetMicros: Micros;
  liveFromMs: Milliseconds;
};

const DAY_MS = 86_400_000;
/** A campaign is booked in the afternoon before its first day. */
const BEFORE_START_MS = 9 * 3_600_000;
/** A campaign that starts in the future was booked yesterday. */
const WAITS_MS = 19 * 3_600_000;

/** Books all of them and returns the approved ones. */
export async function bookCampaigns(context: JobContext, bookings: readonly Booking[]): Promise<BookedCampaign[]> {
  const { sql, log } = context;
  const forecasts = createForecaster({ sql, log, now: Date.now, workHereMax: Infinity });
  const creation = { campaignReads: createCampaignReads({ sql }), campaignWrites: createCampaignWrites({ sql }) };
  try {
    const planned = await Promise.all(
      bookings.map(async booking => {
        const plan = planOf(booking);
        const { category, budgetMicros, schedule, targets, frequency_per_hour_max: perHourMax } = plan.fields;
        assert(category !== null && budgetMicros !== null && schedule !== null, 'a booking of the demo is complete');
        const orientations = [...new Set(booking.buyer.creatives.map(({ orientation }) => orientation))];
        const question = {
          sandbox: false,
          targets,
          category,
          budgetMicros,
          orientations,
          frequencyPerHourMax: perHourMax,
        };
        const estimate = await estimatePlan(forecasts, { ...question, ...schedule });
        return { ...plan, booking, category, targets, schedule, budgetMicros, estimate };
      }),
    );
    const booked: BookedCampaign[] = [];
    for (const { fields, estimate, caller, ...rest } of planned.sort((a, b) => a.liveFromMs - b.liveFromMs)) {
      const { isWaiting = false } = rest.booking;
      const { id } = accepted(
        await createCampaign(creation, caller, {
          fields,
          estimate: async () => estimate,
          actsForAgency: !isWaiting,
          now: rest.liveFromMs,
        }),
      );
      if (isWaiting) continue;
      const handle = parseId('campaign', id)!;
      await submitAndApprove(context, caller, { handle, now: new Date(rest.liveFromMs) });
      booked.push({ ...rest, handle });
    }
    return booked;
  } finally {
    await forecasts.close();
  }
}

function planOf({ buyer, name, budget, daysAgo, daysAhead, targets = {}, perHourMax, isWaiting }: Booking) {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const liveFromMs = Math.min(Date.parse(day(-daysAgo)) - BEFORE_START_MS, Date.now() - WAITS_MS);
  const body = {
    name,
    ...(!isWaiting && { status: 'draft' as const }),
    category: buyer.brand.category,
    budget: { amount: budget, currency: 'EUR' },
    schedule: { starts: day(-daysAgo), ends: day(daysAhead) },
    targets,
    ...(perHourMax !== undefined && { frequency: { max_per_hour: perHourMax } }),
    creatives: buyer.creatives.map(({ id }) => id),
    landing_url: 'https://example.com/offer',
  };
  const caller: Caller = {
    workspace: buyer.workspace,
    currency: 'EUR',
    sandbox: false,
    surface: 'ads_manager',
    actor: { type: 'user', source: 'API', handle: buyer.user },
  };
  return { liveFromMs, caller, fields: accepted(parseCampaign(body, { now: liveFromMs, currency: 'EUR' })) };
}

type Submission = { handle: Handle<'campaign'>; now: Date };

async function submitAndApprove(context: JobContext, { actor }: Caller, { handle, now }: Submission): Promise<void> {
  await inUnitOfWork(context.sql, { actor, now }, async unit => {
    const draft = (await lockCampaign(unit.tx, handle))!;
    const { columns, entry } = planLimit(draft, draft.budget_micros ?? 0);
    const submitted = planMove(draft, 'submit', { at: now, columns: { ...columns, review_waits_for: 'rules' } });
    const refused = isRefusal(submitted) ? submitted : await writePlan(unit, draft, { ...submitted, entry });
    const waiting = (await lockCampaign(unit.tx, handle))!;
    const refusal = refused ?? (await writePlan(unit, waiting, planApproval(waiting, now)));
    assert(refusal === undefined, 'a campaign of the demo that was submitted can be approved');
  });
  await tellFirstTranche(context, handle);
}
