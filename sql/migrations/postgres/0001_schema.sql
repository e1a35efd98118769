-- The records of Marquee. Every entity has an 8-byte integer handle; the public id (cmp_..., scr_...) is a reversible
-- spelling of it (domain/id.ts), so that a play id can carry handles and no table of names is ever looked up.
-- Money is integer micro-units of the named currency. Times are UTC. A row with `sandbox` (or the book 'sandbox') belongs
-- to the sandbox of its workspace: play money, made and seen by test keys only.
--
-- Sections: 1 people and keys, 2 venues and screens, 3 creatives and playlists, 4 campaigns, 5 the ledger, 6 payments,
-- 7 delivery and settlement, 8 earnings and payouts, 9 findings and plays taken out, 10 spend and invoices,
-- 11 the audit, 12 events and webhooks, 13 what every change writes, 14 supply models and verifications.

create function forbid_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'MQ002';
end $$;

-- Tables that almost every write touches have their plain checks as domains. A check of a table is read from its stored form by
-- each statement that writes the table, whatever it changes; a domain's is read once per session, and is checked where its
-- value is set.
create domain currency_code as text check (value ~ '^[A-Z]{3}$');
create domain ledger_book as text check (value in ('live', 'sandbox'));
create domain ledger_account_kind as text check
  (value in ('funding', 'wallet', 'reservation', 'revenue', 'discount', 'credit', 'commission', 'earnings', 'payout', 'fee'));
create domain ledger_entry_kind as text check
  (value in ('top_up', 'top_up_refunded', 'reserve', 'refund', 'charge', 'transfer', 'discount', 'credit', 'earning', 'earning_reversed', 'payout_issued', 'payout_paid', 'payout_failed'));
create domain nonzero_micros as bigint check (value <> 0);
create domain audit_actor as text check (value in ('user', 'operator', 'system', 'device'));
create domain audit_source as text check (value in ('API', 'CLI', 'SYSTEM', 'DEVICE'));
create domain changed_entity as text check (value in ('workspace', 'venue', 'screen', 'creative', 'campaign', 'playlist', 'asset'));
create domain sha256_hash as bytea check (octet_length(value) = 32);
create domain success_status as smallint check (value between 200 and 299);
create domain creative_weight as integer check (value between 1 and 1000);

------------------------------------------------------------------------------------------------------------------------
-- 1 People and keys
------------------------------------------------------------------------------------------------------------------------

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
  payout_fee_micros bigint not null default 1500000 check (payout_fee_micros >= 0),
  -- Where supply does not serve all campaigns: the share of its goal that each gets before the dearest get the rest.
  overload_floor double precision not null default 0.8 check (overload_floor between 0 and 1)
);
insert into operator_settings (name) values ('Marquee');

-- A customer: a brand that advertises, a venue that owns screens, or an agency with brands as its clients. Or the people who
-- run the installation (operator).
create table workspaces (
  handle bigint generated always as identity primary key,
  kind text not null check (kind in ('brand', 'agency', 'venue', 'operator')),
  name text not null check (char_length(name) between 1 and 200),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  plan text not null default 'standard' check (plan in ('standard', 'top')),
  parent_handle bigint references workspaces, -- the agency, of a client
  created_at timestamptz not null,
  -- Whether campaigns of an agency's client wait for the agency before review; null: as the agency says of all its clients.
  approval text check (approval in ('none', 'agency')),
  sandbox boolean not null default false, -- a client that test keys alone see
  -- What a client has of its own; null: as its agency has it.
  billing_model text check (billing_model in ('pass-through', 'agency-billed')),
  branding jsonb, -- {display_name, accent_color, footer}
  billing_details jsonb, -- {legal_name, address_lines, tax_id}
  audit_retention_years integer check (audit_retention_years in (2, 7)),
  case_study boolean not null default false,
  earnings_hold_days smallint check (earnings_hold_days between 0 and 365), -- null: as long as the installation holds earnings (EARNINGS_HOLD_DAYS)
  archived_at timestamptz, -- a client that is put away: out of lists, still read, and brought back
  -- A workspace that somebody signed up for waits for the operator: until then it changes nothing but its people and keys.
  -- The keys of one that the operator has closed are refused.
  status text not null default 'active' check (status in ('in_review', 'active', 'closed'))
);
create index workspaces_by_parent on workspaces (parent_handle) where parent_handle is not null;
create index workspaces_in_review on workspaces (handle) where status = 'in_review';

-- A person, who may have seats in several workspaces. That two seats are one person's must have been shown, since anybody
-- may write down an address: a seat in a client workspace is the person of that address in its agency, which rules over
-- both; whoever accepts an invitation shows a key of the other seat.
create table people (
  handle bigint generated always as identity primary key,
  email text not null check (char_length(email) between 3 and 320),
  name text not null default '' check (char_length(name) <= 200),
  created_at timestamptz not null
);

-- A seat: a person's place in one workspace, with a role. Every key of a seat that was removed is refused from the next
-- second on.
create table users (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  email text not null check (char_length(email) between 3 and 320),
  role text not null check (role in ('owner', 'admin', 'manager', 'finance', 'viewer')),
  created_at timestamptz not null,
  removed_at timestamptz,
  person_handle bigint not null references people,
  unique (workspace_handle, email)
);
create index users_by_person on users (person_handle);

create function person_of_seat(workspace bigint, address text, at timestamptz) returns bigint language plpgsql as $$
declare
  person bigint;
begin
  select u.person_handle into person from workspaces w join users u on u.workspace_handle = w.parent_handle
    where w.handle = workspace and lower(u.email) = lower(address) and u.removed_at is null order by u.handle limit 1;
  if person is null then
    insert into people (email, created_at) values (address, at) returning handle into person;
  end if;
  return person;
end $$;

create function give_seat_a_person() returns trigger language plpgsql as $$
begin
  if new.person_handle is null then
    new.person_handle := person_of_seat(new.workspace_handle, new.email, new.created_at);
  end if;
  return new;
end $$;
create trigger users_have_a_person before insert on users for each row execute function give_seat_a_person();

