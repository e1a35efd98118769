-- By which rule and version a play is not charged, or its audience is not what was reported (domain/data/traffic-rules).
alter table plays_raw add column decided_by LowCardinality(String) default if(late, 'late@1', '') comment 'Rule and version by which the play is not charged or its audience was changed, such as late@1; empty when neither';
