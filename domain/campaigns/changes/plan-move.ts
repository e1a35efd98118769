/**
 * What a change of a campaign writes, decided before anything is written; and the plans of its moves: review, pause,
 * end and removal. `plan-change.ts` plans a PATCH. `sql/campaigns` writes each plan with its audit entries, its event
 * and its money in one unit of work.
 */
import { describeMove, type Binding, type CampaignEvent } from '../campaign.ts';
import { changeLimit, moneyOf, refundReturned } from '../campaign-money.ts';
import { nextReview, reviewCampaign, type Rejection } from '../review.ts';
import type { Diff } from '../../access/audit-diff.ts';
import { assert } from '../../assertion.ts';
import { formatId } from '../../id.ts';
import type { EarlierPolitical } from '../political.ts';
import { trancheMicros } from '../../money/budget.ts';
import type { LedgerTransaction } from '../../money/ledger.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import type { Micros } from '../../unit.ts';
import type { CampaignRow, StoredCampaign } from './stored-campaign.ts';

export type CampaignPlan = {
  /** The columns that change. */
  columns: Partial<CampaignRow> & { political_earlier?: readonly EarlierPolitical[] };
  /** The creatives from now on, if they change. */
  bindings?: readonly Binding[];
  entry?: LedgerTransaction | undefined;
  audits: readonly { action: string; diff: Diff }[];
  event?: { type: string; payload: { object: Record<string, unknown>; previous?: Record<string, unknown> } };
  /** Whether delivery must read the campaign again. */
  isAnnounced: boolean;
};

type MoveExtras = {
  at: Date;
  /** Columns that change with the status. */
  columns?: Partial<CampaignRow>;
  /** Further fields that the audit entry and the event show, with their new values. */
  shown?: Record<string, unknown>;
  /** Fields that the same call changes, with an audit entry of their own; the event shows their old and new values. */
  changed?: Diff;
};

/**
 * One step of the state machine. For a campaign that goes live, even pacing starts again: from this moment, and from
 * what was charged so far. Refuses a move that the campaign does not have.
 */
export function planMove(
  row: CampaignRow,
  event: CampaignEvent,
  { at, columns = {}, shown = {}, changed = {} }: MoveExtras,
): CampaignPlan | Refusal {
  const move = describeMove(row.status, event);
  if (isRefusal(move)) return move;
  const { from, to, action, emits } = move;
  return {
    columns: {
      review_waits_for: null,
      review_at: null,
      ...(to === 'live' && { paced_from: at, paced_base_micros: row.charged_micros }),
      ...columns,
      status: to,
    },
    audits: [{ action, diff: { status: { from, to }, ...mapValues(shown, value => ({ from: null, to: value })) } }],
    ...(emits !== undefined && {
      event: {
        type: emits,
        payload: {
          object: {
            id: formatId('campaign', row.handle),
            name: row.name,
            ...mapValues(changed, values => values.to),
            status: to,
            ...shown,
          },
          previous: { ...mapValues(changed, values => values.from), status: from },
        },
      },
    }),
    isAnnounced: true,
  };
}

/** Sets the limit that delivery may spend, with the ledger entry of money that this reserves or frees at once. */
export function planLimit(row: CampaignRow, limitMicros: Micros): Pick<CampaignPlan, 'columns' | 'entry'> {
  const { takeBackMicros, edits, transaction } = changeLimit(moneyOf(row), limitMicros);
  return { columns: { take_back_micros: takeBackMicros, budget_edits: edits }, entry: transaction };
}

/**
 * Approves a campaign. Refuses one that is not in review. The commit also hands the first tranche, because delivery
 * reads the campaign from then on.
 */
export function planApproval(row: CampaignRow, at: Date): CampaignPlan | Refusal {
  const tranche = trancheMicros({
    budgetMicros: row.budget_micros ?? 0,
    handedMicros: row.handed_micros - row.take_back_micros,
    wantMicros: 0,
  });
  return planMove(row, 'approve', { at, columns: { handed_micros: row.handed_micros + tranche } });
}

export type ReviewOutcome = 'approved' | 'rejected' | 'escalated' | 'waits';
/** A campaign whose files are not ready yet is reviewed again after this time. */
const FILE_WAIT_MS = 2_000;

/** What the rules decide on a campaign that waits for them. */
export function planReview(
  { row, bindings }: StoredCampaign,
  at: Date,
): { outcome: ReviewOutcome; plan: CampaignPlan | Refusal } {
  const verdict = reviewCampaign({
    category: row.category ?? '',
    landingUrl: row.landing_url,
    isPolitical: row.political !== null,
    orientations: row.targets.orientations ?? [],
    creatives: bindings,
  });
  const waitFor = (columns: Partial<CampaignRow>) => ({ columns, audits: [], isAnnounced: false });
  switch (verdict.verdict) {
    case 'approve':
      return { outcome: 'approved', plan: planApproval(row, at) };
    case 'reject':
      return { outcome: 'rejected', plan: planRejection(row, at, verdict.rejection) };
    case 'ask_operator': {
      const next = nextReview('rules', 'needs_operator');
      assert(next !== undefined, 'the rules cannot hand over to an operator');
      return { outcome: 'escalated', plan: waitFor({ review_waits_for: next }) };
    }
    case 'wait':
      return { outcome: 'waits', plan: waitFor({ review_at: new Date(at.getTime() + FILE_WAIT_MS) }) };
  }
}

/** Rejects a campaign, even a running one, and returns its money. Refuses ended campaigns and drafts. */
export function planRejection(row: CampaignRow, at: Date, rejection: Rejection): CampaignPlan | Refusal {
  return planEnd(row, 'reject', { at, columns: { rejection }, shown: { rejection } });
}

/** Finishes a campaign and returns its unspent money. Refuses one that does not run. */
export function planFinish(
  row: CampaignRow,
  at: Date,
  reason: 'schedule_ended' | 'budget_spent',
): CampaignPlan | Refusal {
  return planEnd(row, 'finish', { at, shown: { reason } });
}

function planEnd(row: CampaignRow, event: CampaignEvent, extras: MoveExtras): CampaignPlan | Refusal {
  const limit = planLimit(row, 0);
  const columns = { ...extras.columns, ...limit.columns, ended_at: extras.at };
  const move = planMove(row, event, { ...extras, columns });
  return isRefusal(move) ? move : { ...move, entry: limit.entry };
}

/**
 * Soft-deletes a campaign; a live one is paused first. Plays that are still reported are counted and charged, and the
 * rest of the money is refunded as they end.
 */
export function planRemoval(row: CampaignRow, at: Date): CampaignPlan {
  const pause = row.status === 'live' ? planMove(row, 'pause', { at }) : undefined;
  assert(!isRefusal(pause), 'a live campaign cannot be paused');
  const limit = planLimit(row, 0);
  const removal = { action: 'campaign.deleted', diff: { deleted_at: { from: null, to: at.toISOString() } } };
  return {
    ...pause,
    columns: { ...pause?.columns, ...limit.columns, deleted_at: at, ended_at: row.ended_at ?? at },
    entry: limit.entry,
    audits: [...(pause?.audits ?? []), removal],
    isAnnounced: true,
  };
}

/** Refunds what the authority has returned so far; undefined if that was refunded before. */
export function planRefund(row: CampaignRow, returnedMicros: Micros): CampaignPlan | undefined {
  const entry = refundReturned(moneyOf(row), returnedMicros);
  return entry && { columns: { returned_micros: returnedMicros }, entry, audits: [], isAnnounced: false };
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([field, value]) => [field, map(value)]));
}
