-- Runs in the transaction that adds a job, right after it: gives the job the Redis time at which it was added and keeps
-- as_of back until it is complete. An existing job keeps its first time, and so does one that is added again after
-- Redis lost it.
-- KEYS pending, hash of the job
-- ARGV job id, time of the first add or 0
-- Returns that time in ms, or 0 if the job does not exist.
local added = call('HGET', KEYS[2], 'added')
if added then return tonumber(added) end
if call('EXISTS', KEYS[2]) == 0 then return 0 end
local first = tonumber(ARGV[2])
local now = first > 0 and first or now_ms()
call('HSET', KEYS[2], 'added', spell(now))
call('ZADD', KEYS[1], spell(now), ARGV[1])
return now