-- A key for the API. Only its SHA-256 is kept: a key has 256 random bits, so a fast hash is the right one.
create table keys (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  user_handle bigint not null references users,
  surface text not null check (surface in ('ads_manager', 'screen_manager', 'agency', 'operator')),
  access text not null check (access in ('read_write', 'read_only')),
  mode text not null check (mode in ('live', 'test')),
  hash bytea not null unique check (octet_length(hash) = 32),
  display text not null, -- first characters and last four, for lists
  per_minute_max integer not null default 600 check (per_minute_max > 0),
  per_second_max integer not null default 200 check (per_second_max > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz, -- a rotated key stays valid until then; the moment lies ahead and is waited for
  name text not null default '' check (char_length(name) <= 200), -- what people call the key in lists
  -- Revoked by somebody, whatever time it is: the clocks of two API processes may differ, and a revocation waits for none.
  is_revoked boolean not null default false,
  made_by_handle bigint references users -- who made it for somebody else; null: the person whom it acts for, or the operator
);
create index keys_by_workspace on keys (workspace_handle, handle desc);
create index keys_by_user on keys (user_handle);

-- Every API process keeps what a key or a session stands for for a moment. Whatever ends, narrows or widens one, whoever wrote
-- it, tells them at once: by its hash, or by those of all keys and sessions of a person who joins, leaves or gets another
-- role, or of a workspace.
create function tell_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_keys', encode(new.hash, 'base64'));
  return null;
end $$;
create trigger keys_changed after update of is_revoked, revoked_at, expires_at, access, surface, per_minute_max, per_second_max on keys
  for each row execute function tell_key_changed();

create function tell_user_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from keys where user_handle = new.handle and not is_revoked;
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from sessions where person_handle = new.person_handle and ended_at is null;
  return null;
end $$;
create trigger users_changed after insert or update of role, removed_at on users
  for each row execute function tell_user_changed();

create function tell_workspace_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from keys where workspace_handle = new.handle and not is_revoked;
  perform pg_notify('marquee_keys', encode(s.hash, 'base64')) from users u join sessions s on s.person_handle = u.person_handle
    where u.workspace_handle = new.handle and s.ended_at is null;
  return null;
end $$;
create trigger workspaces_changed after update of status, archived_at on workspaces for each row execute function tell_workspace_changed();

-- How a person signs in to the console. An address signs one person in; that the person is the one whom others know by
-- this address was shown by an invitation. The operator frees an address that somebody else took.
create table sign_ins (
  person_handle bigint primary key references people,
  email text not null check (char_length(email) between 3 and 320),
  password_hash text not null check (char_length(password_hash) <= 200), -- with its parameters: $scrypt$ln=15,r=8,p=3$salt$hash
  created_at timestamptz not null,
  changed_at timestamptz not null -- when the password was set last
);
create unique index sign_ins_by_email on sign_ins (lower(email));

-- A browser in which a person is signed in. Only the SHA-256 of its token is kept, which has 256 random bits as a key has.
create table sessions (
  handle bigint generated always as identity primary key,
  person_handle bigint not null references people,
  hash bytea not null unique check (octet_length(hash) = 32),
  device text not null check (char_length(device) <= 512), -- the browser, as it calls itself
  created_at timestamptz not null,
  last_used_at timestamptz not null, -- to the minute
  ends_at timestamptz not null, -- however much it is used
  ended_at timestamptz -- signed out, or ended from another session
);
create index sessions_by_person on sessions (person_handle, handle desc);
create index sessions_by_end on sessions (ends_at);

create trigger sessions_changed after update of ended_at on sessions
  for each row execute function tell_key_changed();

-- The second factor of a person who signs in with a password: codes by time (RFC 6238). The secret is sealed.
create table second_factors (
  person_handle bigint primary key references sign_ins on delete cascade,
  secret_sealed bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz, -- null: the person has not shown a code yet, and signs in without
  last_step bigint not null default 0 -- no code of this step of time or an earlier one is good any more
);

-- Codes for a person who has lost the device. Only SHA-256s are kept, since a code has 80 random bits. A used one goes.
create table recovery_codes (
  person_handle bigint not null references second_factors on delete cascade,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (person_handle, hash)
);

-- An account of an OpenID provider that signs a person in. It is known by issuer and subject; the address is for people.
create table identities (
  issuer text not null check (char_length(issuer) <= 500),
  subject text not null check (char_length(subject) <= 255), -- as long as OpenID Connect allows
  person_handle bigint not null references people,
  email text not null check (char_length(email) <= 320), -- as it was verified when it was linked; empty: it was not
  created_at timestamptz not null,
  primary key (issuer, subject),
  unique (person_handle, issuer)
);

-- A link that signs a browser in without a password. Only the demo makes them, and only an API that runs the demo takes them.
create table sign_in_links (
  hash bytea primary key check (octet_length(hash) = 32),
  person_handle bigint not null references people,
  uses_left integer not null check (uses_left >= 0),
  ends_at timestamptz not null
);

-- An invitation to a seat. Only the SHA-256 of its token is kept, which has 256 random bits as a key has.
create table invitations (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  email text not null check (char_length(email) between 3 and 320),
  role text not null check (role in ('owner', 'admin', 'manager', 'finance', 'viewer')),
  surface text not null check (surface in ('ads_manager', 'screen_manager', 'agency', 'operator')), -- of the key that is answered
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by_handle bigint not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  accepted_at timestamptz,
  user_handle bigint references users, -- the seat that it became
  check ((accepted_at is null) = (user_handle is null)),
  check (accepted_at is null or revoked_at is null)
);
create index invitations_by_workspace on invitations (workspace_handle, handle desc);
create index invitations_by_end on invitations (expires_at);

------------------------------------------------------------------------------------------------------------------------
-- 2 Venues and screens
------------------------------------------------------------------------------------------------------------------------

-- An image of a playlist or of a venue. Uploaded, checked and rendered as creatives are (section 3), by the same code and
-- under the same columns.
create table assets (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  name text not null check (char_length(name) between 1 and 200),
  filename text not null check (char_length(filename) between 1 and 255),
  content_type text not null,
  status text not null check (status in ('awaiting_upload', 'ready', 'rejected')),
  sandbox boolean not null,
  upload_expires_at timestamptz not null,
  uploaded_at timestamptz,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint check (bytes >= 0),
  check_starts integer not null default 0,
  progress_percent integer check (progress_percent between 0 and 100),
  media jsonb,
  renditions jsonb,
  poster text,
  rejection jsonb,
  created_at timestamptz not null,
  archived_at timestamptz -- put away: out of lists, still read, and brought back
);
create index assets_by_workspace on assets (workspace_handle, handle desc);
create index assets_awaiting on assets (handle) where status = 'awaiting_upload';

-- What runs on a screen between ads: a list of items (section 3). A screen runs its own playlist, else that of its venue,
-- else ads alone. Archiving takes a playlist from both.
create table playlists (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  sandbox boolean not null,
  name text not null check (char_length(name) between 1 and 200),
  ad_ratio double precision check (ad_ratio between 0 and 1), -- of every screen on which it runs; null: the screen's own
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz
);
create index playlists_by_workspace on playlists (workspace_handle, handle desc);

-- A place with screens: where it is, when it is open, who comes.
create table venues (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  name text not null check (char_length(name) between 1 and 200),
  type text not null, -- OpenOOH name, dotted
  city text not null check (char_length(city) between 1 and 200),
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  timezone text not null, -- IANA name, as every engine knows and reads it alike (domain/data/time-zones.ts)
  opening_hours jsonb, -- {mon: [{start, end}], ...}; null: always open
  daily_visitors integer not null check (daily_visitors between 0 and 10000000),
  dwell_minutes double precision not null check (dwell_minutes > 0 and dwell_minutes <= 1440),
  blocked_categories text[] not null default '{}',
  created_at timestamptz not null,
  deleted_at timestamptz,
  sandbox boolean not null default false,
  default_playlist_handle bigint references playlists,
  -- People who have one screen of the venue in view at once, at most, as the operator said; null: nobody has, and what the
  -- type makes plausible holds (domain/screens/venue.ts).
  audience_max double precision check (audience_max > 0 and audience_max <= 100000),
  -- An address: a thousandth of a degree, 111 m from south to north and less from west to east. Screens of one owner that
  -- stand there share the people of the place, in however many venues they are said to be.
  lat_milli integer generated always as (round(lat * 1000)::integer) stored,
  lng_milli integer generated always as (round(lng * 1000)::integer) stored,
  -- What a venue says of itself is in force in its own columns. Figures that wait for the operator stand beside them, with
  -- why they wait; a review that is over keeps what was decided.
  pending_figures jsonb, -- the fields that wait, in the API's spelling
  review_status text check (review_status in ('pending', 'approved', 'rejected')),
  review_reasons text[],
  review_requested_at timestamptz,
  review_decided_at timestamptz,
  review_code text, -- why the operator rejected
  -- Later changes are measured against these: what the operator approved last, else what the venue began to earn with; null:
  -- neither was, and the next change is measured against what the venue has.
  baseline_figures jsonb,
  baseline_approved boolean not null default false,
  -- What brands see of a venue: its name where it is shown, where it stands as exactly as it says, a picture.
  name_shown boolean not null default true,
  coordinates_shown text not null default 'city' check (coordinates_shown in ('exact', 'city', 'hidden')),
  photo_asset_handle bigint references assets,
  photo_object text, -- name of the picture in the storage, of an asset that is ready
  -- A tenth of a degree is some 10 km, the size of a city. What a search by place compares is what is shown, so that no
  -- search finds out more.
  shown_name text generated always as (case when name_shown then name end) stored,
  shown_lat double precision generated always as
    (case coordinates_shown when 'exact' then lat when 'city' then round(lat::numeric, 1)::double precision end) stored,
  shown_lng double precision generated always as
    (case coordinates_shown when 'exact' then lng when 'city' then round(lng::numeric, 1)::double precision end) stored,
  constraint venues_review_check check (
    (review_status is not distinct from 'pending') = (pending_figures is not null)
    and (review_status is null) = (review_requested_at is null) and (review_status is null) = (review_reasons is null)
    and coalesce(review_status in ('approved', 'rejected'), false) = (review_decided_at is not null) and (review_status is not distinct from 'rejected') = (review_code is not null)),
  constraint venues_photo check ((photo_asset_handle is null) = (photo_object is null))
);
create index venues_by_workspace on venues (workspace_handle, handle desc);
create index venues_by_default_playlist on venues (default_playlist_handle) where default_playlist_handle is not null;
create index venues_by_address on venues (workspace_handle, sandbox, lat_milli, lng_milli);
create index venues_in_review on venues (review_requested_at) where pending_figures is not null;
create index venues_by_photo on venues (photo_asset_handle) where photo_asset_handle is not null;

-- The menu of a venue as data. `page_name` is drawn anew with each change and names the pages made from it: who knows it
-- (the venue's screens) reads exactly this menu, so a page may be kept for ever.
create table venue_menus (
  venue_handle bigint primary key references venues,
  menu jsonb not null,
  page_name text not null unique check (page_name ~ '^[0-9a-f]{32}$'),
  updated_at timestamptz not null
);

-- A screen of a venue, paired with a device until `unpaired_at`.
create table screens (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  venue_handle bigint not null references venues,
  label text not null default '' check (char_length(label) <= 200),
  platform text,
  orientation text not null default 'landscape' check (orientation in ('landscape', 'portrait')),
  ad_ratio double precision not null default 0.5 check (ad_ratio between 0 and 1),
  sensor_paired boolean not null default false, -- with a module that was enrolled; in the sandbox a module may be declared
  blocked_categories text[] not null default '{}',
  sandbox boolean not null,
  token_hash bytea unique check (octet_length(token_hash) = 32), -- null until the device has confirmed
  created_at timestamptz not null,
  unpaired_at timestamptz,
  playlist_handle bigint references playlists,
  audience_attested_at timestamptz, -- slot of the newest settled play whose audience a module attested (of the sandbox: was reported)
  -- A simulated screen has no device: it shows what the clock of its sandbox lets it show, and never connects. It shows
  -- campaigns of its own workspace alone, so it is no part of the network that forecasts, plans and lists of places speak of.
  simulated boolean not null default false check (sandbox or not simulated)
);
create index screens_by_workspace on screens (workspace_handle, handle desc);
create index screens_by_venue on screens (venue_handle);
create index screens_by_playlist on screens (playlist_handle) where playlist_handle is not null;
-- Lists of paired screens, newest first: of a workspace with ten thousand of them a page reads a page.
create index screens_paired_by_workspace on screens (workspace_handle, sandbox, handle desc) where unpaired_at is null;
create index screens_paired_by_venue on screens (venue_handle, handle desc) where unpaired_at is null;
create index screens_simulated on screens (workspace_handle, handle desc) where simulated and unpaired_at is null;

-- The ad ratio that holds on a screen: that of the playlist that runs on it, where it has one, else the screen's own.
create function ad_ratio_of(screen bigint) returns double precision language sql stable as $$
  select coalesce(case when s.playlist_handle is null then standard.ad_ratio else own.ad_ratio end, s.ad_ratio)
  from screens s join venues v on v.handle = s.venue_handle
    left join playlists own on own.handle = s.playlist_handle left join playlists standard on standard.handle = v.default_playlist_handle
  where s.handle = screen
$$;

-- Paired screens at the address of a venue, its own included: of the venues named, or of all that have any. The answer for
-- all is one pass over the screens; that for a few looks at theirs.
create function screens_near(wanted bigint[] default null) returns table (venue_handle bigint, screens integer) language plpgsql stable as $$
begin
  if wanted is null then
    return query
      with addresses as (
        select v.workspace_handle, v.sandbox, v.lat_milli, v.lng_milli, count(*)::integer as paired
        from screens s join venues v on v.handle = s.venue_handle where s.unpaired_at is null group by 1, 2, 3, 4)
      select v.handle, a.paired from venues v join addresses a using (workspace_handle, sandbox, lat_milli, lng_milli);
  else
    return query
      select v.handle, count(*)::integer
      from venues v
        join venues o on o.workspace_handle = v.workspace_handle and o.sandbox = v.sandbox and o.lat_milli = v.lat_milli and o.lng_milli = v.lng_milli
        join screens s on s.venue_handle = o.handle and s.unpaired_at is null
      where v.handle = any(wanted) group by v.handle;
  end if;
end $$;

-- A code that pairs a device with a venue. It has two halves (confirm by the device, label by POST /screens), each usable
-- once while it is valid.
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
create index pairing_codes_by_age on pairing_codes (expires_at);

-- Whether a screen is online. Written in batches by delivery; neither in the change log nor in the audit.
create table screen_presence (
  screen_handle bigint primary key references screens,
  online boolean not null,
  last_seen_at timestamptz not null
);
create index screen_presence_online on screen_presence (last_seen_at) where online; -- the sweep of silent screens looks at these alone

-- When a screen came and went: one row per change, written with its presence whoever writes that. A screen that fell
-- silent is offline from the moment at which it was last seen. Kept for 30 days.
create table screen_health (
  handle bigint generated always as identity primary key,
  screen_handle bigint not null references screens,
  online boolean not null,
  at timestamptz not null
);
create index screen_health_by_screen on screen_health (screen_handle, handle desc);
create index screen_health_by_age on screen_health (at);
create function presence_to_health() returns trigger language plpgsql as $$
begin
  insert into screen_health (screen_handle, online, at) values (new.screen_handle, new.online, new.last_seen_at);
  return null;
end $$;
create trigger screen_presence_health_first after insert on screen_presence for each row when (new.online) execute function presence_to_health();
create trigger screen_presence_health after update on screen_presence for each row when (old.online is distinct from new.online) execute function presence_to_health();

-- A sensing module that the operator enrolled for a workspace. A serial and a key are a module's while it is not revoked. A
-- module is paired with one screen at most, a screen with one module.
create table sensors (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  serial text not null check (serial ~ '^[A-Z0-9][A-Z0-9-]{2,38}[A-Z0-9]$'),
  public_key bytea not null check (octet_length(public_key) = 32), -- Ed25519
  enrolled_at timestamptz not null,
  revoked_at timestamptz,
  screen_handle bigint references screens,
  paired_at timestamptz,
  -- What the module is asked to sign to be paired; good for one pairing.
  challenge bytea,
  challenge_screen_handle bigint references screens,
  challenge_expires_at timestamptz,
  check ((screen_handle is null) = (paired_at is null)),
  check (revoked_at is null or screen_handle is null),
  check ((challenge is null) = (challenge_screen_handle is null) and (challenge is null) = (challenge_expires_at is null))
);
create unique index sensors_by_serial on sensors (serial) where revoked_at is null;
create unique index sensors_by_key on sensors (public_key) where revoked_at is null;
create unique index sensors_by_screen on sensors (screen_handle) where screen_handle is not null;
create index sensors_by_workspace on sensors (workspace_handle, handle);

------------------------------------------------------------------------------------------------------------------------
-- 3 Creatives and playlists
------------------------------------------------------------------------------------------------------------------------

-- An ad: a video, or a still that may have a sound. What was uploaded waits in storage under the creative's id until a
-- worker has checked it; only then do `renditions` and `poster` name objects of storage.
create table creatives (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  name text not null check (char_length(name) between 1 and 200),
  orientation text not null check (orientation in ('landscape', 'portrait')),
  kind text check (kind in ('video', 'still')), -- null of a draft: it has no file yet, so nothing that a file's name says
  duration_ms integer not null check (duration_ms between 6000 and 20000),
  filename text check (char_length(filename) between 1 and 255),
  content_type text,
  status text not null check (status in ('draft', 'awaiting_upload', 'ready', 'rejected', 'detached')),
  sandbox boolean not null,
  upload_expires_at timestamptz,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint check (bytes >= 0),
  rejection jsonb,
  created_at timestamptz not null,
  detached_at timestamptz,
  audio_filename text check (char_length(audio_filename) between 1 and 255),
  audio_content_type text,
  uploaded_at timestamptz,
  audio_uploaded_at timestamptz,
  check_starts integer not null default 0, -- checks that came to no end; a file that kills whoever looks at it is rejected in the end
  progress_percent integer check (progress_percent between 0 and 100),
  media jsonb, -- what the file was found to be
  renditions jsonb, -- {profile: {object, bytes}}, by the names of domain/campaigns/rendition.ts
  poster text,
  of_venue boolean not null default false, -- a venue's own, which no campaign shows: a key sees its side's alone
  constraint creatives_file_check check (status in ('draft', 'detached') or filename is not null),
  constraint creatives_audio_check check ((audio_filename is null) = (audio_content_type is null) and (audio_filename is null or kind = 'still'))
);
create index creatives_by_workspace on creatives (workspace_handle, handle desc);
create index creatives_by_side on creatives (workspace_handle, of_venue, handle desc);
create index creatives_awaiting on creatives (handle) where status = 'awaiting_upload';

-- Who is putting an upload into the storage now. A row is there from before the file is staged until its record is committed,
-- so that no transaction waits for the storage; one that a crash has left behind is over after some minutes.
create table upload_claims (
  kind text not null check (kind in ('creative', 'asset')),
  handle bigint not null,
  part text not null check (part in ('file', 'audio')),
  token uuid not null,
  claimed_at timestamptz not null,
  primary key (kind, handle, part)
);

-- What is known of a content, so that equal files are looked at and encoded once, whoever uploads them. content: the
-- SHA-256 of the file; for a still with audio both hashes and the duration. poster, object: names in storage.
create table media_contents (
  content text primary key,
  media jsonb not null,
  poster text not null,
  found_at timestamptz not null
);
create table renditions (
  content text not null,
  profile text not null,
  object text not null,
  bytes bigint not null check (bytes > 0),
  made_at timestamptz not null,
  primary key (content, profile)
);

-- An item of a playlist. An asset or a creative that is not ready (any more) stays an item, and players are not told of it.
create table playlist_items (
  playlist_handle bigint not null references playlists,
  position smallint not null check (position between 0 and 99),
  type text not null,
  template text,
  asset_handle bigint references assets,
  creative_handle bigint references creatives,
  duration_ms integer check (duration_ms between 1000 and 3600000),
  weight double precision check (weight > 0 and weight <= 1000),
  -- A card that thanks a sponsor, drawn as a page from its words. `page_name` is drawn anew with each change and is all that
  -- it takes to read the page.
  card jsonb,
  page_name text unique check (page_name ~ '^[0-9a-f]{32}$'),
  primary key (playlist_handle, position),
  constraint playlist_items_fields check (case type
    when 'ai_menu' then num_nonnulls(template, duration_ms) = 2 and num_nonnulls(asset_handle, creative_handle, weight, card, page_name) = 0
    when 'image' then num_nonnulls(asset_handle, duration_ms) = 2 and num_nonnulls(template, creative_handle, weight, card, page_name) = 0
    when 'creative' then creative_handle is not null and num_nonnulls(template, asset_handle, weight, card, page_name) = 0
    when 'sponsorship_card' then num_nonnulls(card, page_name, duration_ms) = 3 and num_nonnulls(template, asset_handle, creative_handle, weight) = 0
    when 'ad_slot' then weight is not null and num_nonnulls(template, asset_handle, creative_handle, duration_ms, card, page_name) = 0
    else false end)
);
create index playlist_items_by_asset on playlist_items (asset_handle) where asset_handle is not null;
create index playlist_items_by_creative on playlist_items (creative_handle) where creative_handle is not null;

------------------------------------------------------------------------------------------------------------------------
-- 4 Campaigns
------------------------------------------------------------------------------------------------------------------------

-- A campaign of a brand. What it may use is its limit: the budget from its submission until its end, and nothing before and
-- after. Always: reservation on the ledger = limit + take_back - returned - charged.
create table campaigns (
  handle bigint generated by default as identity primary key, -- by default: taken before the row is written, so that its ledger entry can be sent with it
  workspace_handle bigint not null references workspaces,
  name text not null check (char_length(name) between 1 and 200),
  category text not null,
  status text not null check (status in ('draft', 'pending_review', 'live', 'paused', 'finished', 'rejected')),
  sandbox boolean not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  budget_micros bigint not null check (budget_micros > 0),
  handed_micros bigint not null default 0, -- what the budget authority in Redis may use; raised and committed here before Redis is told
  returned_micros bigint not null default 0 check (returned_micros >= 0), -- follows take_back as the authority finds the money free; each rise is one refund on the ledger
  charged_micros bigint not null default 0 check (charged_micros >= 0), -- the sum of settled charges
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
  take_back_micros bigint not null default 0, -- how much of what was handed shall ever come back; only rises, and is committed here before the authority is told
  budget_edits integer not null default 0, -- names the ledger transactions of edits
  ended_at timestamptz, -- finished, rejected or deleted: the limit is 0
  review_waits_for text check (review_waits_for in ('agency', 'rules', 'operator')),
  review_at timestamptz, -- not looked at by the rules before
  -- The moment from which the campaign's curve runs, and what was charged by then: when it went live, or was resumed. Before
  -- its first time nothing is expected of it. The plan and the API read the same curve from here.
  paced_from timestamptz,
  paced_base_micros bigint not null default 0 check (paced_base_micros >= 0),
  -- Sums of campaign_credits, so that a campaign without any costs nothing to ask.
  taken_out_plays bigint not null default 0,
  credited_micros bigint not null default 0 check (credited_micros between 0 and charged_micros),
  check (charged_micros + returned_micros <= handed_micros),
  constraint campaigns_handed_check check (handed_micros >= 0 and handed_micros - take_back_micros <= case when ended_at is null then budget_micros else 0 end),
  constraint campaigns_take_back_check check (take_back_micros <= handed_micros and returned_micros <= take_back_micros),
  constraint campaigns_review_check check ((status = 'pending_review') = (review_waits_for is not null))
);
create index campaigns_by_workspace on campaigns (workspace_handle, handle desc);
create index campaigns_live on campaigns (handle) where status in ('live', 'paused') and deleted_at is null;
create index campaigns_in_review on campaigns (handle) where review_waits_for = 'rules' and deleted_at is null;
create index campaigns_for_operator on campaigns (handle) where review_waits_for = 'operator' and deleted_at is null;
create index campaigns_owing on campaigns (handle) where take_back_micros > returned_micros + case when ended_at is null then 0 else charged_micros end;

-- What of a budget its schedule has due at a time, evenly over its days (UTC).
create function due_micros(budget bigint, starts_on date, ends_on date, at timestamptz) returns numeric language sql immutable as $$
  select budget * least(1, greatest(0, extract(epoch from (at at time zone 'UTC') - starts_on::timestamp) / (86400 * (ends_on + 1 - starts_on))))
$$;

-- A creative that a campaign shows, and how often among its others.
create table campaign_creatives (
  campaign_handle bigint not null references campaigns,
  creative_handle bigint not null references creatives,
  weight creative_weight not null default 1,
  primary key (campaign_handle, creative_handle)
);
create index campaign_creatives_by_creative on campaign_creatives (creative_handle);

-- A link that shows the report of a campaign to whoever has it. Only the SHA-256 of its token is kept, which has 256 random
-- bits as a key has.
create table shared_reports (
  handle bigint generated always as identity primary key,
  campaign_handle bigint not null references campaigns,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  name text not null check (char_length(name) <= 200), -- who it is for
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz -- by somebody, before its time
);
create index shared_reports_by_campaign on shared_reports (campaign_handle, handle desc);

-- An answer of a survey about a campaign with brand lift. Nobody is named: a respondent is a hash over campaign and whatever
-- the survey calls them, there so that nobody answers a question twice.
create table brand_lift_responses (
  campaign_handle bigint not null references campaigns,
  respondent_hash bytea not null check (octet_length(respondent_hash) = 32),
  question text not null check (question in ('awareness', 'recall', 'intent')),
  exposed boolean not null,
  positive boolean not null,
  created_at timestamptz not null,
  primary key (campaign_handle, respondent_hash, question)
);

-- The clock of a workspace's sandbox, where it was moved. It stands at `at` until real time has passed that; while
-- `target_at` is there, it moves.
create table sandbox_clocks (
  workspace_handle bigint primary key references workspaces,
  at timestamptz not null,
  target_at timestamptz,
  plays integer not null default 0, -- of this advance
  stopped_by text check (stopped_by in ('plays_max')),
  -- The month of the clock when it last came to stand. The months before it are over: what plays of before cost is charged in it.
  charges_from date check (extract(day from charges_from) = 1),
  check (target_at >= at)
);
create index sandbox_clocks_moving on sandbox_clocks (workspace_handle) where target_at is not null;

-- Plays that were made together with a move of the clock, until ingest has them: a crash makes none twice and loses none.
create table sandbox_batches (
  batch_id text primary key,
  workspace_handle bigint not null references workspaces,
  epoch bigint not null,
  plays jsonb not null -- reports as a screen sends them, with the times of the sandbox
);
create index sandbox_batches_by_workspace on sandbox_batches (workspace_handle);

------------------------------------------------------------------------------------------------------------------------
-- 5 The ledger
------------------------------------------------------------------------------------------------------------------------

-- Double entry. An account of a workspace or a campaign, or of the installation. An amount above zero is a credit of the
-- account. discount and credit (of revenue, by campaign) and commission (what revenue gives to venues) are below zero;
-- earnings wait to be withdrawn; payout is money on its way to a bank; fee is what withdrawals cost.
create table ledger_accounts (
  handle bigint generated always as identity primary key,
  kind ledger_account_kind not null,
  book ledger_book not null,
  currency currency_code not null,
  workspace_handle bigint references workspaces,
  campaign_handle bigint references campaigns,
  balance_micros bigint not null default 0,
  balance_min_micros bigint, -- 0 of a wallet, a reservation, earnings and payouts; null: no bound
  name text not null, -- the account in one word, so that many are found at once by an index; null is spelled 0, which is no handle
  constraint ledger_accounts_not_overdrawn_check check (balance_micros >= balance_min_micros)
);
create function name_ledger_account() returns trigger language plpgsql as $$
begin
  new.name := new.kind || ':' || new.book || ':' || new.currency || ':' || coalesce(new.workspace_handle, 0) || ':' || coalesce(new.campaign_handle, 0);
  new.balance_min_micros := case when new.kind in ('wallet', 'reservation', 'earnings', 'payout') then 0 end;
  return new;
end $$;
create trigger ledger_accounts_named before insert or update of kind, book, currency, workspace_handle, campaign_handle, name, balance_min_micros on ledger_accounts
  for each row execute function name_ledger_account();
create unique index ledger_accounts_by_name on ledger_accounts (name);
create index ledger_accounts_by_workspace on ledger_accounts (workspace_handle, kind) where workspace_handle is not null;
create trigger ledger_accounts_kept before delete on ledger_accounts for each row execute function forbid_change();

-- An entry of the ledger. The sum of its postings is zero per currency and book.
create table ledger_transactions (
  handle bigint generated always as identity primary key,
  kind ledger_entry_kind not null,
  reference text not null unique, -- makes a posting idempotent
  posted_at timestamptz not null
);
create trigger ledger_transactions_append_only before update or delete on ledger_transactions for each row execute function forbid_change();
create trigger ledger_transactions_not_truncated before truncate on ledger_transactions for each statement execute function forbid_change();

-- What an entry moves on one account. Of a wallet, whose owner reads them, a posting has the kind of its entry and the
-- balance after it; both are written with the posting, under the lock of the account. The triggers
-- find an account or an entry that is not there, and neither is ever deleted.
create table ledger_postings (
  handle bigint generated always as identity,
  transaction_handle bigint not null,
  account_handle bigint not null,
  amount_micros nonzero_micros not null,
  wallet_kind text, -- of the transaction; null for postings on other accounts
  balance_after_micros bigint, -- of a wallet
  primary key (account_handle, handle)
);
create index ledger_postings_by_transaction on ledger_postings (transaction_handle);
create index ledger_postings_by_wallet_kind on ledger_postings (account_handle, wallet_kind, handle) where wallet_kind is not null;
create trigger ledger_postings_append_only before update or delete on ledger_postings for each row execute function forbid_change();
create trigger ledger_postings_not_truncated before truncate on ledger_postings for each statement execute function forbid_change();

create function ledger_apply_posting() returns trigger language plpgsql as $$
declare
  is_wallet boolean;
  balance bigint;
begin
  update ledger_accounts set balance_micros = balance_micros + new.amount_micros where handle = new.account_handle
    returning kind = 'wallet', balance_micros into is_wallet, balance;
  if is_wallet is null then
    raise exception 'there is no ledger account %', new.account_handle using errcode = 'foreign_key_violation';
  elsif is_wallet then
    new.balance_after_micros := balance;
    new.handle := nextval('ledger_postings_handle_seq'); -- under the lock: the order of a wallet's postings is that of its balances
    if new.wallet_kind is null then
      select kind into new.wallet_kind from ledger_transactions where handle = new.transaction_handle;
    end if;
  else
    new.wallet_kind := null;
  end if;
  return new;
end $$;
create trigger ledger_postings_apply before insert on ledger_postings for each row execute function ledger_apply_posting();

-- Each statement that adds postings adds all of a transaction's: what it adds sums to zero by transaction, book and currency.
-- Here and below, accounts and transactions are looked up by index, one by one: plans are kept as long as a connection lives,
-- and a join that was planned while the ledger was small would read the whole of it for every entry when it has grown.
-- `offset 0` keeps each look-up a subquery, which is not turned into a join; without sequential scans it is made by an index.
create function ledger_assert_balanced() returns trigger language plpgsql set enable_seqscan = off as $$
declare unbalanced bigint;
begin
  select p.transaction_handle into unbalanced
    from added p
      cross join lateral (select book, currency from ledger_accounts where handle = p.account_handle offset 0) a
      left join lateral (select handle from ledger_transactions where handle = p.transaction_handle offset 0) t on true
    group by p.transaction_handle, a.book, a.currency having sum(p.amount_micros) <> 0 or count(t.handle) < count(*) limit 1;
  if found then
    raise exception 'ledger transaction % does not sum to zero or is not there', unbalanced using errcode = 'MQ001';
  end if;
  return null;
end $$;
create trigger ledger_postings_balance after insert on ledger_postings
  referencing new table as added for each statement execute function ledger_assert_balanced();

-- Posts entries to the ledger: `entries` have a kind and a reference; a posting names the reference of its entry, its account
-- and what it moves. Accounts that are not there are opened. A reference that was posted before adds nothing. Answers the
-- references that are new.
-- Accounts are opened in the order of their names and changed in the order of their handles, so that two transactions never
-- wait for each other.
create function post_entries(entries jsonb, postings jsonb, posted timestamptz)
returns text[] language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare made text[]; made_handles bigint[]; made_kinds text[];
begin
  with added as (
    insert into ledger_transactions (kind, reference, posted_at)
    select kind, reference, posted from jsonb_to_recordset(entries) as entry (kind text, reference text)
    on conflict (reference) do nothing returning reference, handle, kind)
  select array_agg(reference), array_agg(handle), array_agg(kind) into made, made_handles, made_kinds from added;
  if made is null then return '{}'; end if;
  insert into ledger_accounts (kind, book, currency, workspace_handle, campaign_handle)
    select kind, book, currency, workspace, campaign
      from jsonb_to_recordset(postings) as posting (reference text, name text, kind text, book text, currency text, workspace bigint, campaign bigint)
      where reference = any (made) and (select handle from ledger_accounts there where there.name = posting.name) is null order by name
    on conflict (name) do nothing;
  insert into ledger_postings (transaction_handle, account_handle, amount_micros, wallet_kind)
    select made_handles[place], account.handle, amount, made_kinds[place]
      from jsonb_to_recordset(postings) as posting (reference text, name text, amount bigint)
        cross join lateral (select array_position(made, reference) as place) entry
        cross join lateral (select handle from ledger_accounts there where there.name = posting.name offset 0) account
    where amount <> 0 and place is not null order by account.handle;
  return made;
end $$;

------------------------------------------------------------------------------------------------------------------------
-- 6 Payments
------------------------------------------------------------------------------------------------------------------------

-- Money that was asked for. Play money is credited at once; live money waits until the operator funds the wallet, the
-- provider says that it was paid, or it is called off.
create table top_ups (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  user_handle bigint not null references users, -- who asked for it
  book text not null check (book in ('live', 'sandbox')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_micros bigint not null check (amount_micros > 0),
  created_at timestamptz not null,
  credited_at timestamptz,
  cancelled_at timestamptz,
  constraint top_ups_one_end_check check (credited_at is null or cancelled_at is null)
);
create index top_ups_pending on top_ups (workspace_handle, handle) where credited_at is null and cancelled_at is null;
create index top_ups_by_workspace on top_ups (workspace_handle, book, handle desc);

-- A page of a payment provider on which a top-up is paid. A top-up has one page at a time; what the provider says of it
-- comes as events.
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

-- Each event of the provider that was signed, once. Kept for a time only.
create table payment_events (
  event_id text primary key,
  type text not null,
  outcome text not null,
  received_at timestamptz not null
);
create index payment_events_by_age on payment_events (received_at);

-- Money that went back outside, or came otherwise than asked for. `waiting`: of a payment that is not known (yet), kept for a
-- time only; `open`: the operator decides; `booked`: taken from the wallet; `closed`: nothing is to be done any more.
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
create index payment_cases_waiting_by_age on payment_cases (created_at) where status = 'waiting';

-- Money that an agency moved between its wallet and a client's.
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

------------------------------------------------------------------------------------------------------------------------
-- 7 Delivery and settlement
------------------------------------------------------------------------------------------------------------------------

-- A life of a delivery process. Epochs come from here, so that none is given twice whatever happens to Redis. An epoch
-- begins under a generation and ends when its money is settled: after a rebuild, as_of waits for those that live.
create table delivery_epochs (
  epoch bigint generated always as identity primary key,
  node text not null,
  boot_id text not null,
  started_at timestamptz not null,
  generation integer not null default 0,
  ended_at timestamptz
);
create index delivery_epochs_open on delivery_epochs (epoch) where ended_at is null;

-- What is known of the authority in Redis from outside it. The generation rises with each rebuild; the mark is raised in
-- Redis first and then here, so that a Redis that stands below it was rolled back. Everything acknowledged before as_of has
-- its row in ClickHouse, and every group of rows written before settled_before is charged: a rebuild looks no further back.
create table authority_life (
  one boolean primary key default true check (one),
  generation integer not null default 0,
  is_whole boolean not null default false, -- false: a rebuild was begun and not finished
  mark bigint not null default 0,
  as_of_ms bigint not null default 0,
  settled_before_ms bigint not null default 0,
  lost_at timestamptz, -- since when it is known not to answer
  shards integer check (shards between 1 and 64) -- into how many Redis is divided (REDIS_SHARDS), since the first process began; null before
);
insert into authority_life default values;

-- No play whose window ended before this time (ms) is charged any more. It only rises, and is committed here before the
-- authority in Redis hears of it, so that a Redis that was rolled back does not move it back.
create table lapse_line (
  one boolean primary key default true check (one),
  line_ms bigint not null
);
insert into lapse_line (line_ms) values (0);

-- An event that was acknowledged and cannot be processed, with the step that refused it and why. Nothing that was
-- acknowledged is ever dropped without a line here. The position is the event's place in its batch, -1 for the whole batch.
create table dead_letters (
  job_id text not null,
  kind text not null check (kind in ('batch', 'play', 'scan', 'release')),
  position integer not null,
  step text not null check (step in ('decode', 'verify')),
  reason text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  -- One that an operator has sent again: when, and as which batch. The line stays; if it fails again, the new batch has a
  -- line of its own.
  retried_at timestamptz,
  retried_as text,
  primary key (job_id, kind, position),
  constraint dead_letters_retried_check check ((retried_at is null) = (retried_as is null))
);
create index dead_letters_waiting on dead_letters (created_at, job_id, kind, position) where retried_at is null;

-- One row per group of jobs that was inserted into ClickHouse and then charged here. Unique: a group is settled once.
create table settled_groups (
  group_id text primary key,
  settled_at timestamptz not null
);

-- What a group of jobs cost a campaign.
create table charges (
  group_id text not null references settled_groups,
  campaign_handle bigint not null references campaigns,
  plays bigint not null,
  impressions_thousandths bigint not null,
  amount_micros bigint not null,
  primary key (group_id, campaign_handle)
);

-- The first month (yyyymm, UTC) whose raw plays and scans are still in ClickHouse; 0 while all are. It is set before the
-- months before it are dropped there, so that whoever compares raw rows with anything knows exactly which are gone.
create table raw_retention (
  single boolean primary key default true check (single),
  kept_from integer not null default 0
);
insert into raw_retention default values;

------------------------------------------------------------------------------------------------------------------------
-- 8 Earnings and payouts
------------------------------------------------------------------------------------------------------------------------

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
  -- Earnings are held for some days after their plays were settled. Of the row the last settlement counts, not the day
  -- itself: plays that are reported days later are held as long as others.
  settled_on date not null,
  unique (venue_handle, currency, sandbox, day, tier, share_millionths),
  check (earned_micros between 0 and gross_micros)
);
create index venue_earnings_open on venue_earnings (workspace_handle, currency, day, handle) where not sandbox and earned_micros > withdrawn_micros;
create index venue_earnings_by_settlement on venue_earnings (workspace_handle, settled_on) where not sandbox and earned_micros > withdrawn_micros;
create index venue_earnings_by_day on venue_earnings (workspace_handle, day);

-- What a row of venue_earnings is made of: by the day (UTC) on which plays were settled, screen and category of the
-- campaign. Lines are never lowered: what went back of them stands beside them (section 9).
create table earning_lines (
  earning_handle bigint not null references venue_earnings,
  settled_on date not null,
  screen_handle bigint not null references screens,
  category text not null,
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  earned_micros bigint not null check (earned_micros between 0 and gross_micros),
  -- The first and the last settlement that added to it: by them the commission of a play is found.
  first_settled_at timestamptz not null,
  last_settled_at timestamptz not null,
  primary key (earning_handle, settled_on, screen_handle, category)
);

-- What settlements booked for a venue's workspace by day (UTC): the sum of its earning postings, so that a statement of a
-- month needs not read every posting of it.
create table earnings_days (
  workspace_handle bigint not null references workspaces,
  sandbox boolean not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  settled_on date not null,
  earned_micros bigint not null check (earned_micros >= 0),
  primary key (workspace_handle, sandbox, currency, settled_on)
);

-- A version of the bank account to which a workspace's payouts go. A payout goes to the account that stood when it was
-- issued, so that whoever changes the account afterwards turns no money that is on its way.
create table payout_accounts (
  workspace_handle bigint not null references workspaces,
  holder text not null check (char_length(holder) between 1 and 140),
  iban text, -- nothing writes it: the number is sealed (sql/sealed.ts) when it is set
  bic text,
  handle bigint generated always as identity primary key,
  iban_sealed bytea,
  iban_masked text not null,
  set_at timestamptz not null,
  usable_from timestamptz not null, -- withdrawals are possible from here on: at once, or after the pause that follows a change
  replaced_at timestamptz, -- null for the account of now; kept afterwards only where a payout went to it
  constraint payout_accounts_one_iban_check check (num_nonnulls(iban, iban_sealed) = 1)
);
create unique index payout_accounts_of_now on payout_accounts (workspace_handle) where replaced_at is null;

-- A withdrawal of earnings.
create table payouts (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null check (status in ('issued', 'paid', 'failed')),
  amount_micros bigint not null check (amount_micros > 0), -- what leaves the earnings
  fee_micros bigint not null check (fee_micros >= 0 and fee_micros < amount_micros),
  issued_at timestamptz not null,
  settled_at timestamptz check ((settled_at is null) = (status = 'issued')),
  bank_file text, -- name of the file in which it was sent to the bank
  account_handle bigint references payout_accounts
);
create index payouts_by_workspace on payouts (workspace_handle, handle desc);
create index payouts_issued on payouts (handle) where status = 'issued';
create index payouts_by_bank_file on payouts (bank_file) where bank_file is not null;
create index payouts_by_account on payouts (account_handle);

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

------------------------------------------------------------------------------------------------------------------------
-- 9 Findings and plays taken out
------------------------------------------------------------------------------------------------------------------------

-- When what until was reviewed last. One row.
create table traffic_reviews (
  one boolean primary key default true check (one),
  reviewed_at timestamptz not null,
  raised integer not null
);

-- What a review of screens and venues found (domain/plays/traffic/traffic-review.ts): who, when, by which version of which rule, and the
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
  taken_out_at timestamptz, -- when the plays of an upheld finding were looked for last: as long as plays of its time may still be reported
  check (from_at < to_at and first_day <= last_day),
  check (is_holding or status <> 'open'),
  check (taken_out_at is null or status = 'upheld')
);
create unique index findings_open on findings (rule, venue_handle, coalesce(screen_handle, 0)) where status = 'open';
create index findings_by_status on findings (status, handle desc);
create index findings_holding on findings (workspace_handle, venue_handle) where is_holding;
create index findings_by_workspace on findings (workspace_handle, handle desc);
create index findings_by_subject on findings (venue_handle, rule, decided_at) where status <> 'open';
create index findings_to_take_out on findings (to_at) where status = 'upheld';

-- Plays that were counted and charged, and are taken out because a finding about them was upheld. What was charged, earned
-- and reported stays as it was written; these rows stand beside it, with the money that went back because of them.

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
create index earning_reversals_by_earning on earning_reversals (earning_handle);
create trigger earning_reversals_append_only before update or delete on earning_reversals for each row execute function forbid_change();

-- What of a row of earning_reversals went back of which screen's and category's earnings.
create table earning_reversal_lines (
  taking_handle bigint not null,
  earning_handle bigint not null,
  screen_handle bigint not null references screens,
  category text not null,
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  earned_micros bigint not null,
  primary key (taking_handle, earning_handle, screen_handle, category),
  foreign key (taking_handle, earning_handle) references earning_reversals
);
create index earning_reversal_lines_by_earning on earning_reversal_lines (earning_handle);
create trigger earning_reversal_lines_append_only before update or delete on earning_reversal_lines for each row execute function forbid_change();

------------------------------------------------------------------------------------------------------------------------
-- 10 Spend and invoices
------------------------------------------------------------------------------------------------------------------------

create function month_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.closed_at is not null then
    raise exception 'a month that was invoiced takes no more' using errcode = 'MQ002';
  end if;
  return new;
end $$;

-- Charges and discounts of a workspace by month (its first day, UTC, by the time of settlement). A month that was invoiced
-- is closed and takes no more: what a slow settlement brings goes to the month after it.
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
create index workspace_months_open_in_sandboxes on workspace_months (month) where closed_at is null and sandbox;
create trigger workspace_months_closed before update or delete on workspace_months for each row execute function month_guard();

-- The same of a campaign.
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

-- The last number of a year's invoices. They run without a gap: the row is locked by the transaction that takes the next.
create table invoice_series (
  year integer not null,
  last integer not null,
  sandbox boolean not null default false, -- test invoices have a series of their own
  primary key (sandbox, year)
);

-- An invoice of a month. A credit note says what of earlier invoices was credited to the wallet because plays were taken
-- out; it is numbered as invoices are and holds its amounts without a sign; nothing is to be paid, so it is paid as it is
-- issued. Test invoices are the months of play money as documents, which test keys alone see; nothing of them is ever paid.
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
  kind text not null default 'invoice' check (kind in ('invoice', 'credit_note')),
  sandbox boolean not null default false,
  constraint invoices_number_key unique (sandbox, year, sequence),
  constraint credit_notes_are_paid check (kind = 'invoice' or status = 'paid'),
  constraint test_invoices_are_not_paid check (not sandbox or (kind = 'invoice' and status = 'issued'))
);
create index invoices_by_workspace on invoices (workspace_handle, handle desc);
create function invoice_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or to_jsonb(new) - 'status' - 'paid_at' <> to_jsonb(old) - 'status' - 'paid_at' or old.status = 'paid' then
    raise exception 'an invoice that was issued is only paid' using errcode = 'MQ002';
  end if;
  return new;
