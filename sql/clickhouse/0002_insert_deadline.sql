-- An insert may carry the time until which it may still be carried out (rule `deadline` of counting): a writer that never
-- got an answer may take a new token only when the old insert can no longer happen. The column is never stored; an
-- insert without it has no deadline.
alter table plays_raw add column insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored' first;
alter table plays_raw modify column inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') = 0, now64(3), now64(3)) comment 'When the row was written';
alter table scans_raw add column insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored' first;
alter table scans_raw modify column inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') = 0, now64(3), now64(3)) comment 'When the row was written';
