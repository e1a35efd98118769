-- Raises the line; a smaller one does nothing. Answers the line.
-- KEYS line; ARGV line
guard()
local line = math.max(exact(ARGV[1], 'line'), tonumber(call('GET', KEYS[1]) or 0))
call('SET', KEYS[1], spell(line))
return line
