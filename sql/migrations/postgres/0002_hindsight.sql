-- What was delivered on a day (UTC) beside the most that could have been, and why there is a difference. Written by the
-- workers each night, and again on the next two: plays are counted up to 48 hours after their slots.

create table hindsight_days (
  day date primary key,
  -- By the rates of the card, whatever the currency of a campaign. The bound is the sum of what follows.
  bound_micros bigint not null,
  delivered_micros bigint not null,
  idle_micros bigint not null,
  misallocated_micros bigint not null,
  capped_micros bigint not null,
  late_booked_micros bigint not null,
  looked_at timestamptz not null,
  check (bound_micros = delivered_micros + idle_micros + misallocated_micros + capped_micros + late_booked_micros)
);
