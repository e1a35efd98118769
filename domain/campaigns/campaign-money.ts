/**
 * The money that a campaign may use and its reservation on the ledger. Its limit is its budget from submission to end,
 * and 0 before and after. `takeBackMicros` is the total to return from the authority; it never falls. `returnedMicros`
 * follows it as money becomes free there. All in micro-units:
 *
 *   reservation on the ledger = limit + takeBack - returned - charged
 *
 * A lowered limit frees money that was never handed at once; the rest comes back as the authority returns it.
 */
import { assert } from '../assertion.ts';
import { isReserved, type CampaignState } from './campaign.ts';
import type { Handle } from '../id.ts';
import { type Book, bookOf, type LedgerTransaction, refund, reserve } from '../money/ledger.ts';
import type { Micros } from '../unit.ts';

export type CampaignMoney = {
  campaign: Handle<'campaign'>;
  workspace: Handle<'workspace'>;
  currency: string;
  book: Book;
  limitMicros: Micros;
  handedMicros: Micros;
  takeBackMicros: Micros;
  returnedMicros: Micros;
  chargedMicros: Micros;
  /** The number of limit changes, which names their ledger transactions. */
  edits: number;
};

/** A campaign's columns as they are stored. */
export type MoneyColumns = {
  handle: Handle<'campaign'>;
  workspace_handle: Handle<'workspace'>;
  status: string;
  sandbox: boolean;
  currency: string;
  /** Null for a draft without a budget. */
  budget_micros: Micros | null;
  handed_micros: Micros;
  take_back_micros: Micros;
  returned_micros: Micros;
  charged_micros: Micros;
  budget_edits: number;
  ended_at: Date | null;
};

export function moneyOf(row: MoneyColumns): CampaignMoney {
  return {
    campaign: row.handle,
    workspace: row.workspace_handle,
    currency: row.currency,
    book: bookOf(row),
    limitMicros: row.ended_at === null && isReserved(row.status as CampaignState) ? (row.budget_micros ?? 0) : 0,
    handedMicros: row.handed_micros,
    takeBackMicros: row.take_back_micros,
    returnedMicros: row.returned_micros,
    chargedMicros: row.charged_micros,
    edits: row.budget_edits,
  };
}

export type LimitChange = { takeBackMicros: Micros; edits: number; transaction: LedgerTransaction | undefined };

/**
 * Sets the limit. The transaction reserves a raise on the wallet, or refunds money that was never handed; undefined if
 * nothing moves.
 */
export function changeLimit(money: CampaignMoney, limitMicros: Micros): LimitChange {
  const takeBackMicros = Math.max(money.takeBackMicros, money.handedMicros - limitMicros);
  const riseMicros = limitMicros + takeBackMicros - money.limitMicros - money.takeBackMicros;
  const edits = money.edits + 1;
  if (riseMicros === 0) return { takeBackMicros, edits, transaction: undefined };
  const movement = {
    ...placeOf(money),
    amountMicros: Math.abs(riseMicros),
    reference: `campaign ${money.campaign} edit ${edits}`,
  };
  return { takeBackMicros, edits, transaction: riseMicros > 0 ? reserve(movement) : refund(movement) };
}

/**
 * The refund of money returned by the authority beyond `returnedMicros`; its total names the transaction. Undefined if
 * there is none.
 */
export function refundReturned(money: CampaignMoney, returnedTotalMicros: Micros): LedgerTransaction | undefined {
  assert(returnedTotalMicros <= money.takeBackMicros, 'the authority returned more than was asked for');
  const amountMicros = returnedTotalMicros - money.returnedMicros;
  return amountMicros <= 0
    ? undefined
    : refund({
        ...placeOf(money),
        amountMicros,
        reference: `campaign ${money.campaign} returned ${returnedTotalMicros}`,
      });
}

/** The money that may still be handed to the authority. */
export function handableMicros({ limitMicros, handedMicros, takeBackMicros }: CampaignMoney): Micros {
  return limitMicros + takeBackMicros - handedMicros;
}

/** The reservation on the ledger for plays that may still be charged; the rest returns to the wallet. */
export function refundPendingMicros({
  limitMicros,
  takeBackMicros,
  returnedMicros,
  chargedMicros,
}: CampaignMoney): Micros {
  return Math.min(takeBackMicros - returnedMicros, limitMicros + takeBackMicros - returnedMicros - chargedMicros);
}

function placeOf({ campaign, workspace, currency, book }: CampaignMoney) {
  return { campaign, workspace, currency, book };
}
