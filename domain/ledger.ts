import { assert } from './assertion.ts';

/**
 * Which accounts a movement of money posts between. Double entry: an amount above zero credits the account, and every
 * transaction sums to zero. The live book and the sandbox's book of play money never meet in one transaction.
 *
 * funding (outside money, below zero) -> wallet of a workspace -> reservation of a campaign -> revenue
 */
export type Book = 'live' | 'sandbox';
export type AccountRef = {
  kind: 'funding' | 'wallet' | 'reservation' | 'revenue';
  book: Book;
  currency: string;
  workspace?: number;
  campaign?: number;
};
type Posting = { account: AccountRef; amountMicros: number };
type TransactionKind = 'top_up' | 'reserve' | 'refund' | 'charge';
/** `reference` is unique over all transactions, which makes a posting happen once. */
export type LedgerTransaction = { kind: TransactionKind; reference: string; postings: readonly [Posting, Posting] };

type Movement = { book: Book; currency: string; amountMicros: number; reference: string };
export type WalletMovement = Movement & { workspace: number };
export type CampaignMovement = WalletMovement & { campaign: number };

/** Money from outside comes into a workspace's wallet. */
export function topUp(movement: WalletMovement): LedgerTransaction {
  const { book, currency } = movement;
  return transfer('top_up', movement, { from: { kind: 'funding', book, currency }, to: walletOf(movement) });
}

/** A campaign's budget, or a raise of it, is set aside on the wallet. */
export function reserve(movement: CampaignMovement): LedgerTransaction {
  return transfer('reserve', movement, { from: walletOf(movement), to: reservationOf(movement) });
}

/** What a campaign will not spend goes back to the wallet. */
export function refund(movement: CampaignMovement): LedgerTransaction {
  return transfer('refund', movement, { from: reservationOf(movement), to: walletOf(movement) });
}

/** Plays that were counted and settled are paid out of the reservation. */
export function charge(movement: CampaignMovement): LedgerTransaction {
  const { book, currency } = movement;
  return transfer('charge', movement, { from: reservationOf(movement), to: { kind: 'revenue', book, currency } });
}

function walletOf({ book, currency, workspace }: WalletMovement): AccountRef {
  return { kind: 'wallet', book, currency, workspace };
}

function reservationOf({ book, currency, workspace, campaign }: CampaignMovement): AccountRef {
  return { kind: 'reservation', book, currency, workspace, campaign };
}

function transfer(kind: TransactionKind, { amountMicros, reference }: Movement, { from, to }: { from: AccountRef; to: AccountRef }): LedgerTransaction {
  assert(Number.isSafeInteger(amountMicros) && amountMicros > 0, `a ${kind} of ${amountMicros} micro-units is not an integer above 0`);
  return { kind, reference, postings: [{ account: from, amountMicros: -amountMicros }, { account: to, amountMicros }] };
}
