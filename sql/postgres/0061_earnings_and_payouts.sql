-- The company that runs this installation: seller on invoices, payer of payouts. One row.
create table operator_settings (
  one boolean primary key default true check (one),
  name text not null check (char_length(name) between 1 and 140),
  address_lines text[] not null default '{}' check (cardinality(address_lines) <= 6),
  tax_id text check (char_length(tax_id) <= 40),
  iban text,
  bic text,
  -- Withdrawals above free_above are free, others cost the fee; both in units of the currency that is withdrawn.
  payout_free_above_micros bigint not null default 200000000 check (payout_free_above_micros >= 0),
  payout_fee_micros bigint not null default 1500000 check (payout_fee_micros >= 0)
);
insert into operator_settings (name) values ('Marquee');

-- What a venue earned on a day (local to the venue) at one commission: the sum of settled plays, and how much of it was
-- withdrawn. earned - withdrawn of a workspace and currency is the balance of its earnings account.
create table venue_earnings (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  venue_handle bigint not null references venues,
  sandbox boolean not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  tier text not null check (tier in ('sensing', 'full_audience', 'scaled_audience', 'minimum')),
  share_millionths integer not null check (share_millionths between 0 and 500000),
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  earned_micros bigint not null,
  withdrawn_plays bigint not null default 0 check (withdrawn_plays between 0 and plays),
  withdrawn_impressions_thousandths bigint not null default 0 check (withdrawn_impressions_thousandths between 0 and impressions_thousandths),
  withdrawn_gross_micros bigint not null default 0 check (withdrawn_gross_micros between 0 and gross_micros),
  withdrawn_micros bigint not null default 0 check (withdrawn_micros between 0 and earned_micros),
  unique (venue_handle, currency, sandbox, day, tier, share_millionths),
  check (earned_micros between 0 and gross_micros)
);
create index venue_earnings_open on venue_earnings (workspace_handle, currency, day, handle) where not sandbox and earned_micros > withdrawn_micros;

-- Where a workspace's payouts go.
create table payout_accounts (
  workspace_handle bigint primary key references workspaces,
  holder text not null check (char_length(holder) between 1 and 140),
  iban text not null,
  bic text
);

create table payouts (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null check (status in ('issued', 'paid', 'failed')),
  amount_micros bigint not null check (amount_micros > 0), -- what leaves the earnings
  fee_micros bigint not null check (fee_micros >= 0 and fee_micros < amount_micros),
  issued_at timestamptz not null,
  settled_at timestamptz check ((settled_at is null) = (status = 'issued')),
  bank_file text -- name of the file in which it was sent to the bank
);
create index payouts_by_workspace on payouts (workspace_handle, handle desc);
create index payouts_issued on payouts (handle) where status = 'issued';
create index payouts_by_bank_file on payouts (bank_file) where bank_file is not null;

-- Which earnings a payout took, and what of their plays, impressions and gross goes with them.
create table payout_lines (
  payout_handle bigint not null references payouts,
  earning_handle bigint not null references venue_earnings,
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  earned_micros bigint not null check (earned_micros > 0),
  primary key (payout_handle, earning_handle)
);
create trigger payout_lines_append_only before update or delete on payout_lines for each row execute function forbid_change();
