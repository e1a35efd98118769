-- The first month (yyyymm, UTC) whose raw plays and scans are still in ClickHouse; 0 while all are. It is set before the
-- months before it are dropped there, so that whoever compares raw rows with anything knows exactly which are gone.
create table raw_retention (
  single boolean primary key default true check (single),
  kept_from integer not null default 0
);
insert into raw_retention default values;
