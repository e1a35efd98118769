-- Payments over a provider's hosted page. A top-up has one page at a time; what the provider says of it comes as events.
create table checkouts (
  handle bigint generated always as identity primary key,
  top_up_handle bigint not null references top_ups,
  reference text not null unique, -- ours, told to the provider before it names the session
  status text not null check (status in ('creating', 'open', 'paid', 'ended')),
  success_url text not null,
  cancel_url text,
  session_id text unique,
  url text,
  expires_at timestamptz,
  payment_id text unique,
  created_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (status in ('creating', 'open'))),
  check (status <> 'open' or (session_id is not null and url is not null and expires_at is not null))
);
create unique index checkouts_one_open on checkouts (top_up_handle) where status in ('creating', 'open');

-- Each event of the provider that was signed, once.
create table payment_events (
  event_id text primary key,
  type text not null,
  outcome text not null,
  received_at timestamptz not null
);

-- Money that went back outside, or came otherwise than asked for. `waiting`: of a payment that is not known (yet); `open`: the
-- operator decides; `booked`: taken from the wallet; `closed`: nothing is to be done any more.
create table payment_cases (
  handle bigint generated always as identity primary key,
  kind text not null check (kind in ('refund', 'refund_failed', 'dispute', 'mismatch', 'not_pending')),
  object_id text not null, -- of the provider: refund, dispute, session
  payment_id text,
  checkout_handle bigint references checkouts,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_micros bigint not null check (amount_micros >= 0),
  status text not null check (status in ('waiting', 'open', 'booked', 'closed')),
  note text check (char_length(note) <= 2000),
  created_at timestamptz not null,
  ended_at timestamptz check ((ended_at is null) = (status in ('waiting', 'open'))),
  unique (kind, object_id)
);
create index payment_cases_by_status on payment_cases (status, handle desc);
create index payment_cases_waiting on payment_cases (payment_id) where status = 'waiting';

alter table ledger_transactions drop constraint ledger_transactions_kind_check;
alter table ledger_transactions add constraint ledger_transactions_kind_check check
  (kind in ('top_up', 'top_up_refunded', 'reserve', 'refund', 'charge', 'transfer', 'discount', 'credit', 'earning', 'earning_reversed', 'payout_issued', 'payout_paid', 'payout_failed'));
