/** The wallet of a workspace: its balance, and requests for top-ups. */
import { formatId, type Handle } from '#domain/id.ts';
import { topUp, type Book } from '#domain/money/ledger.ts';
import { refuse, type Refusal } from '#domain/refusal.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork, type Unit } from '#books/unit-of-work.ts';
import type { Caller } from '../authentication/caller.ts';
import { diffOfNew } from '#domain/access/audit-diff.ts';
import { money } from '../wire/shapes.ts';
import type { TopUp } from './schema.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** Pending top-ups of a workspace. The operator has to review each; more than this is a program's mistake. */
const PENDING_MAX = 20;

export type TopUpRow = {
  handle: Handle<'top_up'>;
  currency: string;
  amount_micros: Micros;
  created_at: Date;
  credited_at: Date | null;
  cancelled_at: Date | null;
};

export function bookOf(caller: { sandbox: boolean }): Book {
  return caller.sandbox ? 'sandbox' : 'live';
}

export async function readWallet(sql: Queryable, caller: Caller) {
  const book = bookOf(caller);
  const [rows, owing, pending] = await Promise.all([
    sql<{ kind: string; micros: Micros }[]>`
      select kind, sum(balance_micros)::bigint as micros from ledger_accounts
      where workspace_handle = ${caller.workspace} and book = ${book} and currency = ${caller.currency}
        and kind in ('wallet', 'reservation') group by kind`,
    sql<{ micros: Micros }[]>`
      select coalesce(sum(take_back_micros - returned_micros - case when ended_at is null then 0
        else charged_micros end), 0)::bigint as micros from campaigns
      where workspace_handle = ${caller.workspace} and sandbox = ${caller.sandbox} and currency = ${caller.currency}
      and take_back_micros > returned_micros + case when ended_at is null then 0 else charged_micros end`,
    sql<TopUpRow[]>`
      select handle, currency, amount_micros, created_at, credited_at, cancelled_at from top_ups
      where workspace_handle = ${caller.workspace} and book = ${book} and credited_at is null and cancelled_at is null
      order by handle limit ${PENDING_MAX}`,
  ]);
  const microsOf = (kind: string) => rows.find(row => row.kind === kind)?.micros ?? 0;
  return {
    balance: money(microsOf('wallet'), caller.currency),
    reserved: money(microsOf('reservation'), caller.currency),
    refund_pending: money(owing[0]?.micros ?? 0, caller.currency),
    book,
    pending_top_ups: pending.map(topUpRecord),
  };
}

/** Play money is on the wallet at once; live money is asked for here and comes when the operator funds the wallet. */
export async function requestTopUp(
  sql: Postgres,
  caller: Caller,
  { amountMicros, now }: { amountMicros: Micros; now: Milliseconds },
) {
  return inUnitOfWork(sql, { ...caller, now: new Date(now) }, async unit => {
    const book = bookOf(caller);
    const refusal = await refuseMany(unit, caller);
    if (refusal) return refusal;
    const [row] = await unit.tx<TopUpRow[]>`
      insert into top_ups ${unit.tx({
        workspace_handle: caller.workspace,
        user_handle: caller.actor.handle!,
        book,
        currency: caller.currency,
        amount_micros: amountMicros,
        created_at: unit.now,
        credited_at: caller.sandbox ? unit.now : null,
      })} returning handle, currency, amount_micros, created_at, credited_at, cancelled_at`;
    const { handle } = row!;
    if (caller.sandbox)
      await unit.post(
        topUp({
          book,
          currency: caller.currency,
          workspace: caller.workspace,
          amountMicros,
          reference: `top-up ${handle}`,
        }),
      );
    unit.audit({
      workspace: caller.workspace,
      action: caller.sandbox ? 'wallet.topped_up' : 'wallet.top_up_requested',
      entityType: 'top_up',
      entityHandle: handle,
      diff: diffOfNew({ amount: money(amountMicros, caller.currency), book }),
    });
    return { ...(await readWallet(unit.tx, caller)), top_up: topUpRecord(row!) };
  });
}

async function refuseMany({ tx }: Unit, caller: Caller): Promise<Refusal | undefined> {
  if (caller.sandbox) return undefined;
  // Calls at the same moment are counted one by one.
  await tx`select 1 from workspaces where handle = ${caller.workspace} for no key update`;
  const [row] = await tx<{ pending: number }[]>`
    select count(*) as pending from top_ups where workspace_handle = ${caller.workspace} and credited_at is null
      and cancelled_at is null`;
  return row!.pending < PENDING_MAX
    ? undefined
    : refuse(
        'state_conflict',
        `${PENDING_MAX} top-ups wait already. They are credited when the operator has received the money.`,
      );
}

export function topUpRecord(row: TopUpRow): TopUp {
  return {
    id: formatId('top_up', row.handle),
    amount: money(row.amount_micros, row.currency),
    status: row.credited_at ? 'credited' : row.cancelled_at ? 'cancelled' : 'pending',
    created_at: row.created_at.toISOString(),
    credited_at: row.credited_at?.toISOString() ?? null,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
  };
}
