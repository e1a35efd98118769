-- Redis time in ms.
-- KEYS record
return now_ms()
