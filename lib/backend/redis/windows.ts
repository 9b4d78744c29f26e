import type { RedisStore } from '../../stores/store.ts'
import { decodeHistogram, mergeInto } from '../buckets.ts'
import type { FinishedWindow } from '../result-backend.ts'
import { fromStorable } from '../storable-text.ts'
import { HOURS_KEPT_MS, HOUR_MS, MINUTES_KEPT_MS, MINUTE_MS, OVERALL, type Tally, emptyTally, hasMinutes, spansTouched, toFinishedWindow } from '../tally.ts'
import type { LedgerKeys } from './schema.ts'

export async function readWindow(store: RedisStore, keys: LedgerKeys, fromMs: number, toMs: number): Promise<FinishedWindow> {
  const tally = emptyTally()
  for (const text of await readOverall(store, keys, fromMs, toMs)) {
    if (text !== null) addStored(tally, text)
  }
  return toFinishedWindow(tally)
}

export async function readWindowByTask(store: RedisStore, keys: LedgerKeys, fromMs: number, toMs: number): Promise<Map<string, FinishedWindow>> {
  const tallies = new Map<string, Tally>()
  for (const stored of await pipelined<Record<string, string>>(store, hoursTouched(fromMs, toMs).map(hour => ['hgetall', keys.hour(hour)]))) {
    for (const [task, text] of Object.entries(stored)) {
      if (task === OVERALL) continue
      const tally = tallies.get(task) ?? emptyTally()
      addStored(tally, text)
      tallies.set(task, tally)
    }
  }
  return new Map(Array.from(tallies, ([task, tally]) => [fromStorable(task), toFinishedWindow(tally)]))
}

function readOverall(store: RedisStore, keys: LedgerKeys, fromMs: number, toMs: number): Promise<Array<string | null>> {
  if (!hasMinutes(fromMs, Date.now())) return pipelined(store, hoursTouched(fromMs, toMs).map(hour => ['hget', keys.hour(hour), OVERALL]))
  const { first, end } = spansTouched(fromMs, toMs, MINUTE_MS, MINUTES_KEPT_MS)
  if (end <= first) return Promise.resolve([])
  return store.client.mget(Array.from({ length: end - first }, (_, i) => keys.minute(first + i)))
}

function hoursTouched(fromMs: number, toMs: number): number[] {
  const { first, end } = spansTouched(fromMs, toMs, HOUR_MS, HOURS_KEPT_MS)
  return Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
}

async function pipelined<Reply>(store: RedisStore, commands: string[][]): Promise<Reply[]> {
  if (commands.length === 0) return []
  const replies = await store.client.pipeline(commands).exec() ?? []
  return replies.map(([error, reply]) => {
    if (error) throw error
    return reply as Reply
  })
}

/** `success failed duration wait`, the last two as histograms. */
function addStored(tally: Tally, text: string): void {
  const [success, failed, duration, wait] = text.split(' ') as [string, string, string, string]
  tally.success += Number(success)
  tally.failed += Number(failed)
  mergeInto(tally.duration, decodeHistogram(duration))
  mergeInto(tally.wait, decodeHistogram(wait))
}
