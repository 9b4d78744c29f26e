import { inChunks } from '../../collections/in-chunks.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore, SqlStore, Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'

/** A script blocks the server, and each id may need a search of a list. A list is searched from its head, where the newest jobs are. */
const IDS_PER_SCRIPT = 50

/**
 * Removes jobs that were added with this request id and have not started, each in one step. If a worker takes a job first, the job stays.
 * @returns the ids of the removed jobs
 */
export async function takeBack(
  store: Store, queueName: string, executionIds: readonly string[], requestId: string
): Promise<ReadonlySet<string>> {
  if (executionIds.length === 0) return new Set()
  return new Set(store.kind === 'redis'
    ? await takeBackOnRedis(store, queueName, executionIds, requestId)
    : await takeBackInSql(store, queueName, executionIds, requestId))
}

async function takeBackOnRedis(
  { client, keyPrefix }: RedisStore, queueName: string, executionIds: readonly string[], requestId: string
): Promise<string[]> {
  const removed: string[] = []
  for (const ids of inChunks(executionIds, IDS_PER_SCRIPT)) {
    removed.push(...await client.eval(
      TAKE_BACK, 2, `${keyPrefix}:${queueName}:`, absentKey(keyPrefix), requestId, ...ids
    ) as string[])
  }
  return removed
}

// A job that is neither waiting nor delayed has started, or belongs to a flow.
const TAKE_BACK = `
local queue, wanted, removed = KEYS[1], ARGV[1], {}
for i = 2, #ARGV do
  local id = ARGV[i]
  local key = queue .. id
  if redis.call('TYPE', key).ok == 'hash' then
    local json, scheduler, parent, starts = unpack(redis.call('HMGET', key, 'opts', 'rjk', 'parentKey', 'ats'))
    local known, opts = pcall(cjson.decode, json or '')
    if known and type(opts) == 'table' and opts.request_id == wanted and not parent and not scheduler and tonumber(starts or 0) == 0 and
      (redis.call('ZREM', queue .. 'delayed', id) > 0 or redis.call('ZREM', queue .. 'prioritized', id) > 0 or
        redis.call('LREM', queue .. 'paused', 1, id) > 0 or redis.call('LREM', queue .. 'wait', 1, id) > 0) then
      redis.call('DEL', key, key .. ':logs')
      removed[#removed + 1] = id
    end
  end
end
return removed`

async function takeBackInSql(
  store: SqlStore, queueName: string, executionIds: readonly string[], requestId: string
): Promise<string[]> {
  const takeBackAll = async (ids: readonly string[]): Promise<string[]> => {
    const { rows } = await store.requestPool.query<{ id: string }>(inQueueSchema(store, TAKE_BACK_IN_SQL), [queueName, ids, requestId])
    return rows.map(({ id }) => id)
  }
  const removed = new Set(await takeBackAll(executionIds))
  const left = executionIds.filter(id => !removed.has(id))
  // A row that has changed since, for example its priority, has a new `ctid`.
  return left.length === 0 ? [...removed] : [...removed, ...await takeBackAll(left)]
}

/** One index lookup for each id, as in request-ids.ts. */
export const TAKE_BACK_IN_SQL = `DELETE FROM {queue}.job WHERE ctid = ANY(ARRAY(
    SELECT found.ctid FROM unnest($2::text[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT ctid FROM {queue}.job WHERE job.queue = $1 AND job.id = wanted.id LIMIT 1) AS found))
  AND queue = $1 AND state IN ('waiting', 'delayed') AND attempts_started = 0 AND parent_id IS NULL AND scheduler_id IS NULL
  AND opts ->> 'request_id' = $3 RETURNING id`
