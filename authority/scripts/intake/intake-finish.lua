-- A group is complete: its rows are in every table. as_of may pass its jobs, its releases may be applied when as_of has
-- passed the time at which their batch was added, and its charges may be settled. A job with a `duplicate` answer may
-- depend on the row of a job in another group that counted the play and is not inserted yet: every such job, grouped
-- and unfinished, keeps as_of back to the time at which the finished one was added. Its line may be
-- older, because it held as_of back for others. They no longer wait for it. If overlapping groups handed that line on,
-- as_of would stand.
-- Returns 1, 0 if it was complete before, -1 if a rebuild has forgotten it.
-- KEYS pending, grouped, releases, unsettled, group
-- ARGV name of the group, prefix of job hashes, 1 when there is something to settle, time to live of the record in s,
--      number of jobs with duplicates, their ids..., then pairs: id of the job, release
guard()
if call('HEXISTS', KEYS[5], 'jobs') == 0 then return -1 end
if call('HGET', KEYS[5], 'done') then return 0 end
local jobs = {}
for id in string.gmatch(call('HGET', KEYS[5], 'jobs'), '%S+') do jobs[#jobs + 1] = id end

local line
local last = 5 + tonumber(ARGV[5])
for i = 6, last do
  local own = call('ZSCORE', KEYS[1], ARGV[i]) and call('HGET', ARGV[2] .. ARGV[i], 'added')
  if own and (not line or tonumber(own) < tonumber(line)) then line = own end
end
for i = last + 1, #ARGV, 2 do
  local added = call('HGET', ARGV[2] .. ARGV[i], 'added') or spell(now_ms())
  call('ZADD', KEYS[3], added, ARGV[i + 1])
end
-- Unsettled, by the line of its oldest job: none of its rows was written earlier.
local oldest = now_ms()
for _, id in ipairs(jobs) do
  oldest = math.min(oldest, tonumber(call('ZSCORE', KEYS[1], id) or oldest))
  call('ZREM', KEYS[1], id)
  call('ZREM', KEYS[2], id)
  if call('EXISTS', ARGV[2] .. id) == 1 then call('HSET', ARGV[2] .. id, 'done', 1, 'data', '{"events":0,"payload":""}') end
end
if line then
  for _, id in ipairs(call('ZRANGEBYSCORE', KEYS[2], '(' .. line, '+inf')) do
    call('ZADD', KEYS[1], 'XX', line, id)
    call('ZADD', KEYS[2], 'XX', line, id)
  end
end
call('HSET', KEYS[5], 'done', 1)
call('EXPIRE', KEYS[5], ARGV[4])
if ARGV[3] == '1' then call('ZADD', KEYS[4], spell(oldest), ARGV[1]) end
return 1
