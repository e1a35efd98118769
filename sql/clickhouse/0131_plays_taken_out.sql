-- Plays that were counted and charged, and were taken out later because the operator upheld a finding about them. The plays
-- themselves, their charges and the rollups stay as they were: this stands beside them. A row that is written again
-- after an answer that was lost is the same row. Read it with `final`.
create table plays_taken_out
(
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  slot_at DateTime64(3, 'UTC') comment 'Start of the slot of the play',
  epoch UInt32 comment 'Epoch of the delivery process that issued the play',
  issue_number UInt32 comment 'Number of the play, unique within campaign and epoch',
  campaign_handle UInt64 comment 'Integer handle of the campaign',
  creative_id LowCardinality(String) comment 'Creative that was shown, cre_...',
  screen_id LowCardinality(String) comment 'Screen that showed it, scr_...',
  venue_id LowCardinality(String) comment 'Venue of the screen, ven_...',
  impressions_thousandths UInt64 comment 'Impressions that were counted, in thousandths',
  cost_micros UInt64 comment 'What was charged for it, in micro-units of the campaign currency',
  group_id LowCardinality(String) comment 'Group of jobs in which it was charged',
  finding_id LowCardinality(String) comment 'Finding that was upheld, fnd_...',
  finding_handle UInt64 comment 'Integer handle of the finding',
  number UInt32 comment 'Which look at the plays of the finding took it out, from 1',
  decided_by LowCardinality(String) comment 'Rule and version of the finding, such as pace@1',
  taken_out_at DateTime64(3, 'UTC') default now64(3) comment 'When it was taken out'
)
engine = ReplacingMergeTree
partition by toYYYYMM(slot_at)
order by (campaign_id, slot_at, epoch, issue_number)
settings non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
