-- Reports of plays that were refused as they came, by the rule that said so. A row is what one delivery process refused within
-- some seconds. Best effort: a process that is killed loses the last seconds, and more kinds than it sums up are left out.
create table plays_not_counted
(
  insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored',
  attempt UInt16 default 0 comment 'Attempt that wrote the group, in its first row; 0 in the others',
  bucket DateTime('UTC') comment 'Start of the 15 minutes (UTC) of the slots of the plays',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative, cre_...',
  screen_id LowCardinality(String) comment 'Screen that the plays were issued to, scr_...',
  venue_id LowCardinality(String) comment 'Venue of the screen, ven_...',
  rule LowCardinality(String) comment 'Rule by which they do not count, name@version',
  sandbox Bool comment 'True for the sandbox',
  plays UInt64 comment 'Reports that were refused; a play that is reported twice is twice in it',
  group_id LowCardinality(String) comment 'Group of jobs that wrote the row',
  inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') = 0, now64(3), now64(3)) comment 'When the row was written' codec(DoubleDelta, ZSTD),
  index written group_id type set(100) granularity 4
)
engine = MergeTree
partition by toYYYYMM(bucket)
order by (campaign_id, bucket, venue_id, screen_id)
ttl toDateTime(bucket) + interval 25 month
settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
