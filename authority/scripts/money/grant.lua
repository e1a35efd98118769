-- Moves free to open[epoch]: as much of `want` as available, and nothing during a hold. Calls are numbered: the last
-- number repeats its answer, and a lower one does nothing. A closed or fenced epoch gets nothing.
-- KEYS amounts, epoch, campaigns of the epoch, live epochs
-- ARGV epoch, number, want, campaign, time to live in s
-- Returns {granted, short, handed money that stays, spent, reserved for offline playlists}, or {-1} if the epoch is
-- closed.
guard()
local epoch, number, want = ARGV[1], exact(ARGV[2], 'number'), exact(ARGV[3], 'want')
if not is_live(KEYS[2], KEYS[4], epoch, ARGV[5]) then return { -1 } end
local function answer(granted, short)
  return { granted, short, amount(KEYS[1], 'handed') - amount(KEYS[1], 'target'), amount(KEYS[1], 'spent'), amount(KEYS[1], 'planned') }
end
local field = 'grant:' .. epoch
local last, granted, short = string.match(call('HGET', KEYS[1], field) or '', '^(%d+):(%d+):(%d+)$')
if last and number <= tonumber(last) then
  if number < tonumber(last) then return answer(0, 0) end
  return answer(tonumber(granted), tonumber(short))
end
local held_until = call('HGET', KEYS[1], 'hold_until')
local given = 0
if not held_until or tonumber(held_until) <= now_ms() then given = math.min(want, amount(KEYS[1], 'free')) end
add(KEYS[1], 'free', -given)
if given > 0 then call('HINCRBY', KEYS[2], 'grants', 1) end
add(KEYS[1], 'open:' .. epoch, given)
call('HSET', KEYS[1], field, spell(number) .. ':' .. spell(given) .. ':' .. spell(want - given))
-- Also for a grant of nothing: its field is removed with the epoch.
call('SADD', KEYS[3], ARGV[4])
call('EXPIRE', KEYS[3], ARGV[5])
return answer(given, want - given)
