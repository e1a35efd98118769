-- What the hourly check of every invariant found. A row per check; the newest says how the books stand.
create table verifications (
  began_at timestamptz primary key,
  ended_at timestamptz not null,
  breaches integer not null, -- as many as were named, at most some hundreds
  report jsonb not null -- {breaches: [{invariant, campaign?, workspace?, detail}], unchecked: [text]}
);
