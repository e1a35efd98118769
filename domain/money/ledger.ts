/**
 * Which accounts a movement of money posts between. Double entry: an amount above zero credits the account, and every
 * transaction sums to zero. The live book and the sandbox's book of play money never meet in one transaction.
 *
 * funding (outside money, below zero) -> wallet of a workspace -> reservation of a campaign -> revenue (gross)
 * discount (what revenue gives up, below zero, by campaign) -> wallet
 * credit (what revenue gives back for plays that were taken out, below zero, by campaign) -> wallet
 * commission (what revenue gives to venues, below zero) -> earnings of a workspace -> payout on its way -> funding
 *                                                                                  -> fee
 * The platform keeps revenue + fee, less discount, credit and commission.
 */
import { assert } from '../assertion.ts';
import type { Handle } from '../id.ts';
import type { Micros } from '../unit.ts';

export type Book = 'live' | 'sandbox';
export const bookOf = ({ sandbox }: { sandbox: boolean }): Book => (sandbox ? 'sandbox' : 'live');
type AccountKind =
  | 'funding'
  | 'wallet'
  | 'reservation'
  | 'revenue'
  | 'discount'
  | 'credit'
  | 'commission'
  | 'earnings'
  | 'payout'
  | 'fee';
export type AccountRef = {
  kind: AccountKind;
  book: Book;
  currency: string;
  workspace?: Handle<'workspace'>;
  campaign?: Handle<'campaign'>;
};
type Posting = { account: AccountRef; amountMicros: Micros };
type TransactionKind =
  | 'top_up'
  | 'top_up_refunded'
  | 'reserve'
  | 'refund'
  | 'charge'
  | 'transfer'
  | 'discount'
  | 'credit'
  | 'earning'
  | 'earning_reversed'
  | 'payout_issued'
  | 'payout_paid'
  | 'payout_failed';
/** `reference` is unique over all transactions, which makes a posting happen once. */
export type LedgerTransaction = {
  kind: TransactionKind;
  reference: string;
  postings: readonly [Posting, Posting, ...Posting[]];
};

type Movement = { book: Book; currency: string; amountMicros: Micros; reference: string };
export type WalletMovement = Movement & { workspace: Handle<'workspace'> };
export type CampaignMovement = WalletMovement & { campaign: Handle<'campaign'> };
/** `amountMicros` leaves the earnings; `feeMicros` of it stay with the platform, the rest goes to the bank. */
export type PayoutMovement = WalletMovement & { feeMicros: Micros };

/** Money from outside comes into a workspace's wallet. */
export function topUp(movement: WalletMovement): LedgerTransaction {
  return transfer('top_up', movement, { from: outside(movement), to: walletOf(movement) });
}

/** Money that had come from outside goes back there. */
export function refundTopUp(movement: WalletMovement): LedgerTransaction {
  return transfer('top_up_refunded', movement, { from: walletOf(movement), to: outside(movement) });
}

/** A campaign's budget, or a raise of it, is set aside on the wallet. */
export function reserve(movement: CampaignMovement): LedgerTransaction {
  return transfer('reserve', movement, { from: walletOf(movement), to: reservationOf(movement) });
}

/** The unspent rest of a campaign returns to the wallet. */
export function refund(movement: CampaignMovement): LedgerTransaction {
  return transfer('refund', movement, { from: reservationOf(movement), to: walletOf(movement) });
}

/** Plays that were counted and settled are paid out of the reservation. */
export function charge(movement: CampaignMovement): LedgerTransaction {
  const { book, currency } = movement;
  return transfer('charge', movement, { from: reservationOf(movement), to: { kind: 'revenue', book, currency } });
}

/** The agency's discount on a charge of a campaign goes back to the wallet that was charged. */
export function discount(movement: CampaignMovement): LedgerTransaction {
  const { book, currency, workspace, campaign } = movement;
  return transfer('discount', movement, {
    from: { kind: 'discount', book, currency, workspace, campaign },
    to: walletOf(movement),
  });
}

/** A brand's payment for removed plays of a campaign returns to its wallet. */
export function credit(movement: CampaignMovement): LedgerTransaction {
  const { book, currency, workspace, campaign } = movement;
  return transfer('credit', movement, {
    from: { kind: 'credit', book, currency, workspace, campaign },
    to: walletOf(movement),
  });
}

