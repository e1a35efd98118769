-- Reads as_of, the Redis time up to which every acknowledged play has its row: the line of the oldest pending job, else
-- now. After a rebuild it is not later than what is known to have survived, until every node that may still hold copies
-- of batches has added them again. That has no limit of time: a node that is cut off is not dead.
-- KEYS pending
-- ARGV none
-- Answers as_of in ms.
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
