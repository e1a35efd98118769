-- Put before every script. Numbers in Lua are doubles: amounts stay below 2^53, which `exact` asserts, and are always
-- written with %.0f because Lua's own spelling loses digits after the fourteenth.
local call = redis.call
local EXACT_MAX = 9007199254740991

local function exact(value, what)
  local number = tonumber(value)
  if not number or number ~= math.floor(number) or number < 0 or number > EXACT_MAX then
    error({ err = 'MARQUEE_RANGE ' .. what .. ' is ' .. tostring(value) })
  end
  return number
end

local function spell(number) return string.format('%.0f', number) end

-- Redis time in ms, moved by a key that only tests set.
local function now_ms()
  local time = call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(call('GET', 'clock:offset_ms') or 0)
end

local function amount(key, field) return tonumber(call('HGET', key, field) or 0) end

local function add(key, field, change)
  if change == 0 then return end
  local after = call('HINCRBY', key, field, spell(change))
  if after < 0 or after > EXACT_MAX then error({ err = 'MARQUEE_RANGE ' .. field .. ' becomes ' .. spell(after) }) end
end
