import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore } from '../../stores/store.ts'
import { PER_QUEUE, type FinishedJob, type FinishedSets, type FinishedState } from './finished-sets.ts'

/** BullMQ has two sorted sets per queue, scored by `finishedOn`. All keys of the store are in one hash slot. */
export function createRedisFinishedSets({ client, keyPrefix }: Pick<RedisStore, 'client' | 'keyPrefix'>): FinishedSets {
  return {
    async newest(queries) {
      const parameters = queries.flatMap(({ queueName, sinceMs }) => [queueName, toScore(sinceMs)])
      const answers = await client.eval(
        NEWEST, 2, keyPrefix, absentKey(keyPrefix), PER_QUEUE + 1, ...parameters
      ) as Array<0 | [completed: string[], failed: string[]]>
      return answers.map((answer, index) => {
        if (answer === 0) return { jobs: [], isAll: true }
        const lists = answer.map((flat, state) => toJobs(queries[index]!.queueName, STATES[state]!, flat))
        return { jobs: lists.flatMap(jobs => jobs.slice(0, PER_QUEUE)), isAll: lists.every(jobs => jobs.length <= PER_QUEUE) }
      })
    },
    async before(queueNames, beforeMs, limit) {
      const answers = await client.eval(
        BEFORE, 2, keyPrefix, absentKey(keyPrefix), toScore(beforeMs), limit, ...queueNames
      ) as Array<[queue: number, state: number, flat: string[]]>
      return answers.flatMap(([queue, state, flat]) => toJobs(queueNames[queue - 1]!, STATES[state]!, flat))
    },
    async page(queueName, state, start, size) {
      return toJobs(queueName, state, await client.zrevrange(`${keyPrefix}:${queueName}:${state}`, start, start + size - 1, 'WITHSCORES'))
    },
    async remove(jobs, beforeMs) {
      const parameters = jobs.flatMap(({ queueName, state, id }) => [queueName, state, id])
      const [removed, ...ofFlows] = await client.eval(
        REMOVE, 2, keyPrefix, absentKey(keyPrefix), toScore(beforeMs), ...parameters
      ) as number[]
      return { removed: removed!, ofFlows: ofFlows.map(position => position - 1) }
    }
  }
}

const STATES: readonly FinishedState[] = ['completed', 'failed']

/** In Redis notation. */
function toScore(ms: number): number | string {
  return Number.isFinite(ms) ? ms : ms > 0 ? '+inf' : '-inf'
}

function toJobs(queueName: string, state: FinishedState, flat: readonly string[]): FinishedJob[] {
  const jobs: FinishedJob[] = []
  for (let i = 0; i < flat.length; i += 2) jobs.push({ queueName, state, id: flat[i]!, finishedOn: Number(flat[i + 1]) })
  return jobs
}

// Most queues are empty most of the time, so one EXISTS checks both sets of a queue.
const NEWEST = `
local found = {}
for i = 2, #ARGV, 2 do
  local queue = KEYS[1] .. ':' .. ARGV[i] .. ':'
  found[i / 2] = 0
  if redis.call('EXISTS', queue .. 'completed', queue .. 'failed') > 0 then
    local completed = redis.call('ZREVRANGEBYSCORE', queue .. 'completed', '+inf', ARGV[i + 1], 'WITHSCORES', 'LIMIT', 0, ARGV[1])
    local failed = redis.call('ZREVRANGEBYSCORE', queue .. 'failed', '+inf', ARGV[i + 1], 'WITHSCORES', 'LIMIT', 0, ARGV[1])
    if #completed + #failed > 0 then found[i / 2] = {completed, failed} end
  end
end
return found`

const BEFORE = `
local found, left = {}, tonumber(ARGV[2])
for i = 3, #ARGV do
  local queue = KEYS[1] .. ':' .. ARGV[i] .. ':'
  if redis.call('EXISTS', queue .. 'completed', queue .. 'failed') > 0 then
    for state, name in ipairs({'completed', 'failed'}) do
      local jobs = redis.call('ZRANGEBYSCORE', queue .. name, '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, left)
      if #jobs > 0 then
        found[#found + 1] = {i - 2, state - 1, jobs}
        left = left - #jobs / 2
        if left == 0 then return found end
      end
    end
  end
end
return found`

// Removes a job with all its keys, as BullMQ does. Runs for every execution, so the result names jobs by position to stay small.
const REMOVE = `
local before, answer = tonumber(ARGV[1]) or math.huge, {0}
for i = 2, #ARGV, 3 do
  local queue, id = KEYS[1] .. ':' .. ARGV[i] .. ':', ARGV[i + 2]
  local finished = redis.call('ZSCORE', queue .. ARGV[i + 1], id)
  if finished and tonumber(finished) <= before then
    local job = queue .. id
    if redis.call('HEXISTS', job, 'parentKey') == 1 then
      answer[#answer + 1] = (i + 1) / 3
    else
      redis.call('ZREM', queue .. ARGV[i + 1], id)
      redis.call('UNLINK', job, job .. ':logs', job .. ':dependencies', job .. ':processed', job .. ':failed', job .. ':unsuccessful')
      answer[1] = answer[1] + 1
    end
  end
end
return answer`
