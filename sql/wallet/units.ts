/** The units of work that request a top-up and cancel it. */
import { diffOfNew } from '#domain/access/audit-diff.ts';
import type { Handle } from '#domain/id.ts';
import { bookOf, topUp } from '#domain/money/ledger.ts';
import { decimalFromMicros } from '#domain/money/money.ts';
import { refuse, refuseAbsent, type Refusal } from '#domain/refusal.ts';
import type { Micros } from '#domain/unit.ts';
import { inUnitOfWork, type Call, type Owner, type Unit } from '#books/unit-of-work.ts';
import type { Postgres } from '#sql/postgres.ts';
import { readWallet, refuseFullWallet, type StoredWallet } from './balance.ts';
import { lockTopUp, PENDING_MAX, topUpColumns, type TopUpRow } from './top-ups.ts';

type Asked = { currency: string; amountMicros: Micros };
/** A top-up, and the wallet after it. */
export type ToppedUp = { topUp: TopUpRow; wallet: StoredWallet };

/** Play money is on the wallet at once; live money is asked for here and comes when the operator funds the wallet. */
export async function requestTopUp(
  sql: Postgres,
  call: Call,
  { currency, amountMicros }: Asked,
): Promise<ToppedUp | Refusal> {
  const { workspace, sandbox } = call;
  return inUnitOfWork<ToppedUp | Refusal>(sql, call, async unit => {
    const book = bookOf(call);
    const movement = { book, currency, workspace, amountMicros };
    const refusal = sandbox ? await refuseFullWallet(unit, movement) : await refuseMany(unit, call);
    if (refusal) return refusal;
    const [row] = await unit.tx<TopUpRow[]>`
      insert into top_ups ${unit.tx({
        workspace_handle: workspace,
        user_handle: call.actor.handle!,
        book,
        currency,
        amount_micros: amountMicros,
        created_at: unit.now,
        credited_at: sandbox ? unit.now : null,
      })} returning ${topUpColumns(unit.tx)}`;
    const { handle } = row!;
    if (sandbox) await unit.post(topUp({ ...movement, reference: `top-up ${handle}` }));
    unit.audit({
      workspace,
      action: sandbox ? 'wallet.topped_up' : 'wallet.top_up_requested',
      entityType: 'top_up',
      entityHandle: handle,
      diff: diffOfNew({ amount: { amount: decimalFromMicros(amountMicros), currency }, book }),
    });
    return { topUp: row!, wallet: await readWallet(unit.tx, call, currency) };
  });
}

async function refuseMany({ tx }: Unit, { workspace }: Owner): Promise<Refusal | undefined> {
  // Calls at the same moment are counted one by one.
  await tx`select 1 from workspaces where handle = ${workspace} for no key update`;
  const [row] = await tx<{ pending: number }[]>`
    select count(*) as pending from top_ups where workspace_handle = ${workspace} and credited_at is null
      and cancelled_at is null`;
  return row!.pending < PENDING_MAX
    ? undefined
    : refuse(
        'state_conflict',
        `${PENDING_MAX} top-ups wait already. They are credited when the operator has received the money.`,
      );
}

/** Cancels a top-up that waits. One that was canceled before stays so; one that was credited stays in the wallet. */
export async function cancelTopUp(sql: Postgres, call: Call, handle: Handle<'top_up'>): Promise<void | Refusal> {
  return inUnitOfWork<void | Refusal>(sql, call, async unit => {
    const row = await lockTopUp(unit.tx, call, handle);
    if (!row) return refuseAbsent();
    if (row.credited_at)
      return refuse('state_conflict', 'It was credited: the money is on the wallet. Ask the operator to pay it back.');
    if (row.cancelled_at) return undefined;
    const [page] =
      await unit.tx`select 1 from checkouts where top_up_handle = ${handle} and status in ('creating', 'open')`;
    if (page) return refuse('state_conflict', 'A page on which it is paid was opened just now. Try again.');
    await unit.tx`update top_ups set cancelled_at = ${unit.now} where handle = ${handle}`;
    unit.audit({
      workspace: call.workspace,
      action: 'wallet.top_up_cancelled',
      entityType: 'top_up',
      entityHandle: handle,
      diff: { status: { from: 'pending', to: 'cancelled' } },
    });
    return undefined;
  });
}
