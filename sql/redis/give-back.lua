-- open[epoch] -> free: what a living node has not issued. In order, as a grant. Answers what was moved.
-- KEYS amounts; ARGV epoch, number, micros
local epoch, number, micros = ARGV[1], exact(ARGV[2], 'number'), exact(ARGV[3], 'micros')
local field = 'give:' .. epoch
local last = call('HGET', KEYS[1], field)
if last and number <= tonumber(last) then return 0 end
if micros > amount(KEYS[1], 'open:' .. epoch) then error({ err = 'MARQUEE_RANGE more is given back than is open' }) end
add(KEYS[1], 'open:' .. epoch, -micros)
add(KEYS[1], 'free', micros)
call('HSET', KEYS[1], field, spell(number))
return micros
