import type { RedisStore } from '../../stores/store.ts'
import type { FinishedWindow, Rollup, RollupQuery, RollupSpan } from '../result-backend.ts'
import { fromStorable, toStorable } from '../storable-text.ts'
import {
  DAYS_KEPT_MS, DAY_MS, HOURS_KEPT_MS, HOUR_MS, MINUTES_KEPT_MS, MINUTE_MS, OVERALL, TASK_MINUTES_KEPT_MS, type Tally,
  emptyTally, hasMinutes, spansTouched, toFinishedWindow
} from '../tally.ts'
import { addStored } from './rollup-lines.ts'
import type { LedgerKeys } from './schema.ts'
import { createScript } from './script.ts'

export async function readWindow(store: RedisStore, keys: LedgerKeys, fromMs: number, toMs: number): Promise<FinishedWindow> {
  const tally = emptyTally()
  const span = hasMinutes(fromMs, Date.now()) ? 'minute' : 'hour'
  for (const { stored } of await readStored(store, keys, { span, fromMs, toMs })) addStored(tally, stored)
  return toFinishedWindow(tally)
}

export async function readWindowByTask(store: RedisStore, keys: LedgerKeys, fromMs: number, toMs: number): Promise<Map<string, FinishedWindow>> {
  const { first, end } = spansTouched(fromMs, toMs, HOUR_MS, HOURS_KEPT_MS)
  const tallies = new Map<string, Tally>()
  if (end <= first || toMs <= fromMs) return new Map()
  const pipeline = store.client.pipeline()
  for (let hour = first; hour < end; hour++) pipeline.hgetallBuffer(keys.rollup('hour', hour))
  for (const [error, stored] of await pipeline.exec() ?? []) {
    if (error) throw error
    for (const [task, rollup] of Object.entries(stored as Record<string, Buffer>)) {
      if (task === OVERALL) continue
      const tally = tallies.get(task) ?? emptyTally()
      addStored(tally, rollup)
      tallies.set(task, tally)
    }
  }
  return new Map(Array.from(tallies, ([task, tally]) => [fromStorable(task), toFinishedWindow(tally)]))
}

export async function readRollups(store: RedisStore, keys: LedgerKeys, query: RollupQuery): Promise<Rollup[]> {
  const rollups = await readStored(store, keys, query)
  return rollups.map(({ startMs, stored }) => {
    const tally = emptyTally()
    addStored(tally, stored)
    return { startMs, tally }
  })
}

const SPAN_MS: Record<RollupSpan, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS }
const KEPT_MS: Record<RollupSpan, number> = { minute: MINUTES_KEPT_MS, hour: HOURS_KEPT_MS, day: DAYS_KEPT_MS }

async function readStored(store: RedisStore, keys: LedgerKeys, query: RollupQuery): Promise<Array<{ startMs: number; stored: Buffer }>> {
  const { span, taskName, fromMs, toMs } = query
  const spanMs = SPAN_MS[span]
  const isTaskMinute = span === 'minute' && taskName !== undefined
  const { first, end } = spansTouched(fromMs, toMs, spanMs, isTaskMinute ? TASK_MINUTES_KEPT_MS : KEPT_MS[span])
  if (end <= first || toMs <= fromMs) return []
  const stored = await fieldsScript(store.client, [keys.executions], [
    keys.rollup(isTaskMinute ? 'task-minute' : span, ''), first, end - 1, toStorable(taskName ?? OVERALL)
  ]) as Array<Buffer | null>
  return stored.flatMap((each, i) => each === null ? [] : [{ startMs: (first + i) * spanMs, stored: each }])
}

/** One field of hashes that are numbered. */
const fieldsScript = createScript(`
local texts = {}
for number = tonumber(ARGV[2]), tonumber(ARGV[3]) do
  texts[#texts + 1] = redis.call('HGET', ARGV[1] .. string.format('%.0f', number), ARGV[4])
end
return texts
`)
