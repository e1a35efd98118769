-- free -> returned, until `target` was ever returned; what is not free now stays owed (see free_up). Carries the total, so
-- that a repeat or an older total asks for nothing more. Ends the hold of this name. Answers the total ever returned.
-- KEYS amounts; ARGV target, name of a hold or empty
guard()
local target = exact(ARGV[1], 'target')
if target > amount(KEYS[1], 'target') then call('HSET', KEYS[1], 'target', spell(target)) end
free_up(KEYS[1], 0)
if call('HGET', KEYS[1], 'hold') == ARGV[2] then call('HDEL', KEYS[1], 'hold', 'hold_until') end
return amount(KEYS[1], 'returned')
