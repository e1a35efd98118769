-- Mail addresses get one spelling that is compared (domain/access/mail-address.ts). Addresses of ASCII are folded here,
-- others by the migration that follows. It rewrites the rows of users, sign-ins and invitations.
alter table users add column email_folded text check (char_length(email_folded) between 3 and 1000);
alter table sign_ins add column email_folded text check (char_length(email_folded) between 3 and 1000);
alter table invitations add column email_folded text check (char_length(email_folded) between 3 and 1000);

-- During an upgrade processes of the version before write rows without it. Of ASCII there is one way to lower it; other
-- addresses wait for a process that folds them.
create function fold_plain_address() returns trigger language plpgsql as $$
begin
  if new.email_folded is null then
    if octet_length(new.email) <> char_length(new.email) then
      raise exception 'whoever writes an address beyond ASCII folds it' using errcode = 'check_violation';
    end if;
    new.email_folded := lower(new.email collate "C");
  end if;
  return new;
end $$;
-- Triggers run in the order of their names: the one that gives a seat its person (users_have_a_person) comes after this.
create trigger users_fold_their_address before insert on users for each row execute function fold_plain_address();
create trigger sign_ins_fold_their_address before insert on sign_ins
  for each row execute function fold_plain_address();
create trigger invitations_fold_their_address before insert on invitations
  for each row execute function fold_plain_address();

update users set email_folded = lower(email collate "C") where octet_length(email) = char_length(email);
update sign_ins set email_folded = lower(email collate "C") where octet_length(email) = char_length(email);
update invitations set email_folded = lower(email collate "C") where octet_length(email) = char_length(email);
