import { moneyOf, refundReturned } from '#domain/money/campaign-money.ts';
import { faultPoint } from '#runtime/fault.ts';
import { lockLife } from '#books/campaign-life.ts';
import { inUnitOfWork, SYSTEM_ACTOR } from '#books/unit-of-work.ts';
import type { JobContext } from '../schedule.ts';

/**
 * Brings home what campaigns shall not use any more. What shall come back was committed in Postgres by the edit, the
 * deletion or the end; the authority is told the totals, returns what is free and keeps the rest as a debt; what it has
 * returned is refunded on the ledger. Every number is a total, so each step may be repeated and may be lost.
 */
const PAGE_CAMPAIGNS_MAX = 500;
/** Calls to Redis at a time. */
const AT_ONCE_MAX = 50;

type Owing = { handle: number; handed_micros: number; take_back_micros: number; returned_micros: number };
type Engines = Pick<JobContext, 'sql' | 'authority' | 'now'>;

/** Tells the authority of every debt and refunds what it returned. Answers 0: what is still owed waits for plays to end. */
export async function takeBack(context: JobContext): Promise<number> {
  let after = 0;
  for (;;) {
    const owing = await context.sql<Owing[]>`
      select handle, handed_micros, take_back_micros, returned_micros from campaigns
      where take_back_micros > returned_micros + case when ended_at is null then 0 else charged_micros end and handle > ${after}
      order by handle limit ${PAGE_CAMPAIGNS_MAX}`;
    for (let at = 0; at < owing.length; at += AT_ONCE_MAX)
      await Promise.all(owing.slice(at, at + AT_ONCE_MAX).map(row => returnMoney(context, row, '')));
    if (owing.length < PAGE_CAMPAIGNS_MAX) return 0;
    after = owing.at(-1)!.handle;
  }
}

/**
 * The same for one campaign right after its edit was committed, so that what is free is on the wallet when the caller
 * hears back. Ends the hold of this name.
 */
export async function takeBackNow(
  engines: Engines,
  { campaign, hold }: { campaign: number; hold: string },
): Promise<void> {
  const [row] = await engines.sql<Owing[]>`
    select handle, handed_micros, take_back_micros, returned_micros from campaigns where handle = ${campaign}`;
  if (row) await returnMoney(engines, row, hold);
}

async function returnMoney({ sql, authority, now }: Engines, row: Owing, hold: string): Promise<void> {
  const { handle, handed_micros, take_back_micros } = row;
  // The total first: money that was committed and never told could not be returned.
  await authority.hand(handle, handed_micros);
  const returned = await authority.takeBack(handle, take_back_micros, hold);
  faultPoint('workers.after_take_back');
  if (returned <= row.returned_micros) return;
  await inUnitOfWork(sql, { actor: SYSTEM_ACTOR, now: now() }, async unit => {
    const locked = await lockLife(unit.tx, handle);
    const transaction = locked && refundReturned(moneyOf(locked), returned);
    if (!transaction) return;
    await unit.tx`update campaigns set returned_micros = ${returned} where handle = ${handle}`;
    await unit.post(transaction);
  });
}
