-- What every unit of work writes beside its own rows, each in one statement: a call that waits for twenty answers of the
-- database costs ten times as much as one that waits for four, on both sides.

-- Claims a call with an Idempotency-Key. Each statement of a function takes a snapshot of its own, so the look for a reply
-- sees what was committed before the lock was given.
create function claim_once(claimed_scope bytea, lock_number bigint, kept_after timestamptz)
returns table (is_locked boolean, reply_status smallint, reply_body bytea, reply_fingerprint bytea) language plpgsql as $$
declare locked boolean := pg_try_advisory_xact_lock(lock_number);
begin
  return query select locked, kept.status, kept.body, kept.fingerprint
    from (select) one left join idempotent_replies kept on kept.scope = claimed_scope and kept.created_at > kept_after;
end $$;

-- Posts entries to the ledger: parallel arrays of entries, and of their postings by the entry's place (from 1). Accounts that
-- are not there are opened. A reference that was posted before adds nothing. Answers the references that are new.
-- Accounts are opened in the order of their names and changed in the order of their handles, so that two transactions never
-- wait for each other.
create function post_entries(kinds text[], refs text[], posted timestamptz, entries int[], names text[], account_kinds text[], books text[],
  currencies text[], workspaces bigint[], campaigns bigint[], amounts bigint[])
returns setof text language plpgsql as $$
declare made text[]; made_handles bigint[];
begin
  with added as (
    insert into ledger_transactions (kind, reference, posted_at)
    select kind, ref, posted from unnest(kinds, refs) as entry (kind, ref)
    on conflict (reference) do nothing returning reference, handle)
  select array_agg(reference), array_agg(handle) into made, made_handles from added;
  if made is null then return; end if;
  insert into ledger_accounts (kind, book, currency, workspace_handle, campaign_handle)
    select account_kind, book, account_currency, workspace, campaign from (
      select distinct on (name) * from unnest(entries, names, account_kinds, books, currencies, workspaces, campaigns)
        as posting (entry, name, account_kind, book, account_currency, workspace, campaign)
      where refs[entry] = any (made) and not exists (select from ledger_accounts there where there.name = posting.name) order by name) missing
    on conflict do nothing;
  insert into ledger_postings (transaction_handle, account_handle, amount_micros)
    select made_one.handle, account.handle, amount from unnest(entries, names, amounts) as posting (entry, name, amount)
      join unnest(made, made_handles) as made_one (reference, handle) on made_one.reference = refs[entry]
      join ledger_accounts account on account.name = posting.name
    where amount <> 0 order by account.handle;
  return query select unnest(made);
end $$;

-- Appends entries to the audit of one workspace. `spellings` are three pieces of each entry's JSON, between which its time
-- and its number stand; the hash is over the one before and that JSON (unit-of-work.ts computes the same from the row).
-- The head is held until the commit and taken after the rows of the change, so entries are numbered in the order of the
-- commits. An entry's time is not before that of the entry before it, unless a wrong clock set that far ahead.
create function append_audit(workspace bigint, made_at timestamptz, ahead_max interval, entries jsonb) returns void language plpgsql as $$
declare head audit_heads; entry jsonb; entry_at timestamptz;
begin
  select * into head from audit_heads where workspace_handle = workspace for update;
  if not found then
    insert into audit_heads (workspace_handle, number, hash) values (workspace, 0, decode(repeat('00', 32), 'hex')) on conflict do nothing;
    select * into head from audit_heads where workspace_handle = workspace for update;
  end if;
  entry_at := case when head.last_at > made_at and head.last_at - made_at < ahead_max then head.last_at else made_at end;
  for entry in select value from jsonb_array_elements(entries) loop
    head.number := head.number + 1;
    head.hash := sha256(head.hash || convert_to(
      (entry -> 'spelling' ->> 0) || to_char(entry_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || (entry -> 'spelling' ->> 1) || head.number || (entry -> 'spelling' ->> 2), 'UTF8'));
    insert into audit_entries (workspace_handle, number, at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip, user_agent, diff, sandbox, hash)
      select workspace, head.number, entry_at, actor_type, actor_handle, actor_email, source, action, entity_type, entity_handle, ip, user_agent, diff, coalesce(sandbox, false), head.hash
      from jsonb_to_record(entry -> 'row') as one (actor_type text, actor_handle bigint, actor_email text, source text, action text, entity_type text,
        entity_handle bigint, ip text, user_agent text, diff jsonb, sandbox boolean);
  end loop;
  update audit_heads set number = head.number, hash = head.hash, last_at = entry_at where workspace_handle = workspace;
end $$;

-- The end of a unit: its audit entries by workspace, its events, and its lines in the change log.
create function close_unit(made_at timestamptz, audit_ahead_max interval, audits jsonb, events jsonb, changes jsonb) returns void language plpgsql as $$
declare audit jsonb;
begin
  for audit in select value from jsonb_array_elements(audits) loop -- in the order of the workspaces
    perform append_audit((audit ->> 'workspace')::bigint, made_at, audit_ahead_max, audit -> 'entries');
  end loop;
  insert into outbox (workspace_handle, sandbox, type, entity_type, entity_handle, payload, created_at)
    select workspace, sandbox, type, entity_type, entity_handle, payload, made_at from jsonb_to_recordset(events)
      as event (workspace bigint, sandbox boolean, type text, entity_type text, entity_handle bigint, payload jsonb);
  insert into change_log (entity, handle, at) select entity, handle, made_at from jsonb_to_recordset(changes) as change (entity text, handle bigint);
end $$;

-- A campaign's handle is taken before its row is written, so that its ledger entry can be sent with it.
alter table campaigns alter column handle set generated by default;
