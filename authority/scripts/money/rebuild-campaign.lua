-- Writes one campaign of an authority during a rebuild: the data of Postgres and ClickHouse, and the rest of the handed
-- money as doubt of epoch 0, until the last play that could have been issued can no longer be charged. Refused while
-- Redis answers: later changes would be lost.
-- KEYS amounts, campaigns that lapse
-- ARGV campaign, handed, returned, spent, what shall be returned, ms until the rest lapses, number of counted plays
-- Returns the micros in doubt.
if call('HGET', AUTHORITY, 'life') then error({ err = 'MARQUEE_RANGE the authority answers and is not rebuilt' }) end
local handed, returned, spent, target = exact(ARGV[2], 'handed'), exact(ARGV[3], 'returned'), exact(ARGV[4], 'spent'), exact(ARGV[5], 'target')
local rest = exact(handed - returned - spent, 'what is in doubt')
local counted = exact(ARGV[7], 'counted plays')
call('DEL', KEYS[1])
call('HSET', KEYS[1], 'counted', spell(counted))
add(KEYS[1], 'handed', handed)
add(KEYS[1], 'returned', returned)
add(KEYS[1], 'spent', spent)
add(KEYS[1], 'target', target)
if rest == 0 then return 0 end
local ends = spell(now_ms() + tonumber(ARGV[6]))
add(KEYS[1], 'doubt:0', rest)
call('HSET', KEYS[1], 'until:0', ends)
call('ZADD', KEYS[2], ends, ARGV[1])
return rest
