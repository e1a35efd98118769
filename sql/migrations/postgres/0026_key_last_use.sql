-- When a call was last made with the key, to the minute, so that its owners see whether a program still uses it. Null for a
-- key without a call since this migration.
alter table keys add column last_used_at timestamptz;
