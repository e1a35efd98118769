-- Reads all that is known of a campaign's money.
-- KEYS amounts
-- ARGV none
-- Answers the fields and their values, one after the other.
guard()
return call('HGETALL', KEYS[1])
