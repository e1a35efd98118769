-- A credit note says what of earlier invoices was credited to the wallet because plays were taken out. It is numbered as
-- invoices are and holds its amounts without a sign; nothing is to be paid, so it is paid as it is issued.
alter table invoices add column kind text not null default 'invoice' check (kind in ('invoice', 'credit_note'));
alter table invoices add constraint credit_notes_are_paid check (kind = 'invoice' or status = 'paid');

-- Numbers of the invoices on which the plays of a credit note's line may be: of the campaign, from the month of the first play.
alter table invoice_lines add column corrects text[] not null default '{}';

-- On which note a credit stands.
create table noted_credits (
  taking_handle bigint not null,
  campaign_handle bigint not null,
  invoice_handle bigint not null references invoices,
  primary key (taking_handle, campaign_handle),
  foreign key (taking_handle, campaign_handle) references campaign_credits
);
create trigger noted_credits_append_only before update or delete on noted_credits for each row execute function forbid_change();
