-- Every API process keeps for a moment which clients an agency has, and whether one is archived. An agency acts on a client
-- by a key of its own, which does not change with the client, so the change of a workspace is told by itself, too.
create or replace function tell_workspace_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_workspaces', '');
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from keys where workspace_handle = new.handle and not is_revoked;
  perform pg_notify('marquee_keys', encode(s.hash, 'base64')) from users u join sessions s on s.person_handle = u.person_handle
    where u.workspace_handle = new.handle and s.ended_at is null;
  return null;
end $$;
