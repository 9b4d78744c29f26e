import { inChunks } from '../../collections/in-chunks.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import type { Store } from '../../stores/store.ts'
import type { SchedulerDefinition, SchedulerState } from '../scheduler-definition.ts'
import { queueNameFromTask } from '../jobs/queue-name.ts'
import { fingerprintOf } from './schedulers.ts'

/** A script blocks the server, and a statement holds a connection: this many queues take a few milliseconds. */
const QUEUES_AT_A_TIME = 500
/** Each may have arguments of 64 KiB. */
const SCHEDULERS_AT_A_TIME = 500

/** The schedulers of many queues, one round trip per 500. */
export async function listSchedulers(store: Store, taskNames: readonly string[]): Promise<SchedulerState[]> {
  const batches = inChunks([...new Set(taskNames)], QUEUES_AT_A_TIME)
  return (await Promise.all(batches.map(batch => store.kind === 'redis' ? listOnRedis(store, batch) : listOnSql(store, batch)))).flat()
}

async function listOnRedis(
  { client, keyPrefix }: Extract<Store, { kind: 'redis' }>, taskNames: readonly string[]
): Promise<SchedulerState[]> {
  const keys = taskNames.map(name => `${keyPrefix}:${queueNameFromTask(name)}:repeat`)
  const found = await client.eval(LIST, keys.length, ...keys) as Array<[index: number, flat: string[]]>
  return found.flatMap(([index, flat]) => {
    const states: SchedulerState[] = []
    for (let at = 0; at < flat.length; at += 2)
      states.push({ scheduleId: flat[at]!, taskName: taskNames[index - 1]!, nextRunAt: Number(flat[at + 1]) })
    return states
  })
}

// Most queues have no schedulers.
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
    `SELECT queue, scheduler_id, next_run_ms FROM "${store.schema}_queue".scheduler WHERE queue = ANY($1::text[]) ORDER BY ` +
      'queue, next_run_ms, scheduler_id',
    [[...taskOf.keys()]])
  return rows.map(row => ({ scheduleId: row.scheduler_id, taskName: taskOf.get(row.queue)!, nextRunAt: Number(row.next_run_ms) }))
}

/** Ids of the definitions whose scheduler is current and has its planned run; one round trip per 500. */
export async function schedulersAsDefined(store: Store, definitions: readonly SchedulerDefinition[]): Promise<Set<string>> {
  const chunks = inChunks(definitions, SCHEDULERS_AT_A_TIME)
  return new Set((await Promise.all(chunks.map(chunk =>
    store.kind === 'redis' ? compareOnRedis(store, chunk) : compareInSql(store, chunk)))).flat())
}

async function compareOnRedis(
  { client, keyPrefix }: Extract<Store, { kind: 'redis' }>, definitions: readonly SchedulerDefinition[]
): Promise<string[]> {
  const keys = [...definitions.map(({ taskName }) => `${keyPrefix}:${queueNameFromTask(taskName)}:repeat`), absentKey(keyPrefix)]
  const found = await client.eval(
    COMPARE, keys.length, ...keys, ...definitions.flatMap(each => [each.scheduleId, fingerprintOf(each)])
  ) as number[]
  return found.map(index => definitions[index - 1]!.scheduleId)
}

const COMPARE = `
local found = {}
-- The last is the absent key.
for i = 1, #KEYS - 1 do
  local key, id, fingerprint = KEYS[i], ARGV[2 * i - 1], ARGV[2 * i]
  local data = redis.call('HGET', key .. ':' .. id, 'data')
  local next = data and string.find(data, '"definition":"' .. fingerprint .. '"', 1, true) and redis.call('ZSCORE', key, id)
  if next and redis.call('EXISTS', key .. ':' .. id .. ':' .. string.format('%.0f', next)) == 1 then found[#found + 1] = i end
end
return found`

async function compareInSql(store: Exclude<Store, { kind: 'redis' }>, definitions: readonly SchedulerDefinition[]): Promise<string[]> {
  const schema = `"${store.schema}_queue"`
  const { rows } = await store.query<{ scheduler_id: string }>(
    `SELECT scheduler_id FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (queue, scheduler_id, definition)
      JOIN ${schema}.scheduler USING (queue, scheduler_id)
     WHERE template_data ->> 'definition' = wanted.definition
       AND EXISTS (SELECT FROM ${schema}.job WHERE job.queue = scheduler.queue
         AND job.id = 'repeat:' || scheduler.scheduler_id || ':' || scheduler.next_run_ms)`,
    [
      definitions.map(({ taskName }) => queueNameFromTask(taskName)), definitions.map(({ scheduleId }) => scheduleId),
      definitions.map(fingerprintOf)
    ])
  return rows.map(row => row.scheduler_id)
}
