-- Venues of the sandbox: made by test keys, seen by test keys only.
alter table venues add column sandbox boolean not null default false;

-- Money that was asked for. Play money is credited at once; live money waits until the operator funds the wallet.
create table top_ups (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  user_handle bigint not null references users, -- who asked for it
  book text not null check (book in ('live', 'sandbox')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_micros bigint not null check (amount_micros > 0),
  created_at timestamptz not null,
  credited_at timestamptz
);
create index top_ups_pending on top_ups (workspace_handle, handle) where credited_at is null;
