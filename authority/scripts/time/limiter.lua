-- Fixed windows on Redis time, of one key and of its workspace: a second for bursts, a minute per bucket. All windows
-- are checked before any is counted, so a refused call consumes nothing. A process may take several calls at once, for
-- this second, and return the unused ones.
-- KEYS windows of the key, windows of the workspace
-- ARGV per second of the key, of the workspace, per minute of the workspace; how many calls are wanted; how many are
--      given back to the first bucket, and the minute that they were taken in; then name and max of each minute bucket
--      of the key, the one that is shown last
-- Returns {how many are given, remaining of the shown bucket, ms to the end of the minute, ms to wait, remaining of the
--          workspace, what is spent, ms to the end of the second, the minute}. What is spent: the number of the key's
--          minute bucket, from 1 on; -1 the workspace's minute, -2 the key's second, -3 the workspace's second; 0 when
--          calls are given.
local now = now_ms()
local minute, second = math.floor(now / 60000), math.floor(now / 1000)

local function read(key, names)
  local state = call('HMGET', key, 'minute', 'second', 'burst', unpack(names))
  local is_same_minute = tonumber(state[1] or -1) == minute
  local windows = { is_same_minute = is_same_minute, burst = tonumber(state[2] or -1) == second and tonumber(state[3]) or 0, used = {} }
  for i = 1, #names do windows.used[i] = is_same_minute and tonumber(state[3 + i] or 0) or 0 end
  return windows
end

local function count(key, names, windows, calls)
  local changes = { 'minute', minute, 'second', second, 'burst', windows.burst + calls }
  for i, name in ipairs(names) do
    changes[#changes + 1] = name
    changes[#changes + 1] = windows.used[i] + calls
  end
  if not windows.is_same_minute then call('DEL', key) end
  call('HSET', key, unpack(changes))
  if not windows.is_same_minute then call('PEXPIRE', key, 120000) end
end

local names, maxima = {}, {}
for i = 7, #ARGV, 2 do
  names[#names + 1] = ARGV[i]
  maxima[#maxima + 1] = tonumber(ARGV[i + 1])
end
local own, shared = read(KEYS[1], names), read(KEYS[2], { 'requests' })
local wanted, given_back = tonumber(ARGV[4]), tonumber(ARGV[6]) == minute and tonumber(ARGV[5]) or 0
if given_back > 0 then
  own.used[1] = math.max(0, own.used[1] - given_back)
  shared.used[1] = math.max(0, shared.used[1] - given_back)
end
local of_minute, remaining = wanted, 0
for i, max in ipairs(maxima) do
  remaining = max - own.used[i]
  of_minute = math.min(of_minute, remaining)
end
local shared_remaining = tonumber(ARGV[3]) - shared.used[1]
local of_own = math.min(of_minute, tonumber(ARGV[1]) - own.burst)
local given = math.max(0, math.min(of_own, shared_remaining, tonumber(ARGV[2]) - shared.burst))
local minute_ms, second_ms = 60000 - now % 60000, 1000 - now % 1000
if given > 0 or given_back > 0 then
  count(KEYS[1], names, own, given)
  count(KEYS[2], { 'requests' }, shared, given)
end
local waits_minute = of_minute <= 0 or shared_remaining <= 0
local wait_ms = given > 0 and 0 or waits_minute and minute_ms or second_ms
local spent = 0
if given <= 0 then
  -- The window with the longest wait; among the key's buckets the shown one, if it is spent.
  for i, max in ipairs(maxima) do
    if max <= own.used[i] then spent = i end
  end
  if spent == 0 then spent = shared_remaining <= 0 and -1 or tonumber(ARGV[1]) <= own.burst and -2 or -3 end
end
return { given, math.max(0, remaining - given), minute_ms, wait_ms, math.max(0, shared_remaining - given), spent, second_ms, minute }
