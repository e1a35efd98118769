-- Links by which a person who has forgotten the password sets a new one. A person has one at a time: the next link
-- replaces it, a new password deletes it, and it goes with the sign-in.
create table password_resets (
  person_handle bigint primary key references sign_ins on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32), -- SHA-256 of the token in the link
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
