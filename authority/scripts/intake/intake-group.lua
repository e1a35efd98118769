-- Puts jobs into groups, each job into one forever. Jobs with a group keep it; all others form a new one. From here on
-- the jobs of a new group may be counted, which the set `grouped` shows to groups that finish meanwhile
-- (intake-finish).
-- KEYS pending, grouped, the new group
-- ARGV name of the new group, prefix of group keys, prefix of job hashes, job ids...
-- Returns the generation of the authority, then per group: name, 1 if done else 0, job ids separated by spaces. Of a
-- group whose jobs a rebuild has forgotten, these are the complete ones among the given ids.
guard()
local new, group_prefix, job_prefix = ARGV[1], ARGV[2], ARGV[3]
local complete, order, loose = {}, {}, {}
for i = 4, #ARGV do
  local job = job_prefix .. ARGV[i]
  local fields = call('HMGET', job, 'group', 'done')
  local group = fields[1]
  if group then
    if not complete[group] then
      complete[group] = {}
      order[#order + 1] = group
    end
    if fields[2] then table.insert(complete[group], ARGV[i]) end
  elseif call('EXISTS', job) == 1 then
    loose[#loose + 1] = ARGV[i]
  end
end
if #loose > 0 then
  for _, id in ipairs(loose) do
    local line = call('ZSCORE', KEYS[1], id)
    if not line then
      line = spell(now_ms())
      call('HSETNX', job_prefix .. id, 'added', line)
      call('ZADD', KEYS[1], line, id)
    end
    call('HSET', job_prefix .. id, 'group', new)
    call('ZADD', KEYS[2], line, id)
  end
  call('HSET', KEYS[3], 'jobs', table.concat(loose, ' '))
  order[#order + 1] = new
end
local answer = { GENERATION }
for _, group in ipairs(order) do
  local record = call('HMGET', group_prefix .. group, 'jobs', 'done')
  answer[#answer + 1] = group
  answer[#answer + 1] = (record[2] or not record[1]) and 1 or 0
  answer[#answer + 1] = record[1] or table.concat(complete[group], ' ')
end
return answer
