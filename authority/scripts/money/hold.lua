-- Stops grants for a moment, so that a lowered budget is compared with amounts that cannot rise before take-back
-- carries it out. Several callers may hold at once, each by a name: grants continue when the last hold has ended, or
-- when all have expired because a caller died.
-- KEYS amounts
-- ARGV name of the hold, ms that it lasts at most
-- Returns the amounts: the fields and their values, one after the other.
guard()
local name, now, ends = ARGV[1], now_ms(), amount(KEYS[1], 'hold_until')
local names = ends > now and call('HGET', KEYS[1], 'hold') or ''
call('HSET', KEYS[1], 'hold', names .. ' ' .. name, 'hold_until', spell(math.max(ends, now + tonumber(ARGV[2]))))
return call('HGETALL', KEYS[1])
