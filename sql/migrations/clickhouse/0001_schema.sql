-- What screens showed and what people did there, for reports and analysts. Raw rows are written once, under the token of
-- their group of jobs: a table remembers the tokens of its last 10,000 inserts and drops a repeated one. Rollups are fed
-- from the raw tables by materialized views, under the same token. Views with plain names are what analysts read. Tables
-- called private_... hold people's addresses or a venue's figures and are granted to no analyst.
--
-- Sections: 1 plays, 2 scans, 3 decisions, 4 calls of the API, 5 supply.
--
-- Columns that several tables have:
-- insert_by: the time until which an insert may still be carried out (rule `deadline` of counting). A writer that never got
--   an answer may take a new token only when the old insert can no longer happen. Never stored; an insert without it has no
--   deadline.
-- uptime_min: how long the server had run when the writer last asked. A server that has run for less was started since, and
--   refuses the insert: once a restart is known, no row of an insert from before it can appear, and nobody need wait for
--   insert_by. Never stored.
-- attempt: which attempt wrote a group's rows: its token is <group>:<attempt>. The first row of a group says it, the others
--   0. After Redis was lost the token is known from here, so that a group whose views are not whole can be repeated under it.
--
-- Settings that several tables have:
-- fsync...: an insert is answered when its parts are on the disk, named and whole: the authority gives a group's plays up at
--   that answer. Merged parts too, since those that they were made of are removed some minutes later. What lies in the
--   server's memory or in the system's cache is lost with the machine. `decisions` and its journal are left out: a lost
--   record is no lost play.
-- ttl_only_drop_parts: parts are dropped as a whole when all of their rows are over.

------------------------------------------------------------------------------------------------------------------------
-- 1 Plays
------------------------------------------------------------------------------------------------------------------------

-- One row per counted play.
create table plays_raw
(
  insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored',
  uptime_min UInt32 ephemeral 0 comment 'Seconds that the server had run when the insert was sent, never stored',
  played_at DateTime64(3, 'UTC') comment 'When the play started on the screen, in server time',
  slot_at DateTime64(3, 'UTC') comment 'Start of the slot the play was decided for (signed); the play belongs to the hour of this time',
  received_at DateTime64(3, 'UTC') comment 'When the report of the play arrived; its acknowledgement followed when it was stored',
  inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') + throwIf(uptime() < uptime_min, 'the insert was for the server before its restart') = 0, now64(3), now64(3)) comment 'When the row was written',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative that was shown, cre_...',
  screen_id LowCardinality(String) comment 'Screen that showed it, scr_...',
  venue_id LowCardinality(String) comment 'Venue of the screen at the time of the decision, ven_...',
  campaign_handle UInt64 comment 'Integer handle of the campaign',
  epoch UInt32 comment 'Epoch of the delivery process that issued the play',
  issue_number UInt32 comment 'Number of the play, unique within campaign and epoch',
  sandbox Bool comment 'True for plays of the sandbox; they are in no live report',
  late Bool comment 'True when the play is not charged, for whichever reason (decided_by): shown as late_plays',
  played_ms UInt32 comment 'How long the play was on screen, in milliseconds',
  audience Nullable(UInt32) comment 'People counted by the sensing module, null without one',
  impressions_thousandths UInt64 comment 'People who could see the play, in thousandths, kept exactly',
  rate_micros UInt64 comment 'Price per impression in micro-units of the campaign currency',
  cost_micros UInt64 comment 'Charge for the play in micro-units; 0 when late',
  group_id String comment 'Group of jobs under whose token the row was inserted; settlement goes by it',
  job_id String comment 'Batch of reports that carried the play',
  attempt UInt16 default 0 comment 'Attempt that wrote the group, in its first row; 0 in the others',
  -- With it the time that a screen's plays take can be told from the rows, after Redis was lost.
  duration_ms UInt16 default least(played_ms, 65535) comment 'How long the ad is, in milliseconds; of rows that say no other, how long it was on screen',
  -- Rules: domain/data/traffic-rules.ts.
  decided_by LowCardinality(String) default if(late, 'late@1', '') comment 'Rule and version by which the play is not charged or its audience was changed, such as late@1; empty when neither',
  index inserted_at_minmax inserted_at type minmax granularity 1,
  index group_id_bloom group_id type bloom_filter(0.01) granularity 4
)
engine = MergeTree
partition by toYYYYMM(slot_at)
order by (campaign_handle, slot_at, epoch, issue_number)
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

