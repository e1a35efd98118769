-- What a campaign may use is its limit: the budget from its submission until its end, and nothing before and after.
-- take_back: how much of what was handed shall ever come back; it only rises, and is committed here before the authority
-- is told. returned follows as the authority finds the money free, and each rise of it is one refund on the ledger.
-- Always: reservation on the ledger = limit + take_back - returned - charged.
alter table campaigns
  add column take_back_micros bigint not null default 0,
  add column budget_edits integer not null default 0, -- names the ledger transactions of edits
  add column ended_at timestamptz, -- finished, rejected or deleted: the limit is 0
  add column review_waits_for text check (review_waits_for in ('agency', 'rules', 'operator')),
  add column review_at timestamptz; -- not looked at by the rules before
alter table campaigns drop constraint campaigns_check1; -- handed_micros between 0 and budget_micros
alter table campaigns
  add constraint campaigns_handed_check check (handed_micros >= 0 and handed_micros - take_back_micros <= case when ended_at is null then budget_micros else 0 end),
  add constraint campaigns_take_back_check check (take_back_micros <= handed_micros and returned_micros <= take_back_micros),
  add constraint campaigns_review_check check ((status = 'pending_review') = (review_waits_for is not null));
create index campaigns_in_review on campaigns (handle) where review_waits_for = 'rules' and deleted_at is null;
create index campaigns_owing on campaigns (handle) where take_back_micros > returned_micros + case when ended_at is null then 0 else charged_micros end;

-- Whether campaigns of an agency's client wait for the agency before review; null: as the agency says of all its clients.
alter table workspaces add column approval text check (approval in ('none', 'agency'));
