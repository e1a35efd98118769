-- How long the ad of a play is: with it the time that a screen's plays take can be told from the rows, after Redis was lost.
alter table plays_raw add column duration_ms UInt16 default least(played_ms, 65535) comment 'How long the ad is, in milliseconds; of rows that say no other, how long it was on screen';
alter table plays_raw modify column late Bool comment 'True when the play is not charged, for whichever reason (decided_by): shown as late_plays';
