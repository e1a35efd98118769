-- Takes money out of doubt after a rebuild: money that a living node had not issued under an epoch ended by the rebuild
-- becomes free, once. Only a node whose epoch began in the previous generation may claim: after two rebuilds it is
-- unknown whether it has claimed before.
-- KEYS amounts, claimed
-- ARGV epoch, campaign, generation under which the epoch began, micros
-- Returns the freed micros.
guard()
local epoch, campaign = ARGV[1], ARGV[2]
if not is_old(epoch) or tonumber(ARGV[3]) + 1 ~= GENERATION then return 0 end
if call('SADD', KEYS[2], epoch .. ':' .. campaign) == 0 then return 0 end
local micros = math.min(exact(ARGV[4], 'micros'), amount(KEYS[1], 'doubt:0'))
add(KEYS[1], 'doubt:0', -micros)
free_up(KEYS[1], micros)
return micros
