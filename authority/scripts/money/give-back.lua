-- Moves open[epoch] to free: money that a living node was granted and has not issued. Calls are numbered like grants; a
-- used number moves nothing.
-- KEYS amounts, epoch, live epochs
-- ARGV epoch, number, micros, time to live in s
-- Returns the moved micros, or -1 if the epoch is closed: then the close moves them.
guard()
local epoch, number, micros = ARGV[1], exact(ARGV[2], 'number'), exact(ARGV[3], 'micros')
if not is_live(KEYS[2], KEYS[3], epoch, ARGV[4]) then return -1 end
local field = 'give:' .. epoch
local last = call('HGET', KEYS[1], field)
if last and number <= tonumber(last) then return 0 end
if micros > amount(KEYS[1], 'open:' .. epoch) then error({ err = 'MARQUEE_RANGE more is given back than is open' }) end
add(KEYS[1], 'open:' .. epoch, -micros)
free_up(KEYS[1], micros)
call('HSET', KEYS[1], field, spell(number))
return micros
