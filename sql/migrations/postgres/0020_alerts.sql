-- Alerts by mail: what each person chose for a workspace, the facts that were found for them, and the mails about those.
create table alert_choices (
  handle bigint generated always as identity primary key,
  person_handle bigint not null references people,
  workspace_handle bigint not null references workspaces,
  surface text not null check (surface in ('ads_manager', 'screen_manager', 'agency')), -- what the person may hear of
  settings jsonb not null, -- AlertSettings of domain/alerts/alert.ts
  created_at timestamptz not null,
  changed_at timestamptz not null,
  unique (person_handle, workspace_handle)
);

-- A fact is found once for each choice: `key` names it. It waits until it is due and goes into one mail.
create table alert_facts (
  handle bigint generated always as identity primary key,
  choice_handle bigint not null references alert_choices,
  kind text not null,
  key text not null,
  detail jsonb not null,
  found_at timestamptz not null,
  due_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'mailed', 'dropped')),
  unique (choice_handle, key)
);
create index alert_facts_waiting on alert_facts (choice_handle, due_at) where state = 'waiting';
create index alert_facts_by_age on alert_facts (found_at);

-- The outbox of mails. A mail keeps its text, so each attempt sends the same one.
create table mails (
  handle bigint generated always as identity primary key,
  choice_handle bigint not null references alert_choices,
  subject text not null,
  text text not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'dropped')),
  problem text, -- of the last attempt
  attempts smallint not null default 0,
  first_at timestamptz,
  next_at timestamptz not null,
  created_at timestamptz not null
);
create index mails_pending on mails (next_at, handle) where state = 'pending';
create index mails_by_choice on mails (choice_handle, created_at);
create index mails_by_age on mails (created_at);

-- Facts that webhooks send, too. Alerts read those of the last days.
create index outbox_of_alerts on outbox (created_at)
  where type in ('campaign.finished', 'creative.rejected', 'payout.failed') and not sandbox;
create index keys_by_expiry on keys (expires_at) where not is_revoked and mode = 'live';

-- Who receives alerts now: a person with a seat in the workspace or in its agency, and the role of that seat.
create view alert_readers as
  select c.handle as choice, c.workspace_handle, c.surface, c.settings, c.created_at, p.email,
    w.name as workspace_name, w.currency, seat.role
  from alert_choices c
    join people p on p.handle = c.person_handle
    join workspaces w on w.handle = c.workspace_handle and w.status = 'active' and w.archived_at is null
    join lateral (select u.role from users u
      where u.person_handle = c.person_handle and u.removed_at is null
        and u.workspace_handle in (w.handle, w.parent_handle)
      order by u.workspace_handle = w.handle desc limit 1) seat on true
  where c.settings -> 'alerts' @? '$.* ? (@ != "off")';
