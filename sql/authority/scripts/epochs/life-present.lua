-- As_of need not wait for these epochs: their nodes have added their kept batches again, or are dead. Not while a rebuild is
-- under way, which may have read that they live: the caller asks again.
-- KEYS waiting; ARGV epochs...
guard()
call('SREM', KEYS[1], unpack(ARGV))
return 1
