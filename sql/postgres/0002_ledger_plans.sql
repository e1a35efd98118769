-- Entries of the ledger look their accounts and transactions up by index, one by one. Plans are kept as long as a connection
-- lives, and a join that was planned while these tables were small read the whole of them for every entry when they had
-- grown. `offset 0` keeps each look-up a subquery, which is not turned into a join; without sequential scans it is made by an index.

create or replace function ledger_assert_balanced() returns trigger language plpgsql set enable_seqscan = off as $$
declare unbalanced bigint;
begin
  select p.transaction_handle into unbalanced
    from added p
      cross join lateral (select book, currency from ledger_accounts where handle = p.account_handle offset 0) a
      left join lateral (select handle from ledger_transactions where handle = p.transaction_handle offset 0) t on true
    group by p.transaction_handle, a.book, a.currency having sum(p.amount_micros) <> 0 or count(t.handle) < count(*) limit 1;
  if found then
    raise exception 'ledger transaction % does not sum to zero or is not there', unbalanced using errcode = 'MQ001';
  end if;
  return null;
end $$;

create or replace function post_entries(kinds text[], refs text[], posted timestamptz, entries int[], names text[], account_kinds text[], books text[],
  currencies text[], workspaces bigint[], campaigns bigint[], amounts bigint[])
returns text[] language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare made text[]; made_handles bigint[];
begin
  with added as (
    insert into ledger_transactions (kind, reference, posted_at)
    select kind, ref, posted from unnest(kinds, refs) as entry (kind, ref)
    on conflict (reference) do nothing returning reference, handle)
  select array_agg(reference), array_agg(handle) into made, made_handles from added;
  if made is null then return '{}'; end if;
  insert into ledger_accounts (kind, book, currency, workspace_handle, campaign_handle)
    select account_kind, book, account_currency, workspace, campaign
      from unnest(entries, names, account_kinds, books, currencies, workspaces, campaigns)
        as posting (entry, name, account_kind, book, account_currency, workspace, campaign)
      where refs[entry] = any (made) and (select handle from ledger_accounts there where there.name = posting.name) is null order by name
    on conflict (name) do nothing;
  insert into ledger_postings (transaction_handle, account_handle, amount_micros, wallet_kind)
    select made_handles[array_position(made, refs[entry])], account.handle, amount, kinds[entry]
      from unnest(entries, names, amounts) as posting (entry, name, amount)
        cross join lateral (select handle from ledger_accounts there where there.name = posting.name offset 0) account
    where amount <> 0 and refs[entry] = any (made) order by account.handle;
  return made;
end $$;
