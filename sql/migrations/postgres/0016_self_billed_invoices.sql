-- Documents that the operator issues in the name of a venue's owner, who has agreed to it (`self_billing` in the billing
-- details): one for each payout, when the bank has paid it. Seller is the owner, buyer is the operator.
create table self_billed_series (
  year integer primary key,
  last integer not null
);
create table self_billed_invoices (
  payout_handle bigint primary key references payouts,
  year integer not null,
  sequence integer not null check (sequence > 0),
  parties jsonb not null, -- seller and buyer as they were when it was issued
  vat_category text not null check (vat_category in ('S', 'AE', 'E', 'G', 'O')),
  vat_rate integer not null check (vat_rate between 0 and 10000), -- hundredths of a percent
  vat_exemption_code text,
  vat_exemption_reason text,
  vat_micros bigint not null check (vat_micros >= 0), -- on the amount of the payout, in whole minor units
  issued_at timestamptz not null,
  constraint self_billed_number_key unique (year, sequence),
  constraint self_billed_vat_by_category check (vat_category = 'S' or vat_rate = 0 and vat_micros = 0
    and vat_exemption_reason is not null)
);
create trigger self_billed_append_only before update or delete on self_billed_invoices
  for each row execute function forbid_change();
