-- Stores the names of issued and unreported plays of an epoch, so that they are found when they lapse. A play that was
-- counted, released or named before is skipped. A play whose window ended before the line has already lapsed.
-- KEYS amounts, bits of the epoch, names, line, campaigns that lapse
-- ARGV epoch, campaign, plays (24 bytes each, big endian: u32 issue number, u32 1 for an offline plan, u64 reservation,
--      u64 end of its window), time to live in s
-- Returns how many were stored.
guard()
if is_old(ARGV[1]) then return 0 end
local epoch, campaign, plays = ARGV[1], ARGV[2], ARGV[3]
local line = tonumber(call('GET', KEYS[4]) or 0)
local noted, freed, first, at = 0, 0, nil, 1
while at <= #plays do
  local issue, plan, reserved, ends
  issue, plan, reserved, ends, at = struct.unpack('>I4I4I8I8', plays, at)
  local name = play_name(epoch, issue, reserved) .. (plan == 1 and ':p' or '')
  local place = '#' .. spell(issue)
  if call('BITFIELD', KEYS[2], 'GET', 'u2', place)[1] == 0 then
    if ends < line then
      call('BITFIELD', KEYS[2], 'SET', 'u2', place, 2)
      forget_name(KEYS[1], KEYS[3], epoch, issue, reserved)
      if take_reserved(KEYS[1], epoch, reserved) then freed = freed + reserved end
    elseif call('ZADD', KEYS[3], 'NX', spell(ends), name) == 1 then
      add(KEYS[1], 'named:' .. epoch, reserved)
      if plan == 1 then add(KEYS[1], 'planned', reserved) end
      noted = noted + 1
      if not first or ends < first then first = ends end
    end
  end
end
if call('EXISTS', KEYS[2]) == 1 then call('EXPIRE', KEYS[2], ARGV[4]) end
free_up(KEYS[1], freed)
if first then call('ZADD', KEYS[5], 'LT', spell(first), campaign) end
return noted
