-- Everything that is known of a campaign, field by field.
-- KEYS amounts
guard()
return call('HGETALL', KEYS[1])
