-- Proofs of invoices: a root over the plays of each document, and a signature of it.

-- The month on whose invoice a charge is. Null: the month of its settlement, as of charges from before; or play money.
alter table charges add column month date; -- without a check, which would read the whole table

-- Ed25519 keys of the installation. The newest signs; all stay published, because old documents name them.
create table proof_keys (
  handle bigint generated always as identity primary key,
  public_key bytea not null check (octet_length(public_key) = 32),
  private_sealed bytea not null,
  created_at timestamptz not null
);
create trigger proof_keys_append_only before update or delete on proof_keys for each row execute function forbid_change();

-- A row is written with its document, and completed once its plays have been read. Documents from before have none.
create table invoice_proofs (
  invoice_handle bigint primary key references invoices,
  tried_at timestamptz, -- the last attempt that did not complete it
  root bytea check (octet_length(root) = 32),
  plays bigint,
  impressions_thousandths bigint,
  play_micros bigint,
  key_handle bigint references proof_keys,
  signature bytea check (octet_length(signature) = 64),
  signed_at timestamptz,
  constraint invoice_proofs_are_whole check (num_nulls(root, plays, impressions_thousandths, play_micros, key_handle,
    signature, signed_at) in (0, 7))
);
create index invoice_proofs_pending on invoice_proofs (tried_at nulls first, invoice_handle) where root is null;
create function proof_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.root is not null or new.invoice_handle <> old.invoice_handle then
    raise exception 'a proof that was signed never changes' using errcode = 'MQ002';
  end if;
  return new;
end $$;
create trigger invoice_proofs_stay before update or delete on invoice_proofs for each row execute function proof_guard();
