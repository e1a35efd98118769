-- What venue_earnings is made of: by the day (UTC) on which plays were settled, screen and category of the campaign. Lines
-- are never lowered: what went back of them stands beside them. Earnings of before have no lines, or not all of theirs.
create table earning_lines (
  earning_handle bigint not null references venue_earnings,
  settled_on date not null,
  screen_handle bigint not null references screens,
  category text not null,
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  earned_micros bigint not null check (earned_micros between 0 and gross_micros),
  -- The first and the last settlement that added to it: by them the commission of a play is found.
  first_settled_at timestamptz not null,
  last_settled_at timestamptz not null,
  primary key (earning_handle, settled_on, screen_handle, category)
);

-- What of a row of earning_reversals went back of which screen's and category's earnings.
create table earning_reversal_lines (
  taking_handle bigint not null,
  earning_handle bigint not null,
  screen_handle bigint not null references screens,
  category text not null,
  plays bigint not null,
  impressions_thousandths bigint not null,
  gross_micros bigint not null,
  earned_micros bigint not null,
  primary key (taking_handle, earning_handle, screen_handle, category),
  foreign key (taking_handle, earning_handle) references earning_reversals
);
create trigger earning_reversal_lines_append_only before update or delete on earning_reversal_lines for each row execute function forbid_change();
create index earning_reversal_lines_by_earning on earning_reversal_lines (earning_handle);
create index earning_reversals_by_earning on earning_reversals (earning_handle);

create index venue_earnings_by_day on venue_earnings (workspace_handle, day);
