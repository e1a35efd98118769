-- Earnings are held for some days after their plays were settled. Of the row of a venue's day the last settlement counts,
-- not the day itself: plays that are reported days later are held as long as others.
alter table venue_earnings add column settled_on date;
update venue_earnings set settled_on = day + 1;
alter table venue_earnings alter column settled_on set not null;
create index venue_earnings_by_settlement on venue_earnings (workspace_handle, settled_on) where not sandbox and earned_micros > withdrawn_micros;

-- Null: as long as the installation holds earnings (EARNINGS_HOLD_DAYS).
alter table workspaces add column earnings_hold_days smallint check (earnings_hold_days between 0 and 365);
