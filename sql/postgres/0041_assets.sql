-- Images of playlists. Uploaded, checked and rendered as creatives are, by the same code and under the same columns.
create table assets (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  name text not null check (char_length(name) between 1 and 200),
  filename text not null check (char_length(filename) between 1 and 255),
  content_type text not null,
  status text not null check (status in ('awaiting_upload', 'ready', 'rejected')),
  sandbox boolean not null,
  upload_expires_at timestamptz not null,
  uploaded_at timestamptz,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint check (bytes >= 0),
  check_starts integer not null default 0,
  progress_percent integer check (progress_percent between 0 and 100),
  media jsonb,
  renditions jsonb,
  poster text,
  rejection jsonb,
  created_at timestamptz not null
);
create index assets_by_workspace on assets (workspace_handle, handle desc);
create index assets_awaiting on assets (handle) where status = 'awaiting_upload';
