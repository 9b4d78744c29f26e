import { inChunks } from '../../collections/in-chunks.ts'
import type { Store } from '../../stores/store.ts'
import { queueNameFromTask } from '../jobs/queue-name.ts'

/** A script blocks the server: this many queues take less than a millisecond. */
const QUEUES_AT_A_TIME = 500

interface Limited { readonly taskName: string; readonly max: number }
interface Window { readonly taskName: string; readonly started: number; readonly endsAt: number }

/** Until when rate limits block new starts of these tasks. Tasks below their limit are omitted. One round trip per 500. */
export async function rateLimitedUntil(store: Store, tasks: readonly Limited[], now: number): Promise<Map<string, number>> {
  const max = new Map(tasks.map(task => [task.taskName, task.max]))
  const names = inChunks([...max.keys()], QUEUES_AT_A_TIME)
  const windows = (await Promise.all(names.map(chunk =>
    store.kind === 'redis' ? windowsOnRedis(store, chunk, now) : windowsInSql(store, chunk, now)))).flat()
  return new Map(windows.flatMap(({ taskName, started, endsAt }) => started < max.get(taskName)! ? [] : [[taskName, endsAt]]))
}

async function windowsOnRedis(
  { client, keyPrefix }: Extract<Store, { kind: 'redis' }>, taskNames: readonly string[], now: number
): Promise<Window[]> {
  const keys = taskNames.map(name => `${keyPrefix}:${queueNameFromTask(name)}:limiter`)
  const found = await client.eval(WINDOWS, keys.length, ...keys) as Array<[index: number, started: string, leftMs: number]>
  return found.map(([index, started, leftMs]) => ({ taskName: taskNames[index - 1]!, started: Number(started), endsAt: now + leftMs }))
}

const WINDOWS = `
local found = {}
for i, key in ipairs(KEYS) do
  local started = redis.call('GET', key)
  local left = started and redis.call('PTTL', key) or 0
  if left > 0 then found[#found + 1] = {i, started, left} end
end
return found`

async function windowsInSql(store: Exclude<Store, { kind: 'redis' }>, taskNames: readonly string[], now: number): Promise<Window[]> {
  const taskOf = new Map(taskNames.map(name => [queueNameFromTask(name), name]))
  const { rows } = await store.query<{ queue: string; points: string | number; expire_at_ms: string | number }>(
    `SELECT queue, points, expire_at_ms FROM "${store.schema}_queue".rate_limit WHERE queue = ANY($1::text[]) ` +
      'AND expire_at_ms > $2::bigint',
    [[...taskOf.keys()], now])
  return rows.map(row => ({ taskName: taskOf.get(row.queue)!, started: Number(row.points), endsAt: Number(row.expire_at_ms) }))
}
