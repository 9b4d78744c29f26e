import type { IQueueBackend } from 'bullmq'
import { absentKey } from '../../stores/redis/absent-key.ts'
import { LUA_GIVEN, toArguments } from '../../stores/redis/lua-given.ts'
import type { Store } from '../../stores/store.ts'
import { STARTS_FIELD, MAX_STARTS, type StartEnd } from '../jobs/earlier-starts.ts'

/** `at` is in milliseconds since the epoch, `delayMs` in milliseconds. */
interface When { readonly at: number; readonly delayMs: number }

/**
 * Stores when and by which worker a job was started before BullMQ starts it again, because the next start overwrites those fields. This
 * happens when an attempt failed and will be retried, when a worker hands the job back, and when its process was lost. Only these cases
 * cost an extra call.
 * @returns the same backend
 */
export function keepStarts<Backend extends IQueueBackend>(backend: Backend, store: Store, queue: string): Backend {
  const { moveToDelayed, retryJob, moveJobFromActiveToWait, moveStalledJobsToWait } = backend
  return Object.assign(backend, {
    async moveToDelayed(...call: Parameters<IQueueBackend['moveToDelayed']>) {
      // The broker counts the backoff from the same time. Reading the clock again could give a time a millisecond later.
      await keep('failed', call[0], { at: call[1], delayMs: call[2] })
      return moveToDelayed.apply(backend, call)
    },
    async retryJob(...call: Parameters<IQueueBackend['retryJob']>) {
      await keep('failed', call[0])
      return retryJob.apply(backend, call)
    },
    async moveJobFromActiveToWait(...call: Parameters<IQueueBackend['moveJobFromActiveToWait']>) {
      await keep('handed_back', call[0])
      return moveJobFromActiveToWait.apply(backend, call)
    },
    async moveStalledJobsToWait() {
      await keep('lost', null)
      return moveStalledJobsToWait.apply(backend)
    }
  })

  /**
   * @param id null for all jobs whose process was lost
   * @param when when the start ended, and how long after that the job may start again
   */
  async function keep(end: StartEnd, id: string | null, when: When = { at: Date.now(), delayMs: 0 }): Promise<void> {
    try {
      await (store.kind === 'redis' ? keepOnRedis(store, queue, end, id, when) : keepInSql(store, queue, end, id, when))
    } catch { /* The retry matters more than its bookkeeping. */ }
  }
}

async function keepOnRedis(
  { client, keyPrefix }: Extract<Store, { kind: 'redis' }>, queue: string, end: StartEnd, id: string | null, { at, delayMs }: When
): Promise<void> {
  const given = toArguments({ id: id ?? undefined, end, at, delayMs })
  await client.eval(KEEP, 2, `${keyPrefix}:${queue}:`, absentKey(keyPrefix), ...given)
}

// `moveStalledJobsToWait` will treat these as lost: they were marked in the last round and still have no lock.
const KEEP = `${LUA_GIVEN}
local queue, endedAt = KEYS[1], tonumber(given.at)
local ids = {given.id}
if not given.id then
  if redis.call('EXISTS', queue .. 'stalled-check') == 1 then return 0 end
  ids = redis.call('SMEMBERS', queue .. 'stalled')
end
for _, each in ipairs(ids) do
  local key = queue .. each
  if given.id or redis.call('EXISTS', key .. ':lock') == 0 then
    local json, at, by, started, made = unpack(redis.call('HMGET', key, 'opts', 'processedOn', 'pb', 'ats', 'atm'))
    if json and at and started then
      local known, opts = pcall(cjson.decode, json)
      if known and type(opts) == 'table' then
        local number = tonumber(started)
        local starts = {}
        for _, start in ipairs(type(opts['${STARTS_FIELD}']) == 'table' and opts['${STARTS_FIELD}'] or {}) do
          if start[1] < number then starts[#starts + 1] = start end
        end
        if #starts >= ${MAX_STARTS} then table.remove(starts, 2) end
        starts[#starts + 1] = {number, tonumber(made or 0) + 1, tonumber(at), by or '', given['end'], endedAt, endedAt + given.delayMs}
        opts['${STARTS_FIELD}'] = starts
        redis.call('HSET', key, 'opts', cjson.encode(opts))
      end
    end
  end
end
return #ids`

async function keepInSql(
  store: Exclude<Store, { kind: 'redis' }>, queue: string, end: StartEnd, id: string | null, { at, delayMs }: When
): Promise<void> {
  const which = id === null ? `job.state = 'active' AND stalled_marked AND locked_until_ms < $3::bigint` : 'id = $5'
  await store.query(
    `UPDATE "${store.schema}_queue".job SET opts = jsonb_set(opts, '{${STARTS_FIELD}}',
       (SELECT coalesce(jsonb_agg(start ORDER BY start -> 0), '[]') FROM (
          SELECT start FROM jsonb_array_elements(CASE jsonb_typeof(opts -> '${STARTS_FIELD}') WHEN 'array' THEN opts -> '${STARTS_FIELD}'
            ELSE '[]' END) AS start
          WHERE (start ->> 0)::int < attempts_started
            AND ((start ->> 0)::int = 1 OR (start ->> 0)::int > attempts_started - ${MAX_STARTS - 1})) AS kept)
       || jsonb_build_array(jsonb_build_array(attempts_started, attempts_made + 1, processed_at_ms, coalesce(processed_by, ''), $2::text,
         $3::bigint, $3::bigint + $4::bigint)))
     WHERE queue = $1 AND processed_at_ms IS NOT NULL AND ${which}`,
    [queue, end, at, delayMs, ...id === null ? [] : [id]])
}
