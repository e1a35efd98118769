-- A node says that it lives. Answers {1, how many epochs live}, or {0, ...} when its epoch was closed or fenced.
-- A node that was granted more often than is known here has seen what Redis has lost: the authority waits for a rebuild.
-- KEYS epoch, live epochs; ARGV epoch, time to live in s, how many grants brought the node money under this epoch
guard()
if not is_old(ARGV[1]) and amount(KEYS[1], 'grants') < tonumber(ARGV[3]) then
  call('HDEL', AUTHORITY, 'life', 'generation')
  return redis.error_reply('AUTHORITY_LOST the authority has lost grants and waits to be rebuilt')
end
if not is_live(KEYS[1], KEYS[2], ARGV[1], ARGV[2]) then return { 0, call('ZCARD', KEYS[2]) } end
call('EXPIRE', KEYS[1], ARGV[2])
call('ZADD', KEYS[2], spell(now_ms()), ARGV[1])
return { 1, call('ZCARD', KEYS[2]) }
