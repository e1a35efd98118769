import { randomUUID } from 'node:crypto';
import { topUp, type Book } from '#domain/ledger.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { inUnitOfWork } from '#sql/unit-of-work.ts';
import type { Caller } from '../authentication.ts';
import { money } from '../shapes.ts';

export function bookOf(caller: { sandbox: boolean }): Book {
  return caller.sandbox ? 'sandbox' : 'live';
}

export async function readWallet(sql: Queryable, caller: Caller) {
  const book = bookOf(caller);
  const rows = await sql<{ kind: string; micros: number }[]>`
    select kind, sum(balance_micros)::bigint as micros from ledger_accounts
    where workspace_handle = ${caller.workspace} and book = ${book} and currency = ${caller.currency} and kind in ('wallet', 'reservation') group by kind`;
  const microsOf = (kind: string) => rows.find(row => row.kind === kind)?.micros ?? 0;
  return { balance: money(microsOf('wallet'), caller.currency), reserved: money(microsOf('reservation'), caller.currency), book };
}

/** Puts play money into the sandbox's wallet at once. */
export async function topUpSandbox(sql: Postgres, caller: Caller, { amountMicros, now }: { amountMicros: number; now: number }) {
  return inUnitOfWork(sql, { actor: caller.actor, now: new Date(now) }, async unit => {
    await unit.post(topUp({ book: 'sandbox', currency: caller.currency, workspace: caller.workspace, amountMicros, reference: `top-up ${randomUUID()}` }));
    unit.audit({
      workspace: caller.workspace, action: 'wallet.topped_up', entityType: 'workspace', entityHandle: caller.workspace,
      diff: { sandbox_balance: { from: null, to: money(amountMicros, caller.currency) } },
    });
    return readWallet(unit.tx, caller);
  });
}