-- Fifteen minutes is the largest step that every time zone's hours and days can be cut from.
create table plays_quarter_hour
(
  bucket DateTime('UTC') comment 'Start of the 15 minutes (UTC) that hold the slot',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative, cre_...',
  screen_id LowCardinality(String) comment 'Screen, scr_...',
  venue_id LowCardinality(String) comment 'Venue, ven_...',
  sandbox Bool comment 'True for the sandbox',
  plays UInt64 comment 'Counted plays, late ones excepted',
  late_plays UInt64 comment 'Plays reported after their window, never charged',
  impressions_thousandths UInt64 comment 'Impressions in thousandths, late plays excepted',
  cost_micros UInt64 comment 'Charges in micro-units'
)
engine = SummingMergeTree((plays, late_plays, impressions_thousandths, cost_micros))
partition by toYYYYMM(bucket)
order by (campaign_id, bucket, venue_id, screen_id, creative_id, sandbox)
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

create materialized view plays_to_quarter_hour to plays_quarter_hour as
select
  toStartOfInterval(slot_at, interval 15 minute, 'UTC') as bucket,
  campaign_id, creative_id, screen_id, venue_id, sandbox,
  countIf(not late) as plays,
  countIf(late) as late_plays,
  sumIf(plays_raw.impressions_thousandths, not late) as impressions_thousandths,
  sum(plays_raw.cost_micros) as cost_micros
from plays_raw
group by bucket, campaign_id, creative_id, screen_id, venue_id, sandbox;

-- Coarser and differently sorted rollups beside plays_quarter_hour, so that a report reads thousands of rows whatever it
-- asks: a campaign as a whole, a campaign at some venues, a campaign's screens.
create table plays_campaign_quarter_hour
(
  bucket DateTime('UTC') comment 'Start of the 15 minutes (UTC) that hold the slot',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative, cre_...',
  sandbox Bool comment 'True for the sandbox',
  plays UInt64 comment 'Counted plays, late ones excepted',
  late_plays UInt64 comment 'Plays reported after their window, never charged',
  impressions_thousandths UInt64 comment 'Impressions in thousandths, late plays excepted',
  cost_micros UInt64 comment 'Charges in micro-units'
)
engine = SummingMergeTree((plays, late_plays, impressions_thousandths, cost_micros))
partition by toYYYYMM(bucket)
order by (campaign_id, sandbox, bucket, creative_id)
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

create materialized view plays_to_campaign_quarter_hour to plays_campaign_quarter_hour as
select
  toStartOfInterval(slot_at, interval 15 minute, 'UTC') as bucket,
  campaign_id, creative_id, sandbox,
  countIf(not late) as plays,
  countIf(late) as late_plays,
  sumIf(plays_raw.impressions_thousandths, not late) as impressions_thousandths,
  sum(plays_raw.cost_micros) as cost_micros
from plays_raw
group by bucket, campaign_id, creative_id, sandbox;

-- Sorted by venue: what filters by venue, by city and by the time of day at the venue read.
create table plays_venue_quarter_hour
(
  bucket DateTime('UTC') comment 'Start of the 15 minutes (UTC) that hold the slot',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  venue_id LowCardinality(String) comment 'Venue, ven_...',
  screen_id LowCardinality(String) comment 'Screen, scr_...',
  sandbox Bool comment 'True for the sandbox',
  plays UInt64 comment 'Counted plays, late ones excepted',
  late_plays UInt64 comment 'Plays reported after their window, never charged',
  impressions_thousandths UInt64 comment 'Impressions in thousandths, late plays excepted',
  cost_micros UInt64 comment 'Charges in micro-units'
)
engine = SummingMergeTree((plays, late_plays, impressions_thousandths, cost_micros))
partition by toYYYYMM(bucket)
order by (campaign_id, sandbox, venue_id, bucket, screen_id)
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