end $$;
create trigger invoices_only_paid before update or delete on invoices for each row execute function invoice_guard();

-- A campaign on an invoice.
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
  -- Numbers of the invoices on which the plays of a credit note's line may be: of the campaign, from the month of the first play.
  corrects text[] not null default '{}',
  primary key (invoice_handle, position)
);
create trigger invoice_lines_append_only before update or delete on invoice_lines for each row execute function forbid_change();

-- On which note a credit stands.
create table noted_credits (
  taking_handle bigint not null,
  campaign_handle bigint not null,
  invoice_handle bigint not null references invoices,
  primary key (taking_handle, campaign_handle),
  foreign key (taking_handle, campaign_handle) references campaign_credits
);
create trigger noted_credits_append_only before update or delete on noted_credits for each row execute function forbid_change();

------------------------------------------------------------------------------------------------------------------------
-- 11 The audit
------------------------------------------------------------------------------------------------------------------------

-- A change: who made it, by which way, and what was different after it. Each entry's hash covers its content and the hash
-- before it in its workspace.
create table audit_entries (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null, -- has a head, which refers to the workspace
  number bigint not null,
  at timestamptz not null,
  actor_type audit_actor not null,
  actor_handle bigint,
  actor_email text,
  source audit_source not null,
  action text not null,
  entity_type text not null,
  entity_handle bigint not null,
  ip text,
  user_agent text,
  diff jsonb not null,
  hash bytea not null,
  sandbox boolean not null default false, -- true is part of the entry's hash, false is not
  unique (workspace_handle, number)
);
create index audit_entries_by_time on audit_entries (workspace_handle, sandbox, at desc, handle desc);
create index audit_entries_by_entity on audit_entries (workspace_handle, entity_type, entity_handle, at desc);

