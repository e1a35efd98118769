-- Sensing modules that the operator enrolled, each for one workspace. A serial and a key are a module's while it is not
-- revoked. A module is paired with one screen at most, a screen with one module.
create table sensors (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  serial text not null check (serial ~ '^[A-Z0-9][A-Z0-9-]{2,38}[A-Z0-9]$'),
  public_key bytea not null check (octet_length(public_key) = 32), -- Ed25519
  enrolled_at timestamptz not null,
  revoked_at timestamptz,
  screen_handle bigint references screens,
  paired_at timestamptz,
  -- What the module is asked to sign to be paired; good for one pairing.
  challenge bytea,
  challenge_screen_handle bigint references screens,
  challenge_expires_at timestamptz,
  check ((screen_handle is null) = (paired_at is null)),
  check (revoked_at is null or screen_handle is null),
  check ((challenge is null) = (challenge_screen_handle is null) and (challenge is null) = (challenge_expires_at is null))
);
create unique index sensors_by_serial on sensors (serial) where revoked_at is null;
create unique index sensors_by_key on sensors (public_key) where revoked_at is null;
create unique index sensors_by_screen on sensors (screen_handle) where screen_handle is not null;
create index sensors_by_workspace on sensors (workspace_handle, handle);

-- The slot of the newest settled play whose audience a module attested (of the sandbox: was reported).
alter table screens add column audience_attested_at timestamptz;

-- Modules that were declared were never enrolled. In the sandbox they may be declared still.
update screens set sensor_paired = false where sensor_paired and not sandbox;
