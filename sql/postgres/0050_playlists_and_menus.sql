-- What runs on a screen between ads. `ad_ratio` is that of every screen on which the playlist runs; null: the screen's own.
create table playlists (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  sandbox boolean not null,
  name text not null check (char_length(name) between 1 and 200),
  ad_ratio double precision check (ad_ratio between 0 and 1),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz
);
create index playlists_by_workspace on playlists (workspace_handle, handle desc);

-- An asset or a creative that is not ready (any more) stays an item, and players are not told of it.
create table playlist_items (
  playlist_handle bigint not null references playlists,
  position smallint not null check (position between 0 and 99),
  type text not null,
  template text,
  asset_handle bigint references assets,
  creative_handle bigint references creatives,
  duration_ms integer check (duration_ms between 1000 and 3600000),
  weight double precision check (weight > 0 and weight <= 1000),
  primary key (playlist_handle, position),
  constraint playlist_items_fields check (case type
    when 'ai_menu' then num_nonnulls(template, duration_ms) = 2 and num_nonnulls(asset_handle, creative_handle, weight) = 0
    when 'image' then num_nonnulls(asset_handle, duration_ms) = 2 and num_nonnulls(template, creative_handle, weight) = 0
    when 'creative' then creative_handle is not null and num_nonnulls(template, asset_handle, weight) = 0
    when 'ad_slot' then weight is not null and num_nonnulls(template, asset_handle, creative_handle, duration_ms) = 0
    else false end)
);
create index playlist_items_by_asset on playlist_items (asset_handle) where asset_handle is not null;
create index playlist_items_by_creative on playlist_items (creative_handle) where creative_handle is not null;

-- A screen runs its own playlist, else that of its venue, else ads alone. Archiving takes a playlist from both.
alter table screens add column playlist_handle bigint references playlists;
alter table venues add column default_playlist_handle bigint references playlists;
create index screens_by_playlist on screens (playlist_handle) where playlist_handle is not null;
create index venues_by_default_playlist on venues (default_playlist_handle) where default_playlist_handle is not null;

-- The ad ratio that holds on a screen: that of the playlist that runs on it, where it has one, else the screen's own.
create function ad_ratio_of(screen bigint) returns double precision language sql stable as $$
  select coalesce(case when s.playlist_handle is null then standard.ad_ratio else own.ad_ratio end, s.ad_ratio)
  from screens s join venues v on v.handle = s.venue_handle
    left join playlists own on own.handle = s.playlist_handle left join playlists standard on standard.handle = v.default_playlist_handle
  where s.handle = screen
$$;

-- The menu of a venue as data. `page_name` is drawn anew with each change and names the pages made from it: who knows it
-- (the venue's screens) reads exactly this menu, so a page may be kept for ever.
create table venue_menus (
  venue_handle bigint primary key references venues,
  menu jsonb not null,
  page_name text not null unique check (page_name ~ '^[0-9a-f]{32}$'),
  updated_at timestamptz not null
);

alter table change_log drop constraint change_log_entity_check;
alter table change_log add constraint change_log_entity_check check (entity in ('workspace', 'venue', 'screen', 'creative', 'campaign', 'playlist', 'asset'));
