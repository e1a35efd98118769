-- How the authority stands: {1 when it answers in this life of Redis, generation, mark, this life}.
-- KEYS record
local record = call('HMGET', AUTHORITY, 'life', 'generation', 'mark')
return { record[1] == this_life() and 1 or 0, tonumber(record[2] or 0), tonumber(record[3] or 0), this_life() }
