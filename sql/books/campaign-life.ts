/**
 * Writes the events of a campaign's life: a move to another state and a change of its limit, each inside a unit of work
 * that has locked the campaign's row. The rules (`domain/`) have already decided what may happen and what it costs.
 */
import type { Handle } from '#domain/id.ts';
import type { MoneyColumns } from '#domain/campaigns/campaign-money.ts';
import { assignments } from '#sql/postgres.ts';
import type { LedgerTransaction } from '#domain/money/ledger.ts';
import type { Unit } from './unit-of-work.ts';
import type { Micros } from '#domain/unit.ts';

export type MovingCampaign = {
  handle: Handle<'campaign'>;
  workspace: Handle<'workspace'>;
  sandbox: boolean;
  id: string;
  name: string;
};
export type MoveRecord = { from: string; to: string; action: string; emits: string | undefined };
export type MoveExtras = {
  /** Columns that change with the status. */
  columns?: Record<string, unknown>;
  /** Further fields that the audit entry and the event show, with their new values. */
  shown?: Record<string, unknown>;
  /**
   * Fields that the same call changed. They have audit entries of their own; the event shows their old and new values.
   */
  changed?: Record<string, { from: unknown; to: unknown }>;
};

/**
 * Writes the new status with its audit entry, its event and its line in the change log. For a campaign that goes live,
 * even pacing starts again: from this moment, and from what was charged so far.
 */
export async function writeMove(
  unit: Unit,
  campaign: MovingCampaign,
  move: MoveRecord,
  { columns = {}, shown = {}, changed = {} }: MoveExtras = {},
): Promise<void> {
  const { handle, workspace, sandbox, id, name } = campaign;
  const entity = { workspace, entityType: 'campaign', entityHandle: handle };
  const curve =
    move.to === 'live' ? unit.tx`, paced_from = ${unit.now}, paced_base_micros = charged_micros` : unit.tx``;
  await unit.tx`update campaigns set
      ${assignments(unit.tx, { review_waits_for: null, review_at: null, ...columns, status: move.to })} ${curve}
    where handle = ${handle}`;
  const extraDiff = Object.fromEntries(Object.entries(shown).map(([field, to]) => [field, { from: null, to }]));
  unit.audit({
    ...entity,
    sandbox,
    action: move.action,
    diff: { status: { from: move.from, to: move.to }, ...extraDiff },
  });
  if (move.emits !== undefined) {
    const object = { id, name, ...valuesOf(changed, 'to'), status: move.to, ...shown };
    unit.emit({
      ...entity,
      sandbox,
      type: move.emits,
      payload: { object, previous: { ...valuesOf(changed, 'from'), status: move.from } },
    });
  }
  unit.changed('campaign', handle);
}

function valuesOf(
  changed: Record<string, { from: unknown; to: unknown }>,
  side: 'from' | 'to',
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changed).map(([field, values]) => [field, values[side]]));
}

type LimitChange = { takeBackMicros: Micros; edits: number; transaction: LedgerTransaction | undefined };

/**
 * Changes the limit of a campaign. The ledger moves money that was never handed to the authority in Redis at once (see
 * docs/counting.md); `takeBackMicros` is the amount that the authority still has to return. `columns` change in the
 * same statement, such as a new budget. `ended_at` must not be among them: it is set after this statement.
 * @throws InsufficientFunds when the wallet does not cover a raise
 */
export async function writeLimit(
  unit: Unit,
  campaign: Handle<'campaign'>,
  change: LimitChange,
  columns: Record<string, unknown> = {},
): Promise<void> {
  await unit.tx`
    update campaigns set ${assignments(unit.tx, {
      ...columns,
      take_back_micros: change.takeBackMicros,
      budget_edits: change.edits,
    })} where handle = ${campaign}`;
  if (change.transaction) await unit.post(change.transaction);
}

/** The columns that `moneyOf` needs and those that a move needs, of one campaign. */
export type LifeRow = MoneyColumns & { name: string; review_waits_for: string | null };

/**
 * Locks a campaign, which may be deleted, and reads the columns for its money and its moves. Undefined if there is
 * none.
 */
export async function lockLife(
  tx: Unit['tx'],
  campaign: Handle<'campaign'>,
): Promise<(LifeRow & { deleted_at: Date | null }) | undefined> {
  const [row] = await tx<(LifeRow & { deleted_at: Date | null })[]>`
    select handle, workspace_handle, name, status, sandbox, currency, budget_micros, handed_micros, take_back_micros,
      returned_micros, charged_micros, budget_edits,
      ended_at, review_waits_for, deleted_at
    from campaigns where handle = ${campaign} for update`;
  return row;
}
