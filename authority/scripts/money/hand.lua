-- Hands money to the authority: handed and free rise. The call has the total ever handed, so a repeat adds nothing. The
-- number of counted plays begins with the first money: none can have been counted before.
-- KEYS amounts
-- ARGV total
-- Returns the added micros.
guard()
local total = exact(ARGV[1], 'total')
local handed = amount(KEYS[1], 'handed')
local rise = math.max(0, total - handed)
if handed == 0 and rise > 0 then call('HSET', KEYS[1], 'counted', '0') end
add(KEYS[1], 'handed', rise)
free_up(KEYS[1], rise)
return rise