-- Where the chain of a workspace ends, and where it begins. Retention deletes the oldest part of a chain; the head keeps the
-- number and the hash of the last deleted entry, from which the rest of the chain is verified.
create table audit_heads (
  workspace_handle bigint primary key references workspaces,
  number bigint not null,
  hash bytea not null,
  forgotten_number bigint not null default 0,
  forgotten_hash bytea not null default decode(repeat('00', 32), 'hex'),
  -- When the last entry was made. The next is not before it: a call that came first and waited for the row that another call
  -- changed must not be shown as the older one.
  last_at timestamptz
);

-- For how many years the audit of a workspace is kept: as the client says, else its agency, else 7 years on the top plan and
-- 2 otherwise; a client has the plan of its agency.
create function audit_years_of(workspace bigint) returns integer language sql stable as $$
  select coalesce(w.audit_retention_years, p.audit_retention_years, case when coalesce(p.plan, w.plan) = 'top' then 7 else 2 end)::integer
  from workspaces w left join workspaces p on p.handle = w.parent_handle where w.handle = workspace
$$;
create function audit_kept_since(workspace bigint) returns timestamptz language sql stable as $$
  select now() - make_interval(years => audit_years_of(workspace))
$$;

-- The one way to delete entries: up to `count_max` of the oldest, each older than the retention. Answers how many.
create function audit_forget(workspace bigint, count_max integer) returns integer language plpgsql as $$
declare
  head audit_heads;
  last audit_entries;
