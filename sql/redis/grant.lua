-- free -> open[epoch], as much of `want` as there is. In order: the last number repeats its answer, a lower one does
-- nothing. Answers {granted, short}.
-- KEYS amounts; ARGV epoch, number, want
local epoch, number, want = ARGV[1], exact(ARGV[2], 'number'), exact(ARGV[3], 'want')
local field = 'grant:' .. epoch
local last, granted, short = string.match(call('HGET', KEYS[1], field) or '', '^(%d+):(%d+):(%d+)$')
if last and number <= tonumber(last) then
  if number < tonumber(last) then return { 0, 0 } end
  return { tonumber(granted), tonumber(short) }
end
local given = math.min(want, amount(KEYS[1], 'free'))
add(KEYS[1], 'free', -given)
add(KEYS[1], 'open:' .. epoch, given)
call('HSET', KEYS[1], field, spell(number) .. ':' .. spell(given) .. ':' .. spell(want - given))
return { given, want - given }
