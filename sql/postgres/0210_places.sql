-- What brands see of a venue: its name where it is shown, where it stands as exactly as it says, a picture. A tenth of a
-- degree is some 10 km, the size of a city. What a search by place compares is what is shown, so that no search finds out more.
alter table venues
  add column name_shown boolean not null default true,
  add column coordinates_shown text not null default 'city' check (coordinates_shown in ('exact', 'city', 'hidden')),
  add column photo_asset_handle bigint references assets,
  add column photo_object text; -- name of the picture in the storage, of an asset that is ready

alter table venues
  add column shown_name text generated always as (case when name_shown then name end) stored,
  add column shown_lat double precision generated always as
    (case coordinates_shown when 'exact' then lat when 'city' then round(lat::numeric, 1)::double precision end) stored,
  add column shown_lng double precision generated always as
    (case coordinates_shown when 'exact' then lng when 'city' then round(lng::numeric, 1)::double precision end) stored,
  add constraint venues_photo check ((photo_asset_handle is null) = (photo_object is null));
create index venues_by_photo on venues (photo_asset_handle) where photo_asset_handle is not null;
