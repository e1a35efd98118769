-- The time of the key's last call, to the minute. It shows whether a program still uses the key. Null for a key without
-- a call since this migration.
alter table keys add column last_used_at timestamptz;
