-- Frees money that can no longer be charged: of plays whose window ended before the line, and money in doubt without a
-- name whose last possible play ended before it. The clock does not decide this: the line is at or below as_of, so
-- every play that was acknowledged in its window has been counted.
-- KEYS amounts, names, line, campaigns that lapse
-- ARGV campaign, line, plays at most, prefix of the campaign's bits, prefix of epoch keys, time to live of bits in s
-- Returns {the freed micros, 1 if there is more to do}.
guard()
local campaign, most = ARGV[1], tonumber(ARGV[3])
local line = math.max(exact(ARGV[2], 'line'), tonumber(call('GET', KEYS[3]) or 0))
local freed = 0
local due = call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. spell(line), 'LIMIT', 0, most)
for _, name in ipairs(due) do
  local epoch, issue, reserved = string.match(name, '^(%d+):(%d+):(%d+)')
  local bits = ARGV[4] .. epoch
  call('BITFIELD', bits, 'SET', 'u2', '#' .. issue, 2)
  call('EXPIRE', bits, ARGV[6])
  forget_name(KEYS[1], KEYS[2], epoch, tonumber(issue), tonumber(reserved))
  if take_reserved(KEYS[1], epoch, tonumber(reserved)) then freed = freed + tonumber(reserved) end
end
local more = #due == most
local first = nil
local fields = call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local epoch = string.match(fields[i], '^until:(%d+)$')
  local ends = epoch and tonumber(fields[i + 1])
  if epoch and ends < line and not more then
    local left = math.max(0, amount(KEYS[1], 'doubt:' .. epoch) - amount(KEYS[1], 'named:' .. epoch))
    add(KEYS[1], 'doubt:' .. epoch, -left)
    freed = freed + left
    call('HDEL', KEYS[1], 'until:' .. epoch)
    if amount(KEYS[1], 'doubt:' .. epoch) == 0 then call('SREM', ARGV[5] .. epoch .. ':campaigns', campaign) end
  elseif epoch and (not first or ends < first) then
    first = ends
  end
  local closed = string.match(fields[i], '^doubt:(%d+)$')
  if closed and amount(KEYS[1], 'doubt:' .. closed) == 0 then call('SREM', ARGV[5] .. closed .. ':campaigns', campaign) end
end
free_up(KEYS[1], freed)
local named = call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
if named and (not first or tonumber(named) < first) then first = tonumber(named) end
if first then call('ZADD', KEYS[4], spell(first), campaign) else call('ZREM', KEYS[4], campaign) end
return { freed, more and 1 or 0 }
