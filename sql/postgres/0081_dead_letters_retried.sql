-- A dead letter that an operator has sent again: when, and as which batch. The line stays; if it fails again, the new batch
-- has a line of its own.
alter table dead_letters
  add column retried_at timestamptz,
  add column retried_as text,
  add constraint dead_letters_retried_check check ((retried_at is null) = (retried_as is null));
create index dead_letters_waiting on dead_letters (created_at, job_id, kind, position) where retried_at is null;
