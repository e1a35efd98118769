-- Closes an epoch: from here on it can move nothing. Its money is settled campaign by campaign afterwards
-- (epoch-settle).
-- KEYS epoch, live epochs, closing epochs
-- ARGV epoch, quiet time in ms, time to live in s
-- Returns 1 if the epoch is closed, 0 if it was renewed within the quiet time and stays live, 2 if a rebuild ended it.
guard()
if is_old(ARGV[1]) then return 2 end
local seen = call('ZSCORE', KEYS[2], ARGV[1])
if seen and tonumber(seen) > now_ms() - tonumber(ARGV[2]) then return 0 end
call('HSET', KEYS[1], 'state', 'closed')
call('EXPIRE', KEYS[1], ARGV[3])
call('ZREM', KEYS[2], ARGV[1])
call('ZADD', KEYS[3], 'NX', spell(now_ms()), ARGV[1])
return 1
