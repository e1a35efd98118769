-- Assets and client workspaces that are put away: out of lists, still read, and brought back.
alter table assets add column archived_at timestamptz;
alter table workspaces add column archived_at timestamptz;

-- Who keeps a key for a while reads it again.
create function tell_workspace_archived() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from keys where workspace_handle = new.handle and not is_revoked;
  return null;
end $$;
create trigger workspaces_archived after update of archived_at on workspaces for each row execute function tell_workspace_archived();
