-- Plays that were counted and charged, and are taken out because a finding about them was upheld. What was charged, earned
-- and reported stays as it was written; these rows stand beside it, with the money that went back because of them.

-- When the plays of an upheld finding were looked for last. Looks go on while plays of its time may still be reported.
alter table findings add column taken_out_at timestamptz check (taken_out_at is null or status = 'upheld');
create index findings_to_take_out on findings (to_at) where status = 'upheld';

-- A look at a finding that found plays, numbered from 1.
create table play_takings (
  handle bigint generated always as identity primary key,
  finding_handle bigint not null references findings,
  number integer not null check (number > 0),
  taken_at timestamptz not null,
  unique (finding_handle, number)
);
create trigger play_takings_append_only before update or delete on play_takings for each row execute function forbid_change();

-- What it took out of a campaign, and what the brand is credited for it.
create table campaign_credits (
  taking_handle bigint not null references play_takings,
  campaign_handle bigint not null references campaigns,
  plays bigint not null check (plays > 0),
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  credit_micros bigint not null check (credit_micros between 0 and gross_micros),
  primary key (taking_handle, campaign_handle)
);
create index campaign_credits_by_campaign on campaign_credits (campaign_handle, taking_handle);
create trigger campaign_credits_append_only before update or delete on campaign_credits for each row execute function forbid_change();

-- What of a venue's earnings of a day went back: so much less stands in venue_earnings since.
create table earning_reversals (
  taking_handle bigint not null references play_takings,
  earning_handle bigint not null references venue_earnings,
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  earned_micros bigint not null,
  primary key (taking_handle, earning_handle)
);
create trigger earning_reversals_append_only before update or delete on earning_reversals for each row execute function forbid_change();

-- Sums of campaign_credits, so that a campaign without any costs nothing to ask.
alter table campaigns add column taken_out_plays bigint not null default 0, add column credited_micros bigint not null default 0 check (credited_micros between 0 and charged_micros);

alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check check
  (kind in ('funding', 'wallet', 'reservation', 'revenue', 'discount', 'credit', 'commission', 'earnings', 'payout', 'fee'));
alter table ledger_transactions drop constraint ledger_transactions_kind_check;
alter table ledger_transactions add constraint ledger_transactions_kind_check check
  (kind in ('top_up', 'reserve', 'refund', 'charge', 'transfer', 'discount', 'credit', 'earning', 'earning_reversed', 'payout_issued', 'payout_paid', 'payout_failed'));
