-- Stops grants for a moment, so that a lowered budget is compared with amounts that cannot rise before take-back carries
-- it out. It ends by itself should its caller die. Answers the amounts, field by field.
-- KEYS amounts; ARGV name of the hold, ms that it lasts at most
guard()
call('HSET', KEYS[1], 'hold', ARGV[1], 'hold_until', spell(now_ms() + tonumber(ARGV[2])))
return call('HGETALL', KEYS[1])
