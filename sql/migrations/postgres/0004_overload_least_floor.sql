-- Where supply does not serve all campaigns, those that earn less than nine in ten others have a floor of their own. An
-- installation whose floor is not the one that it came with keeps its policy: one floor for all. The table has one row.
alter table operator_settings
  add column overload_floor_least double precision not null default 0.2 check (overload_floor_least between 0 and 1);
update operator_settings set overload_floor_least = overload_floor where overload_floor <> 0.8;
