-- Raises the lapse line, the time before which no play can be charged any more; a smaller one does nothing.
-- KEYS line
-- ARGV line
-- Returns the line.
guard()
local line = math.max(exact(ARGV[1], 'line'), tonumber(call('GET', KEYS[1]) or 0))
call('SET', KEYS[1], spell(line))
return line
