-- Reserves the next insert of a group into one table: the number of its deduplication token, and its deadline. Until
-- the first insert has ended, missing rows do not mean that it failed: they may still arrive. It has ended at its
-- deadline, or after a restart of its server: then the same server has a lower uptime than at any insert.
-- KEYS group
-- ARGV table, attempt that the caller looked for (0: none), 1 when rows were there, 1 when that look began after the
--      deadline, ms until the deadline of this insert, the server's id, and how long it had run (s) when it was last
--      asked, before that look
-- Returns {'go', attempt, deadline} | {'look', attempt, 1 when its deadline has passed} | {'wait', ms} | {'done'} |
--         {'gone'}: the group was forgotten by a rebuild
guard()
local attempt_field, deadline_field = 'attempt:' .. ARGV[1], 'deadline:' .. ARGV[1]
local server_field, uptime_field = 'server:' .. ARGV[1], 'uptime:' .. ARGV[1]
local record = call('HMGET', KEYS[1], 'jobs', attempt_field, deadline_field, 'done', server_field, uptime_field)
if not record[1] then return { 'gone' } end
if record[4] then return { 'done' } end
local attempt, deadline, now = tonumber(record[2] or 0), tonumber(record[3] or 0), now_ms()
local looked, present, late_look = tonumber(ARGV[2]), ARGV[3] == '1', ARGV[4] == '1'
local server, uptime = ARGV[6], tonumber(ARGV[7])
local is_restarted = record[5] == server and uptime < tonumber(record[6])
if attempt > 0 then
  if looked ~= attempt then return { 'look', attempt, now > deadline and 1 or 0 } end
  -- After a check that began before the deadline, or with a newer insert, the rows may still arrive.
  if not present and not is_restarted then
    if now <= deadline then return { 'wait', deadline - now + 1 } end
    if not late_look then return { 'look', attempt, 1 } end
  end
end
-- Earlier inserts must also have ended; and a check from before this insert does not cover it, however late its caller
-- reports it. With two servers, the restart of one is not enough.
if attempt > 0 and not is_restarted then
  if record[5] ~= server then server = '' end
  uptime = math.min(uptime, tonumber(record[6] or 0))
end
if not present then attempt = attempt + 1 end
deadline = math.max(deadline, now + tonumber(ARGV[5]))
call('HSET', KEYS[1], attempt_field, spell(attempt), deadline_field, spell(deadline), server_field, server, uptime_field, spell(uptime))
return { 'go', attempt, deadline }
