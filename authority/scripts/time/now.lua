-- Reads Redis time.
-- KEYS record
-- ARGV none
-- Returns the time in ms.
return now_ms()
