-- Calls that changed nothing, made with a key: kept 30 days and shown by GET /v1/audit?include=reads.
create table private_api_reads
(
  at DateTime64(3, 'UTC') comment 'When the call was answered',
  workspace_handle UInt64 comment 'Integer handle of the workspace that was read',
  sandbox Bool comment 'True for calls made with a test key',
  number UInt64 comment 'Number of the entry, 2^52 or more, random',
  user_handle UInt64 comment 'Integer handle of the person whose key called',
  email String comment 'Address of that person at the time',
  action LowCardinality(String) comment 'What was read, <entity>.read',
  entity_type LowCardinality(String) comment 'Kind of the record that was read',
  entity_id String comment 'Id of the record; empty for a list',
  path String comment 'Path and query of the call',
  ip String comment 'Address of the caller',
  user_agent String comment 'Software of the caller, as it names itself',
  request_id String comment 'X-Request-Id of the answer'
)
engine = MergeTree
partition by toYYYYMMDD(at)
order by (workspace_handle, sandbox, at, number)
ttl toDateTime(at) + interval 30 day
settings ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000;

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
settings non_replicated_deduplication_window = 10000;
