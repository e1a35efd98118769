-- Fixed windows on Redis time, of one key and of its workspace: a second for bursts, a minute per bucket. All windows are
-- looked at before any is counted in, so a refused call consumes nothing.
-- KEYS windows of the key, windows of the workspace
-- ARGV per second of the key, of the workspace, per minute of the workspace; then name and max of each minute bucket of
--      the key, the one that is shown last
-- Answers {allowed, remaining of the shown bucket, ms to the end of the minute, ms to wait, remaining of the workspace, 1 when
--          it is the workspace that has none left}.
local now = now_ms()
local minute, second = math.floor(now / 60000), math.floor(now / 1000)

local function read(key, names)
  local state = call('HMGET', key, 'minute', 'second', 'burst', unpack(names))
  local is_same_minute = tonumber(state[1] or -1) == minute
  local windows = { is_same_minute = is_same_minute, burst = tonumber(state[2] or -1) == second and tonumber(state[3]) or 0, used = {} }
  for i = 1, #names do windows.used[i] = is_same_minute and tonumber(state[3 + i] or 0) or 0 end
  return windows
end

local function count(key, names, windows)
  local changes = { 'minute', minute, 'second', second, 'burst', windows.burst + 1 }
  for i, name in ipairs(names) do
    changes[#changes + 1] = name
    changes[#changes + 1] = windows.used[i] + 1
  end
  if not windows.is_same_minute then call('DEL', key) end
  call('HSET', key, unpack(changes))
  if not windows.is_same_minute then call('PEXPIRE', key, 120000) end
end

local names, maxima = {}, {}
for i = 4, #ARGV, 2 do
  names[#names + 1] = ARGV[i]
  maxima[#maxima + 1] = tonumber(ARGV[i + 1])
end
local own, shared = read(KEYS[1], names), read(KEYS[2], { 'requests' })
local is_spent, remaining = false, 0
for i, max in ipairs(maxima) do
  is_spent = is_spent or own.used[i] >= max
  remaining = max - own.used[i]
end
local shared_remaining = tonumber(ARGV[3]) - shared.used[1]
local is_own = is_spent or own.burst >= tonumber(ARGV[1])
local is_shared = shared_remaining <= 0 or shared.burst >= tonumber(ARGV[2])
local minute_ms, second_ms = 60000 - now % 60000, 1000 - now % 1000
if is_own or is_shared then
  local waits_minute = is_spent or shared_remaining <= 0
  return { 0, math.max(0, remaining), minute_ms, waits_minute and minute_ms or second_ms, math.max(0, shared_remaining), is_own and 0 or 1 }
end
count(KEYS[1], names, own)
count(KEYS[2], { 'requests' }, shared)
return { 1, remaining - 1, minute_ms, 0, shared_remaining - 1, 0 }
