-- Political advertising (Regulation (EU) 2024/900): who sponsors a campaign. Two columns, and an index of political ones.

-- `Political` of domain/law/political.ts; null: the campaign is not political.
alter table campaigns add column political jsonb;
-- What its public notice said before, each version with the moment of its correction.
alter table campaigns add column political_earlier jsonb not null default '[]';
create index campaigns_political on campaigns (ends_on) where political is not null;
