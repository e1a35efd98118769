-- What is known of the authority in Redis from outside it. The generation rises with each rebuild; the mark is raised in
-- Redis first and then here, so that a Redis that stands below it was rolled back. Everything acknowledged before as_of has
-- its row in ClickHouse, and every group of rows written before settled_before is charged: a rebuild looks no further back.
create table authority_life (
  one boolean primary key default true check (one),
  generation integer not null default 0,
  is_whole boolean not null default false, -- false: a rebuild was begun and not finished
  mark bigint not null default 0,
  as_of_ms bigint not null default 0,
  settled_before_ms bigint not null default 0,
  lost_at timestamptz -- since when it is known not to answer
);
insert into authority_life default values;

-- An epoch begins under a generation and ends when its money is settled: after a rebuild, as_of waits for those that live.
alter table delivery_epochs
  add column generation integer not null default 0,
  add column ended_at timestamptz;
create index delivery_epochs_open on delivery_epochs (epoch) where ended_at is null;
