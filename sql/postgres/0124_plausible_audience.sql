-- People who have one screen of the venue in view at once, at most, as the operator said; null: nobody has, and what the type
-- makes plausible holds (domain/venue).
alter table venues add column audience_max double precision check (audience_max > 0 and audience_max <= 100000);

-- An address: a thousandth of a degree, 111 m from south to north and less from west to east. Screens of one owner that stand
-- there share the people of the place, in however many venues they are said to be.
alter table venues
  add column lat_milli integer generated always as (round(lat * 1000)::integer) stored,
  add column lng_milli integer generated always as (round(lng * 1000)::integer) stored;
create index venues_by_address on venues (workspace_handle, sandbox, lat_milli, lng_milli);

-- Paired screens at the address of a venue, its own included: of the venues named, or of all that have any. The answer for
-- all is one pass over the screens; that for a few looks at theirs.
create function screens_near(wanted bigint[] default null) returns table (venue_handle bigint, screens integer) language plpgsql stable as $$
begin
  if wanted is null then
    return query
      with addresses as (
        select v.workspace_handle, v.sandbox, v.lat_milli, v.lng_milli, count(*)::integer as paired
        from screens s join venues v on v.handle = s.venue_handle where s.unpaired_at is null group by 1, 2, 3, 4)
      select v.handle, a.paired from venues v join addresses a using (workspace_handle, sandbox, lat_milli, lng_milli);
  else
    return query
      select v.handle, count(*)::integer
      from venues v
        join venues o on o.workspace_handle = v.workspace_handle and o.sandbox = v.sandbox and o.lat_milli = v.lat_milli and o.lng_milli = v.lng_milli
        join screens s on s.venue_handle = o.handle and s.unpaired_at is null
      where v.handle = any(wanted) group by v.handle;
  end if;
end $$;
