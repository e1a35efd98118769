-- handed -> free. Carries the total ever handed, so that a repeat adds nothing. An authority that knows nothing of a campaign
-- with charges has lost it: told the total, it would let what was spent be spent again. Answers what was added, or -1 then.
-- KEYS amounts; ARGV total, what was charged
local total = exact(ARGV[1], 'total')
local handed = amount(KEYS[1], 'handed')
if handed == 0 and exact(ARGV[2], 'charged') > 0 then return -1 end
local rise = math.max(0, total - handed)
add(KEYS[1], 'handed', rise)
free_up(KEYS[1], rise)
return rise
