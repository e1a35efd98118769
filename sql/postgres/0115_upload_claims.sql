-- Who is putting an upload into the storage now. A row is there from before the file is staged until its record is committed,
-- so that no transaction waits for the storage; one that a crash has left behind is over after some minutes.
create table upload_claims (
  kind text not null check (kind in ('creative', 'asset')),
  handle bigint not null,
  part text not null check (part in ('file', 'audio')),
  token uuid not null,
  claimed_at timestamptz not null,
  primary key (kind, handle, part)
);
