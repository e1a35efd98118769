-- A simulated screen has no device: it shows what the clock of its sandbox lets it show, and never connects. It shows campaigns
-- of its own workspace alone, so it is no part of the network that forecasts, plans and lists of places speak of.
alter table screens add column simulated boolean not null default false check (sandbox or not simulated);
create index screens_simulated on screens (workspace_handle, handle desc) where simulated and unpaired_at is null;

-- The clock of a workspace's sandbox, where it was moved. It stands at `at` until real time has passed that; while
-- `target_at` is there, it moves.
create table sandbox_clocks (
  workspace_handle bigint primary key references workspaces,
  at timestamptz not null,
  target_at timestamptz,
  plays integer not null default 0, -- of this advance
  stopped_by text check (stopped_by in ('plays_max')),
  check (target_at >= at)
);
create index sandbox_clocks_moving on sandbox_clocks (workspace_handle) where target_at is not null;

-- Plays that were made together with a move of the clock, until ingest has them: a crash makes none twice and loses none.
create table sandbox_batches (
  batch_id text primary key,
  workspace_handle bigint not null references workspaces,
  epoch bigint not null,
  plays jsonb not null -- reports as a screen sends them, with the times of the sandbox
);
create index sandbox_batches_by_workspace on sandbox_batches (workspace_handle);
