-- Exports of the audit that were asked for. A worker holds the lease while it is at one; when it dies another goes on
-- behind `position`, with the parts that the bucket has already.
create table audit_exports (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  sandbox boolean not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  destination jsonb not null, -- {type} or {type, bucket, prefix, region, endpoint}
  credentials bytea, -- sealed; gone when the export ends
  from_at timestamptz not null,
  to_at timestamptz not null,
  rows bigint not null default 0,
  upload jsonb, -- {id, key, parts: [etag]}: what a bucket has of it
  position_at timestamptz, -- the last entry that the bucket has
  position_handle bigint,
  attempts smallint not null default 0,
  run_at timestamptz not null, -- not before; later after a fault that may pass
  lease text,
  lease_until timestamptz,
  object_name text,
  error jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  check (credentials is null or finished_at is null),
  check ((status in ('succeeded', 'failed')) = (finished_at is not null))
);
create index audit_exports_open on audit_exports (run_at) where finished_at is null;
create index audit_exports_by_workspace on audit_exports (workspace_handle, handle desc);
