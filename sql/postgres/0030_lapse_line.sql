-- No play whose window ended before this time (ms) is charged any more. It only rises, and is committed here before the
-- authority in Redis hears of it, so that a Redis that was rolled back does not move it back.
create table lapse_line (
  one boolean primary key default true check (one),
  line_ms bigint not null
);
insert into lapse_line (line_ms) values (0);
