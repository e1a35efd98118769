-- What forecasts and plans know of supply, learned from history every hour: the newest row counts, a week of them is kept.
create table supply_models (
  version bigint generated always as identity primary key,
  fitted_at timestamptz not null,
  body jsonb not null -- {supply: {shares, audience, scan_rates, growth_per_day}, bands: [{low, high, quantiles, count}]}
);
