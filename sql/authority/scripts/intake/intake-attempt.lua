-- Reserves the next insert of a group into one table: the number of its deduplication token, and its deadline. Until the first
-- insert is over, nobody may conclude from missing rows that it failed: they may still be on their way.
-- KEYS group
-- ARGV table, attempt that the caller looked for (0: none), 1 when rows were there, 1 when that look began after the
--      deadline, ms until the deadline of this insert
-- Answers {'go', attempt, deadline} | {'look', attempt, 1 when its deadline has passed} | {'wait', ms} | {'done'} |
--         {'gone'}: the group was forgotten by a rebuild
guard()
local attempt_field, deadline_field = 'attempt:' .. ARGV[1], 'deadline:' .. ARGV[1]
local record = call('HMGET', KEYS[1], 'jobs', attempt_field, deadline_field, 'done')
if not record[1] then return { 'gone' } end
if record[4] then return { 'done' } end
local attempt, deadline, now = tonumber(record[2] or 0), tonumber(record[3] or 0), now_ms()
local looked, present, late_look = tonumber(ARGV[2]), ARGV[3] == '1', ARGV[4] == '1'
if attempt > 0 then
  if looked ~= attempt then return { 'look', attempt, now > deadline and 1 or 0 } end
  -- A look that began before the deadline, or an insert begun since, leaves it open whether the rows will come.
  if not present and now <= deadline then return { 'wait', deadline - now + 1 } end
  if not present and not late_look then return { 'look', attempt, 1 } end
end
if not present then attempt = attempt + 1 end
deadline = math.max(deadline, now + tonumber(ARGV[5]))
call('HSET', KEYS[1], attempt_field, spell(attempt), deadline_field, spell(deadline))
return { 'go', attempt, deadline }
