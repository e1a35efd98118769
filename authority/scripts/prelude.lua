-- Put before every script. Numbers in Lua are doubles: amounts stay below 2^53, which `exact` asserts, and are always
-- written with %.0f because Lua's own format loses digits after the fourteenth.
local call = redis.call
local EXACT_MAX = 9007199254740991

local function exact(value, what)
  local number = tonumber(value)
  if not number or number ~= math.floor(number) or number < 0 or number > EXACT_MAX then
    error({ err = 'MARQUEE_RANGE ' .. what .. ' is ' .. tostring(value) })
  end
  return number
end

-- Every key of a call belongs to one shard and has its tag, so that a cluster keeps them on one master. Undeclared keys
-- computed by a script have the same tag.
local TAG = string.match(KEYS[1], '^{[^}]+}')

local function spell(number) return string.format('%.0f', number) end

-- Redis time in ms, moved by a key that only tests set; '=<ms>' there stops it.
local function now_ms()
  local moved = call('GET', TAG .. ':clock:offset_ms')
  if moved and string.sub(moved, 1, 1) == '=' then return tonumber(string.sub(moved, 2)) end
  local time = call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) + tonumber(moved or 0)
end

-- The shard's own record: `life` names the run of Redis that was verified or rebuilt. A Redis that was restarted,
-- promoted or emptied has another name (or no record) and answers nothing until a worker has recovered it.
local AUTHORITY = TAG .. ':authority'
local FIRST_EPOCH, GENERATION = 0, 0

local function this_life() return string.match(call('INFO', 'replication'), 'master_replid:(%x+)') end

local function guard()
  local record = call('HMGET', AUTHORITY, 'life', 'first_epoch', 'generation')
  if not record[1] or record[1] ~= this_life() then error({ err = 'AUTHORITY_LOST the authority waits to be rebuilt' }) end
  FIRST_EPOCH, GENERATION = tonumber(record[2]), tonumber(record[3])
end

-- An epoch from before the last rebuild: it no longer holds money, which is in doubt under epoch 0.
local function is_old(epoch) return tonumber(epoch) < FIRST_EPOCH end

local function amount(key, field) return tonumber(call('HGET', key, field) or 0) end

-- A field that becomes 0 is removed: every epoch of every node has its own fields, and most of them end at 0.
local function add(key, field, change)
  if change == 0 then return end
  local after = call('HINCRBY', key, field, spell(change))
  if after < 0 or after > EXACT_MAX then error({ err = 'MARQUEE_RANGE ' .. field .. ' becomes ' .. spell(after) }) end
  if after == 0 then call('HDEL', key, field) end
end

-- Money becomes free: a debt (unpaid requests of take-back) is paid before anything can be granted again.
local function free_up(key, change)
  local free = amount(key, 'free') + change
  local owed = amount(key, 'target') - amount(key, 'returned')
  local paid = math.max(0, math.min(free, owed))
  add(key, 'free', change - paid)
  add(key, 'returned', paid)
end

-- The number of counted plays. If it is unknown, the time of the last count is noted (see take-up-count).
local function add_counted(key, plays)
  if plays == 0 then return end
  if call('HEXISTS', key, 'counted') == 1 then
    call('HINCRBY', key, 'counted', spell(plays))
  else
    call('HSET', key, 'counted_at', spell(now_ms()))
  end
end

-- Takes a reservation out of its epoch's money; false if that is too little.
local function take_reserved(key, epoch, reserved)
  for _, part in ipairs({ 'open:', 'doubt:' }) do
    if amount(key, part .. epoch) >= reserved then
      add(key, part .. epoch, -reserved)
      return true
    end
  end
  return false
end

-- The names of issued plays that are neither counted nor released: a sorted set by the end of their window. Those of
-- offline playlists end in :p and are summed separately, because all playlists share a limit.
local function play_name(epoch, issue, reserved) return epoch .. ':' .. spell(issue) .. ':' .. spell(reserved) end

local function forget_name(amounts, names, epoch, issue, reserved)
  local name = play_name(epoch, issue, reserved)
  if call('ZREM', names, name) == 1 then
    add(amounts, 'named:' .. epoch, -reserved)
  elseif call('ZREM', names, name .. ':p') == 1 then
    add(amounts, 'named:' .. epoch, -reserved)
    add(amounts, 'planned', -reserved)
  end
end

-- Whether an epoch may still move money. The first call of an unknown epoch begins its life. After `guard`.
local function is_live(key, live, epoch, ttl)
  if is_old(epoch) then return false end
  local state = call('HGET', key, 'state')
  if state then return state == 'live' end
  call('HSET', key, 'state', 'live')
  call('EXPIRE', key, ttl)
  call('ZADD', live, spell(now_ms()), epoch)
  return true
end
