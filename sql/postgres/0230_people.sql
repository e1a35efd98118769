-- `users` are seats: a person's place in one workspace, with a role. A person may have seats in several. That two seats are
-- one person's must have been shown, since anybody may write down an address: a seat in a client workspace is the person of
-- that address in its agency, which rules over both; whoever accepts an invitation shows a key of the other seat.
create table people (
  handle bigint generated always as identity primary key,
  email text not null check (char_length(email) between 3 and 320),
  name text not null default '' check (char_length(name) <= 200),
  created_at timestamptz not null
);
alter table users add column person_handle bigint references people;

create function person_of_seat(workspace bigint, address text, at timestamptz) returns bigint language plpgsql as $$
declare
  person bigint;
begin
  select u.person_handle into person from workspaces w join users u on u.workspace_handle = w.parent_handle
    where w.handle = workspace and lower(u.email) = lower(address) and u.removed_at is null order by u.handle limit 1;
  if person is null then
    insert into people (email, created_at) values (address, at) returning handle into person;
  end if;
  return person;
end $$;

-- The people of before; those of agencies first, whom their clients' seats are compared with.
do $$
declare
  seat record;
begin
  for seat in select u.handle, u.workspace_handle, u.email, u.created_at from users u join workspaces w on w.handle = u.workspace_handle order by w.parent_handle nulls first, u.handle loop
    update users set person_handle = person_of_seat(seat.workspace_handle, seat.email, seat.created_at) where handle = seat.handle;
  end loop;
end $$;
alter table users alter column person_handle set not null;
create index users_by_person on users (person_handle);

create function give_seat_a_person() returns trigger language plpgsql as $$
begin
  if new.person_handle is null then
    new.person_handle := person_of_seat(new.workspace_handle, new.email, new.created_at);
  end if;
  return new;
end $$;
create trigger users_have_a_person before insert on users for each row execute function give_seat_a_person();

-- Who made the key for somebody else; null: the key is of the person whom it acts for, or the operator made it.
alter table keys add column made_by_handle bigint references users;

-- Only the SHA-256 of a token is kept. It has 256 random bits, so a fast hash is the right one.
create table invitations (
  handle bigint generated always as identity primary key,
  workspace_handle bigint not null references workspaces,
  email text not null check (char_length(email) between 3 and 320),
  role text not null check (role in ('owner', 'admin', 'manager', 'finance', 'viewer')),
  surface text not null check (surface in ('ads_manager', 'screen_manager', 'agency')), -- of the key that is answered
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by_handle bigint not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  accepted_at timestamptz,
  user_handle bigint references users, -- the seat that it became
  check ((accepted_at is null) = (user_handle is null)),
  check (accepted_at is null or revoked_at is null)
);
create index invitations_by_workspace on invitations (workspace_handle, handle desc);
create index invitations_by_end on invitations (expires_at);
