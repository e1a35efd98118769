-- Audiences with a source: people before a play on a screen by hour of the week, as a vendor measured them. Imported by
-- `npm run admin audience import`. A row that has begun is never changed, because plays were counted with it.
create table screen_audiences (
  handle bigint generated always as identity primary key,
  screen_handle bigint not null references screens,
  -- What plays carry: 1 to 31, then 1 again. With the screen and the time of the play it names the row.
  number smallint not null check (number between 1 and 31),
  vendor text not null,
  method text not null,
  version text not null,
  valid_from timestamptz not null,
  thousandths integer[] not null check (cardinality(thousandths) = 168), -- of people, local Monday 00:00 first
  imported_at timestamptz not null,
  begun_at timestamptz, -- when it came into force; null: it is still to come
  unique (screen_handle, valid_from)
);
create index screen_audiences_in_force on screen_audiences (screen_handle, valid_from desc) where begun_at is not null;
create index screen_audiences_to_come on screen_audiences (valid_from) where begun_at is null;