create materialized view plays_to_venue_quarter_hour to plays_venue_quarter_hour as
select
  toStartOfInterval(slot_at, interval 15 minute, 'UTC') as bucket,
  campaign_id, venue_id, screen_id, sandbox,
  countIf(not late) as plays,
  countIf(late) as late_plays,
  sumIf(plays_raw.impressions_thousandths, not late) as impressions_thousandths,
  sum(plays_raw.cost_micros) as cost_micros
from plays_raw
group by bucket, campaign_id, venue_id, screen_id, sandbox;

-- By whole days (UTC): distinct screens, and results by screen; the edges of a range in another zone come from 15 minutes.
-- Two projections answer what most reports ask: the sums of a campaign by day, and its distinct screens from one row for each
-- month and screen, with a bit for each day that has a counted play. They lie in the part of the rows, so they have what
-- these have whatever is repeated or merged, and they are no further parts of an insert. They are not synced to the disk by
-- themselves: ClickHouse reads the rows of a part whose projection was lost, and a merge makes it anew.
create table plays_screen_day
(
  day Date comment 'Day (UTC) that holds the slot',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  venue_id LowCardinality(String) comment 'Venue, ven_...',
  screen_id LowCardinality(String) comment 'Screen, scr_...',
  sandbox Bool comment 'True for the sandbox',
  plays UInt64 comment 'Counted plays, late ones excepted',
  late_plays UInt64 comment 'Plays reported after their window, never charged',
  impressions_thousandths UInt64 comment 'Impressions in thousandths, late plays excepted',
  cost_micros UInt64 comment 'Charges in micro-units',
  projection campaign_day
  (
    select campaign_id, sandbox, day, sum(plays), sum(late_plays), sum(impressions_thousandths), sum(cost_micros)
    group by campaign_id, sandbox, day
  ),
  projection campaign_screens
  (
    select campaign_id, sandbox, toStartOfMonth(day), screen_id, groupBitOr(if(plays > 0, bitShiftLeft(toUInt32(1), toDayOfMonth(day)), 0))
    group by campaign_id, sandbox, toStartOfMonth(day), screen_id
  )
)
engine = SummingMergeTree((plays, late_plays, impressions_thousandths, cost_micros))
partition by toYYYYMM(day)
order by (campaign_id, sandbox, day, venue_id, screen_id)
settings deduplicate_merge_projection_mode = 'rebuild', non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

create materialized view plays_to_screen_day to plays_screen_day as
select
  toDate(slot_at, 'UTC') as day,
  campaign_id, venue_id, screen_id, sandbox,
  countIf(not late) as plays,
  countIf(late) as late_plays,
  sumIf(plays_raw.impressions_thousandths, not late) as impressions_thousandths,
  sum(plays_raw.cost_micros) as cost_micros
from plays_raw
group by day, campaign_id, venue_id, screen_id, sandbox;

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
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

-- Reports of plays that were refused as they came, by the rule that said so. A row is what one delivery process refused within
-- some seconds. Best effort: a process that is killed loses the last seconds, and more kinds than it sums up are left out.
create table plays_not_counted
(
  insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored',
  uptime_min UInt32 ephemeral 0 comment 'Seconds that the server had run when the insert was sent, never stored',
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
  inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') + throwIf(uptime() < uptime_min, 'the insert was for the server before its restart') = 0, now64(3), now64(3)) comment 'When the row was written' codec(DoubleDelta, ZSTD),
  index written group_id type set(100) granularity 4
)
engine = MergeTree
partition by toYYYYMM(bucket)
order by (campaign_id, bucket, venue_id, screen_id)
ttl toDateTime(bucket) + interval 25 month
settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

