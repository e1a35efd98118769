-- Takes the time of plays on their screens, in the order given, by the rule of `domain/screen-time`: each as near as
-- possible to its start, and never overlapping another play. A repeated play keeps its time for any reported start, so
-- it takes no second one, and no answers are stored. Times are ticks of a quarter of a second.
-- A screen has a page for each hour with a play: records of 6 bytes, sorted, big endian: u24 of start within the hour
-- (14 bits) and ticks (8 bits), u24 tag of the play. A page expires when none of its plays can be reported; plays of
-- offline playlists may be reported for longer. The taken time of pages is kept as long, by hour: u16 in a string for
-- each day.
-- KEYS record of the authority
-- ARGV plays (32 bytes each, big endian: u64 screen, u64 start, u32 ticks, u32 tag, u32 first and u32 last hour in
--      which it may have its time), times to live in s of pages, and of days and pages with plays of offline plans
-- Returns a text with one letter per play: t it has its time, o another play has it.
guard()
local HOUR, DAY_HOURS, SHIFT_MAX, PLAY_MAX, RECORD = 14400, 24, 20, 255, 6 -- an hour is so many ticks
-- A play may begin at the end of an hour, and be moved there.
local HOUR_TICKS_MAX = HOUR + SHIFT_MAX + PLAY_MAX
-- A fill of a live slot is started within a quarter of an hour, and one of an offline playlist within two days.
local LIVE_HOURS_MAX = 2
local plays, page_ttl, day_ttl = ARGV[1], ARGV[2], ARGV[3]
local pages, find = {}, string.find

-- `starts` and `stops` are those of the `count` records; `added` are records appended but not yet part of the text.
-- `new_tags`: the tags added by this call.
local function new_page(name, hour, text)
  local page = { name = name, from = hour * HOUR, text = text, is_new = text == '', starts = {}, stops = {} }
  page.count, page.added, page.new_tags = #text / RECORD, {}, {}
  return page
end

