-- handed -> free. Carries the total ever handed, so that a repeat adds nothing. Answers what was added.
-- KEYS amounts; ARGV total
local total = exact(ARGV[1], 'total')
local rise = math.max(0, total - amount(KEYS[1], 'handed'))
add(KEYS[1], 'handed', rise)
add(KEYS[1], 'free', rise)
return rise
