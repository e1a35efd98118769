-- Settles one campaign of an epoch that is closed: what may have been issued goes into doubt, the rest becomes free at once.
-- May be repeated: what was counted meanwhile has left both sides. Money in doubt without a name waits for the last slot
-- that could have been issued.
-- KEYS amounts, campaigns of the epoch, campaigns that lapse
-- ARGV epoch, campaign, micros that were issued perhaps (without the named plays), or -1: nobody knows, all of it; ms until
--      a play issued now has surely lapsed
-- Answers what became free.
guard()
local epoch, campaign, unknown = ARGV[1], ARGV[2], tonumber(ARGV[3])
local open, doubt, named = amount(KEYS[1], 'open:' .. epoch), amount(KEYS[1], 'doubt:' .. epoch), amount(KEYS[1], 'named:' .. epoch)
local had = open + doubt
local kept = had
if unknown >= 0 then kept = math.min(had, named + unknown) end
add(KEYS[1], 'open:' .. epoch, -open)
add(KEYS[1], 'doubt:' .. epoch, kept - doubt)
call('HDEL', KEYS[1], 'grant:' .. epoch, 'give:' .. epoch)
free_up(KEYS[1], had - kept)
if kept > named then
  call('HSETNX', KEYS[1], 'until:' .. epoch, spell(now_ms() + tonumber(ARGV[4])))
  call('ZADD', KEYS[3], 'LT', call('HGET', KEYS[1], 'until:' .. epoch), campaign)
else
  call('HDEL', KEYS[1], 'until:' .. epoch)
end
if kept == 0 then call('SREM', KEYS[2], campaign) end
return had - kept
