-- Decides, once for all processes, which plays of one job and one campaign count. The answers are kept under the job,
-- so a repeat gets the same ones. Two bits per issued play and epoch: 1 counted, 2 released; a play that is recorded
-- and not charged (late, or another one has its screen's time) has both, so that it is recorded once. The number of
-- counted plays rises in the same step, so that a report can tell whether each of them has its row.
-- Nothing may fail after the first bit is set, because Redis does not undo a script: the caller has checked every
-- number.
-- KEYS amounts, answers, bits of epoch 1, bits of epoch 2, ..., names
-- ARGV plays (28 bytes each, big endian: u32 index of its epoch, u32 issue number, u32 barred (1: it has lapsed, or
--      overlaps another one; else 0), u64 reservation, u64 cost), time to live in s, generation under which the job was
--      grouped (0: any), epoch 1, epoch 2, ...
-- Returns a text with one letter per play (c counted, d duplicate, l late or overlapping) and the number of plays
-- without held money for their reservation, which must be 0.
guard()
-- A rebuild forgot the group: its jobs are or will be in another one, and are counted there.
if ARGV[3] ~= '0' and tonumber(ARGV[3]) ~= GENERATION then error({ err = 'GROUP_GONE the authority was rebuilt since' }) end
local kept = call('GET', KEYS[2])
if kept then return { kept, 0 } end

local plays, ttl, names = ARGV[1], ARGV[2], KEYS[#KEYS]
local has_names = call('EXISTS', names) == 1
local open, doubt, opened, doubted, old = {}, {}, {}, {}, {}
for i = 1, #ARGV - 3 do
  opened[i] = amount(KEYS[1], 'open:' .. ARGV[i + 3])
  doubted[i] = amount(KEYS[1], 'doubt:' .. ARGV[i + 3])
  open[i], doubt[i], old[i] = opened[i], doubted[i], is_old(ARGV[i + 3])
end
local unnamed = amount(KEYS[1], 'doubt:0')
local left = unnamed

-- Takes a reservation out of its epoch's money; false if that is too little. A play from before a rebuild takes only
-- its cost out of the doubt of the rebuild, because the rest may belong to other plays.
local function take(epoch, reserved, cost)
  if old[epoch] then
    -- While a play is out, its reservation is in doubt, even if it costs nothing.
    if left < math.max(cost, 1) then return false end
    left = left - cost
  elseif open[epoch] >= reserved then
    open[epoch] = open[epoch] - reserved
  elseif doubt[epoch] >= reserved then
    doubt[epoch] = doubt[epoch] - reserved
  else
    return false
  end
  return true
end

-- Bits are read and written in pages of 64 bytes (256 plays), because a job's issue numbers are close together: one
-- write in Redis's log for hundreds of plays. A play's two bits are at BITFIELD's u2 #<issue number>.
local PAGE = 64
local pages = {}
local function page_of(epoch, issue)
  local name = math.floor(issue / (4 * PAGE))
  local of_epoch = pages[epoch]
  if not of_epoch then
    of_epoch = {}
    pages[epoch] = of_epoch
  end
  local page = of_epoch[name]
  if not page then
    local first = name * PAGE
    page = { string.byte(call('GETRANGE', KEYS[epoch + 2], spell(first), spell(first + PAGE - 1)), 1, PAGE) }
    for i = #page + 1, PAGE do page[i] = 0 end
    of_epoch[name] = page
  end
  return page
end

local SCALE = { [0] = 64, 16, 4, 1 }
local answers, counted, free, spent, unbacked, at = {}, 0, 0, 0, 0, 1
while at <= #plays do
  local epoch, issue, barred, reserved, cost
  epoch, issue, barred, reserved, cost, at = struct.unpack('>I4I4I4I8I8', plays, at)
  local page, byte, scale = page_of(epoch, issue), math.floor(issue % (4 * PAGE) / 4) + 1, SCALE[issue % 4]
  local before = math.floor(page[byte] / scale) % 4
  local answer, after = 'd', before
  if before == 0 and barred == 0 and take(epoch, reserved, cost) then
    answer, after = 'c', 1
    counted = counted + 1
    spent = spent + cost
    if not old[epoch] then free = free + reserved - cost end
  elseif before == 0 or before == 2 then
    answer, after = 'l', 3
    if before == 0 and barred == 0 then unbacked = unbacked + 1 end
    if before == 0 and barred == 1 and not old[epoch] and take(epoch, reserved, cost) then free = free + reserved end
  end
  if after ~= before then
    page[byte] = page[byte] + (after - before) * scale
    page.changed = true
    if has_names then forget_name(KEYS[1], names, ARGV[epoch + 3], issue, reserved) end
  end
  answers[#answers + 1] = answer
end

for epoch, of_epoch in pairs(pages) do
  for name, page in pairs(of_epoch) do
    if page.changed then call('SETRANGE', KEYS[epoch + 2], spell(name * PAGE), string.char(unpack(page))) end
  end
  call('EXPIRE', KEYS[epoch + 2], ttl)
end
for epoch = 1, #open do
  add(KEYS[1], 'open:' .. ARGV[epoch + 3], open[epoch] - opened[epoch])
  add(KEYS[1], 'doubt:' .. ARGV[epoch + 3], doubt[epoch] - doubted[epoch])
end
add(KEYS[1], 'doubt:0', left - unnamed)
free_up(KEYS[1], free)
add(KEYS[1], 'spent', spent)
add_counted(KEYS[1], counted)
local text = table.concat(answers)
call('SET', KEYS[2], text, 'EX', ttl)
return { text, unbacked }