-- What analysts read: plain names, money and impressions as decimals. Comments say the unit of every column.
create view plays
(
  played_at DateTime64(3, 'UTC') comment 'When the play started (UTC)',
  slot_at DateTime64(3, 'UTC') comment 'Start of its slot (UTC); reports go by it',
  received_at DateTime64(3, 'UTC') comment 'When its report arrived (UTC)',
  campaign_id String comment 'Campaign, cmp_...',
  creative_id String comment 'Creative, cre_...',
  screen_id String comment 'Screen, scr_...',
  venue_id String comment 'Venue, ven_...',
  late Bool comment 'Reported too late to be charged',
  played_ms UInt32 comment 'Milliseconds on screen',
  audience Nullable(UInt32) comment 'People counted by a sensing module, if there is one',
  impressions Decimal(18, 3) comment 'People who could see it',
  cost Decimal(18, 6) comment 'Charge in the campaign currency'
)
as select
  played_at, slot_at, received_at, campaign_id, creative_id, screen_id, venue_id, late, played_ms, audience,
  toDecimal64(impressions_thousandths, 3) / 1000 as impressions,
  toDecimal64(cost_micros, 6) / 1000000 as cost
from plays_raw where not sandbox;

create view plays_by_hour
(
  hour DateTime('UTC') comment 'Start of the hour (UTC) of the slot',
  campaign_id String comment 'Campaign, cmp_...',
  creative_id String comment 'Creative, cre_...',
  screen_id String comment 'Screen, scr_...',
  venue_id String comment 'Venue, ven_...',
  plays UInt64 comment 'Counted plays',
  late_plays UInt64 comment 'Plays reported too late to be charged',
  impressions Decimal(18, 3) comment 'People who could see them',
  cost Decimal(18, 6) comment 'Charges in the campaign currency'
)
as select
  toStartOfHour(bucket) as hour, campaign_id, creative_id, screen_id, venue_id,
  sum(plays_quarter_hour.plays) as plays,
  sum(plays_quarter_hour.late_plays) as late_plays,
  toDecimal64(sum(plays_quarter_hour.impressions_thousandths), 3) / 1000 as impressions,
  toDecimal64(sum(plays_quarter_hour.cost_micros), 6) / 1000000 as cost
from plays_quarter_hour where not sandbox
group by hour, campaign_id, creative_id, screen_id, venue_id;

------------------------------------------------------------------------------------------------------------------------
-- 2 Scans
------------------------------------------------------------------------------------------------------------------------

-- One row per counted scan of a code.
create table scans_raw
(
  insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored',
  uptime_min UInt32 ephemeral 0 comment 'Seconds that the server had run when the insert was sent, never stored',
  scan_id String comment 'Scan, unique',
  scanned_at DateTime64(3, 'UTC') comment 'When the code was followed',
  slot_at DateTime64(3, 'UTC') comment 'Minute of the slot in which the code was shown',
  inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') + throwIf(uptime() < uptime_min, 'the insert was for the server before its restart') = 0, now64(3), now64(3)) comment 'When the row was written',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative variant that showed the code, cre_...',
  screen_id LowCardinality(String) comment 'Screen, scr_...',
  venue_id LowCardinality(String) comment 'Venue, ven_...',
  daypart LowCardinality(String) comment 'morning, midday, afternoon, evening or night, in the venue''s time',
  sandbox Bool comment 'True for the sandbox',
  group_id String comment 'Group of jobs under whose token the row was inserted',
  attempt UInt16 default 0 comment 'Attempt that wrote the group, in its first row; 0 in the others'
)
engine = MergeTree
partition by toYYYYMM(scanned_at)
order by (campaign_id, scanned_at, scan_id)
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

create table scans_quarter_hour
(
  bucket DateTime('UTC') comment 'Start of the 15 minutes (UTC) of the scan',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative, cre_...',
  screen_id LowCardinality(String) comment 'Screen, scr_...',
  venue_id LowCardinality(String) comment 'Venue, ven_...',
  sandbox Bool comment 'True for the sandbox',
  scans UInt64 comment 'Counted scans'
)
engine = SummingMergeTree((scans))
partition by toYYYYMM(bucket)
order by (campaign_id, bucket, venue_id, screen_id, creative_id, sandbox)
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

