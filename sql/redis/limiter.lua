-- Fixed windows of one key on Redis time: a second for bursts, a minute per bucket. All windows are looked at before any
-- is counted in, so a refused call consumes nothing.
-- KEYS windows; ARGV second_max, then name and max of each minute bucket, the one that is shown last
-- Answers {allowed, remaining of the shown bucket, ms to the end of the minute, ms to wait}.
local now = now_ms()
local minute, second = math.floor(now / 60000), math.floor(now / 1000)
local fields = { 'minute', 'second', 'burst' }
for i = 2, #ARGV, 2 do fields[#fields + 1] = ARGV[i] end
local state = call('HMGET', KEYS[1], unpack(fields))
local is_same_minute = tonumber(state[1] or -1) == minute
local burst = tonumber(state[2] or -1) == second and tonumber(state[3]) or 0
local changes = { 'minute', minute, 'second', second, 'burst', burst + 1 }
local is_spent, remaining = false, 0
for i = 2, #ARGV, 2 do
  local max = tonumber(ARGV[i + 1])
  local used = is_same_minute and tonumber(state[3 + i / 2] or 0) or 0
  is_spent = is_spent or used >= max
  remaining = max - used
  changes[#changes + 1] = ARGV[i]
  changes[#changes + 1] = used + 1
end
local minute_ms, second_ms = 60000 - now % 60000, 1000 - now % 1000
if is_spent or burst >= tonumber(ARGV[1]) then
  return { 0, math.max(0, remaining), minute_ms, is_spent and minute_ms or second_ms }
end
if not is_same_minute then call('DEL', KEYS[1]) end
call('HSET', KEYS[1], unpack(changes))
if not is_same_minute then call('PEXPIRE', KEYS[1], 120000) end
return { 1, remaining - 1, minute_ms, 0 }
