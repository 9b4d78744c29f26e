import type { RedisStore } from '../../stores/store.ts'
import type { BackendTotals, TaskTotals } from '../result-backend.ts'
import { fromStorable, toStorable } from '../storable-text.ts'
import type { LedgerKeys } from './schema.ts'

export async function readTotals(store: RedisStore, keys: LedgerKeys): Promise<BackendTotals> {
  const [success, failed, since] = await store.client.hmget(keys.totals, 'success', 'failed', 'since')
  return { success: Number(success ?? 0), failed: Number(failed ?? 0), since: Number(since ?? Date.now()) }
}

export async function readTaskTotals(store: RedisStore, keys: LedgerKeys): Promise<Map<string, TaskTotals>> {
  const stored = await store.client.hgetall(keys.taskTotals)
  return new Map(Object.entries(stored).map(([name, text]) => [fromStorable(name), totalsFromStored(text)]))
}

export async function readScheduleTotals(store: RedisStore, keys: LedgerKeys, scheduleIds: readonly string[]): Promise<Map<string, TaskTotals>> {
  const totals = new Map<string, TaskTotals>()
  if (scheduleIds.length === 0) return totals
  const stored = await store.client.hmget(keys.scheduleTotals, ...scheduleIds.map(toStorable))
  for (const [i, text] of stored.entries()) {
    if (text !== null) totals.set(scheduleIds[i]!, totalsFromStored(text))
  }
  return totals
}

/** `success failed duration finishedAt took status id`, of which the last four are of the execution that finished last. */
function totalsFromStored(text: string): TaskTotals {
  const [success, failed, duration, finishedAt, took, status, ...id] = text.split(' ')
  return {
    success: Number(success),
    failed: Number(failed),
    totalDurationMs: Number(duration),
    last: { executionId: fromStorable(id.join(' ')), status: status as 'success' | 'failed', finishedAt: Number(finishedAt), durationMs: Number(took) }
  }
}
