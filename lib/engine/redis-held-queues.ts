/**
 * Lua: `eachHeld(prefix, names, visit)` calls `visit(position, queue)` for the queues among `names`, divided by colons, that may hold
 * something. Most queues are empty most of the time: one look at all lists of 16 of them tells.
 */
export const EACH_HELD = `
local function eachHeld(prefix, joined, visit)
  local names, keys, size, first = {}, {}, 0, 1
  local function look()
    if size > 0 and redis.call('EXISTS', unpack(keys, 1, 4 * size)) > 0 then
      for index = 1, size do visit(first + index - 1, prefix .. names[index] .. ':') end
    end
    first = first + size
    size = 0
  end
  for name in string.gmatch(joined, '[^:]+') do
    local at = 4 * size
    size = size + 1
    names[size] = name
    keys[at + 1], keys[at + 2] = prefix .. name .. ':wait', prefix .. name .. ':prioritized'
    keys[at + 3], keys[at + 4] = prefix .. name .. ':delayed', prefix .. name .. ':active'
    if size == 16 then look() end
  end
  look()
end
`
