-- What a review of screens and venues found (domain/traffic-review): who, when, by which version of which rule, and the
-- figures that it saw. The earnings of the venue on these days are held while `is_holding`.
create table findings (
  handle bigint generated always as identity primary key,
  rule text not null,
  rule_version integer not null,
  workspace_handle bigint not null references workspaces,
  venue_handle bigint not null references venues,
  screen_handle bigint references screens, -- null: the whole venue
  -- The plays that it is about, by the start of their slots, and the days at the venue that these fall on.
  from_at timestamptz not null,
  to_at timestamptz not null,
  first_day date not null,
  last_day date not null,
  evidence jsonb not null,
  status text not null check (status in ('open', 'cleared', 'upheld')),
  is_holding boolean not null default true,
  raised_at timestamptz not null,
  seen_at timestamptz not null, -- by the last review that saw it
  decided_at timestamptz check ((decided_at is null) = (status = 'open')),
  note text check (char_length(note) between 1 and 2000), -- of the operator; never shown to the venue
  check (from_at < to_at and first_day <= last_day),
  check (is_holding or status <> 'open')
);
create unique index findings_open on findings (rule, venue_handle, coalesce(screen_handle, 0)) where status = 'open';
create index findings_by_status on findings (status, handle desc);
create index findings_holding on findings (workspace_handle, venue_handle) where is_holding;
create index findings_by_workspace on findings (workspace_handle, handle desc);
create index findings_by_subject on findings (venue_handle, rule, decided_at) where status <> 'open';

-- When what until was reviewed last. One row.
create table traffic_reviews (
  one boolean primary key default true check (one),
  reviewed_at timestamptz not null,
  raised integer not null
);