begin
  select * into head from audit_heads where workspace_handle = workspace for update;
  -- A later entry may carry an earlier time, by the clocks of two processes; the chain is cut before the first young one.
  select e.* into last from audit_entries e
  where e.workspace_handle = workspace and e.number <= head.forgotten_number + count_max
    and e.number < coalesce((select min(y.number) from audit_entries y
      where y.workspace_handle = workspace and y.number <= head.forgotten_number + count_max and y.at >= audit_kept_since(workspace)), 9223372036854775807)
  order by e.number desc limit 1;
  if last.number is null then return 0; end if;
  update audit_heads set forgotten_number = last.number, forgotten_hash = last.hash where workspace_handle = workspace;
  delete from audit_entries where workspace_handle = workspace and number <= last.number;
  return last.number - head.forgotten_number;
end $$;

-- No entry is changed, and none is deleted that is young, whoever asks; nor one that the head does not account for.
create function audit_guard_delete() returns trigger language plpgsql as $$
begin
  if old.at >= audit_kept_since(old.workspace_handle)
    or old.number > (select forgotten_number from audit_heads where workspace_handle = old.workspace_handle) then
    raise exception 'audit_entries is append-only' using errcode = 'MQ002';
  end if;
  return old;
end $$;
create trigger audit_entries_append_only before update on audit_entries for each row execute function forbid_change();
create trigger audit_entries_retention before delete on audit_entries for each row execute function audit_guard_delete();
create trigger audit_entries_not_truncated before truncate on audit_entries for each statement execute function forbid_change();

