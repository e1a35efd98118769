-- Answers of surveys about campaigns with brand lift. Nobody is named: a respondent is a hash over campaign and whatever the
-- survey calls them, there so that nobody answers a question twice.
create table brand_lift_responses (
  campaign_handle bigint not null references campaigns,
  respondent_hash bytea not null check (octet_length(respondent_hash) = 32),
  question text not null check (question in ('awareness', 'recall', 'intent')),
  exposed boolean not null,
  positive boolean not null,
  created_at timestamptz not null,
  primary key (campaign_handle, respondent_hash, question)
);
