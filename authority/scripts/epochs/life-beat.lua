-- Raises the mark, which distinguishes a Redis that was rolled back from one that was only restarted. Postgres gets the
-- mark afterwards, so it is never higher there than here.
-- KEYS record
-- ARGV the highest mark known
-- Returns the mark.
guard()
local mark = math.max(amount(AUTHORITY, 'mark'), tonumber(ARGV[1])) + 1
call('HSET', AUTHORITY, 'mark', spell(mark))
return mark