-- The pages of a screen by hour, read all at once; false: none.
local function read_pages(screen, first, last)
  local hours = pages[screen]
  if not hours then
    hours = {}
    pages[screen] = hours
  end
  local names
  for hour = first, last do
    if hours[hour] == nil then
      names = names or {}
      names[#names + 1] = TAG .. ':s' .. spell(screen) .. ':h' .. spell(hour)
    end
  end
  if not names then return hours end
  local texts, at = call('MGET', unpack(names)), 0
  for hour = first, last do
    if hours[hour] == nil then
      at = at + 1
      hours[hour] = texts[at] and new_page(names[at], hour, texts[at])
    end
  end
  return hours
end

local function page_of(screen, hour)
  local hours = read_pages(screen, hour, hour)
  local page = hours[hour]
  if not page then
    page = new_page(TAG .. ':s' .. spell(screen) .. ':h' .. spell(hour), hour, '')
    hours[hour] = page
  end
  return page
end

local function start_of(page, index)
  local start = page.starts[index]
  if not start then
    local place = struct.unpack('>I3', page.text, index * RECORD + 1)
    start = page.from + math.floor(place / 256)
    page.starts[index], page.stops[index] = start, start + place % 256
  end
  return start
end

-- How many records of the page begin before this time.
local function count_before(page, time)
  local low, high = 0, page.count
  while low < high do
    local middle = math.floor((low + high) / 2)
    if start_of(page, middle) < time then low = middle + 1 else high = middle end
  end
  return low
end

-- Whether a play already has time in one of its possible hours. `bytes`: its tag as in a record.
local function has_time(screen, first, last, tag, bytes)
  local hours = read_pages(screen, first, last)
  for hour = first, last do
    local page = hours[hour]
    local found = page and (page.new_tags[tag] and RECORD - 2 or find(page.text, bytes, RECORD - 2, true))
    while found do
      if found % RECORD == RECORD - 2 then return true end -- else it is of two records, or of a start
      found = find(page.text, bytes, found + 1, true)
    end
  end
  return false
end

-- Whether a play is after all others on its screen, as most are: then its own time is free. In an hour's first minute
-- and at its end the adjacent hour matters too, which is left to `place_near`.
local function is_last(screen, at, ticks)
  local page = page_of(screen, math.floor(at / HOUR))
  if at - page.from < PLAY_MAX or at + ticks > page.from + HOUR then return false end
  if page.count == 0 then return true end
  start_of(page, page.count - 1)
  return page.stops[page.count - 1] <= at
end

-- The place nearest to a moment, the earlier of two, in the gaps between taken times; none if no gap is near enough.
local function place_near(screen, at, ticks)
  local from, to = at - SHIFT_MAX, at + SHIFT_MAX + ticks
  local gap, place, least = from, nil, SHIFT_MAX + 1
  for hour = math.floor((from - PLAY_MAX) / HOUR), math.floor((to - 1) / HOUR) do
    local page = page_of(screen, hour)
    local starts, stops, count = page.starts, page.stops, page.count
    -- Records do not overlap: of those that begin before, only the last one may reach in.
    for index = math.max(0, count_before(page, from) - 1), count - 1 do
      local start = starts[index] or start_of(page, index)
      if start >= to then break end
      local stop = stops[index]
      if stop > from then
        if start - gap >= ticks then
          local candidate = math.max(gap, math.min(at, start - ticks))
          local shift = math.abs(candidate - at)
          if shift < least then place, least = candidate, shift end
        end
        gap = stop
      end
    end
  end
  local candidate = math.max(gap, at)
  if candidate - at < least then place = candidate end
  return place
end

local function put(page, place, ticks, tag)
  local record = struct.pack('>I3I3', (place - page.from) * 256 + ticks, tag)
  local index = count_before(page, place)
  page.changed_from = math.min(page.changed_from or index, index)
  if index == page.count then
    page.added[#page.added + 1] = record
    page.starts[index], page.stops[index] = place, place + ticks
  else
    local text, at = page.text .. table.concat(page.added), index * RECORD
    page.text, page.added = string.sub(text, 1, at) .. record .. string.sub(text, at + 1), {}
    page.starts, page.stops = {}, {}
  end
  page.count = page.count + 1
  page.new_tags[tag] = true
end

local function take(screen, place, ticks, tag, is_of_plan)
  local hour = math.floor(place / HOUR)
  local page = page_of(screen, hour)
  if not page.day then
    page.day = TAG .. ':s' .. spell(screen) .. ':d' .. spell(math.floor(hour / DAY_HOURS))
    page.slot = '#' .. spell(hour % DAY_HOURS)
    page.taken, page.ticks = call('BITFIELD', page.day, 'GET', 'u16', page.slot)[1], 0
  end
  if page.taken + page.ticks + ticks > HOUR_TICKS_MAX then return false end
  page.ticks = page.ticks + ticks
  page.has_plan = page.has_plan or is_of_plan
  put(page, place, ticks, tag)
  return true
end

local answers, at = {}, 1
while at <= #plays do
  local screen, start, ticks, tag, first, last
  screen, start, ticks, tag, first, last, at = struct.unpack('>I8I8I4I4I4I4', plays, at)
  local answer = 't'
  if ticks > 0 and not has_time(screen, first, last, tag, string.sub(plays, at - 11, at - 9)) then
    local place = is_last(screen, start, ticks) and start or place_near(screen, start, ticks)
    if not (place and take(screen, place, ticks, tag, last - first >= LIVE_HOURS_MAX)) then answer = 'o' end
  end
  answers[#answers + 1] = answer
end
-- Plays usually arrive in the order of their time: then a page grows by some bytes at its end.
for _, hours in pairs(pages) do
  for _, page in pairs(hours) do
    if page and page.changed_from then
      local text, from = page.text .. table.concat(page.added), page.changed_from * RECORD
      call('BITFIELD', page.day, 'INCRBY', 'u16', page.slot, page.ticks)
      call('SETRANGE', page.name, spell(from), string.sub(text, from + 1))
      if page.is_new or page.has_plan then call('EXPIRE', page.name, page.has_plan and day_ttl or page_ttl) end
      -- The day is new or missing: a rebuild writes a play that it moved only to the next day's page.
      if page.taken == 0 then call('EXPIRE', page.day, day_ttl) end
    end
  end
end
return table.concat(answers)
