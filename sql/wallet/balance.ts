/** The balance of a wallet, what campaigns have reserved of it, and the money that is on its way. */
import { bookOf, type WalletMovement } from '#domain/money/ledger.ts';
import { formatAmount, MICROS_PER_UNIT } from '#domain/money/money.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import type { Owner, Unit } from '#books/unit-of-work.ts';
import type { Queryable } from '#sql/postgres.ts';
import { readPending, type TopUpRow } from './top-ups.ts';

/**
 * The most that a wallet and its reservations hold together: the largest budget. Up to it amounts are exact
 * (`decimalFromMicros`), and what campaigns give back stays far below 2^53.
 */
const WALLET_MICROS_MAX = 1_000_000_000 * MICROS_PER_UNIT;

export type StoredWallet = {
  currency: string;
  balanceMicros: Micros;
  reservedMicros: Micros;
  /** The part of the reserved money that campaigns will not spend any more. */
  refundPendingMicros: Micros;
  pending: TopUpRow[];
};

export async function readWallet(sql: Queryable, owner: Owner, currency: string): Promise<StoredWallet> {
  const { workspace, sandbox } = owner;
  const [rows, owing, pending] = await Promise.all([
    sql<{ kind: string; micros: Micros }[]>`
      select kind, sum(balance_micros)::bigint as micros from ledger_accounts
      where workspace_handle = ${workspace} and book = ${bookOf(owner)} and currency = ${currency}
        and kind in ('wallet', 'reservation') group by kind`,
    sql<{ micros: Micros }[]>`
      select coalesce(sum(take_back_micros - returned_micros - case when ended_at is null then 0
        else charged_micros end), 0)::bigint as micros from campaigns
      where workspace_handle = ${workspace} and sandbox = ${sandbox} and currency = ${currency}
      and take_back_micros > returned_micros + case when ended_at is null then 0 else charged_micros end`,
    readPending(sql, owner),
  ]);
  const microsOf = (kind: string) => rows.find(row => row.kind === kind)?.micros ?? 0;
  return {
    currency,
    balanceMicros: microsOf('wallet'),
    reservedMicros: microsOf('reservation'),
    refundPendingMicros: owing[0]?.micros ?? 0,
    pending,
  };
}

/** Refuses money beyond that. The workspace's row is locked, so that concurrent calls are counted one by one. */
export async function refuseFullWallet(
  { tx }: Unit,
  { workspace, book, currency, amountMicros }: Omit<WalletMovement, 'reference'>,
): Promise<Refusal | undefined> {
  await tx`select 1 from workspaces where handle = ${workspace} for no key update`;
  const [full] = await tx`
    select 1 from ledger_accounts
    where workspace_handle = ${workspace} and book = ${book} and currency = ${currency}
      and kind in ('wallet', 'reservation')
    having coalesce(sum(balance_micros), 0) + ${amountMicros}::bigint > ${WALLET_MICROS_MAX}::bigint`;
  return full
    ? refuse(
        'state_conflict',
        `A wallet holds at most ${formatAmount(WALLET_MICROS_MAX, currency)} ${currency}, with what is reserved.`,
      )
    : undefined;
}
