-- Stores how much ad time screens hold from one process, and reads how much they hold from other processes and how much
-- they have shown (counted plays) today and on the two days before.
-- KEYS record of the authority
-- ARGV process, screens (20 bytes each, big endian: u64 screen, u32 held in s, u64 when all of it has lapsed in ms)
-- Returns two numbers per screen: seconds held from other processes, and shown ticks.
guard()
local DAY_MS, DAY_HOURS = 86400000, 24
local process, screens = ARGV[1], ARGV[2]
local now = now_ms()
local today = math.floor(now / DAY_MS)

-- Fields by process: s held, and when they lapse. Lapsed ones are removed.
local function held_elsewhere(key)
  local held, last = 0, 0
  local fields = call('HGETALL', key)
  for i = 1, #fields, 2 do
    local seconds, ends_at = string.match(fields[i + 1], '^(%d+):(%d+)$')
    if tonumber(ends_at) <= now then
      call('HDEL', key, fields[i])
    else
      last = math.max(last, tonumber(ends_at))
      if fields[i] ~= process then held = held + tonumber(seconds) end
    end
  end
  if last > 0 then call('PEXPIREAT', key, spell(last)) end
  return held
end

local function shown(prefix)
  local ticks = 0
  for day = today - 2, today do
    local hours = call('GET', prefix .. ':d' .. spell(day)) or ''
    for at = 1, math.min(#hours, 2 * DAY_HOURS) - 1, 2 do ticks = ticks + struct.unpack('>I2', hours, at) end
  end
  return ticks
end

local answers, at = {}, 1
while at <= #screens do
  local screen, seconds, ends_at
  screen, seconds, ends_at, at = struct.unpack('>I8I4I8', screens, at)
  local prefix = TAG .. ':s' .. spell(screen)
  local key = prefix .. ':held'
  if seconds == 0 then call('HDEL', key, process) else call('HSET', key, process, spell(seconds) .. ':' .. spell(ends_at)) end
  answers[#answers + 1] = held_elsewhere(key)
  answers[#answers + 1] = shown(prefix)
end
return answers
