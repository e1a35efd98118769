-- Reads as_of, the Redis time up to which every acknowledged play has its row: the line of the oldest pending job, else
-- now. After a rebuild it does not pass the known survivors until every node that may still hold copies of batches has
-- added them again. That has no time limit: a disconnected node is not dead.
-- KEYS pending
-- ARGV none
-- Returns as_of in ms.
guard()
local oldest = call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local now = now_ms()
local line = math.min(now, tonumber(oldest[2] or now))
local hold = call('HGET', AUTHORITY, 'hold_ms')
if not hold then return line end
if call('EXISTS', AUTHORITY .. ':waiting') == 0 then
  call('HDEL', AUTHORITY, 'hold_ms')
  return line
end
return math.min(line, tonumber(hold))
