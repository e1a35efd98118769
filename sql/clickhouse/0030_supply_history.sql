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
settings non_replicated_deduplication_window = 10000;
