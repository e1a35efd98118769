-- More kinds of accounts. discount (of revenue, by campaign) and commission (what revenue gives to venues) are below
-- zero; earnings wait to be withdrawn; payout is money on its way to a bank; fee is what withdrawals cost.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts drop constraint ledger_accounts_check;
alter table ledger_accounts
  add constraint ledger_accounts_kind_check check (kind in ('funding', 'wallet', 'reservation', 'revenue', 'discount', 'commission', 'earnings', 'payout', 'fee')),
  add constraint ledger_accounts_not_overdrawn_check check (kind not in ('wallet', 'reservation', 'earnings', 'payout') or balance_micros >= 0),
  -- The account in one word, so that many are found at once by an index; null is spelled 0, which is no handle.
  add column name text not null generated always as
    (kind || ':' || book || ':' || currency || ':' || coalesce(workspace_handle, 0)::text || ':' || coalesce(campaign_handle, 0)::text) stored;
create unique index ledger_accounts_by_name on ledger_accounts (name);

alter table ledger_transactions drop constraint ledger_transactions_kind_check;
alter table ledger_transactions add constraint ledger_transactions_kind_check check
  (kind in ('top_up', 'reserve', 'refund', 'charge', 'transfer', 'discount', 'earning', 'payout_issued', 'payout_paid', 'payout_failed'));
create trigger ledger_transactions_not_truncated before truncate on ledger_transactions for each statement execute function forbid_change();
