import { absentKey } from '../../stores/redis/absent-key.ts'
import { LUA_NOW } from '../../stores/redis/lua-now.ts'
import type { RedisStore, SqlStore, Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { STARTS_FIELD } from '../jobs/earlier-starts.ts'
import { MARK_DELAYED } from '../jobs/mark-delayed.ts'
import { DELAYED_SCORE_PER_MS } from '../jobs/redis-job.ts'
import type { ChangeOutcome, PendingChange } from './change-outcome.ts'

/**
 * Changes the priority or due time of a pending job. It becomes a delayed job, even if it is due now. When the next worker asks for jobs,
 * BullMQ moves due delayed jobs to the place that their priority gives them. Workers compare the due time with their own clocks. So a job
 * that is due now is stored as due since its submission: otherwise it would wait if the broker's clock is ahead of the worker's.
 */
export function changePending(
  store: Store, queueName: string, executionId: string, change: PendingChange
): Promise<ChangeOutcome> {
  return store.kind === 'redis'
    ? changeOnRedis(store, queueName, executionId, change)
    : changeInSql(store, queueName, executionId, change)
}

async function changeOnRedis(
  { client, keyPrefix }: RedisStore, queueName: string, executionId: string, { priority, dueAt }: PendingChange
): Promise<ChangeOutcome> {
  return await client.eval(
    CHANGE, 2, `${keyPrefix}:${queueName}:`, absentKey(keyPrefix), executionId, priority ?? '', dueAt ?? ''
  ) as ChangeOutcome
}

// The marker wakes a worker that waits for a later job.
const CHANGE = `${LUA_NOW}${MARK_DELAYED}local queue, id = KEYS[1], ARGV[1]
local key, priority, wanted = queue .. id, tonumber(ARGV[2]), tonumber(ARGV[3])
if redis.call('TYPE', key).ok ~= 'hash' then return 'over' end
local json, scheduler, parent, timestamp, starts = unpack(redis.call('HMGET', key, 'opts', 'rjk', 'parentKey', 'timestamp', 'ats'))
local known, opts = pcall(cjson.decode, json or '')
if not timestamp or not known or type(opts) ~= 'table' then return 'over' end
if redis.call('ZSCORE', queue .. 'completed', id) or redis.call('ZSCORE', queue .. 'failed', id) then return 'over' end
if redis.call('LPOS', queue .. 'active', id) then return 'running' end
if parent or redis.call('ZSCORE', queue .. 'waiting-children', id) then return 'in_flow' end
if scheduler and scheduler ~= '' then return 'planned' end
local score = redis.call('ZSCORE', queue .. 'delayed', id)
if not score and redis.call('ZREM', queue .. 'prioritized', id) == 0 and redis.call('LREM', queue .. 'wait', 1, id) == 0 and
  redis.call('LREM', queue .. 'paused', 1, id) == 0 then
  return 'over'
end

local due = math.max(now, wanted or (score and math.floor(tonumber(score) / ${DELAYED_SCORE_PER_MS})) or now)
if priority then
  opts.priority = priority
  redis.call('HSET', key, 'priority', ARGV[2])
end
if wanted and tonumber(starts or 0) == 0 then
  opts.delay = math.max(0, due - tonumber(timestamp))
  redis.call('HSET', key, 'delay', string.format('%.0f', opts.delay))
end
local before = opts['${STARTS_FIELD}']
if wanted and type(before) == 'table' and type(before[#before]) == 'table' then before[#before][7] = due end
redis.call('HSET', key, 'opts', cjson.encode(opts))
if wanted or not score then
  redis.call('ZREM', queue .. 'delayed', id)
  local firstOfMs = (due > now and due or math.min(now, tonumber(timestamp))) * ${DELAYED_SCORE_PER_MS}
  local lastOfMs = firstOfMs + ${DELAYED_SCORE_PER_MS - 1}
  local last = redis.call('ZREVRANGEBYSCORE', queue .. 'delayed', lastOfMs, firstOfMs, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  local place = last and math.min(tonumber(last) + 1, lastOfMs) or firstOfMs
  redis.call('ZADD', queue .. 'delayed', string.format('%.0f', place), id)
end
markDelayed(queue)
return 'changed'`

async function changeInSql(
  store: SqlStore, queueName: string, executionId: string, { priority, dueAt }: PendingChange
): Promise<ChangeOutcome> {
  const { rows } = await store.requestPool.query<{ is: ChangeOutcome }>(
    inQueueSchema(store, CHANGE_IN_SQL), [queueName, executionId, priority ?? null, dueAt ?? null])
  return rows[0]?.is ?? 'over'
}

// The row is locked first, so its state is current.
const CHANGE_IN_SQL = `
WITH found AS MATERIALIZED (
  SELECT CASE WHEN state IN ('completed', 'failed') THEN 'over' WHEN state = 'active' THEN 'running'
      WHEN parent_id IS NOT NULL OR state = 'waiting-children' THEN 'in_flow' WHEN scheduler_id IS NOT NULL THEN 'planned'
      ELSE 'changed' END AS is,
    greatest(clock.now, coalesce($4::bigint, process_at_ms)) AS due, clock.now
  FROM {queue}.job CROSS JOIN (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now) AS clock
  WHERE queue = $1 AND id = $2 FOR UPDATE OF job
), changed AS (
  UPDATE {queue}.job SET state = 'delayed', priority = coalesce($3::integer, priority),
    process_at_ms = CASE WHEN found.due > found.now THEN found.due ELSE least(found.now, added_at_ms) END,
    delay_ms = CASE WHEN $4::bigint IS NULL OR attempts_started > 0 THEN delay_ms ELSE greatest(0, found.due - added_at_ms) END,
    opts = CASE WHEN $4::bigint IS NULL THEN opts ELSE jsonb_set(opts, '{${STARTS_FIELD},-1,6}', to_jsonb(found.due), false) END
      || CASE WHEN $3::integer IS NULL THEN '{}' ELSE jsonb_build_object('priority', $3::integer) END
      || CASE WHEN $4::bigint IS NULL OR attempts_started > 0 THEN '{}'
        ELSE jsonb_build_object('delay', greatest(0, found.due - added_at_ms)) END
  FROM found WHERE queue = $1 AND id = $2 AND found.is = 'changed'
  RETURNING pg_notify('bullmq_jobs', $1)
)
SELECT found.is FROM found LEFT JOIN changed ON true`