-- A head only moves forward.
create function audit_guard_head() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.number < old.number or new.forgotten_number < old.forgotten_number or new.forgotten_number > new.number then
    raise exception 'audit_heads only move forward' using errcode = 'MQ002';
  end if;
  return new;
end $$;
create trigger audit_heads_forward before update or delete on audit_heads for each row execute function audit_guard_head();

-- The time of an entry after the last one.
create function audit_time(last timestamptz, made timestamptz, ahead_max interval) returns timestamptz language sql immutable as $$
  select case when last > made and last - made < ahead_max then last else made end
$$;

-- Appends entries to the audit of one workspace. `spellings` are three pieces of each entry's JSON, between which its time
-- and its number stand; the hash is over the one before and that JSON (sql/books/unit-of-work.ts computes the same from the row).
-- The head is held until the commit and taken after the rows of the change, so entries are numbered in the order of the
-- commits. An entry's time is not before that of the entry before it, unless a wrong clock set that far ahead.
create function append_audit(workspace bigint, made_at timestamptz, ahead_max interval, entries jsonb) returns void language plpgsql as $$
declare entry jsonb; entry_number bigint; entry_hash bytea; entry_at timestamptz;
begin
  for entry in select value from jsonb_array_elements(entries) loop
    loop
      update audit_heads set number = number + 1, last_at = audit_time(last_at, made_at, ahead_max),
        hash = sha256(hash || convert_to((entry -> 'spelling' ->> 0) || to_char(audit_time(last_at, made_at, ahead_max) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          || (entry -> 'spelling' ->> 1) || (number + 1) || (entry -> 'spelling' ->> 2), 'UTF8'))
        where workspace_handle = workspace returning number, hash, last_at into entry_number, entry_hash, entry_at;
      exit when found;
      insert into audit_heads (workspace_handle, number, hash) values (workspace, 0, decode(repeat('00', 32), 'hex')) on conflict do nothing;
    end loop;
    insert into audit_entries (workspace_handle, number, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip, user_agent, diff, sandbox, hash)
      select workspace, entry_number, entry_at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip, user_agent, diff, coalesce(sandbox, false), entry_hash
      from jsonb_to_record(entry -> 'row') as one (actor_type text, actor_handle bigint, actor_email text, source text, action text, entity_type text,
        entity_handle bigint, ip text, user_agent text, diff jsonb, sandbox boolean);
  end loop;
end $$;

-- An export of the audit that was asked for. A worker holds the lease while it is at one; when it dies another goes on
-- behind `position`, with the parts that the bucket has already.
create table audit_exports (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  sandbox boolean not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  destination jsonb not null, -- {type} or {type, bucket, prefix, region, endpoint}
  credentials bytea, -- sealed; gone when the export ends
  from_at timestamptz not null,
  to_at timestamptz not null,
  rows bigint not null default 0,
  upload jsonb, -- {id, key, parts: [etag]}: what a bucket has of it
  position_at timestamptz, -- the last entry that the bucket has
  position_handle bigint,
  attempts smallint not null default 0,
  run_at timestamptz not null, -- not before; later after a fault that may pass
  lease text,
  lease_until timestamptz,
  object_name text,
  error jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  check (credentials is null or finished_at is null),
  check ((status in ('succeeded', 'failed')) = (finished_at is not null))
);
create index audit_exports_open on audit_exports (run_at) where finished_at is null;
create index audit_exports_by_workspace on audit_exports (workspace_handle, handle desc);

------------------------------------------------------------------------------------------------------------------------
-- 12 Events and webhooks
------------------------------------------------------------------------------------------------------------------------

-- An event on its way to subscribers. It stands in the book of its cause.
create table outbox (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  type text not null,
  entity_type text not null,
  entity_handle bigint not null,
  payload jsonb not null,
  created_at timestamptz not null,
  dispatched_at timestamptz,
  sandbox boolean not null default false,
  source_key text -- what made it, where the cause may be repeated (the id of a scan): the second time adds nothing
);
create index outbox_waiting on outbox (handle) where dispatched_at is null;
create unique index outbox_by_source_key on outbox (source_key) where source_key is not null;

-- A subscription.
create table webhooks (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  sandbox boolean not null,
  surface text not null check (surface in ('ads_manager', 'screen_manager', 'agency')), -- of the key that made it: what it may hear
  url text not null check (char_length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) between 1 and 100),
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('requested', 'client_errors')),
  client_errors integer not null default 0 check (client_errors >= 0), -- attempts in a row that were answered 4xx
  secret bytea, -- sealed; gone with the subscription
  previous_secret bytea, -- sealed; signs as well until the moment below
  previous_secret_until timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  check ((status = 'disabled') = (disabled_at is not null)),
  check ((secret is null) = (deleted_at is not null))
);
create index webhooks_by_workspace on webhooks (workspace_handle, handle desc) where deleted_at is null;

