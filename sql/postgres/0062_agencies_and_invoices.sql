-- What a client has of its own; null: as its agency has it. A sandbox client is seen by test keys only.
alter table workspaces
  add column sandbox boolean not null default false,
  add column billing_model text check (billing_model in ('pass-through', 'agency-billed')),
  add column branding jsonb, -- {display_name, accent_color, footer}
  add column billing_details jsonb, -- {legal_name, address_lines, tax_id}
  add column audit_retention_years integer check (audit_retention_years in (2, 7)),
  add column case_study boolean not null default false;

-- As the client says, else its agency, else 7 years on the top plan and 2 otherwise; a client has the plan of its agency.
create or replace function audit_kept_since(workspace bigint) returns timestamptz language sql stable as $$
  select now() - make_interval(years => coalesce(w.audit_retention_years, p.audit_retention_years, case when coalesce(p.plan, w.plan) = 'top' then 7 else 2 end))
  from workspaces w left join workspaces p on p.handle = w.parent_handle where w.handle = workspace
$$;

create table wallet_transfers (
  handle bigint generated always as identity primary key,
  agency_handle bigint not null references workspaces,
  client_handle bigint not null references workspaces,
  user_handle bigint not null references users, -- who moved it
  direction text not null check (direction in ('to_client', 'to_agency')),
  book text not null check (book in ('live', 'sandbox')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_micros bigint not null check (amount_micros > 0),
  created_at timestamptz not null
);

-- Charges and discounts by month (its first day, UTC, by the time of settlement). A month that was invoiced is closed and
-- takes no more: what a slow settlement brings goes to the month after it.
create table workspace_months (
  workspace_handle bigint not null references workspaces,
  sandbox boolean not null,
  month date not null check (extract(day from month) = 1),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  gross_micros bigint not null,
  discount_micros bigint not null default 0 check (discount_micros between 0 and gross_micros),
  closed_at timestamptz,
  primary key (workspace_handle, sandbox, month)
);
create index workspace_months_open on workspace_months (month) where closed_at is null and not sandbox;
create table campaign_months (
  campaign_handle bigint not null references campaigns,
  month date not null check (extract(day from month) = 1),
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  discount_micros bigint not null default 0 check (discount_micros between 0 and gross_micros),
  primary key (campaign_handle, month)
);

-- Charges and discounts of agencies' workspaces, from which their reports are cut: day of the settlement (UTC), venue, and
-- daypart of the slot at the venue.
create table spend_lines (
  campaign_handle bigint not null references campaigns,
  day date not null,
  venue_handle bigint references venues, -- null: the venue is not known
  daypart text not null check (daypart in ('morning', 'midday', 'afternoon', 'evening', 'night')),
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  discount_micros bigint not null check (discount_micros between 0 and gross_micros),
  unique nulls not distinct (campaign_handle, day, venue_handle, daypart)
);

-- The charges of before.
insert into campaign_months (campaign_handle, month, plays, impressions_thousandths, gross_micros)
  select c.campaign_handle, date_trunc('month', g.settled_at at time zone 'UTC')::date, sum(c.plays), sum(c.impressions_thousandths), sum(c.amount_micros)
  from charges c join settled_groups g using (group_id) group by 1, 2;
insert into workspace_months (workspace_handle, sandbox, month, currency, gross_micros)
  select c.workspace_handle, c.sandbox, m.month, c.currency, sum(m.gross_micros)
  from campaign_months m join campaigns c on c.handle = m.campaign_handle group by 1, 2, 3, 4;

-- What of a budget its schedule has due at a time, evenly over its days (UTC).
create function due_micros(budget bigint, starts_on date, ends_on date, at timestamptz) returns numeric language sql immutable as $$
  select budget * least(1, greatest(0, extract(epoch from (at at time zone 'UTC') - starts_on::timestamp) / (86400 * (ends_on + 1 - starts_on))))
$$;

-- Numbers run through a year without a gap: the row is locked by the transaction that takes the next.
create table invoice_series (
  year integer primary key,
  last integer not null
);
create table invoices (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces, -- who pays
  year integer not null,
  sequence integer not null check (sequence > 0),
  month date not null check (extract(day from month) = 1),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  is_consolidated boolean not null,
  status text not null check (status in ('issued', 'paid')),
  gross_micros bigint not null, -- exact sums of the lines
  discount_micros bigint not null,
  total_micros bigint not null, -- to pay, in whole minor units
  parties jsonb not null, -- seller, buyer and branding as they were when it was issued
  issued_at timestamptz not null,
  paid_at timestamptz check ((paid_at is null) = (status = 'issued')),
  unique (year, sequence)
);
create index invoices_by_workspace on invoices (workspace_handle, handle desc);
create table invoice_lines (
  invoice_handle bigint not null references invoices,
  position integer not null,
  workspace_handle bigint not null references workspaces, -- whose campaign it is
  workspace_name text not null,
  campaign_handle bigint not null references campaigns,
  campaign_name text not null,
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  discount_micros bigint not null,
  primary key (invoice_handle, position)
);
create trigger invoice_lines_append_only before update or delete on invoice_lines for each row execute function forbid_change();
create function invoice_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or to_jsonb(new) - 'status' - 'paid_at' <> to_jsonb(old) - 'status' - 'paid_at' or old.status = 'paid' then
    raise exception 'an invoice that was issued is only paid' using errcode = 'MQ002';
  end if;
  return new;
end $$;
create trigger invoices_only_paid before update or delete on invoices for each row execute function invoice_guard();
create function month_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.closed_at is not null then
    raise exception 'a month that was invoiced takes no more' using errcode = 'MQ002';
  end if;
  return new;
end $$;
create trigger workspace_months_closed before update or delete on workspace_months for each row execute function month_guard();
