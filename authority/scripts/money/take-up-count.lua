-- Sets the number of counted plays if it is unknown or too low to be right, because the campaign ran under a version
-- without one. If nothing was counted since a time before which all is charged, it is the number of charged plays.
-- KEYS amounts
-- ARGV number of charged plays, time (ms): what was counted before it is among them
-- Returns {the number, or -1 while unknown; 1 if it was set now}.
guard()
local charged = exact(ARGV[1], 'charged plays')
local counted = tonumber(call('HGET', KEYS[1], 'counted') or -1)
if counted >= charged then return { counted, 0 } end
local last = tonumber(call('HGET', KEYS[1], 'counted_at') or -1)
if last >= 0 and last < tonumber(ARGV[2]) then
  call('HDEL', KEYS[1], 'counted_at')
  call('HSET', KEYS[1], 'counted', spell(charged))
  return { charged, 1 }
end
call('HDEL', KEYS[1], 'counted')
if last < 0 then call('HSET', KEYS[1], 'counted_at', spell(now_ms())) end
return { -1, 0 }
