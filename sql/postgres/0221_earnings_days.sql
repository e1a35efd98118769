-- What settlements booked for a venue's workspace by day (UTC): the sum of its earning postings, so that a statement of a
-- month needs not read every posting of it. The postings of before are summed up here once.
create table earnings_days (
  workspace_handle bigint not null references workspaces,
  sandbox boolean not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  settled_on date not null,
  earned_micros bigint not null check (earned_micros >= 0),
  primary key (workspace_handle, sandbox, currency, settled_on)
);
insert into earnings_days (workspace_handle, sandbox, currency, settled_on, earned_micros)
  select a.workspace_handle, a.book = 'sandbox', a.currency, (t.posted_at at time zone 'UTC')::date, sum(p.amount_micros)
  from ledger_accounts a join ledger_postings p on p.account_handle = a.handle join ledger_transactions t on t.handle = p.transaction_handle and t.kind = 'earning'
  where a.kind = 'earnings' group by 1, 2, 3, 4;
