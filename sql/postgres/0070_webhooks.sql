-- Events on their way to subscribers. An event stands in the book of its cause. `source_key` names what made it where the
-- cause may be repeated (the id of a scan): the second time adds nothing.
alter table outbox
  add column sandbox boolean not null default false,
  add column source_key text;
create unique index outbox_by_source_key on outbox (source_key) where source_key is not null;

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
  if webhook_listens(new.workspace_handle, new.sandbox, 'audit.entry.created') then
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
