import { inChunks } from '../../collections/in-chunks.ts'
import type { QueueSelection } from './queue-selection.ts'
import { COMPLETE, queueIndexKey, TRUSTED_FOR_S } from './redis-queue-index.ts'

/** A script blocks the server: so many queues take it a few milliseconds when all hold something of every kind. */
const QUEUES_AT_A_TIME = 500

/**
 * Asks a script of the queues that may hold something: for many of them by one call that looks at those of the index, which may be others
 * than are asked for; else by calls that name them.
 * @param ask with names divided by colons, or an empty text for the index; null when the index does not tell
 * @returns the rows of the queues asked for: each begins with the name of its queue
 */
export async function askHeldQueues<Row extends readonly [queue: string, ...unknown[]]>(
  { names, isFew, has }: QueueSelection, ask: (names: string) => Promise<readonly Row[] | null>
): Promise<Row[]> {
  const ofIndex = isFew ? null : await ask('')
  const answers = ofIndex === null ? await Promise.all(inChunks(names, QUEUES_AT_A_TIME).map(chunk => ask(chunk.join(':')))) : [ofIndex]
  return answers.flatMap(rows => rows ?? []).filter(([queue]) => has(queue))
}

/**
 * Lua: `queuesNamed(prefix, joined)` gives the names of what `askHeldQueues` asks for; nil when the index is not to be trusted, or is too
 * long for one script.
 */
export const QUEUES_NAMED = `
local function queuesNamed(prefix, joined)
  if joined == '' then
    local index = prefix .. '${queueIndexKey('')}'
    local completeAt = redis.call('ZSCORE', index, '${COMPLETE}')
    if not completeAt or math.abs(redis.call('TIME')[1] - completeAt) > ${TRUSTED_FOR_S} then return nil end
    if redis.call('ZCARD', index) > ${QUEUES_AT_A_TIME} then return nil end
    return redis.call('ZRANGE', index, 0, -1)
  end
  local names = {}
  for name in string.gmatch(joined, '[^:]+') do names[#names + 1] = name end
  return names
end
`

/**
 * Lua: `eachHeld(prefix, names, visit)` calls `visit(name, queue)` for the queues of `names` that may have something in flight. Most queues
 * are empty most of the time: one look at all lists of 16 of them tells.
 */
export const EACH_HELD = `${QUEUES_NAMED}
local function eachHeld(prefix, names, visit)
  for first = 1, #names, 16 do
    local keys, last = {}, math.min(first + 15, #names)
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
