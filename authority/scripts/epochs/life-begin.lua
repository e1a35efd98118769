-- Begins the life of the authority in this run of Redis: from here on it answers. With `resume` it was verified after a
-- restart and continues unchanged. Otherwise it was rebuilt: every epoch below the first is ended, and as_of waits for
-- the nodes that may live. A server that was restarted after the caller read its run, or after the rebuild, is refused.
-- So is a caller if another rebuild has begun meanwhile: it has ended the generation and empties the shard.
-- KEYS claimed, waiting, line
-- ARGV the run that the caller looked at (empty: any), then 'resume', or: name of the rebuild (empty: any),
--      generation, first epoch, lapse line, time that as_of may not pass before the nodes have answered, epochs that
--      may live...
-- Returns 1.
if ARGV[1] ~= '' and ARGV[1] ~= this_life() then error({ err = 'AUTHORITY_LOST the server was restarted meanwhile' }) end
local function overtaken() error({ err = 'AUTHORITY_LOST a rebuild has begun meanwhile' }) end
if ARGV[2] == 'resume' then
  if call('HEXISTS', AUTHORITY, 'generation') == 0 then overtaken() end
  call('HSET', AUTHORITY, 'life', this_life())
  return 1
end
if ARGV[2] ~= '' and ARGV[2] ~= call('HGET', AUTHORITY, 'rebuild') then overtaken() end
call('DEL', KEYS[1], KEYS[2])
call('SET', KEYS[3], ARGV[5])
call('HSET', AUTHORITY, 'life', this_life(), 'generation', ARGV[3], 'first_epoch', ARGV[4])
call('HDEL', AUTHORITY, 'hold_ms')
if #ARGV > 6 then
  for i = 7, #ARGV do call('SADD', KEYS[2], ARGV[i]) end
  call('HSET', AUTHORITY, 'hold_ms', ARGV[6])
end
return 1
