/**
 * The moves of a campaign that no caller of the API makes: the outcome of its review, and its end. The unit of work
 * holds the lock of its row.
 */
import { jsonb } from '#sql/postgres.ts';
import { describeMove, type CampaignEvent, type CampaignState } from '#domain/campaigns/campaign.ts';
import { changeLimit, moneyOf } from '#domain/campaigns/campaign-money.ts';
import { trancheMicros } from '#domain/money/budget.ts';
import { formatId, type Handle } from '#domain/id.ts';
import { isRefusal, type Refusal } from '#domain/refusal.ts';
import type { Rejection } from '#domain/campaigns/review.ts';
import { writeLimit, writeMove, type LifeRow } from '#books/campaign-life.ts';
import type { Unit } from '#books/unit-of-work.ts';
import type { Micros } from '#domain/unit.ts';
import type { JobContext } from '../schedule.ts';

/**
 * Approves a campaign. Refuses one that is not in review. The commit also hands the first tranche, because delivery
 * reads the campaign from then on. Call `tellFirstTranche` right after it, or the first slots get `no_lease`.
 */
export async function approveCampaign(unit: Unit, row: LifeRow): Promise<undefined | Refusal> {
  const tranche = trancheMicros({
    budgetMicros: row.budget_micros ?? 0,
    handedMicros: row.handed_micros - row.take_back_micros,
    wantMicros: 0,
  });
  return move(unit, row, 'approve', { columns: { handed_micros: row.handed_micros + tranche } });
}

/** Sends the authority the first tranche of a campaign. If that fails, delivery asks for one. */
export async function tellFirstTranche(
  { sql, authority, log }: Pick<JobContext, 'sql' | 'authority' | 'log'>,
  campaign: Handle<'campaign'>,
): Promise<void> {
  try {
    const [row] = await sql<{ handed_micros: Micros }[]>`
      select handed_micros from campaigns where handle = ${campaign}`;
    await authority.handAll([{ campaign, totalMicros: row!.handed_micros }]);
  } catch (error) {
    log.debug({ err: error }, 'the first tranche could not be told; delivery asks for it');
  }
}

/** Rejects a campaign, even a running one, and returns its money. Refuses ended campaigns and drafts. */
export async function rejectCampaign(unit: Unit, row: LifeRow, rejection: Rejection): Promise<undefined | Refusal> {
  return end(unit, row, 'reject', { columns: { rejection: jsonb(unit.tx, rejection) }, shown: { rejection } });
}

/** Finishes a campaign and returns its unspent money. Refuses one that does not run. */
export async function finishCampaign(
  unit: Unit,
  row: LifeRow,
  reason: 'schedule_ended' | 'budget_spent',
): Promise<undefined | Refusal> {
  return end(unit, row, 'finish', { columns: {}, shown: { reason } });
}

async function end(
  unit: Unit,
  row: LifeRow,
  event: CampaignEvent,
  { columns, shown }: { columns: Record<string, unknown>; shown: Record<string, unknown> },
): Promise<undefined | Refusal> {
  const described = describeMove(row.status as CampaignState, event);
  if (isRefusal(described)) return described;
  // First the debt, then the end: the table's check compares the handed money with a limit of 0.
  await writeLimit(unit, row.handle, changeLimit(moneyOf(row), 0));
  return move(unit, row, event, { columns: { ...columns, ended_at: unit.now }, shown });
}

async function move(unit: Unit, row: LifeRow, event: CampaignEvent, extras = {}): Promise<undefined | Refusal> {
  const described = describeMove(row.status as CampaignState, event);
  if (isRefusal(described)) return described;
  await writeMove(
    unit,
    {
      handle: row.handle,
      workspace: row.workspace_handle,
      sandbox: row.sandbox,
      id: formatId('campaign', row.handle),
      name: row.name,
    },
    described,
    extras,
  );
  return undefined;
}