create materialized view scans_to_quarter_hour to scans_quarter_hour as
select
  toStartOfInterval(scanned_at, interval 15 minute, 'UTC') as bucket,
  campaign_id, creative_id, screen_id, venue_id, sandbox,
  count() as scans
from scans_raw
group by bucket, campaign_id, creative_id, screen_id, venue_id, sandbox;

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

-- What analysts read.
create view scans
(
  scanned_at DateTime64(3, 'UTC') comment 'When the code was followed (UTC)',
  scan_id String comment 'Scan',
  campaign_id String comment 'Campaign, cmp_...',
  creative_id String comment 'Creative, cre_...',
  screen_id String comment 'Screen, scr_...',
  venue_id String comment 'Venue, ven_...',
  daypart String comment 'Part of the day at the venue'
)
as select scanned_at, scan_id, campaign_id, creative_id, screen_id, venue_id, daypart from scans_raw where not sandbox;

------------------------------------------------------------------------------------------------------------------------
-- 3 Decisions
------------------------------------------------------------------------------------------------------------------------

-- What became of every slot: the winner, or why there was none. Kept 30 days. A record that was lost is no lost play: where
-- more is decided than can be written down, the rest is counted by a metric and left out. Nothing is written to the disk at
-- once here, so a cut of power leaves as many broken parts as were written in its last half minute, or so: they are set
-- aside at the next start, which must not be refused for their number (max_suspicious_broken_parts).
create table decisions
(
  insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored',
  uptime_min UInt32 ephemeral 0 comment 'Seconds that the server had run when the insert was sent, never stored',
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
  inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') + throwIf(uptime() < uptime_min, 'the insert was for the server before its restart') = 0, now64(3), now64(3)) comment 'When the row was written' codec(DoubleDelta, ZSTD),
  index campaign campaign_id type set(1000) granularity 4,
  index written group_id type set(100) granularity 4
)
engine = ReplacingMergeTree
partition by toYYYYMMDD(decided_at)
order by (screen_id, starts_at, node_epoch, number)
ttl toDateTime(decided_at) + interval 30 day
settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000, max_suspicious_broken_parts = 100000;

-- What decisions were made from, process by process and run by run, as text (`state`, `changes`) and, in between, the records of the
-- decisions (`decisions`, base64). Losers' reasons and the replay are computed from it. Kept for a day.
create table private_decision_journal
(
  insert_by DateTime64(3, 'UTC') ephemeral toDateTime64('2100-01-01 00:00:00', 3, 'UTC') comment 'Deadline of the insert, never stored',
  uptime_min UInt32 ephemeral 0 comment 'Seconds that the server had run when the insert was sent, never stored',
  attempt UInt16 default 0 comment 'Attempt that wrote the group, in its first row; 0 in the others',
  at DateTime64(3, 'UTC') comment 'When the row was made (UTC)',
  node_epoch UInt64 comment 'Epoch of the delivery process',
  run UInt32 comment 'Run of the process',
  part Enum8('state' = 0, 'changes' = 1, 'decisions' = 2) comment 'What the body is',
  number UInt64 comment 'Place among the parts of its kind; of decisions the number of the first',
  body String comment 'Lines of JSON, or records in base64' codec(ZSTD),
  group_id LowCardinality(String) comment 'Group of jobs that wrote the row',
  inserted_at DateTime64(3, 'UTC') default if(throwIf(now64(3) > insert_by, 'the insert came after its deadline') + throwIf(uptime() < uptime_min, 'the insert was for the server before its restart') = 0, now64(3), now64(3)) comment 'When the row was written'
)
engine = ReplacingMergeTree
partition by toStartOfHour(at)
order by (node_epoch, run, part, number)
ttl toDateTime(at) + interval 25 hour
settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000, max_suspicious_broken_parts = 100000;

