-- The newest play that each screen has reported, for the wall of screens. Written with its presence, so at most half a
-- minute after the report. The handles refer to nothing: the play id was signed here, and a reference would lock the
-- campaign's row at each write. It locks a table of one row for each screen, for as long as adding a column takes.
alter table screen_presence
  add column played_at timestamptz,
  add column played_ms integer,
  add column campaign_handle bigint,
  add column creative_handle bigint,
  add check (num_nonnulls(played_at, played_ms, campaign_handle, creative_handle) in (0, 4));
