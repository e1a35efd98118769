-- An insert is answered when its parts are on the disk, named and whole: the authority gives a group's plays up at that answer.
-- Merged parts too, since those that they were made of are removed some minutes later. What lies in the server's memory or
-- in the system's cache is lost with the machine. `decisions` and its journal are left out: a lost record is no lost play.
alter table plays_raw modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table plays_quarter_hour modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table plays_campaign_quarter_hour modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table plays_venue_quarter_hour modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table plays_screen_day modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table scans_raw modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table scans_quarter_hour modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table private_api_reads modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table private_integration_calls modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
alter table private_supply_hours modify setting fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_fetch = 1;
-- Of those that are left out, a cut of power leaves as many broken parts as were written in its last half minute, or so:
-- they are set aside at the next start, which must not be refused for their number.
alter table decisions modify setting max_suspicious_broken_parts = 100000;
alter table private_decision_journal modify setting max_suspicious_broken_parts = 100000;
