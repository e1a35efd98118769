/** The effect of a PATCH on the promise of a campaign (`domain/campaigns/foreseen.ts`). */
import type { CampaignEvent } from '#domain/campaigns/campaign.ts';
import { foreseenAfterEdit, foreseenAfterPause } from '#domain/campaigns/foreseen.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';
import type { Unit } from '#books/unit-of-work.ts';
import { assignments } from '#sql/postgres.ts';
import type { Diff } from '../../audit/diff.ts';
import { evenCurveOf } from '#domain/campaigns/even-spend.ts';
import type { CampaignRow } from '../rows/record.ts';
import { estimateColumns } from '../rows/store.ts';
import type { Estimate } from '../rows/supply.ts';

/** `isOfOtherScreens`: the creatives changed, and those of now play on screens of other orientations. */
export type EstimateAgain = Estimate & { isOfOtherScreens: boolean };

type ForeseenChange = {
  event: CampaignEvent | undefined;
  changed: Diff;
  budgetMicros: Micros | undefined;
  /** The forecast spend of the plan, if this change alters or books it. */
  estimate: EstimateAgain | undefined;
};

/** Fields of which each makes another plan. */
const PLAN_FIELDS = ['targets', 'schedule', 'category', 'frequency'];

/** Writes it if it differs. A submitted draft is booked now, with the supply available now. */
export async function changeForeseen({ tx, now }: Unit, row: CampaignRow, change: ForeseenChange): Promise<void> {
  const columns = {
    foreseen_micros: foreseenAfter(row, change, now.getTime()),
    ...(change.event === 'submit' && change.estimate && estimateColumns(tx, change.estimate)),
  };
  if (change.event === 'submit' || columns.foreseen_micros !== row.foreseen_micros)
    await tx`update campaigns set ${assignments(tx, columns)} where handle = ${row.handle}`;
}

function foreseenAfter(
  row: CampaignRow,
  { event, changed, budgetMicros, estimate }: ForeseenChange,
  atMs: Milliseconds,
): Micros | null {
  const forecastMicros = estimate?.forecast.costMicros;
  if (event === 'submit') return forecastMicros ?? row.foreseen_micros;
  const before = event === 'resume' ? resumed(row, atMs) : row.foreseen_micros;
  const isOtherPlan = estimate?.isOfOtherScreens === true || PLAN_FIELDS.some(field => changed[field]);
  if (forecastMicros === undefined || !(isOtherPlan || changed['budget'])) return before;
  const fromMicros = row.budget_micros;
  if (fromMicros === null) return forecastMicros; // a draft that had no budget
  return foreseenAfterEdit(before, {
    fromMicros,
    toMicros: budgetMicros ?? fromMicros,
    forecastMicros,
    isBudgetAlone: !isOtherPlan,
  });
}

function resumed(row: CampaignRow, atMs: Milliseconds): Micros | null {
  return row.paced_from === null
    ? row.foreseen_micros
    : foreseenAfterPause(row.foreseen_micros, {
        chargedMicros: row.charged_micros,
        baseMicros: row.paced_base_micros,
        pacedFromMs: row.paced_from.getTime(),
        curve: evenCurveOf(row),
        atMs,
      });
}
