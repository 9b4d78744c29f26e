import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { type CounterAddition, type CounterScope, summarizeBatch } from '../../counting/summarize-batch.ts'
import { toStoredCounter } from '../counting/totals.ts'
import { createListNames } from '../listing/list-names.ts'
import { createWorkerBatch } from '../worker-minutes.ts'
import { createPackWriter } from '../pack-writer.ts'
import { type LedgerKeys, newVersion } from '../schema.ts'
import { packFailureGroups } from './pack-failure-groups.ts'
import { packRollups } from './pack-rollups.ts'

/** An entry with its stored forms. */
export interface BatchEntry { readonly entry: LedgerEntry; readonly record: string; readonly payload: string | null }

const writer = createPackWriter()

/**
 * Everything that recording these executions writes, assuming that each is new; `recordScript` checks that first. Positions refer to the
 * batch and start at 1, as in Lua.
 * @param fence nothing is written unless it holds
 */
export function packBatch(
  batch: readonly BatchEntry[], keys: LedgerKeys, nowMs: number, fence?: readonly [id: string, field: string]
): Buffer {
  const { counters, rollups, failureGroups } = summarizeBatch(batch.map(each => each.entry), nowMs)
  const { lists, workers, tasksOfSchedules } = placesOf(batch, keys)
  const payloads = batch.flatMap(({ entry, payload }) => payload === null ? [] : [{ id: entry.execution.executionId, payload }])
  const retried = batch.flatMap(({ entry }, i) => entry.execution.attempt > 1 ? [i + 1] : [])
  const overall = counters.find(each => each.scope === 'overall')

  writer.map({
    prefix: () => writer.text(keys.prefix),
    ...fence && { fence: () => writer.value(fence) },
    now: () => writer.text(String(nowMs)),
    version: () => writer.value(newVersion()),
    ids() {
      writer.array(batch.length)
      for (const { entry } of batch) writer.id(entry.execution.executionId)
    },
    records() {
      writer.array(batch.length)
      for (const { record } of batch) writer.text(record)
    },
    finishes() {
      writer.array(batch.length)
      for (const { entry } of batch) writer.text(String(entry.execution.finishedAt))
    },
    lists: () => writer.lists(lists),
    payloads() {
      writer.array(payloads.length * 2)
      for (const { id, payload } of payloads) {
        writer.id(id)
        writer.text(payload)
      }
    },
    retried: () => writer.positions(retried),
    tasksOfSchedules: () => writer.value(Object.fromEntries(Array.from(tasksOfSchedules, ([key, names]) => [key, [...names]]))),
    success: () => writer.text(String(overall?.success ?? 0)),
    failed: () => writer.text(String(overall?.failed ?? 0)),
    taskCounters: () => packCounters(counters, 'task'),
    scheduleCounters: () => packCounters(counters, 'schedule'),
    rollups: () => packRollups(writer, keys, rollups),
    failureGroups: () => packFailureGroups(writer, keys, failureGroups),
    workers: () => workers.pack(writer)
  })
  return writer.toBuffer()
}

/** The lists, workers and schedules that refer to the executions of the batch. */
function placesOf(batch: readonly BatchEntry[], keys: LedgerKeys) {
  const listNames = createListNames(keys)
  const lists = new Map<string, number[]>()
  const tasksOfSchedules = new Map<string, Set<string>>()
  const workers = createWorkerBatch(keys)
  for (const [i, { entry: { execution } }] of batch.entries()) {
    for (const name of listNames(execution)) {
      const positions = lists.get(name)
      if (positions === undefined) lists.set(name, [i + 1])
      else positions.push(i + 1)
    }
    if (execution.workerId !== null) workers.add(execution.workerId, execution)
    if (execution.scheduleId !== null) {
      const key = keys.scheduleTasks(execution.scheduleId)
      tasksOfSchedules.set(key, (tasksOfSchedules.get(key) ?? new Set()).add(toStorable(execution.taskName)))
    }
  }
  return { lists, workers, tasksOfSchedules }
}

function packCounters(counters: readonly CounterAddition[], scope: CounterScope): void {
  const ofScope = counters.filter(each => each.scope === scope)
  writer.map({
    names: () => writer.texts(ofScope.map(each => toStorable(each.name))),
    counters: () => writer.texts(ofScope.map(toStoredCounter))
  })
}
