-- One row per counted play, written once under the token of its group of jobs.
create table plays_raw
(
  played_at DateTime64(3, 'UTC') comment 'When the play started on the screen, in server time',
  slot_at DateTime64(3, 'UTC') comment 'Start of the slot the play was decided for (signed); the play belongs to the hour of this time',
  received_at DateTime64(3, 'UTC') comment 'When the report of the play was acknowledged to the screen',
  inserted_at DateTime64(3, 'UTC') default now64(3) comment 'When the row was written',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative that was shown, cre_...',
  screen_id LowCardinality(String) comment 'Screen that showed it, scr_...',
  venue_id LowCardinality(String) comment 'Venue of the screen at the time of the decision, ven_...',
  campaign_handle UInt64 comment 'Integer handle of the campaign',
  epoch UInt32 comment 'Epoch of the delivery process that issued the play',
  issue_number UInt32 comment 'Number of the play, unique within campaign and epoch',
  sandbox Bool comment 'True for plays of the sandbox; they are in no live report',
  late Bool comment 'True when the play was reported after its window: shown as late_plays, never charged',
  played_ms UInt32 comment 'How long the play was on screen, in milliseconds',
  audience Nullable(UInt32) comment 'People counted by the sensing module, null without one',
  impressions_thousandths UInt64 comment 'People who could see the play, in thousandths, kept exactly',
  rate_micros UInt64 comment 'Price per impression in micro-units of the campaign currency',
  cost_micros UInt64 comment 'Charge for the play in micro-units; 0 when late',
  group_id String comment 'Group of jobs under whose token the row was inserted; settlement goes by it',
  job_id String comment 'Batch of reports that carried the play',
  index inserted_at_minmax inserted_at type minmax granularity 1,
  index group_id_bloom group_id type bloom_filter(0.01) granularity 4
)
engine = MergeTree
partition by toYYYYMM(slot_at)
order by (campaign_handle, slot_at, epoch, issue_number)
settings non_replicated_deduplication_window = 10000;

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
settings non_replicated_deduplication_window = 10000;

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

create table scans_raw
(
  scan_id String comment 'Scan, unique',
  scanned_at DateTime64(3, 'UTC') comment 'When the code was followed',
  slot_at DateTime64(3, 'UTC') comment 'Minute of the slot in which the code was shown',
  inserted_at DateTime64(3, 'UTC') default now64(3) comment 'When the row was written',
  campaign_id LowCardinality(String) comment 'Campaign, cmp_...',
  creative_id LowCardinality(String) comment 'Creative variant that showed the code, cre_...',
  screen_id LowCardinality(String) comment 'Screen, scr_...',
  venue_id LowCardinality(String) comment 'Venue, ven_...',
  daypart LowCardinality(String) comment 'morning, midday, afternoon, evening or night, in the venue''s time',
  sandbox Bool comment 'True for the sandbox',
  group_id String comment 'Group of jobs under whose token the row was inserted'
)
engine = MergeTree
partition by toYYYYMM(scanned_at)
order by (campaign_id, scanned_at, scan_id)
settings non_replicated_deduplication_window = 10000;

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
settings non_replicated_deduplication_window = 10000;

create materialized view scans_to_quarter_hour to scans_quarter_hour as
select
  toStartOfInterval(scanned_at, interval 15 minute, 'UTC') as bucket,
  campaign_id, creative_id, screen_id, venue_id, sandbox,
  count() as scans
from scans_raw
group by bucket, campaign_id, creative_id, screen_id, venue_id, sandbox;

-- What analysts read: plain names, money and impressions as decimals. Comments say the unit of every column.
create view plays
(
  played_at DateTime64(3, 'UTC') comment 'When the play started (UTC)',
  slot_at DateTime64(3, 'UTC') comment 'Start of its slot (UTC); reports go by it',
  received_at DateTime64(3, 'UTC') comment 'When its report was acknowledged (UTC)',
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
  sum(q.plays) as plays, sum(q.late_plays) as late_plays,
  toDecimal64(sum(q.impressions_thousandths), 3) / 1000 as impressions,
  toDecimal64(sum(q.cost_micros), 6) / 1000000 as cost
from plays_quarter_hour as q where not sandbox
group by hour, campaign_id, creative_id, screen_id, venue_id;

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
