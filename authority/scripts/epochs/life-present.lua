-- Removes epochs from the list that as_of waits for: their nodes have added their copies of batches again, or are dead.
-- Refused during a rebuild, which may have read that they live; the caller retries.
-- KEYS waiting
-- ARGV epochs...
-- Returns 1.
guard()
call('SREM', KEYS[1], unpack(ARGV))
return 1
