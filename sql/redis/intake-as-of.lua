-- The Redis time up to which every acknowledged play has its row: the line of the oldest pending job, else now.
-- KEYS pending
local oldest = call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local now = now_ms()
if not oldest[2] then return now end
return math.min(now, tonumber(oldest[2]))
