import { inChunks } from '../../collections/in-chunks.ts'
import type { QueueSelection } from './queue-selection.ts'
import { COMPLETE, queueIndexKey, TRUSTED_FOR_S } from './redis-queue-index.ts'

/** A script blocks the server: this many queues take a few milliseconds if all of them hold something of every kind. */
export const MAX_QUEUES_PER_SCRIPT = 500

/**
 * Runs a script on the queues that may hold something. For many queues, one call reads the queues in the index, which may include other
 * queues. Otherwise the calls name the queues.
 * @param ask gets names joined by colons, or an empty text for the index; returns null when the index is not usable
 * @param atATime how many queues a call names at most
 * @returns the rows of the requested queues; each starts with the queue's name
 */
export async function askHeldQueues<Row extends readonly [queue: string, ...unknown[]]>(
  { names, isFew, has }: QueueSelection, ask: (names: string) => Promise<readonly Row[] | null>, atATime = MAX_QUEUES_PER_SCRIPT
): Promise<Row[]> {
  const ofIndex = isFew ? null : await ask('')
  const answers = ofIndex === null ? await Promise.all(inChunks(names, atATime).map(chunk => ask(chunk.join(':')))) : [ofIndex]
  return answers.flatMap(rows => rows ?? []).filter(([queue]) => has(queue))
}

/** Most queues are empty most of the time, so one EXISTS checks the lists of this many queues, or this many keys. */
const QUEUES_PER_EXISTS = 16
export const KEYS_PER_EXISTS = 100

/**
 * Lua: `queuesNamed(prefix, joined)` returns the names that `askHeldQueues` passes; nil if the index is stale or too long for one script.
 */
export const QUEUES_NAMED = `
local function queuesNamed(prefix, joined)
  if joined == '' then
    local index = prefix .. '${queueIndexKey('')}'
    local completeAt = redis.call('ZSCORE', index, '${COMPLETE}')
    if not completeAt or math.abs(redis.call('TIME')[1] - completeAt) > ${TRUSTED_FOR_S} then return nil end
    if redis.call('ZCARD', index) > ${MAX_QUEUES_PER_SCRIPT} then return nil end
    return redis.call('ZRANGE', index, 0, -1)
  end
  local names = {}
  for name in string.gmatch(joined, '[^:]+') do names[#names + 1] = name end
  return names
end
`

/**
 * Lua: `eachHeld(prefix, names, visit)` calls `visit(name, queue)` for the queues of `names` that may have something in flight. */
export const EACH_HELD = `${QUEUES_NAMED}
local function eachHeld(prefix, names, visit)
  for first = 1, #names, ${QUEUES_PER_EXISTS} do
    local keys, last = {}, math.min(first + ${QUEUES_PER_EXISTS - 1}, #names)
    for index = first, last do
      local queue, at = prefix .. ':' .. names[index] .. ':', #keys
      keys[at + 1], keys[at + 2], keys[at + 3], keys[at + 4] = queue .. 'wait', queue .. 'prioritized', queue .. 'delayed',
        queue .. 'active'
    end
    if redis.call('EXISTS', unpack(keys)) > 0 then
      for index = first, last do visit(names[index], prefix .. ':' .. names[index] .. ':') end
    end
  end
end
`

/**
 * Lua, at the end of a script with the prefix in KEYS[1] and the names in ARGV[1]: returns what its `read(name)` returns for the queues of
 * those names that have a key `id`; nil if the index is not usable.
 */
export const READ_QUEUES_WITH_ID = `
local names, found = queuesNamed(KEYS[1], ARGV[1]), {}
if not names then return nil end
for first = 1, #names, ${KEYS_PER_EXISTS} do
  local keys, last = {}, math.min(first + ${KEYS_PER_EXISTS - 1}, #names)
  for index = first, last do keys[#keys + 1] = KEYS[1] .. ':' .. names[index] .. ':' .. id end
  if redis.call('EXISTS', unpack(keys)) > 0 then
    for index = first, last do found[#found + 1] = read(names[index]) end
  end
end
return found`
