-- Stops grants for a moment, so that a lowered budget is compared with amounts that cannot rise before take-back carries
-- it out. Several may hold at once, each by its name: grants go on when the last has ended, or by themselves when the time of
-- all is over, should a caller die. Answers the amounts, field by field.
-- KEYS amounts; ARGV name of the hold, ms that it lasts at most
guard()
local name, now, ends = ARGV[1], now_ms(), amount(KEYS[1], 'hold_until')
local names = ends > now and call('HGET', KEYS[1], 'hold') or ''
call('HSET', KEYS[1], 'hold', names .. ' ' .. name, 'hold_until', spell(math.max(ends, now + tonumber(ARGV[2]))))
return call('HGETALL', KEYS[1])
