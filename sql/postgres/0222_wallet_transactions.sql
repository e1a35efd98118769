-- What a wallet's owner reads: each posting on a wallet with its kind and the balance after it. Both are written with the
-- posting, under the lock of the account. Postings of before get theirs once.
alter table ledger_postings
  add column wallet_kind text, -- of the transaction; null for postings on other accounts
  add column balance_after_micros bigint; -- of a wallet

drop trigger ledger_postings_apply on ledger_postings;
create or replace function ledger_apply_posting() returns trigger language plpgsql as $$
declare
  account record;
begin
  update ledger_accounts set balance_micros = balance_micros + new.amount_micros where handle = new.account_handle returning kind, balance_micros into account;
  if account.kind = 'wallet' then
    new.balance_after_micros := account.balance_micros;
    new.handle := nextval(pg_get_serial_sequence('ledger_postings', 'handle')); -- under the lock: the order of a wallet's postings is that of its balances
    select kind into new.wallet_kind from ledger_transactions where handle = new.transaction_handle;
  end if;
  return new;
end $$;
create trigger ledger_postings_apply before insert on ledger_postings for each row execute function ledger_apply_posting();

alter table ledger_postings disable trigger ledger_postings_append_only;
update ledger_postings p set wallet_kind = s.kind, balance_after_micros = s.balance
  from (select p.handle, t.kind, sum(p.amount_micros) over (partition by p.account_handle order by p.handle) as balance
    from ledger_postings p join ledger_accounts a on a.handle = p.account_handle and a.kind = 'wallet' join ledger_transactions t on t.handle = p.transaction_handle) s
  where s.handle = p.handle;
alter table ledger_postings enable trigger ledger_postings_append_only;
create index ledger_postings_by_wallet_kind on ledger_postings (account_handle, wallet_kind, handle) where wallet_kind is not null;
create index ledger_accounts_by_workspace on ledger_accounts (workspace_handle, kind) where workspace_handle is not null;

-- A top-up that waits can be called off.
alter table top_ups add column cancelled_at timestamptz, add constraint top_ups_one_end_check check (credited_at is null or cancelled_at is null);
drop index top_ups_pending;
create index top_ups_pending on top_ups (workspace_handle, handle) where credited_at is null and cancelled_at is null;
create index top_ups_by_workspace on top_ups (workspace_handle, book, handle desc);
