import type { RedisStore } from '../../stores/store.ts'
import { decodeHistogram, mergeInto } from '../buckets.ts'
import type { FinishedWindow, Rollup, RollupQuery, RollupSpan } from '../result-backend.ts'
import { fromStorable, toStorable } from '../storable-text.ts'
import {
  DAYS_KEPT_MS, DAY_MS, HOURS_KEPT_MS, HOUR_MS, MINUTES_KEPT_MS, MINUTE_MS, OVERALL, TASK_MINUTES_KEPT_MS, type Tally,
  emptyTally, hasMinutes, spansTouched, toFinishedWindow
} from '../tally.ts'
import type { LedgerKeys } from './schema.ts'
import { createScript } from './script.ts'

export async function readWindow(store: RedisStore, keys: LedgerKeys, fromMs: number, toMs: number): Promise<FinishedWindow> {
  const tally = emptyTally()
  const span = hasMinutes(fromMs, Date.now()) ? 'minute' : 'hour'
  for (const { text } of await readStored(store, keys, { span, fromMs, toMs })) addStored(tally, text)
  return toFinishedWindow(tally)
}

export async function readWindowByTask(store: RedisStore, keys: LedgerKeys, fromMs: number, toMs: number): Promise<Map<string, FinishedWindow>> {
  const { first, end } = spansTouched(fromMs, toMs, HOUR_MS, HOURS_KEPT_MS)
  const tallies = new Map<string, Tally>()
  if (end <= first) return new Map()
  const pipeline = store.client.pipeline()
  for (let hour = first; hour < end; hour++) pipeline.hgetall(keys.rollup('hour', hour))
  for (const [error, stored] of await pipeline.exec() ?? []) {
    if (error) throw error
    for (const [task, text] of Object.entries(stored as Record<string, string>)) {
      if (task === OVERALL) continue
      const tally = tallies.get(task) ?? emptyTally()
      addStored(tally, text)
      tallies.set(task, tally)
    }
  }
  return new Map(Array.from(tallies, ([task, tally]) => [fromStorable(task), toFinishedWindow(tally)]))
}

export async function readRollups(store: RedisStore, keys: LedgerKeys, query: RollupQuery): Promise<Rollup[]> {
  const stored = await readStored(store, keys, query)
  return stored.map(({ startMs, text }) => {
    const tally = emptyTally()
    addStored(tally, text)
    return { startMs, tally }
  })
}

const SPAN_MS: Record<RollupSpan, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS }
const KEPT_MS: Record<RollupSpan, number> = { minute: MINUTES_KEPT_MS, hour: HOURS_KEPT_MS, day: DAYS_KEPT_MS }

async function readStored(store: RedisStore, keys: LedgerKeys, query: RollupQuery): Promise<Array<{ startMs: number; text: string }>> {
  const { span, taskName, fromMs, toMs } = query
  const spanMs = SPAN_MS[span]
  const isTaskMinute = span === 'minute' && taskName !== undefined
  const { first, end } = spansTouched(fromMs, toMs, spanMs, isTaskMinute ? TASK_MINUTES_KEPT_MS : KEPT_MS[span])
  if (end <= first) return []
  const stored = await fieldsScript(store.client, [keys.executions], [
    keys.rollup(isTaskMinute ? 'task-minute' : span, ''), first, end - 1, toStorable(taskName ?? OVERALL)
  ]) as Array<Buffer | null>
  return stored.flatMap((text, i) => text === null ? [] : [{ startMs: (first + i) * spanMs, text: text.toString() }])
}

/** One field of hashes that are numbered. */
const fieldsScript = createScript(`
local texts = {}
for number = tonumber(ARGV[2]), tonumber(ARGV[3]) do
  texts[#texts + 1] = redis.call('HGET', ARGV[1] .. string.format('%.0f', number), ARGV[4])
end
return texts
`)

/** Lines of `success failed duration wait`, the last two as histograms, which add up. */
function addStored(tally: Tally, text: string): void {
  for (const line of text.split('\n')) {
    const [success, failed, duration, wait] = line.split(' ') as [string, string, string, string]
    tally.success += Number(success)
    tally.failed += Number(failed)
    mergeInto(tally.duration, decodeHistogram(duration))
    mergeInto(tally.wait, decodeHistogram(wait))
  }
}
