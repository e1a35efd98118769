-- Test invoices: the months of play money as documents, which test keys alone see. Their numbers are a series of their own, and
-- nothing of them is ever paid.
alter table invoices add column sandbox boolean not null default false,
  add constraint test_invoices_are_not_paid check (not sandbox or (kind = 'invoice' and status = 'issued'));
alter table invoices drop constraint invoices_year_sequence_key, add constraint invoices_number_key unique (sandbox, year, sequence);
alter table invoice_series add column sandbox boolean not null default false;
alter table invoice_series drop constraint invoice_series_pkey, add primary key (sandbox, year);
create index workspace_months_open_in_sandboxes on workspace_months (month) where closed_at is null and sandbox;

-- The month of the clock when it last came to stand. The months before it are over: what plays of before cost is charged in it.
alter table sandbox_clocks add column charges_from date check (extract(day from charges_from) = 1);
update sandbox_clocks set charges_from = date_trunc('month', at at time zone 'UTC') where target_at is null;
