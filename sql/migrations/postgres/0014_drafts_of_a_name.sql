-- A draft needs a name alone: category, budget, days, rate and forecast may follow until it is submitted. Every other
-- campaign still has all of them. The checks are validated while campaigns are locked: a second for a million of them.
alter table campaigns
  alter column category drop not null,
  alter column budget_micros drop not null,
  alter column starts_on drop not null,
  alter column ends_on drop not null,
  alter column rate_micros drop not null,
  alter column forecast drop not null,
  add constraint campaigns_draft_check check (status = 'draft' or (category is not null and budget_micros is not null
    and starts_on is not null and rate_micros is not null and forecast is not null)),
  add constraint campaigns_days_check check ((starts_on is null) = (ends_on is null)),
  drop constraint campaigns_handed_check,
  add constraint campaigns_handed_check check (handed_micros >= 0
    and handed_micros - take_back_micros <= case when ended_at is null then coalesce(budget_micros, 0) else 0 end);
