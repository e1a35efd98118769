-- Scans that were led on to the landing page and not counted, by the rule that said so. No address is kept.
create table scans_not_counted
(
  bucket DateTime('UTC') comment 'Start of the 15 minutes (UTC) of the scans',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative, cre_...',
  screen_id LowCardinality(String) comment 'Screen, scr_...',
  venue_id LowCardinality(String) comment 'Venue, ven_...',
  rule LowCardinality(String) comment 'Rule by which they do not count, name@version',
  sandbox Bool comment 'True for the sandbox',
  scans UInt64 comment 'Scans that were not counted'
)
engine = SummingMergeTree((scans))
partition by toYYYYMM(bucket)
order by (campaign_id, bucket, venue_id, screen_id, creative_id, rule, sandbox)
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
