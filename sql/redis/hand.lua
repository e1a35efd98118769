-- handed -> free. Carries the total ever handed, so that a repeat adds nothing. Answers what was added.
-- KEYS amounts; ARGV total
guard()
local total = exact(ARGV[1], 'total')
local handed = amount(KEYS[1], 'handed')
local rise = math.max(0, total - handed)
add(KEYS[1], 'handed', rise)
free_up(KEYS[1], rise)
return rise
