-- The time zones that venues had before, each until it was changed. What a play earned stands on the day that it was at its
-- venue when it was settled, so whoever looks for that day later asks for the zone of that time.
create table venue_zones (
  venue_handle bigint not null references venues,
  until timestamptz not null,
  timezone text not null,
  primary key (venue_handle, until)
);
