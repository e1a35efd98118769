-- Entries made in the book of play money are seen by test keys only. True is part of the entry's hash, false is not, so
-- that the entries of before hold.
alter table audit_entries add column sandbox boolean not null default false;
create index audit_entries_by_time on audit_entries (workspace_handle, sandbox, at desc, handle desc);
create index audit_entries_by_entity on audit_entries (workspace_handle, entity_type, entity_handle, at desc);

-- Retention. What is deleted is always the oldest part of a workspace's chain. The head keeps the number and the hash of
-- the last deleted entry, from which the rest of the chain is verified.
alter table audit_heads add column forgotten_number bigint not null default 0;
alter table audit_heads add column forgotten_hash bytea not null default decode(repeat('00', 32), 'hex');

-- 7 years on the top plan, 2 otherwise; a client has the plan of its agency.
create function audit_kept_since(workspace bigint) returns timestamptz language sql stable as $$
  select now() - case when coalesce(p.plan, w.plan) = 'top' then interval '7 years' else interval '2 years' end
  from workspaces w left join workspaces p on p.handle = w.parent_handle where w.handle = workspace
$$;

-- The one way to delete entries: up to `count_max` of the oldest, each older than the retention. Answers how many.
create function audit_forget(workspace bigint, count_max integer) returns integer language plpgsql as $$
declare
  head audit_heads;
  last audit_entries;
begin
  select * into head from audit_heads where workspace_handle = workspace for update;
  -- A later entry may carry an earlier time, by the clocks of two processes; the chain is cut before the first young one.
  select e.* into last from audit_entries e
  where e.workspace_handle = workspace and e.number <= head.forgotten_number + count_max
    and e.number < coalesce((select min(y.number) from audit_entries y
      where y.workspace_handle = workspace and y.number <= head.forgotten_number + count_max and y.at >= audit_kept_since(workspace)), 9223372036854775807)
  order by e.number desc limit 1;
  if last.number is null then return 0; end if;
  update audit_heads set forgotten_number = last.number, forgotten_hash = last.hash where workspace_handle = workspace;
  delete from audit_entries where workspace_handle = workspace and number <= last.number;
  return last.number - head.forgotten_number;
end $$;

-- No entry is changed, and none is deleted that is young, whoever asks; nor one that the head does not account for.
create function audit_guard_delete() returns trigger language plpgsql as $$
begin
  if old.at >= audit_kept_since(old.workspace_handle)
    or old.number > (select forgotten_number from audit_heads where workspace_handle = old.workspace_handle) then
    raise exception 'audit_entries is append-only' using errcode = 'MQ002';
  end if;
  return old;
end $$;
drop trigger audit_entries_append_only on audit_entries;
create trigger audit_entries_append_only before update on audit_entries for each row execute function forbid_change();
create trigger audit_entries_retention before delete on audit_entries for each row execute function audit_guard_delete();
create trigger audit_entries_not_truncated before truncate on audit_entries for each statement execute function forbid_change();
create trigger ledger_postings_not_truncated before truncate on ledger_postings for each statement execute function forbid_change();

-- A head only moves forward.
create function audit_guard_head() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.number < old.number or new.forgotten_number < old.forgotten_number or new.forgotten_number > new.number then
    raise exception 'audit_heads only move forward' using errcode = 'MQ002';
  end if;
  return new;
end $$;
create trigger audit_heads_forward before update or delete on audit_heads for each row execute function audit_guard_head();
