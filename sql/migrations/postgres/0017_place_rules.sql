-- Sensitive places (schools, playgrounds, hospitals) and the operator's rules about them. Both come from files by
-- `npm run admin`. What they make of a venue is computed whenever the venue is read, so it is never out of date.
create table sensitive_places (
  id text primary key,
  kind text not null,
  name text not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180)
);
create index sensitive_places_kind_lat on sensitive_places (kind, lat);

create table place_rules (
  name text primary key,
  category text not null, -- canonical
  place_kind text,
  distance_m integer check (distance_m > 0),
  jurisdiction text, -- a country or a zone, as written
  zones text[], -- the time zones of the jurisdiction; null: everywhere
  from_minute integer check (from_minute between 0 and 1439), -- local; null: always
  to_minute integer check (to_minute between 0 and 1440),
  days integer check (days between 1 and 127), -- mask of weekdays, mon = 1
  source text not null,
  check ((place_kind is null) = (distance_m is null)),
  check ((from_minute is null) = (to_minute is null)),
  check ((jurisdiction is null) = (zones is null))
);

-- Meters over a sphere, as distanceKm of domain/geography.ts has them.
create function distance_m(from_lat double precision, from_lng double precision, to_lat double precision,
  to_lng double precision) returns double precision language sql immutable parallel safe as $$
  select 2 * 6371008.8 * asin(sqrt(least(1, power(sin(radians(to_lat - from_lat) / 2), 2)
    + cos(radians(from_lat)) * cos(radians(to_lat)) * power(sin(radians(to_lng - from_lng) / 2), 2))))
$$;

-- The rules in force at the venues named, or at all: a list of {rule, category, placeKind, distanceM, hours}. A venue
-- without any has no row. A degree of latitude is 111,195 m, so the band of latitudes leaves no place out.
create function venue_restrictions(wanted bigint[] default null)
  returns table (venue_handle bigint, restrictions jsonb) language plpgsql stable as $$
begin
  if not exists (select from place_rules) then
    return;
  end if;
  return query
    select v.handle, jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'rule', r.name, 'category', r.category, 'placeKind', r.place_kind, 'distanceM', r.distance_m,
      'hours', case when r.from_minute is not null then jsonb_build_object(
        'daypart', jsonb_build_object('startMinute', r.from_minute, 'endMinute', r.to_minute), 'days', r.days) end
    )) order by r.name)
    from venues v join place_rules r on r.zones is null or v.timezone = any(r.zones)
    where (wanted is null or v.handle = any(wanted))
      and (r.place_kind is null or exists (
        select from sensitive_places p
        where p.kind = r.place_kind
          and p.lat between v.lat - r.distance_m / 111000.0 and v.lat + r.distance_m / 111000.0
          and distance_m(v.lat, v.lng, p.lat, p.lng) <= r.distance_m))
    group by v.handle;
end $$;
