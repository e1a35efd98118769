-- Fences the epochs that were not renewed for the given time: from here on they can move nothing.
-- KEYS live epochs, closing epochs
-- ARGV silence in ms, prefix of epoch keys, time to live in s
-- Returns the fenced epochs.
guard()
local silent = call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. spell(now_ms() - tonumber(ARGV[1])))
for _, epoch in ipairs(silent) do
  call('HSET', ARGV[2] .. epoch, 'state', 'fenced')
  call('EXPIRE', ARGV[2] .. epoch, ARGV[3])
  call('ZREM', KEYS[1], epoch)
  call('ZADD', KEYS[2], 'NX', spell(now_ms()), epoch)
end
return silent
