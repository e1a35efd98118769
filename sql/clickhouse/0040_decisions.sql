-- What became of every slot: the winner, or why there was none. Kept 30 days. A record that was lost is no lost play: where
-- more is decided than can be written down, the rest is counted by a metric and left out.
create table decisions
(
  insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored',
  attempt UInt16 default 0 comment 'Attempt that wrote the group, in its first row; 0 in the others',
  decided_at DateTime64(3, 'UTC') comment 'When the slot was decided (UTC)' codec(DoubleDelta, ZSTD),
  starts_at DateTime64(3, 'UTC') comment 'When the slot begins (UTC)' codec(Delta, ZSTD),
  screen_id LowCardinality(String) comment 'Screen, scr_...',
  campaign_id LowCardinality(String) comment 'The winner, cmp_...; empty without one',
  creative_id LowCardinality(String) comment 'What it shows, cre_...; empty without one',
  reason LowCardinality(String) comment 'Why there is no ad; empty when there is one',
  max_duration_ms UInt32 comment 'Length of the slot in milliseconds',
  duration_ms UInt32 comment 'Length of the ad in milliseconds, 0 without one',
  offline_plan Bool comment 'True when the slot was asked for ahead, for the time without a connection',
  sandbox Bool comment 'True for screens of the sandbox',
  node_epoch UInt64 comment 'Epoch of the delivery process that decided' codec(Delta, ZSTD),
  run UInt32 comment 'Run of its journal; 0 outside of every run' codec(Delta, ZSTD),
  number UInt64 comment 'Number of the decision within its process' codec(DoubleDelta, ZSTD),
  revision UInt64 comment 'Revision of the change log that the process knew' codec(Delta, ZSTD),
  plan_version UInt32 comment 'How many delivery plans it had taken in' codec(Delta, ZSTD),
  group_id LowCardinality(String) comment 'Group of jobs that wrote the row',
  inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') = 0, now64(3), now64(3)) comment 'When the row was written' codec(DoubleDelta, ZSTD),
  index campaign campaign_id type set(1000) granularity 4,
  index written group_id type set(100) granularity 4
)
engine = ReplacingMergeTree
partition by toYYYYMMDD(decided_at)
order by (screen_id, starts_at, node_epoch, number)
ttl toDateTime(decided_at) + interval 30 day
settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

-- What decisions were made from, process by process and run by run, as text (`state`, `changes`) and, in between, the records of the
-- decisions (`decisions`, base64). Losers' reasons and the replay are computed from it. Kept for a day.
create table private_decision_journal
(
  insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored',
  attempt UInt16 default 0 comment 'Attempt that wrote the group, in its first row; 0 in the others',
  at DateTime64(3, 'UTC') comment 'When the row was made (UTC)',
  node_epoch UInt64 comment 'Epoch of the delivery process',
  run UInt32 comment 'Run of the process',
  part Enum8('state' = 0, 'changes' = 1, 'decisions' = 2) comment 'What the body is',
  number UInt64 comment 'Place among the parts of its kind; of decisions the number of the first',
  body String comment 'Lines of JSON, or records in base64' codec(ZSTD),
  group_id LowCardinality(String) comment 'Group of jobs that wrote the row',
  inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') = 0, now64(3), now64(3)) comment 'When the row was written'
)
engine = ReplacingMergeTree
partition by toStartOfHour(at)
order by (node_epoch, run, part, number)
ttl toDateTime(at) + interval 25 hour
settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;
