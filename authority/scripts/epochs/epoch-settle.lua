-- Settles one campaign of a closed epoch: possibly issued money goes into doubt, and the rest becomes free at once. May
-- be repeated: money counted meanwhile has left both sides. Money in doubt without a name waits until the last play
-- that could have been issued can no longer be charged.
-- KEYS amounts, campaigns of the epoch, campaigns that lapse
-- ARGV epoch, campaign, micros that may have been issued without a name (-1: not known, all of it may), ms until a play
--      that is issued now can no longer be charged
-- Returns nothing.
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
