/** The payouts of all workspaces, as the operator lists them. */
import { NO_HANDLE, parseId, type Handle } from '#domain/id.ts';
import type { PayoutState } from '#domain/money/payout.ts';
import type { Micros } from '#domain/unit.ts';
import type { Postgres, Queryable } from '#sql/postgres.ts';
import { likeText, readCounted, type Counted } from '#sql/lists/list-order.ts';
import { BY_CREATION, type PageOrder } from '#sql/lists/sorts.ts';

export type ListedPayout = {
  handle: Handle<'payout'>;
  workspace: Handle<'workspace'>;
  workspace_name: string;
  currency: string;
  /** A payout that the bank has not answered to waits, or is sent in a file. */
  stage: Exclude<PayoutState, 'issued'> | 'waiting' | 'sent';
  amount: Micros;
  fee: Micros;
  holder: string | null;
  iban_masked: string | null;
  bank_file: string | null;
  issued_at: Date;
  settled_at: Date | null;
};
type PayoutFilter = { stages?: readonly string[]; text?: string; isCounted: boolean };

const stageOf = (sql: Queryable) => sql`
  case when p.status <> 'issued' then p.status when p.bank_file is null then 'waiting' else 'sent' end`;

/** The account of a payout `p`: as it was when the payout was issued, or the current one if there was none then. */
export const accountOf = (sql: Queryable) => sql`
  left join payout_accounts a on a.handle = coalesce(p.account_handle, (select handle from payout_accounts
    where workspace_handle = p.workspace_handle and replaced_at is null))`;

/** A page of the payouts of all workspaces, with their total if the filter asks for it. */
export async function listWorkspacePayouts(
  sql: Postgres,
  { page, filter: { stages, text, isCounted } }: { page: PageOrder; filter: PayoutFilter },
): Promise<Counted<ListedPayout>> {
  const wanted = sql`
    select p.handle from payouts p where true
      ${stages === undefined ? sql`` : sql`and ${stageOf(sql)} = any(${[...stages]}::text[])`}
      ${text === undefined ? sql`` : sql`and ${isFoundBy(sql, text)}`}`;
  const records = sql`
    select p.handle, p.workspace_handle as workspace, w.name as workspace_name, p.currency, ${stageOf(sql)} as stage,
      p.amount_micros as amount, p.fee_micros as fee, a.holder, a.iban_masked, p.bank_file, p.issued_at, p.settled_at
    from payouts p join workspaces w on w.handle = p.workspace_handle ${accountOf(sql)}`;
  return readCounted<ListedPayout>(sql, page, { sorts: BY_CREATION, wanted, records, isCounted });
}

function isFoundBy(sql: Queryable, text: string) {
  return sql`(p.handle = ${parseId('payout', text) ?? NO_HANDLE} or p.bank_file = ${text}
    or p.workspace_handle in (select handle from workspaces where name ilike ${likeText(text)}))`;
}
