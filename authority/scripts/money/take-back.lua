-- Moves free to returned up to a total of `target`; the missing part stays owed (`free_up` in the prelude). The call
-- has the total, so a repeat or an older total asks for nothing more. Ends the hold of this name.
-- KEYS amounts
-- ARGV target, name of a hold or empty
-- Returns the total ever returned.
guard()
local target = exact(ARGV[1], 'target')
if target > amount(KEYS[1], 'target') then call('HSET', KEYS[1], 'target', spell(target)) end
free_up(KEYS[1], 0)
local others = ''
for name in string.gmatch(call('HGET', KEYS[1], 'hold') or '', '%S+') do
  if name ~= ARGV[2] then others = others .. ' ' .. name end
end
if others == '' then
  call('HDEL', KEYS[1], 'hold', 'hold_until')
else
  call('HSET', KEYS[1], 'hold', others)
end
return amount(KEYS[1], 'returned')
