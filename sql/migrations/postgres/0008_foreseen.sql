-- What of a campaign's budget its forecast saw spent when it was booked or edited, so that a later booking of the same
-- venues does not take what an earlier one was told. Campaigns that are booked already have none and are planned as before.
alter table campaigns add column foreseen_micros bigint check (foreseen_micros >= 0);
