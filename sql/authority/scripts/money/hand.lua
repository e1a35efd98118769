-- handed -> free. Carries the total ever handed, so that a repeat adds nothing. With the first money begins the number of
-- counted plays: none can have been counted before. Answers what was added.
-- KEYS amounts; ARGV total
guard()
local total = exact(ARGV[1], 'total')
local handed = amount(KEYS[1], 'handed')
local rise = math.max(0, total - handed)
if handed == 0 and rise > 0 then call('HSET', KEYS[1], 'counted', '0') end
add(KEYS[1], 'handed', rise)
free_up(KEYS[1], rise)
return rise
