-- Into how many shards Redis is divided (REDIS_SHARDS), since the first process began; null before.
alter table authority_life add column shards integer check (shards between 1 and 64);
