-- Takes the time of plays on their screens, in the order given, by the rule of `domain/screen-time`: each as near as possible
-- to its start, and none where another play is. Whoever asks again for the same play is told the same; so no answers are
-- kept. Times are ticks of a quarter of a second.
-- A screen has a page for each hour with a play: records of 6 bytes, sorted, big endian: u24 of start within the hour (14
-- bits) and ticks (8 bits), u24 tag of the play. Pages end before the last play of an offline plan can be reported. What they
-- had taken stands longer, hour by hour: u16 in a string for each day.
-- KEYS record of the authority
-- ARGV plays (24 bytes each, big endian: u64 screen, u64 start, u32 ticks, u32 tag), times to live in s of pages, of days
-- Answers a text with one letter per play: t it has its time, o another play has it.
guard()
local HOUR, DAY_HOURS, SHIFT_MAX, PLAY_MAX, RECORD = 14400, 24, 20, 255, 6 -- an hour is so many ticks
-- A play may begin at the end of an hour, and be moved there.
local HOUR_TICKS_MAX = HOUR + SHIFT_MAX + PLAY_MAX
local plays, page_ttl, day_ttl = ARGV[1], ARGV[2], ARGV[3]
local pages = {}

local function page_of(screen, hour)
  local name = TAG .. ':s' .. spell(screen) .. ':h' .. spell(hour)
  local page = pages[name]
  if not page then
    page = { from = hour * HOUR, text = call('GET', name) or '' }
    page.is_new = page.text == ''
    pages[name] = page
  end
  return page
end

local function record_at(page, index)
  local place, tag = struct.unpack('>I3I3', page.text, index * RECORD + 1)
  local from = page.from + math.floor(place / 256)
  return from, from + place % 256, tag
end

-- How many records of the page begin before this time.
local function count_before(page, time)
  local low, high = 0, #page.text / RECORD
  while low < high do
    local middle = math.floor((low + high) / 2)
    if record_at(page, middle) < time then low = middle + 1 else high = middle end
  end
  return low
end

-- What reaches into the time between two moments: pairs of start and end; or nothing, when the play itself is there.
local function taken_between(screen, from, to, tag)
  local taken = {}
  for hour = math.floor((from - PLAY_MAX) / HOUR), math.floor((to - 1) / HOUR) do
    local page = page_of(screen, hour)
    -- Records do not overlap: of those that begin before, the last one alone may reach in.
    for index = math.max(0, count_before(page, from) - 1), #page.text / RECORD - 1 do
      local start, stop, known = record_at(page, index)
      if start >= to then break end
      if stop > from then
        if known == tag then return nil end
        taken[#taken + 1] = start
        taken[#taken + 1] = stop
      end
    end
  end
  return taken
end

local function is_free(taken, from, ticks)
  for i = 1, #taken, 2 do
    if taken[i] < from + ticks and taken[i + 1] > from then return false end
  end
  return true
end

local function place_among(taken, at, ticks)
  if is_free(taken, at, ticks) then return at end
  local place, least
  for i = 1, #taken do
    local candidate = i % 2 == 1 and taken[i] - ticks or taken[i]
    local shift = math.abs(candidate - at)
    local is_nearer = not place or shift < least or (shift == least and candidate < place)
    if is_nearer and shift <= SHIFT_MAX and is_free(taken, candidate, ticks) then place, least = candidate, shift end
  end
  return place
end

local function take(screen, place, ticks, tag)
  local hour = math.floor(place / HOUR)
  local page = page_of(screen, hour)
  local day = TAG .. ':s' .. spell(screen) .. ':d' .. spell(math.floor(hour / DAY_HOURS))
  local slot = '#' .. spell(hour % DAY_HOURS)
  if call('BITFIELD', day, 'INCRBY', 'u16', slot, ticks)[1] > HOUR_TICKS_MAX then
    call('BITFIELD', day, 'INCRBY', 'u16', slot, -ticks)
    return false
  end
  local at = count_before(page, place) * RECORD
  page.text = string.sub(page.text, 1, at) .. struct.pack('>I3I3', (place - page.from) * 256 + ticks, tag) .. string.sub(page.text, at + 1)
  page.changed_from = math.min(page.changed_from or at, at)
  page.day = day
  return true
end

local answers, at = {}, 1
while at <= #plays do
  local screen, start, ticks, tag
  screen, start, ticks, tag, at = struct.unpack('>I8I8I4I4', plays, at)
  local answer = 't'
  local taken = ticks > 0 and taken_between(screen, start - SHIFT_MAX, start + SHIFT_MAX + ticks, tag)
  if taken then
    local place = place_among(taken, start, ticks)
    if not place or not take(screen, place, ticks, tag) then answer = 'o' end
  end
  answers[#answers + 1] = answer
end
-- Plays come in the order of their time as a rule: then a page grows by some bytes at its end.
for name, page in pairs(pages) do
  if page.changed_from then
    call('SETRANGE', name, spell(page.changed_from), string.sub(page.text, page.changed_from + 1))
    if page.is_new then
      call('EXPIRE', name, page_ttl)
      call('EXPIRE', page.day, day_ttl)
    end
  end
end
return table.concat(answers)
