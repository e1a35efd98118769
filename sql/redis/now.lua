-- Redis time in ms.
return now_ms()
