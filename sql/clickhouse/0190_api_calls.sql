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

insert into private_api_calls (at, workspace_handle, sandbox, number, kept_years, user_handle, email, action, entity_type, entity_id, method, path, status, ip, user_agent, request_id)
select at, workspace_handle, sandbox, number, 2, user_handle, email, action, entity_type, entity_id, 'GET', path, 200, ip, user_agent, request_id from private_api_reads;
