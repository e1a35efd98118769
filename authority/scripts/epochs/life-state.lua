-- Reads the state of the authority, even while it does not answer other calls.
-- KEYS record
-- ARGV none
-- Returns {1 when it answers in this run of Redis else 0, generation, mark, this run}.
local record = call('HMGET', AUTHORITY, 'life', 'generation', 'mark')
return { record[1] == this_life() and 1 or 0, tonumber(record[2] or 0), tonumber(record[3] or 0), this_life() }
