-- A node says that it lives. Answers {1, how many epochs live}, or {0, ...} when its epoch was closed or fenced.
-- KEYS epoch, live epochs; ARGV epoch, time to live in s
if not is_live(KEYS[1], KEYS[2], ARGV[1], ARGV[2]) then return { 0, call('ZCARD', KEYS[2]) } end
call('EXPIRE', KEYS[1], ARGV[2])
call('ZADD', KEYS[2], spell(now_ms()), ARGV[1])
return { 1, call('ZCARD', KEYS[2]) }
