-- Frees the reservation of a play that was issued and will never be reported; once.
-- KEYS amounts, bits of its epoch, names
-- ARGV epoch, issue number, reservation, time to live in s
-- Returns 1 if it became free, else 0.
guard()
local epoch, issue, reserved = ARGV[1], exact(ARGV[2], 'issue number'), exact(ARGV[3], 'reservation')
local before = call('BITFIELD', KEYS[2], 'GET', 'u2', '#' .. spell(issue))[1]
if before ~= 0 then return 0 end
call('BITFIELD', KEYS[2], 'SET', 'u2', '#' .. spell(issue), 2)
call('EXPIRE', KEYS[2], ARGV[4])
forget_name(KEYS[1], KEYS[3], epoch, issue, reserved)
if not take_reserved(KEYS[1], epoch, reserved) then return 0 end
free_up(KEYS[1], reserved)
return 1
