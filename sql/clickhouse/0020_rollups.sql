-- Coarser and differently sorted rollups beside plays_quarter_hour, so that a report reads thousands of rows whatever it
-- asks: a campaign as a whole, a campaign at some venues, a campaign's screens. Each is fed from the raw table by a view
-- of its own, under the token of the insert. The rows that are there already are copied before the view exists, so that
-- none is counted twice: no ingest may run meanwhile (a start migrates before its services).
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
settings non_replicated_deduplication_window = 10000;

insert into plays_campaign_quarter_hour (bucket, campaign_id, creative_id, sandbox, plays, late_plays, impressions_thousandths, cost_micros)
select bucket, campaign_id, creative_id, sandbox, sum(plays), sum(late_plays), sum(impressions_thousandths), sum(cost_micros)
from plays_quarter_hour group by bucket, campaign_id, creative_id, sandbox;

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
settings non_replicated_deduplication_window = 10000;

insert into plays_venue_quarter_hour (bucket, campaign_id, venue_id, screen_id, sandbox, plays, late_plays, impressions_thousandths, cost_micros)
select bucket, campaign_id, venue_id, screen_id, sandbox, sum(plays), sum(late_plays), sum(impressions_thousandths), sum(cost_micros)
from plays_quarter_hour group by bucket, campaign_id, venue_id, screen_id, sandbox;

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
  cost_micros UInt64 comment 'Charges in micro-units'
)
engine = SummingMergeTree((plays, late_plays, impressions_thousandths, cost_micros))
partition by toYYYYMM(day)
order by (campaign_id, sandbox, day, venue_id, screen_id)
settings non_replicated_deduplication_window = 10000;

insert into plays_screen_day (day, campaign_id, venue_id, screen_id, sandbox, plays, late_plays, impressions_thousandths, cost_micros)
select toDate(bucket, 'UTC') as day, campaign_id, venue_id, screen_id, sandbox, sum(plays), sum(late_plays), sum(impressions_thousandths), sum(cost_micros)
from plays_quarter_hour group by day, campaign_id, venue_id, screen_id, sandbox;

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
