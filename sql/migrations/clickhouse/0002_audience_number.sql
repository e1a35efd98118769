-- Which audience of the screen a play was counted with: that of this number which came into force last before the slot.
alter table plays_raw add column audience_number UInt16 default 0 comment 'Number of the audience with a source that the play was counted with (screen_audiences in Postgres); 0 for the own figures of the venue';
