-- Venues have creatives of their own, which keys of venues make and which no campaign shows: a key sees its side's alone.
alter table creatives add column of_venue boolean not null default false;
create index creatives_by_side on creatives (workspace_handle, of_venue, handle desc);
