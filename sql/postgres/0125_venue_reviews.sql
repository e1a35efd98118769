-- What a venue says of itself is in force in its own columns. Figures that wait for the operator stand beside them, with why
-- they wait; a review that is over keeps what was decided.
alter table venues
  add column pending_figures jsonb, -- the fields that wait, in the API's spelling
  add column review_status text check (review_status in ('pending', 'approved', 'rejected')),
  add column review_reasons text[],
  add column review_requested_at timestamptz,
  add column review_decided_at timestamptz,
  add column review_code text, -- why the operator rejected
  -- Later changes are measured against these: what the operator approved last, else what the venue began to earn with; null:
  -- it was there before there were reviews, and its first change is measured against what it has.
  add column baseline_figures jsonb,
  add column baseline_approved boolean not null default false,
  add constraint venues_review_check check (
    (review_status is not distinct from 'pending') = (pending_figures is not null)
    and (review_status is null) = (review_requested_at is null) and (review_status is null) = (review_reasons is null)
    and coalesce(review_status in ('approved', 'rejected'), false) = (review_decided_at is not null) and (review_status is not distinct from 'rejected') = (review_code is not null));
create index venues_in_review on venues (review_requested_at) where pending_figures is not null;
