-- VAT on documents: where the seller is, and how each document is taxed. Documents issued before have no VAT.
alter table operator_settings
  add column city text check (char_length(city) between 1 and 70),
  add column postal_code text check (char_length(postal_code) between 1 and 20),
  add column country text check (country ~ '^[A-Z]{2}$'),
  add column vat_id text check (char_length(vat_id) between 1 and 20),
  -- Why the seller charges no VAT at home, as it is printed.
  add column vat_exemption text check (char_length(vat_exemption) between 1 and 200);

-- Frozen with the invoice: category of EN 16931, rate in hundredths of a percent, VAT on total_micros in whole minor
-- units. Null: the document holds no VAT.
alter table invoices
  add column vat_category text check (vat_category in ('S', 'AE', 'E', 'G', 'O')),
  add column vat_rate integer check (vat_rate between 0 and 10000),
  add column vat_exemption_code text,
  add column vat_exemption_reason text,
  add column vat_micros bigint check (vat_micros >= 0),
  add constraint invoices_vat_is_whole check (num_nulls(vat_category, vat_rate, vat_micros) in (0, 3)),
  add constraint invoices_vat_by_category check (vat_category = 'S' or vat_rate = 0 and vat_micros = 0
    and vat_exemption_reason is not null);
