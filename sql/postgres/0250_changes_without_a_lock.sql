-- Changes of different workspaces no longer wait for each other: a line of the change log carries the id of the transaction
-- that wrote it, in place of a revision from a row that each writer locked until its commit was on disk. A follower keeps
-- the snapshot (pg_snapshot) of its last reading, and reads the lines of transactions that it did not see then and sees
-- now: each line is read once, whatever commits late. Lines of before are gone; a follower loads everything at its start.
drop table change_log;
drop table change_revision;
create table change_log (
  number bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  entity text not null check (entity in ('workspace', 'venue', 'screen', 'creative', 'campaign', 'playlist', 'asset')),
  handle bigint not null,
  at timestamptz not null
);
create index change_log_transaction on change_log (transaction_id);
