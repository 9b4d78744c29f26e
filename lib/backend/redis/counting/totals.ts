import type { RedisStore } from '../../../stores/store.ts'
import { inChunks } from '../../../collections/in-chunks.ts'
import type { BackendTotals, CountedSchedules, TaskTotals } from '../../result-backend.ts'
import { fromStorable, toStorable } from '../../entry/storable-text.ts'
import type { CounterAddition } from '../../counting/summarize-batch.ts'
import { LUA_TOTALS } from './lua-totals.ts'
import type { LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'

export async function readTotals(store: RedisStore, keys: LedgerKeys): Promise<BackendTotals> {
  const [success, failed, since] = await store.client.hmget(keys.totals, 'success', 'failed', 'since')
  return { success: Number(success ?? 0), failed: Number(failed ?? 0), since: Number(since ?? Date.now()) }
}

export async function readTaskTotals(store: RedisStore, keys: LedgerKeys): Promise<Map<string, TaskTotals>> {
  const stored = await store.client.hgetall(keys.taskTotals)
  return new Map(Object.entries(stored).map(([name, text]) => [fromStorable(name), totalsFromStored(text)]))
}

export async function readScheduleTotals(
  store: RedisStore, keys: LedgerKeys, scheduleIds: readonly string[]
): Promise<Map<string, TaskTotals>> {
  const totals = new Map<string, TaskTotals>()
  for (const chunk of inChunks(scheduleIds, 1_000)) {
    const stored = await store.client.hmget(keys.scheduleTotals, ...chunk.map(toStorable))
    for (const [i, text] of stored.entries()) {
      if (text !== null) totals.set(chunk[i]!, totalsFromStored(text))
    }
  }
  return totals
}

export async function readCountedSchedules(
  { client }: RedisStore, keys: LedgerKeys, cursor: string | null, limit: number
): Promise<CountedSchedules> {
  const [next, fields] = await client.hscan(keys.scheduleTotals, cursor ?? '0', 'COUNT', limit)
  return { scheduleIds: fields.filter((_, i) => i % 2 === 0).map(fromStorable), next: next === '0' ? null : next }
}

export async function moveSchedule({ client }: RedisStore, keys: LedgerKeys, from: string, to: string): Promise<void> {
  await moveScript(client, [keys.scheduleTotals], { from: toStorable(from), to: toStorable(to) })
}

const moveScript = createScript(`
${LUA_TOTALS}
local from, to = unpack(redis.call('HMGET', KEYS[1], given.from, given.to))
if not from or given.from == given.to then return 0 end
redis.call('HSET', KEYS[1], given.to, to and addedTotals(from, to) or from)
redis.call('HDEL', KEYS[1], given.from)
return 1
`)

/** The format that `totalsFromStored` describes. */
export function toStoredCounter({ success, failed, durationMs, timed, last }: CounterAddition): string {
  return `${success} ${failed} ${durationMs}/${timed} ${last.finishedAt} ${tookOf(last)} ${last.status} ${toStorable(last.executionId)}`
}

/** The duration (empty if unknown), then `~` and how long before its finish the execution began. */
function tookOf({ durationMs, finishedAt, startedAt, submittedAt }: CounterAddition['last']): string {
  return `${durationMs ?? ''}~${finishedAt - (startedAt ?? submittedAt)}`
}

/**
 * `success failed duration/timed finishedAt took status id`. The last four describe the most recently finished execution. `timed` is absent
 * if nothing was added since a version that did not store it; for `took` see `tookOf`.
 */
function totalsFromStored(text: string): TaskTotals {
  const [success, failed, durations, finishedAt, took, status, ...id] = text.split(' ')
  const [duration, timed = Number(success) + Number(failed)] = durations!.split('/')
  const [known, before = known] = took!.split('~')
  return {
    success: Number(success),
    failed: Number(failed),
    totalDurationMs: Number(duration),
    timed: Number(timed),
    last: {
      executionId: fromStorable(id.join(' ')),
      status: status as 'success' | 'failed',
      finishedAt: Number(finishedAt),
      durationMs: known === '' ? null : Number(known),
      beganAt: Number(finishedAt) - Math.round(Number(before))
    }
  }
}
