-- A report's arrival was called its acknowledgement, which follows when it is stored.
alter table plays_raw comment column received_at 'When the report of the play arrived; its acknowledgement followed when it was stored';
alter table plays comment column received_at 'When its report arrived (UTC)';
