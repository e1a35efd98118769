-- The moment from which a campaign's curve runs, and what was charged by then: when it went live, or was resumed. Before its
-- first time nothing is expected of it. The plan and the API read the same curve from here.
alter table campaigns
  add column paced_from timestamptz,
  add column paced_base_micros bigint not null default 0 check (paced_base_micros >= 0);
update campaigns set paced_from = created_at where status in ('live', 'paused', 'finished');
