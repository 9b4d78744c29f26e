import type { Store } from '../stores/store.ts'
import type { SchedulerState } from './engine.ts'
import { queueNameFromTask } from './queue-name.ts'

/** A script blocks the server, and a statement holds a connection: so many queues are a few milliseconds of it. */
const QUEUES_AT_A_TIME = 500

/** The schedulers of many queues, a round trip for every 500 of them. */
export async function listStandingSchedulers(store: Store, taskNames: readonly string[]): Promise<SchedulerState[]> {
  const batches: string[][] = []
  const names = [...new Set(taskNames)]
  for (let start = 0; start < names.length; start += QUEUES_AT_A_TIME) batches.push(names.slice(start, start + QUEUES_AT_A_TIME))
  return (await Promise.all(batches.map(batch => store.kind === 'redis' ? listOnRedis(store, batch) : listOnSql(store, batch)))).flat()
}

async function listOnRedis({ client, keyPrefix }: Extract<Store, { kind: 'redis' }>, taskNames: readonly string[]): Promise<SchedulerState[]> {
  const keys = taskNames.map(name => `${keyPrefix}:${queueNameFromTask(name)}:repeat`)
  const found = await client.eval(LIST, keys.length, ...keys) as Array<[index: number, flat: string[]]>
  return found.flatMap(([index, flat]) => {
    const states: SchedulerState[] = []
    for (let at = 0; at < flat.length; at += 2) states.push({ scheduleId: flat[at]!, taskName: taskNames[index - 1]!, nextRunAt: Number(flat[at + 1]) })
    return states
  })
}

// Most queues have none.
const LIST = `
local found = {}
for i, key in ipairs(KEYS) do
  local schedulers = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  if #schedulers > 0 then found[#found + 1] = {i, schedulers} end
end
return found`

async function listOnSql(store: Exclude<Store, { kind: 'redis' }>, taskNames: readonly string[]): Promise<SchedulerState[]> {
  const taskOf = new Map(taskNames.map(name => [queueNameFromTask(name), name]))
  const { rows } = await store.query<{ queue: string; scheduler_id: string; next_run_ms: string | number }>(
    `SELECT queue, scheduler_id, next_run_ms FROM "${store.schema}_queue".scheduler WHERE queue = ANY($1::text[]) ORDER BY queue, next_run_ms, scheduler_id`,
    [[...taskOf.keys()]])
  return rows.map(row => ({ scheduleId: row.scheduler_id, taskName: taskOf.get(row.queue)!, nextRunAt: Number(row.next_run_ms) }))
}