/** The share of the ad revenue that a venue's workspace has earned. */
export function earning(movement: WalletMovement): LedgerTransaction {
  const { book, currency } = movement;
  return transfer('earning', movement, { from: { kind: 'commission', book, currency }, to: earningsOf(movement) });
}

/** A venue's earnings from removed plays, unless withdrawn, are reversed. */
export function reverseEarning(movement: WalletMovement): LedgerTransaction {
  const { book, currency } = movement;
  return transfer('earning_reversed', movement, {
    from: earningsOf(movement),
    to: { kind: 'commission', book, currency },
  });
}

/** Money moves between the wallets of an agency and its client. */
export function transferBetween(
  movement: Movement & { from: Handle<'workspace'>; to: Handle<'workspace'> },
): LedgerTransaction {
  return transfer('transfer', movement, {
    from: walletOf({ ...movement, workspace: movement.from }),
    to: walletOf({ ...movement, workspace: movement.to }),
  });
}

/** A withdrawal is on its way to the bank. */
export function issuePayout(movement: PayoutMovement): LedgerTransaction {
  const { amountMicros, feeMicros } = payoutAmounts(movement);
  return split('payout_issued', movement, [
    [earningsOf(movement), -amountMicros],
    [payoutOf(movement), amountMicros - feeMicros],
    [feeAccount(movement), feeMicros],
  ]);
}

/** The bank has paid it: the money has left. */
export function payPayout(movement: PayoutMovement): LedgerTransaction {
  const { amountMicros, feeMicros } = payoutAmounts(movement);
  return split('payout_paid', movement, [
    [payoutOf(movement), feeMicros - amountMicros],
    [outside(movement), amountMicros - feeMicros],
  ]);
}

/** The bank could not pay it: all of it goes back to the earnings, the fee too. */
export function failPayout(movement: PayoutMovement): LedgerTransaction {
  const { amountMicros, feeMicros } = payoutAmounts(movement);
  return split('payout_failed', movement, [
    [payoutOf(movement), feeMicros - amountMicros],
    [feeAccount(movement), -feeMicros],
    [earningsOf(movement), amountMicros],
  ]);
}

type BookOfCurrency = { book: Book; currency: string };

function outside({ book, currency }: BookOfCurrency): AccountRef {
  return { kind: 'funding', book, currency };
}

function feeAccount({ book, currency }: BookOfCurrency): AccountRef {
  return { kind: 'fee', book, currency };
}

function walletOf({ book, currency, workspace }: BookOfCurrency & { workspace: Handle<'workspace'> }): AccountRef {
  return { kind: 'wallet', book, currency, workspace };
}

function earningsOf({ book, currency, workspace }: WalletMovement): AccountRef {
  return { kind: 'earnings', book, currency, workspace };
}

function payoutOf({ book, currency, workspace }: WalletMovement): AccountRef {
  return { kind: 'payout', book, currency, workspace };
}

function reservationOf({ book, currency, workspace, campaign }: CampaignMovement): AccountRef {
  return { kind: 'reservation', book, currency, workspace, campaign };
}

function payoutAmounts({ amountMicros, feeMicros }: PayoutMovement): { amountMicros: Micros; feeMicros: Micros } {
  assert(
    Number.isSafeInteger(feeMicros) && feeMicros >= 0 && feeMicros < amountMicros,
    `a fee of ${feeMicros} on ${amountMicros} micro-units leaves nothing`,
  );
  return { amountMicros, feeMicros };
}

function transfer(
  kind: TransactionKind,
  movement: Movement,
  { from, to }: { from: AccountRef; to: AccountRef },
): LedgerTransaction {
  return split(kind, movement, [
    [from, -movement.amountMicros],
    [to, movement.amountMicros],
  ]);
}

function split(
  kind: TransactionKind,
  { amountMicros, reference }: Movement,
  parts: readonly (readonly [AccountRef, number])[],
): LedgerTransaction {
  assert(
    Number.isSafeInteger(amountMicros) && amountMicros > 0,
    `a ${kind} of ${amountMicros} micro-units is not an integer above 0`,
  );
  const [first, second, ...others] = parts
    .filter(([, micros]) => micros !== 0)
    .map(([account, micros]) => ({ account, amountMicros: micros }));
  assert(first && second, `a ${kind} between fewer than two accounts`);
  return { kind, reference, postings: [first, second, ...others] };
}
