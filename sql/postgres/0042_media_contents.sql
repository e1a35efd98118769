-- What is known of a content, so that equal files are looked at and encoded once, whoever uploads them. content: the
-- SHA-256 of the file; for a still with audio both hashes and the duration. poster, object: names in storage.
create table media_contents (
  content text primary key,
  media jsonb not null,
  poster text not null,
  found_at timestamptz not null
);
create table renditions (
  content text not null,
  profile text not null,
  object text not null,
  bytes bigint not null check (bytes > 0),
  made_at timestamptz not null,
  primary key (content, profile)
);
