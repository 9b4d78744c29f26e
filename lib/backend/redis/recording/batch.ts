import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { createFailureBatch } from './batch-failures.ts'
import { createRollupBatch } from './batch-rollups.ts'
import { createSums } from './batch-sums.ts'
import { createListNames } from '../listing/lists.ts'
import { createPackWriter } from './pack-writer.ts'
import type { LedgerKeys } from '../schema.ts'
import { createWorkerBatch } from '../listing/worker-minutes.ts'

/** An entry with its stored forms. */
export interface BatchEntry { readonly entry: LedgerEntry; readonly record: string; readonly payload: string }

const writer = createPackWriter()

/**
 * All that recording these executions writes, as if each was new: the script that takes it checks that first. Positions are
 * those in the batch, from 1 on, as Lua counts.
 */
export function packBatch(batch: readonly BatchEntry[], keys: LedgerKeys, nowMs: number): Buffer {
  const listNames = createListNames(keys)
  const lists = new Map<string, number[]>()
  const tasksOfSchedules = new Map<string, Set<string>>()
  const [tasks, schedules] = [createSums(), createSums()]
  const rollups = createRollupBatch(keys, nowMs)
  const failures = createFailureBatch(keys, nowMs)
  const workers = createWorkerBatch(keys)
  const [withPayload, retried]: [number[], number[]] = [[], []]

  for (const [i, { entry, payload }] of batch.entries()) {
    const { execution } = entry
    for (const name of listNames(execution)) {
      const positions = lists.get(name)
      if (positions === undefined) lists.set(name, [i + 1])
      else positions.push(i + 1)
    }
    tasks.add(execution.taskName, execution)
    rollups.add(entry)
    if (payload !== '') withPayload.push(i + 1)
    if (execution.attempt > 1) retried.push(i + 1)
    if (execution.workerId !== null) workers.add(execution.workerId, execution)
    if (execution.errorGroup !== null && execution.status === 'failed') failures.add(entry, execution.errorGroup)
    if (execution.scheduleId !== null) {
      schedules.add(execution.scheduleId, execution)
      const key = keys.scheduleTasks(execution.scheduleId)
      tasksOfSchedules.set(key, (tasksOfSchedules.get(key) ?? new Set()).add(toStorable(execution.taskName)))
    }
  }

  writer.array(14)
  writer.array(batch.length)
  for (const { entry } of batch) writer.id(entry.execution.executionId)
  writer.array(batch.length)
  for (const { record } of batch) writer.text(record)
  writer.array(batch.length)
  for (const { entry } of batch) writer.text(String(entry.execution.finishedAt))
  writer.lists(lists)
  writer.array(withPayload.length * 2)
  for (const position of withPayload) {
    writer.id(batch[position - 1]!.entry.execution.executionId)
    writer.text(batch[position - 1]!.payload)
  }
  writer.positions(retried)
  writer.array(tasksOfSchedules.size * 2)
  for (const [key, names] of tasksOfSchedules) {
    writer.text(key)
    writer.texts([...names])
  }
  tasks.pack(writer)
  schedules.pack(writer)
  rollups.pack(writer)
  failures.pack(writer)
  workers.pack(writer)
  return writer.toBuffer()
}
