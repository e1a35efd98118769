-- The records of Marquee. Every entity has an 8-byte integer handle; the public id (cmp_..., scr_...) is a reversible
-- spelling of it (domain/id), so that a play id can carry handles and no table of names is ever looked up.
-- Money is integer micro-units of the named currency. Times are UTC.

create table workspaces (
  handle bigint generated always as identity primary key,
  kind text not null check (kind in ('brand', 'agency', 'venue')),
  name text not null check (char_length(name) between 1 and 200),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  plan text not null default 'standard' check (plan in ('standard', 'top')),
  parent_handle bigint references workspaces,
  created_at timestamptz not null
);

create table users (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  email text not null check (char_length(email) between 3 and 320),
  role text not null check (role in ('owner', 'admin', 'manager', 'finance', 'viewer')),
  created_at timestamptz not null,
  unique (workspace_handle, email)
);

-- Only the SHA-256 of a key is kept. A key has 256 random bits, so a fast hash is the right one.
create table keys (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  user_handle bigint not null references users,
  surface text not null check (surface in ('ads_manager', 'screen_manager', 'agency')),
  access text not null check (access in ('read_write', 'read_only')),
  mode text not null check (mode in ('live', 'test')),
  hash bytea not null unique check (octet_length(hash) = 32),
  display text not null, -- first characters and last four, for lists
  per_minute_max integer not null default 600 check (per_minute_max > 0),
  per_second_max integer not null default 200 check (per_second_max > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index keys_by_workspace on keys (workspace_handle, handle desc);

create table venues (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  name text not null check (char_length(name) between 1 and 200),
  type text not null, -- OpenOOH name, dotted
  city text not null check (char_length(city) between 1 and 200),
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  timezone text not null, -- IANA name
  opening_hours jsonb, -- {mon: [{start, end}], ...}; null: always open
  daily_visitors integer not null check (daily_visitors between 0 and 10000000),
  dwell_minutes double precision not null check (dwell_minutes > 0 and dwell_minutes <= 1440),
  blocked_categories text[] not null default '{}',
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index venues_by_workspace on venues (workspace_handle, handle desc);

create table screens (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  venue_handle bigint not null references venues,
  label text not null default '' check (char_length(label) <= 200),
  platform text,
  orientation text not null default 'landscape' check (orientation in ('landscape', 'portrait')),
  ad_ratio double precision not null default 0.5 check (ad_ratio between 0 and 1),
  sensor_paired boolean not null default false,
  blocked_categories text[] not null default '{}',
  sandbox boolean not null,
  token_hash bytea unique check (octet_length(token_hash) = 32), -- null until the device has confirmed
  created_at timestamptz not null,
  unpaired_at timestamptz
);
create index screens_by_workspace on screens (workspace_handle, handle desc);
create index screens_by_venue on screens (venue_handle);

-- Presence is written in batches by delivery and is neither in the change log nor in the audit.
create table screen_presence (
  screen_handle bigint primary key references screens,
  online boolean not null,
  last_seen_at timestamptz not null
);

-- A code has two halves (confirm by the device, label by POST /screens), each usable once while it is valid.
create table pairing_codes (
  handle bigint generated always as identity primary key,
  code text not null check (code ~ '^[0-9]{6}$'),
  workspace_handle bigint not null references workspaces,
  venue_handle bigint not null references venues,
  sandbox boolean not null,
  screen_handle bigint references screens,
  confirmed_at timestamptz,
  labelled_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index pairing_codes_by_code on pairing_codes (code, expires_at desc);

create table creatives (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  name text not null check (char_length(name) between 1 and 200),
  orientation text not null check (orientation in ('landscape', 'portrait')),
  kind text not null check (kind in ('video', 'still')),
  duration_ms integer not null check (duration_ms between 6000 and 20000),
  filename text not null check (char_length(filename) between 1 and 255),
  content_type text not null,
  status text not null check (status in ('draft', 'awaiting_upload', 'ready', 'rejected', 'detached')),
  sandbox boolean not null,
  upload_expires_at timestamptz,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint check (bytes >= 0),
  rejection jsonb,
  created_at timestamptz not null,
  detached_at timestamptz
);
create index creatives_by_workspace on creatives (workspace_handle, handle desc);

-- handed: what the budget authority in Redis may use; raised and committed here before Redis is told.
-- charged: the sum of settled charges. 0 <= charged <= handed <= budget.
create table campaigns (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  name text not null check (char_length(name) between 1 and 200),
  category text not null,
  status text not null check (status in ('draft', 'pending_review', 'live', 'paused', 'finished', 'rejected')),
  sandbox boolean not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  budget_micros bigint not null check (budget_micros > 0),
  handed_micros bigint not null default 0,
  returned_micros bigint not null default 0 check (returned_micros >= 0),
  charged_micros bigint not null default 0 check (charged_micros >= 0),
  charged_plays bigint not null default 0 check (charged_plays >= 0),
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  targets jsonb not null,
  landing_url text,
  brand_lift boolean not null default false,
  frequency_per_hour_max integer check (frequency_per_hour_max > 0),
  rate_micros bigint not null check (rate_micros >= 0),
  forecast jsonb not null,
  rejection jsonb,
  created_at timestamptz not null,
  deleted_at timestamptz,
  check (handed_micros between 0 and budget_micros),
  check (charged_micros + returned_micros <= handed_micros)
);
create index campaigns_by_workspace on campaigns (workspace_handle, handle desc);
create index campaigns_live on campaigns (handle) where status in ('live', 'paused') and deleted_at is null;

create table campaign_creatives (
  campaign_handle bigint not null references campaigns,
  creative_handle bigint not null references creatives,
  weight integer not null default 1 check (weight between 1 and 1000),
  primary key (campaign_handle, creative_handle)
);
create index campaign_creatives_by_creative on campaign_creatives (creative_handle);

-- Double entry. An amount above zero is a credit of the account. Every transaction sums to zero per currency and book.
create table ledger_accounts (
  handle bigint generated always as identity primary key,
  kind text not null check (kind in ('funding', 'wallet', 'reservation', 'revenue')),
  book text not null check (book in ('live', 'sandbox')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  workspace_handle bigint references workspaces,
  campaign_handle bigint references campaigns,
  balance_micros bigint not null default 0,
  unique nulls not distinct (kind, book, currency, workspace_handle, campaign_handle),
  check (kind not in ('wallet', 'reservation') or balance_micros >= 0)
);
create table ledger_transactions (
  handle bigint generated always as identity primary key,
  kind text not null check (kind in ('top_up', 'reserve', 'refund', 'charge')),
  reference text not null unique, -- makes a posting idempotent
  posted_at timestamptz not null
);
create table ledger_postings (
  handle bigint generated always as identity primary key,
  transaction_handle bigint not null references ledger_transactions,
  account_handle bigint not null references ledger_accounts,
  amount_micros bigint not null check (amount_micros <> 0)
);
create index ledger_postings_by_account on ledger_postings (account_handle, handle);
create index ledger_postings_by_transaction on ledger_postings (transaction_handle);

create function ledger_apply_posting() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance_micros = balance_micros + new.amount_micros where handle = new.account_handle;
  return new;
end $$;
create trigger ledger_postings_apply after insert on ledger_postings for each row execute function ledger_apply_posting();

create function ledger_assert_balanced() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from ledger_postings p join ledger_accounts a on a.handle = p.account_handle
    where p.transaction_handle = new.transaction_handle
    group by a.book, a.currency having sum(p.amount_micros) <> 0
  ) then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_handle using errcode = 'MQ001';
  end if;
  return null;
end $$;
create constraint trigger ledger_postings_balance after insert on ledger_postings
  deferrable initially deferred for each row execute function ledger_assert_balanced();

create function forbid_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'MQ002';
end $$;
create trigger ledger_postings_append_only before update or delete on ledger_postings for each row execute function forbid_change();
create trigger ledger_transactions_append_only before update or delete on ledger_transactions for each row execute function forbid_change();

-- Each entry's hash covers its content and the hash before it in its workspace.
create table audit_entries (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  number bigint not null,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('user', 'operator', 'system', 'device')),
  actor_handle bigint,
  actor_email text,
  source text not null check (source in ('API', 'CLI', 'SYSTEM', 'DEVICE')),
  action text not null,
  entity_type text not null,
  entity_handle bigint not null,
  ip text,
  user_agent text,
  diff jsonb not null,
  hash bytea not null,
  unique (workspace_handle, number)
);
create table audit_heads (
  workspace_handle bigint primary key references workspaces,
  number bigint not null,
  hash bytea not null
);
create trigger audit_entries_append_only before update or delete on audit_entries for each row execute function forbid_change();

-- The change log that delivery follows. The revision is last + 1 of a one-row table and the last lock that a transaction
-- takes, so revision order is commit order without gaps.
create table change_revision (
  one boolean primary key default true check (one),
  revision bigint not null
);
insert into change_revision (revision) values (0);
create table change_log (
  revision bigint not null,
  entity text not null check (entity in ('workspace', 'venue', 'screen', 'creative', 'campaign')),
  handle bigint not null,
  at timestamptz not null,
  primary key (revision, entity, handle)
);

create table outbox (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  type text not null,
  entity_type text not null,
  entity_handle bigint not null,
  payload jsonb not null,
  created_at timestamptz not null,
  dispatched_at timestamptz
);
create index outbox_waiting on outbox (handle) where dispatched_at is null;

-- Epochs of delivery processes come from here, so that none is given twice whatever happens to Redis.
create table delivery_epochs (
  epoch bigint generated always as identity primary key,
  node text not null,
  boot_id text not null,
  started_at timestamptz not null
);

-- One row per group of jobs that was inserted into ClickHouse and then charged here. Unique: a group is settled once.
create table settled_groups (
  group_id text primary key,
  settled_at timestamptz not null
);
create table charges (
  group_id text not null references settled_groups,
  campaign_handle bigint not null references campaigns,
  plays bigint not null,
  impressions_thousandths bigint not null,
  amount_micros bigint not null,
  primary key (group_id, campaign_handle)
);
