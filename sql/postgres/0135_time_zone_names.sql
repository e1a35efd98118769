-- Time zones of venues by the names that every engine knows and reads alike, in the spelling of the IANA database. Until
-- now whatever Intl takes was stored: names in any case, and names of ICU's own, both of which ClickHouse refuses. What
-- PostgreSQL takes for abbreviations becomes the zone that the IANA database links it to.
update venues set timezone = known.name
  from pg_timezone_names known
  where lower(known.name) = lower(venues.timezone) and known.name <> venues.timezone;

update venues set timezone = known.name
  from (values
    ('act', 'Australia/Darwin'), ('aet', 'Australia/Sydney'), ('agt', 'America/Argentina/Buenos_Aires'), ('art', 'Africa/Cairo'),
    ('ast', 'America/Anchorage'), ('bet', 'America/Sao_Paulo'), ('bst', 'Asia/Dhaka'), ('cat', 'Africa/Maputo'),
    ('cnt', 'America/St_Johns'), ('cst', 'America/Chicago'), ('ctt', 'Asia/Shanghai'), ('eat', 'Africa/Nairobi'),
    ('ect', 'Europe/Paris'), ('iet', 'America/Indiana/Indianapolis'), ('ist', 'Asia/Kolkata'), ('jst', 'Asia/Tokyo'),
    ('mit', 'Pacific/Apia'), ('net', 'Asia/Yerevan'), ('nst', 'Pacific/Auckland'), ('plt', 'Asia/Karachi'),
    ('pnt', 'America/Phoenix'), ('prt', 'America/Puerto_Rico'), ('pst', 'America/Los_Angeles'), ('sst', 'Pacific/Guadalcanal'),
    ('vst', 'Asia/Ho_Chi_Minh'),
    ('cet', 'Europe/Brussels'), ('eet', 'Europe/Athens'), ('met', 'Europe/Brussels'), ('wet', 'Europe/Lisbon'),
    ('systemv/ast4', 'Etc/GMT+4'), ('systemv/ast4adt', 'America/Halifax'), ('systemv/est5', 'Etc/GMT+5'),
    ('systemv/est5edt', 'America/New_York'), ('systemv/cst6', 'Etc/GMT+6'), ('systemv/cst6cdt', 'America/Chicago'),
    ('systemv/mst7', 'Etc/GMT+7'), ('systemv/mst7mdt', 'America/Denver'), ('systemv/pst8', 'Etc/GMT+8'),
    ('systemv/pst8pdt', 'America/Los_Angeles'), ('systemv/yst9', 'Etc/GMT+9'), ('systemv/yst9ydt', 'America/Anchorage'),
    ('systemv/hst10', 'Pacific/Honolulu'), ('us/pacific-new', 'America/Los_Angeles'),
    ('canada/east-saskatchewan', 'America/Regina'), ('america/coyhaique', 'America/Punta_Arenas')
  ) as known (alias, name)
  where known.alias = lower(venues.timezone);