------------------------------------------------------------------------------------------------------------------------
-- 4 Calls of the API
------------------------------------------------------------------------------------------------------------------------

-- Calls made with a key that have no entry of their own among the changes: reads, refusals, forecasts, changes of nothing.
-- They are kept as long as the audit of their workspace, by its plan at that time, and shown by GET /v1/audit. A part holds
-- one month of one retention, so that it is dropped as a whole.
create table private_api_calls
(
  at DateTime64(3, 'UTC') comment 'When the call was answered',
  workspace_handle UInt64 comment 'Integer handle of the workspace that was called',
  sandbox Bool comment 'True for calls made with a test key',
  number UInt64 comment 'Number of the entry, 2^52 or more, random',
  kept_years UInt8 comment 'How long the plan of the workspace keeps its audit',
  user_handle UInt64 comment 'Integer handle of the person whose key called; 0 for a note of the service',
  email String comment 'Address of that person at the time',
  action LowCardinality(String) comment '<entity>.read, .called or .refused; audit.incomplete for calls that were not logged one by one',
  entity_type LowCardinality(String) comment 'Kind of the record that was called',
  entity_id String comment 'Id of the record; empty for a list',
  method LowCardinality(String) comment 'HTTP method',
  path String comment 'Path and query of the call',
  status UInt16 comment 'HTTP status of the answer',
  code LowCardinality(String) comment 'Code of the refusal; empty for none',
  ip String comment 'Address of the caller',
  user_agent String comment 'Software of the caller, as it names itself',
  request_id String comment 'X-Request-Id of the answer',
  lacking UInt32 comment 'Of audit.incomplete: how many calls are not in the log'
)
engine = MergeTree
partition by (kept_years, toYYYYMM(at))
order by (workspace_handle, sandbox, at, number)
ttl toDateTime(at) + toIntervalYear(kept_years)
settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

-- How often which software calls, by day.
create table private_integration_calls
(
  day Date comment 'Day (UTC) of the calls',
  integration LowCardinality(String) comment 'X-Service-Sdk as app/version; "other" beyond the names that one process counts at a time',
  workspace_handle UInt64 comment 'Integer handle of the calling workspace',
  calls UInt64 comment 'Calls made with a key'
)
engine = SummingMergeTree((calls))
partition by toYYYYMM(day)
order by (day, integration, workspace_handle)
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;

------------------------------------------------------------------------------------------------------------------------
-- 5 Supply
------------------------------------------------------------------------------------------------------------------------

-- What was there to be sold, hour by hour: one row per venue, orientation and source of its audience, written once an hour
-- from the screens that were paired and online then and from the plays that were counted. Forecasts learn from it.
create table private_supply_hours
(
  hour DateTime('UTC') comment 'Start of the hour (UTC)',
  venue_handle UInt64 comment 'Integer handle of the venue',
  sandbox Bool comment 'True for screens of the sandbox',
  orientation LowCardinality(String) comment 'landscape or portrait',
  sensor Bool comment 'True where plays are counted by a sensing module',
  city_folded LowCardinality(String) comment 'City of the venue at the time, without case and accents',
  venue_type LowCardinality(String) comment 'Type of the venue at the time',
  local_day Int32 comment 'Day since 1970-01-01 at the venue',
  local_hour UInt8 comment 'Hour of that day, 0 to 23',
  screens UInt32 comment 'Screens that were paired',
  slots_promised Float64 comment 'Slots of ads by opening hours and ad ratios',
  slots_seen Float64 comment 'The same of the screens that were online',
  plays UInt64 comment 'Counted plays',
  impressions_thousandths UInt64 comment 'Impressions of them in thousandths',
  estimated_thousandths UInt64 comment 'What the figures of the venue said of those plays, in thousandths'
)
engine = MergeTree
partition by toYYYYMM(hour)
order by (sandbox, hour, venue_handle)
ttl hour + interval 120 day
settings non_replicated_deduplication_window = 10000,
  fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
