-- Accounts of payouts in versions: a payout goes to the account that stood when it was issued, so that whoever changes the
-- account afterwards turns no money that is on its way. The number is sealed (sql/sealed.ts) when it is set; one that was
-- set before this stays as it was until it is set again.
alter table payout_accounts drop constraint payout_accounts_pkey;
alter table payout_accounts
  add column handle bigint generated always as identity primary key,
  add column iban_sealed bytea,
  add column iban_masked text,
  add column set_at timestamptz not null default now(),
  -- Withdrawals are possible from here on: at once, or after the pause that follows a change.
  add column usable_from timestamptz not null default now(),
  -- Null for the account of now. Kept afterwards only where a payout went to it.
  add column replaced_at timestamptz,
  alter column iban drop not null,
  add constraint payout_accounts_one_iban_check check (num_nonnulls(iban, iban_sealed) = 1);
update payout_accounts set iban_masked = left(iban, 2) || repeat('*', length(iban) - 6) || right(iban, 4);
alter table payout_accounts alter column iban_masked set not null, alter column set_at drop default, alter column usable_from drop default;
create unique index payout_accounts_of_now on payout_accounts (workspace_handle) where replaced_at is null;

-- Null only for payouts that were issued without an account, when that was possible.
alter table payouts add column account_handle bigint references payout_accounts;
update payouts p set account_handle = a.handle from payout_accounts a where a.workspace_handle = p.workspace_handle;
create index payouts_by_account on payouts (account_handle);
