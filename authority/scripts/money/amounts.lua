-- Reads all amounts of a campaign.
-- KEYS amounts
-- ARGV none
-- Returns the fields and their values, one after the other.
guard()
return call('HGETALL', KEYS[1])
