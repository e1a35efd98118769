-- Commands to screens: what the player of each can do, and the pictures that players took of what they show.

-- Names of domain/screens/command.ts, from the last hello; null: none since the upgrade. It locks a table of one row
-- for each screen, for as long as adding a column takes.
alter table screen_presence add column commands text[];

-- A request for a picture, and the answer: a picture or the reason why there is none. Each is kept for a day. A screen
-- has two at most: the newest request, and the newest picture.
create table screenshots (
  handle bigint generated always as identity primary key,
  screen_handle bigint not null references screens,
  requested_at timestamptz not null,
  answered_at timestamptz,
  image bytea check (octet_length(image) between 1 and 65536),
  image_type text,
  fault text,
  check ((answered_at is not null) = (image is not null or fault is not null)),
  check (image is null or fault is null),
  check ((image is null) = (image_type is null))
);
create index screenshots_by_screen on screenshots (screen_handle, handle desc);
create index screenshots_by_age on screenshots (requested_at);
