-- The Redis time up to which every acknowledged play has its row: the line of the oldest pending job, else now. After a
-- rebuild not later than what is known to have survived, until every node that lives has added again what it had stored
-- (or 120 s have passed, after which a node that says nothing is taken for dead).
-- KEYS pending; ARGV ms to wait for nodes
guard()
local oldest = call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local now = now_ms()
local line = math.min(now, tonumber(oldest[2] or now))
local hold = call('HMGET', AUTHORITY, 'hold_ms', 'hold_from')
if not hold[1] then return line end
if now > tonumber(hold[2]) + tonumber(ARGV[1]) or call('EXISTS', AUTHORITY .. ':waiting') == 0 then
  call('HDEL', AUTHORITY, 'hold_ms', 'hold_from')
  return line
end
return math.min(line, tonumber(hold[1]))
