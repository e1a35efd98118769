-- When the last entry of a workspace was made. Its next entry is not before it: a call that came first and waited for the
-- row that another call changed must not be shown as the older one. Unknown for entries of before.
alter table audit_heads add column last_at timestamptz;
