-- A play that was issued and will never be reported: its reservation becomes free, once. Answers 1 when it did.
-- KEYS amounts, bits of its epoch; ARGV epoch, issue number, reservation, time to live in s
local epoch, issue, reserved = ARGV[1], exact(ARGV[2], 'issue number'), exact(ARGV[3], 'reservation')
local before = call('BITFIELD', KEYS[2], 'GET', 'u2', '#' .. spell(issue))[1]
if before ~= 0 then return 0 end
call('BITFIELD', KEYS[2], 'SET', 'u2', '#' .. spell(issue), 2)
call('EXPIRE', KEYS[2], ARGV[4])
for _, part in ipairs({ 'open:', 'doubt:' }) do
  if amount(KEYS[1], part .. epoch) >= reserved then
    add(KEYS[1], part .. epoch, -reserved)
    add(KEYS[1], 'free', reserved)
    return 1
  end
end
return 0
