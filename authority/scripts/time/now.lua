-- Reads Redis time.
-- KEYS record
-- ARGV none
-- Answers the time in ms.
return now_ms()