-- One event on its way to one subscriber: pending, delivered or failed (given up). Nothing refers to these rows and they
-- refer to no table by a key: they are the most written ones after the outbox, and both ends are kept longer than they are.
-- A first attempt is due at -infinity and goes by handle; a later one at its time.
create table webhook_deliveries (
  webhook_handle bigint not null,
  handle bigint generated always as identity,
  outbox_handle bigint not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  reason text, -- why it was given up
  attempts smallint not null default 0,
  log jsonb not null default '[]', -- of each attempt: at, status or error, ms
  next_at timestamptz not null default '-infinity',
  first_at timestamptz,
  last_at timestamptz,
  created_at timestamptz not null,
  primary key (webhook_handle, handle)
);
create index webhook_deliveries_pending on webhook_deliveries (webhook_handle, next_at, handle) where state = 'pending';

-- Whether anybody subscribes to such an event of a workspace: in the workspace itself, or in its agency.
create function webhook_listens(workspace bigint, in_sandbox boolean, event_type text) returns boolean language sql stable as $$
  select exists (
    select 1 from workspaces s join webhooks w on w.workspace_handle in (s.handle, s.parent_handle)
    where s.handle = workspace and w.deleted_at is null and w.status = 'active' and w.sandbox = in_sandbox and event_type = any (w.events))
