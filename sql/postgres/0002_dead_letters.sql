-- Events that were acknowledged and cannot be processed, each with the step that refused it and why. Nothing that was
-- acknowledged is ever dropped without a line here. The position is the event's place in its batch, -1 for the whole batch.
create table dead_letters (
  job_id text not null,
  kind text not null check (kind in ('batch', 'play', 'scan', 'release')),
  position integer not null,
  step text not null check (step in ('decode', 'verify')),
  reason text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  primary key (job_id, kind, position)
);
