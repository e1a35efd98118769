-- The rejected files that may still be replaced at their address, which the workers ask for each second while they list a
-- store. The indexes are made at once: their tables have a row for each file, and are locked for writing meanwhile.
create index creatives_rejected on creatives (upload_expires_at) where status = 'rejected';
create index assets_rejected on assets (upload_expires_at) where status = 'rejected';
