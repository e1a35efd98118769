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

-- The sweep of silent screens looks at those that are online alone.
create index screen_presence_online on screen_presence (last_seen_at) where online;

-- Lists of paired screens, newest first: of a workspace with ten thousand of them a page reads a page.
create index screens_paired_by_workspace on screens (workspace_handle, sandbox, handle desc) where unpaired_at is null;
create index screens_paired_by_venue on screens (venue_handle, handle desc) where unpaired_at is null;
create index pairing_codes_by_age on pairing_codes (expires_at);
