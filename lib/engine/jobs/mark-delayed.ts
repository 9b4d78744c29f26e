import { DELAYED_SCORE_PER_MS } from './redis-job.ts'

/** Lua: tells idle workers when the next delayed job is due. `queue`: start of the keys of the queue. */
export const MARK_DELAYED = `
local function markDelayed(queue)
  local first = redis.call('ZRANGE', queue .. 'delayed', 0, 0, 'WITHSCORES')[2]
  if first then
    redis.call('ZADD', queue .. 'marker', string.format('%.0f', math.floor(tonumber(first) / ${DELAYED_SCORE_PER_MS})), '1')
  end
end
`
