import { inChunks } from '../../collections/in-chunks.ts'
import type { Store } from '../../stores/store.ts'
import { queueNameFromTask } from '../jobs/queue-name.ts'

/** A script blocks the server: this many queues take less than a millisecond. */
const QUEUES_AT_A_TIME = 500

interface Limited { readonly taskName: string; readonly max: number | null }
/** `max`: the live limit; null for none. */
interface Window { readonly taskName: string; readonly started: number; readonly endsAt: number; readonly max: number | null }

/** Until when rate limits block new starts of these tasks. Tasks below their limit are omitted. One round trip per 500. */
export async function rateLimitedUntil(store: Store, tasks: readonly Limited[], now: number): Promise<Map<string, number>> {
  const max = new Map(tasks.map(task => [task.taskName, task.max]))
  const names = inChunks([...max.keys()], QUEUES_AT_A_TIME)
  const windows = (await Promise.all(names.map(chunk =>
    store.kind === 'redis' ? windowsOnRedis(store, chunk, now) : windowsInSql(store, chunk, now)))).flat()
  return new Map(windows.flatMap(({ taskName, started, endsAt, max: live }) =>
    started < (live ?? max.get(taskName) ?? Infinity) ? [] : [[taskName, endsAt]]))
}

async function windowsOnRedis(
  { client, keyPrefix }: Extract<Store, { kind: 'redis' }>, taskNames: readonly string[], now: number
): Promise<Window[]> {
  const keys = taskNames.flatMap(name => ['limiter', 'meta'].map(key => `${keyPrefix}:${queueNameFromTask(name)}:${key}`))
  const found = await client.eval(WINDOWS, keys.length, ...keys) as Array<
    [index: number, started: string, leftMs: number, max: string | null]
  >
  return found.map(([index, started, leftMs, max]) => ({
    taskName: taskNames[index - 1]!, started: Number(started), endsAt: now + leftMs, max: max === null ? null : Number(max)
  }))
}

const WINDOWS = `
local found = {}
for i = 1, #KEYS, 2 do
  local started = redis.call('GET', KEYS[i])
  local left = started and redis.call('PTTL', KEYS[i]) or 0
  if left > 0 then found[#found + 1] = {(i + 1) / 2, started, left, redis.call('HGET', KEYS[i + 1], 'max')} end
end
return found`

async function windowsInSql(store: Exclude<Store, { kind: 'redis' }>, taskNames: readonly string[], now: number): Promise<Window[]> {
  const taskOf = new Map(taskNames.map(name => [queueNameFromTask(name), name]))
  const { rows } = await store.query<{
    queue: string; points: string | number; expire_at_ms: string | number; max: string | null
  }>(
    `SELECT queue, points, expire_at_ms, live.value AS max FROM "${store.schema}_queue".rate_limit
       LEFT JOIN (SELECT queue, value FROM "${store.schema}_queue".meta WHERE field = 'max') AS live USING (queue)
     WHERE queue = ANY($1::text[]) AND expire_at_ms > $2::bigint`,
    [[...taskOf.keys()], now])
  return rows.map(row => ({
    taskName: taskOf.get(row.queue)!, started: Number(row.points), endsAt: Number(row.expire_at_ms),
    max: row.max === null ? null : Number(row.max)
  }))
}
