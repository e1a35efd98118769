-- For how many years the audit of a workspace is kept, by its own setting, its agency's, and the plan.
create function audit_years_of(workspace bigint) returns integer language sql stable as $$
  select coalesce(w.audit_retention_years, p.audit_retention_years, case when coalesce(p.plan, w.plan) = 'top' then 7 else 2 end)::integer
  from workspaces w left join workspaces p on p.handle = w.parent_handle where w.handle = workspace
$$;
create or replace function audit_kept_since(workspace bigint) returns timestamptz language sql stable as $$
  select now() - make_interval(years => audit_years_of(workspace))
$$;
