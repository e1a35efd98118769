-- A person who has left: every key of theirs is refused from the next second on.
alter table users add column removed_at timestamptz;

-- `name` is what people call the key in lists. A rotated key stays valid until `revoked_at`, which then lies ahead.
alter table keys add column name text not null default '' check (char_length(name) <= 200);
create index keys_by_user on keys (user_handle);
create index workspaces_by_parent on workspaces (parent_handle) where parent_handle is not null;
