-- Weekly reports by mail: one for each choice of alerts and week, so a restart of the job writes none twice.
create table weekly_reports (
  handle bigint generated always as identity primary key,
  choice_handle bigint not null references alert_choices,
  week date not null, -- its Monday
  name text not null, -- of the file
  csv text not null,
  created_at timestamptz not null,
  unique (choice_handle, week)
);
create index weekly_reports_by_age on weekly_reports (created_at);

-- The report that a mail has attached. It refers to nothing: reports are deleted with the mails of their age.
alter table mails add column report_handle bigint;
