-- Renews the epoch of a node. A node with more grants than are known here has seen grants that Redis has lost: the
-- authority then waits for a rebuild.
-- KEYS epoch, live epochs
-- ARGV epoch, time to live in s, how many grants brought the node money under this epoch
-- Returns {1 if the epoch lives, 0 if it was closed or fenced; number of living epochs}.
guard()
if not is_old(ARGV[1]) and amount(KEYS[1], 'grants') < tonumber(ARGV[3]) then
  call('HDEL', AUTHORITY, 'life', 'generation')
  return redis.error_reply('AUTHORITY_LOST the authority has lost grants and waits to be rebuilt')
end
if not is_live(KEYS[1], KEYS[2], ARGV[1], ARGV[2]) then return { 0, call('ZCARD', KEYS[2]) } end
call('EXPIRE', KEYS[1], ARGV[2])
call('ZADD', KEYS[2], spell(now_ms()), ARGV[1])
return { 1, call('ZCARD', KEYS[2]) }
