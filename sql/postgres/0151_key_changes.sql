-- Every API process keeps what a key stands for for a moment. Whatever ends or narrows a key, whoever wrote it, tells them
-- at once: by the key's hash, or by those of all keys of a person who leaves or gets another role.
create function tell_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_keys', encode(new.hash, 'base64'));
  return null;
end $$;
create trigger keys_changed after update of is_revoked, revoked_at, expires_at, access, surface, per_minute_max, per_second_max on keys
  for each row execute function tell_key_changed();

create function tell_user_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('marquee_keys', encode(hash, 'base64')) from keys where user_handle = new.handle and not is_revoked;
  return null;
end $$;
create trigger users_changed after update of role, removed_at on users
  for each row execute function tell_user_changed();
