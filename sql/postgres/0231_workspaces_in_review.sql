-- A workspace that somebody signed up for waits for the operator: until then it changes nothing but its people and keys. The
-- keys of one that the operator has closed are refused.
alter table workspaces add column status text not null default 'active' check (status in ('in_review', 'active', 'closed'));
create index workspaces_in_review on workspaces (handle) where status = 'in_review';

create function tell_workspace_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from keys where workspace_handle = new.handle and not is_revoked;
  return null;
end $$;
create trigger workspaces_changed after update of status on workspaces for each row execute function tell_workspace_changed();