$$;

-- Events that happen often and that few listen to are written only where somebody does. Their data are completed when
-- they are dispatched, because ids are spelled outside the database.
create function outbox_audit_entry() returns trigger language plpgsql as $$
begin
  -- The text of webhook_listens, whose plan would be made anew for each entry.
  if exists (
    select from webhooks w
    where w.workspace_handle in (new.workspace_handle, (select parent_handle from workspaces where handle = new.workspace_handle))
      and w.deleted_at is null and w.status = 'active' and w.sandbox = new.sandbox and 'audit.entry.created' = any (w.events)) then
    insert into outbox (workspace_handle, sandbox, type, entity_type, entity_handle, payload, created_at)
    values (new.workspace_handle, new.sandbox, 'audit.entry.created', 'audit', new.handle, '{}', new.at);
  end if;
  return null;
end $$;
create trigger audit_entries_emit after insert on audit_entries for each row execute function outbox_audit_entry();

create function outbox_presence() returns trigger language plpgsql as $$
declare
  event text := case when new.online then 'screen.online' else 'screen.offline' end;
begin
  insert into outbox (workspace_handle, sandbox, type, entity_type, entity_handle, payload, created_at)
  select s.workspace_handle, s.sandbox, event, 'screen', s.handle, jsonb_build_object('venue', s.venue_handle, 'label', s.label, 'last_seen_at', new.last_seen_at), now()
  from screens s where s.handle = new.screen_handle and s.unpaired_at is null and webhook_listens(s.workspace_handle, s.sandbox, event);
  return null;
end $$;
create trigger screen_presence_emit_first after insert on screen_presence for each row when (new.online) execute function outbox_presence();
create trigger screen_presence_emit after update on screen_presence for each row when (old.online is distinct from new.online) execute function outbox_presence();

------------------------------------------------------------------------------------------------------------------------
-- 13 What every change writes beside its own rows, each in one statement: a call that waits for twenty answers of the
-- database costs ten times as much as one that waits for four, on both sides.
------------------------------------------------------------------------------------------------------------------------

-- What a request with an Idempotency-Key was answered, written in the transaction of its effect and kept 24 hours.
-- scope: SHA-256 over workspace, book, method, path and key. fingerprint: SHA-256 over the body.
create table idempotent_replies (
  scope sha256_hash primary key,
  fingerprint sha256_hash not null,
  status success_status not null,
  body bytea not null, -- sealed under the caller's own key where it holds a secret
  created_at timestamptz not null
);
create index idempotent_replies_by_age on idempotent_replies (created_at);

-- Claims a call with an Idempotency-Key. Each statement of a function takes a snapshot of its own, so the look for a reply
-- sees what was committed before the lock was given.
create function claim_once(claimed_scope bytea, lock_number bigint, kept_after timestamptz)
returns table (is_locked boolean, reply_status smallint, reply_body bytea, reply_fingerprint bytea) language plpgsql as $$
declare locked boolean := pg_try_advisory_xact_lock(lock_number);
begin
  return query select locked, kept.status::smallint, kept.body, kept.fingerprint::bytea
    from (select) one left join idempotent_replies kept on kept.scope = claimed_scope and kept.created_at > kept_after;
end $$;

-- A change that delivery follows. Changes of different workspaces do not wait for each other: a line carries the id of the
-- transaction that wrote it. A follower keeps the snapshot (pg_snapshot) of its last reading, and reads the lines of
-- transactions that it did not see then and sees now: each line is read once, whatever commits late.
create table change_log (
  number bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  entity changed_entity not null,
  handle bigint not null,
  at timestamptz not null
);
create index change_log_transaction on change_log (transaction_id);

-- Claims calls with an Idempotency-Key and writes their replies. Waits for nobody: MQ003 says that another holds one of the
-- calls, or that a reply is there that was written after `kept_after`.
create function keep_replies(replies jsonb, replied_at timestamptz, kept_after timestamptz) returns void language plpgsql as $$
declare reply record;
begin
  for reply in select * from jsonb_to_recordset(replies) as reply (scope text, lock bigint, fingerprint text, status smallint, body text) loop
    if not pg_try_advisory_xact_lock(reply.lock) then
      raise exception 'the call is claimed' using errcode = 'MQ003';
    end if;
    insert into idempotent_replies as kept (scope, fingerprint, status, body, created_at)
    values (decode(reply.scope, 'base64'), decode(reply.fingerprint, 'base64'), reply.status, decode(reply.body, 'base64'), replied_at)
    on conflict (scope) do update set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = excluded.created_at
      where kept.created_at <= kept_after;
    if not found then
      raise exception 'the call is claimed' using errcode = 'MQ003';
    end if;
  end loop;
end $$;

-- What one unit, or several, write beside their own rows: replies, entries of the ledger, audit entries by workspace, events,
-- lines in the change log; each may be absent. One parameter, because each parameter of a statement has its cost on both sides.
-- Its plans are made once for any values, by index: a plan that was made while a table was small would read the whole of it
-- for as long as the connection lives.
create function close_unit(unit jsonb) returns void language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare audit jsonb; made_at timestamptz := unit ->> 'at';
begin
  if unit ? 'replies' then
    perform keep_replies(unit -> 'replies', made_at, (unit ->> 'kept_after')::timestamptz);
  end if;
  if unit ? 'entries' then
    perform post_entries(unit -> 'entries', unit -> 'postings', made_at);
  end if;
  if unit ? 'audits' then
    for audit in select value from jsonb_array_elements(unit -> 'audits') loop -- in the order of the workspaces
      perform append_audit((audit ->> 'workspace')::bigint, made_at, (unit ->> 'audit_ahead_max')::interval, audit -> 'entries');
    end loop;
  end if;
  if unit ? 'events' then
    insert into outbox (workspace_handle, sandbox, type, entity_type, entity_handle, payload, created_at)
      select workspace, sandbox, type, entity_type, entity_handle, payload, made_at from jsonb_to_recordset(unit -> 'events')
        as event (workspace bigint, sandbox boolean, type text, entity_type text, entity_handle bigint, payload jsonb);
  end if;
  if unit ? 'changes' then
    insert into change_log (entity, handle, at) select entity, handle, made_at from jsonb_to_recordset(unit -> 'changes') as change (entity text, handle bigint);
  end if;
end $$;

------------------------------------------------------------------------------------------------------------------------
-- 14 Supply models and verifications
------------------------------------------------------------------------------------------------------------------------

-- What forecasts and plans know of supply, learned from history every hour: the newest row counts, a week of them is kept.
create table supply_models (
  version bigint generated always as identity primary key,
  fitted_at timestamptz not null,
  body jsonb not null -- {supply: {shares, audience, scan_rates, growth_per_day}, bands: [{low, high, quantiles, count}]}
);

-- What the hourly check of every invariant found. A row per check; the newest says how the books stand.
create table verifications (
  began_at timestamptz primary key,
  ended_at timestamptz not null,
  breaches integer not null, -- as many as were named, at most some hundreds
  report jsonb not null -- {breaches: [{invariant, campaign?, workspace?, detail}], unchecked: [text]}
);
