-- Raises the mark by which a Redis that was rolled back is told from one that was only restarted.
-- Postgres learns of the mark afterwards, so that it never stands higher there than here. Answers the mark.
-- KEYS record; ARGV the highest mark known
guard()
local mark = math.max(amount(AUTHORITY, 'mark'), tonumber(ARGV[1])) + 1
call('HSET', AUTHORITY, 'mark', spell(mark))
return mark
