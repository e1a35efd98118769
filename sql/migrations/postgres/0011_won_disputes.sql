-- A dispute that was won after its money was taken from the wallet is a case of its own: the operator gives it back.
alter table payment_cases drop constraint payment_cases_kind_check;
alter table payment_cases add constraint payment_cases_kind_check
  check (kind in ('refund', 'refund_failed', 'dispute', 'dispute_won', 'mismatch', 'not_pending'));
