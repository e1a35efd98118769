-- Every address is folded, and a folded address is that of one member of a workspace and of one sign-in. It is refused,
-- and nothing is changed, while two members or two sign-ins have spellings of one address.
alter table users alter column email_folded set not null;
alter table sign_ins alter column email_folded set not null;
alter table invitations alter column email_folded set not null;
drop index sign_ins_by_email;
create unique index sign_ins_by_address on sign_ins (email_folded);
create unique index members_by_address on users (workspace_handle, email_folded) where removed_at is null;
create index invitations_by_address on invitations (email_folded) where accepted_at is null and revoked_at is null;

drop function person_of_seat(bigint, text, timestamptz) cascade;
drop function give_seat_a_person() cascade;

-- Whom the agency of a client workspace knows by an address; null where it knows nobody by it.
create function person_in_agency(workspace bigint, address_folded text) returns bigint language sql as $$
  select u.person_handle from workspaces w join users u on u.workspace_handle = w.parent_handle
    where w.handle = workspace and u.email_folded = address_folded and u.removed_at is null
$$;

-- The person of a seat that is given by an address alone: a colleague in the agency, or somebody new. Whoever had the
-- seat before is not meant: anybody who was given its invitation may have taken the address.
create function person_of_seat(workspace bigint, address text, address_folded text, at timestamptz)
returns bigint language plpgsql as $$
declare
  person bigint := person_in_agency(workspace, address_folded);
begin
  if person is null then
    insert into people (email, created_at) values (address, at) returning handle into person;
  end if;
  return person;
end $$;

create function give_seat_a_person() returns trigger language plpgsql as $$
begin
  if new.person_handle is null then
    new.person_handle := person_of_seat(new.workspace_handle, new.email, new.email_folded, new.created_at);
  end if;
  return new;
end $$;
create trigger users_have_a_person before insert on users for each row execute function give_seat_a_person();

-- A seat may pass to another person. The sessions of both are told.
create or replace function tell_user_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from keys where user_handle = new.handle and not is_revoked;
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from sessions
    where person_handle in (new.person_handle, case tg_op when 'UPDATE' then old.person_handle end)
      and ended_at is null;
  return null;
end $$;
drop trigger users_changed on users;
create trigger users_changed after insert or update of role, removed_at, person_handle on users
  for each row execute function tell_user_changed();
